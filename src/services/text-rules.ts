// C0 control characters and lone surrogates: PostgreSQL refuses NUL and half a character, the others break logs and
// mails. With the `u` flag a pair of surrogates is one character and does not match.
const CONTROL = /[\u0000-\u001f\u007f\ud800-\udfff]/u;
const CONTROL_BUT_LAYOUT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/u;

/** Faults of one line that must say something; `name` is its wire path, and no sentence repeats what was sent. */
export function lineFaults(name: string, value: string, maxCharacters: number): string[] {
  if (value.trim() === '') return [`${name} is required`];
  return textFaults(name, value, maxCharacters, CONTROL);
}

/** Faults of a text in which line breaks and tabs are welcome, and which may be empty. */
export function proseFaults(name: string, value: string, maxCharacters: number): string[] {
  return textFaults(name, value, maxCharacters, CONTROL_BUT_LAYOUT);
}

function textFaults(name: string, value: string, maxCharacters: number, forbidden: RegExp): string[] {
  // Length first: neither the pattern nor the count runs over more text than may be stored.
  if (value.length > 2 * maxCharacters || [...value].length > maxCharacters) {
    return [`${name} must not be longer than ${maxCharacters} characters`];
  }
  return forbidden.test(value) ? [`${name} must not contain control characters`] : [];
}
