/** Five times those of the largest file that is imported; millions of them would keep the process busy for seconds. */
export const MAX_VALUES = 500_000;

/** Whether a text of JSON has more items of lists and members of objects than `max`; it need not be valid. */
export function hasMoreValues(json: string, max: number = MAX_VALUES): boolean {
  let values = 0;
  // Each value takes a character at least.
  for (let at = 0; json.length > max && at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(json, at);
    else if (BEFORE_VALUES.has(code) && (values += 1) > max) return true;
  }
  return false;
}

/** Where the string of JSON that opens at `start` closes; at the end of the text when it does not. */
export function closingQuote(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

/** What stands before a value of an object or a list, or before its first one. */
const BEFORE_VALUES: ReadonlySet<number> = new Set([...'[{,'].map((sign) => sign.charCodeAt(0)));
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
