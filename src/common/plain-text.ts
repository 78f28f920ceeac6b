/** A JSON value as text; empty for objects and lists, whose own `toString` could prevent a conversion. */
export function plainText(value: unknown): string {
  return typeof value === 'object' && value !== null ? '' : String(value);
}
