/** A value of JSON as a text; that of an object or a list is empty, since one with a `toString` of its own cannot be converted. */
export function plainText(value: unknown): string {
  return typeof value === 'object' && value !== null ? '' : String(value);
}
