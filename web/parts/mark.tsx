/** The logo of the gateway: a shield with an opening, on its own colour. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <path fill="#fff" d="M16 1.5 28 5.6v9.9c0 7.2-5 12.5-12 15-7-2.5-12-7.8-12-15V5.6z" />
      <path class="mark-ink" d="M10.5 22.5V12.6a5.5 5.5 0 0 1 11 0v9.9h-3V12.6a2.5 2.5 0 0 0-5 0v9.9z" />
      <circle class="mark-ink" cx="16" cy="20.8" r="1.7" />
    </svg>
  );
}
