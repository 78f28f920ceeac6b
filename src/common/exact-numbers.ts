/**
 * Whether a decimal number survives a conversion to a double (IEEE 754) and back. 1.10 becomes 1.1, while
 * 9007199254740993, 1e-400 and 0.10000000000000000555 become other numbers.
 */
export function isExact(text: string): boolean {
  // Numbers with this few digits always survive.
  if (text.length <= 15 && !/e/i.test(text)) return true;
  return canonical(text) === canonical(String(Number(text)));
}

/** Message for a number that is not exact. */
export const INEXACT = 'must be a number that double precision keeps as it was sent';

const DECIMAL = /^(-?)0*(\d*?)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** The canonical form of a number: its digits without zeros at either end, and their power of ten. */
function canonical(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return DECIMAL.test(text) ? '0' : undefined;
  const power = Number(exponent) - fraction.length + digits.length - end;
  return `${sign}${digits.slice(start, end)}e${power}`;
}
