/** For PostgreSQL: finds a name or address as a whole, and not as a part of a longer one. */
export function namePattern(text: string): string {
  const literal = text.replaceAll(/[^\p{L}\p{N}_]/gu, String.raw`\$&`);
  return String.raw`(?<![[:alnum:]._+@-])${literal}(?![[:alnum:]_+@-]|\.[[:alnum:]])`;
}
