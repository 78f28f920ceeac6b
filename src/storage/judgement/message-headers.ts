const FIELD = /^([!-9;-~]+):/;
/** Of these a message carries at least two; a log or a list that happens to hold colons does not. */
const KNOWN = new Set(
  'from to cc bcc date subject sender reply-to message-id received return-path mime-version content-type delivered-to'.split(
    ' ',
  ),
);

/** Whether a text begins with the header fields of an e-mail message (RFC 5322), the sender among them. */
export function hasMessageHeaders(lead: string): boolean {
  const names = new Set<string>();
  for (const line of lead.split(/\r?\n/)) {
    if (line === '') break;
    // A folded line belongs to the field above it.
    if (/^[ \t]/.test(line) && names.size > 0) continue;
    const name = FIELD.exec(line)?.[1]?.toLowerCase();
    if (name === undefined) return false;
    names.add(name);
  }
  return names.has('from') && [...names].filter((name) => KNOWN.has(name)).length >= 2;
}
