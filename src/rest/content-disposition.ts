/**
 * Content-Disposition of a file that is to be saved under its own name (RFC 6266): `filename` in ASCII for old clients,
 * and beside it `filename*` (RFC 8187) for a name that has more to it.
 */
export function attachment(name: string): string {
  // A percent sign in `filename` is decoded by some clients; quotes and backslashes are escaped differently by all.
  const ascii = name.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll(/["\\%]/g, '_');
  if (ascii === name) return `attachment; filename="${ascii}"`;
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extendedValue(name)}`;
}

/** encodeURIComponent leaves four characters alone that RFC 8187 wants encoded, and throws at half a character. */
function extendedValue(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
