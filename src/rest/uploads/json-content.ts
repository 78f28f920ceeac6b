import { badUserInput } from '../../errors.js';
import type { Base64Decoder } from './base64-decoder.js';
import type { ByteSource } from './byte-source.js';

/** Decodes a base64 JSON string whose opening quote was taken, up to and with its closing quote. */
export async function* readJsonContent(source: ByteSource, decoder: Base64Decoder): AsyncGenerator<Buffer> {
  const escapes = new EscapedText();
  for (let ended = false; !ended;) {
    if (!(await source.ensure(1))) throw notJson();
    const { buffer, at } = source;
    const quote = buffer.indexOf(QUOTE, at);
    const plain = buffer.subarray(at, quote < 0 ? buffer.length : quote);
    const backslash = plain.indexOf(BACKSLASH);
    const text = backslash < 0 ? plain : escapes.read(buffer.subarray(at), backslash);
    ended = backslash < 0 ? quote >= 0 : escapes.ended;
    source.at += backslash < 0 ? plain.length : escapes.taken;
    if (ended) source.at++;
    refuseControls(buffer.subarray(at, source.at));
    const decoded = decoder.push(text, backslash < 0 ? 0 : escapes.dropped);
    if (decoded.length > 0) yield decoded;
    if (!ended && source.unread > 0 && !(await source.more())) throw notJson();
  }
  const last = decoder.end();
  if (last.length > 0) yield last;
}

export const notJson = () => badUserInput(['The body is not valid JSON']);

/** Unescapes up to the closing quote or to the last complete escape, leaving out line breaks: base64 has no use for them. */
class EscapedText {
  taken = 0;
  ended = false;
  /** How many line breaks were left out. */
  dropped = 0;
  #scratch = Buffer.alloc(0);

  /** The text of `raw`, which is known to be plain before `escapesFrom`; good until the next call. */
  read(raw: Buffer, escapesFrom: number): Buffer {
    if (this.#scratch.length < raw.length) this.#scratch = Buffer.allocUnsafeSlow(raw.length);
    const text = this.#scratch;
    let length = raw.copy(text, 0, 0, escapesFrom);
    let at = escapesFrom;
    this.dropped = 0;
    for (; at < raw.length && raw[at] !== QUOTE; at++) {
      let byte = raw[at]!;
      if (byte === BACKSLASH) {
        const size = raw[at + 1] === LETTER_U ? 6 : 2;
        if (at + size > raw.length) break;
        byte = unescaped(raw, at);
        at += size - 1;
        if (byte === LF || byte === CR) {
          this.dropped++;
          continue;
        }
      }
      text[length++] = byte;
    }
    this.ended = raw[at] === QUOTE;
    this.taken = at;
    return text.subarray(0, length);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const CR = 0x0d;
const LETTER_U = 0x75;
const FOREIGN = 0x00;
const HEX = /^[0-9a-fA-F]{4}$/;
const ESCAPES = new Int16Array(256).fill(-1);
[...'"\\/bfnrt'].forEach((letter, index) => {
  ESCAPES[letter.charCodeAt(0)] = '"\\/\b\f\n\r\t'.charCodeAt(index);
});

function unescaped(raw: Buffer, at: number): number {
  const byte = ESCAPES[raw[at + 1]!]!;
  if (byte >= 0) return byte;
  if (raw[at + 1] !== LETTER_U) refuse();
  const digits = raw.toString('latin1', at + 2, at + 6);
  if (!HEX.test(digits)) refuse();
  const code = Number.parseInt(digits, 16);
  // No character beyond ASCII is base64; a byte that is none either makes the decoder say so.
  return code < 0x80 ? code : FOREIGN;
}

// JSON forbids raw line breaks in a string, base64 allows them: the decoder would not notice. It refuses the other
// control characters itself.
function refuseControls(raw: Buffer): void {
  if (raw.indexOf(LF) >= 0 || raw.indexOf(CR) >= 0) refuse();
}

function refuse(): never {
  throw notJson();
}
