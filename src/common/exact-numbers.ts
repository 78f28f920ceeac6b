/**
 * Whether reading a decimal number as a double (IEEE 754) and writing it again gives the same number. 1.10 is 1.1, while
 * 9007199254740993, 1e-400 and 0.10000000000000000555 come back as other numbers.
 */
export function isExact(text: string): boolean {
  // So few digits always come back.
  if (text.length <= 15 && !/e/i.test(text)) return true;
  return canonical(text) === canonical(String(Number(text)));
}

/** Message for a number that is not exact. */
export const INEXACT = 'must be a number that double precision keeps as it was sent';

const DECIMAL = /^(-?)0*(\d*?)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** One spelling for each number: its digits without zeros at either end, and the power of ten that they count. */
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
