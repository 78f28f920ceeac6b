/** Who our mails come from. */
export interface Sender {
  /** Shown before the address. */
  name: string;
  address: string;
}

const DEFAULT_NAME = 'Compliance Gateway';

// Quotes, angle brackets and line breaks would let a name become a second address or a header.
const NAMED = /^(?<name>[^"<>\p{Cc}]{1,100}?)\s*<(?<address>[^<>]+)>$/u;
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f.:]+\])$/;

/** Reads `Name <name@example.com>` or a bare address. Throws an Error whose message is the rest of "MAIL_FROM …". */
export function parseSender(text: string): Sender {
  const { name = DEFAULT_NAME, address = text } = NAMED.exec(text)?.groups ?? {};
  if (!ADDRESS.test(address)) throw new Error('must be an e-mail address, or a name and an address in angle brackets');
  return { name: name.trim(), address };
}

/** Where nobody says who sends: the machine that people know, though no mail can be answered there. */
export function defaultSender(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  const isAddress = /^[\d.]+$/.test(hostname);
  return `no-reply@${isAddress ? `[${hostname}]` : hostname}`;
}
