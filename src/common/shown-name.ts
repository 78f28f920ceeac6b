/** The name as a message may carry it: no longer than it is useful, without control characters. */
export function shownName(name: string): string {
  const shown = name.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD');
  if (shown === '') return 'A field without a name';
  return shown.length > 100 ? `${shown.slice(0, 100).toWellFormed()}…` : shown;
}
