/** The name for a message: truncated, without control characters. */
export function shownName(name: string): string {
  if (name === '') return 'A field without a name';
  const shown = name
    .slice(0, 100)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\uFFFD');
  return name.length > 100 ? `${shown}…` : shown;
}
