import { fileTooLarge, invalidBase64 } from '../../errors.js';

/**
 * Strict base64 (decisions §6): the alphabet A–Z a–z 0–9 + /, CR and LF anywhere, padding optional, nothing else; the
 * URL-safe alphabet is refused. Bits of the last character that belong to no byte are ignored, as most encoders'
 * counterparts do. Node's decoder is fast but skips what it does not know, so its answer is only taken when it used
 * every character.
 */
export class Base64Decoder {
  readonly #carry = Buffer.alloc(4);
  #carried = 0;
  #padding = 0;
  #received = 0;
  #scratch = EMPTY;

  /** Text beyond twice `maxContentBytes` can only be line breaks or too large a file: it is refused as the latter. */
  constructor(private readonly maxContentBytes: number) {}

  /**
   * Decodes the next piece of text; what does not fill a group of four waits for the next. `dropped` counts line
   * breaks that the caller has left out already.
   */
  push(text: Buffer, dropped = 0): Buffer {
    this.#received += text.length + dropped;
    if (this.#received > 2 * this.maxContentBytes + SLACK) throw fileTooLarge(this.maxContentBytes);
    if (this.#padding > 0) return this.#pad(text);
    const end = text.indexOf(PAD);
    if (end < 0) return this.#decode(text);
    const decoded = this.#decode(text.subarray(0, end));
    this.#pad(text.subarray(end));
    return decoded;
  }

  /** The last one or two bytes. */
  end(): Buffer {
    const text = this.#carry.subarray(0, this.#carried);
    const padded = this.#padding > 0;
    if (text.length === 1 || (padded && text.length + this.#padding !== 4)) throw invalidBase64();
    return Buffer.from(text.toString('latin1'), 'base64');
  }

  #decode(text: Buffer): Buffer {
    return this.#decodeClean(text) ?? this.#decodeClean(this.#stripped(text)) ?? refuse();
  }

  // Undefined, with the carry untouched, when anything but the alphabet is in `text`.
  #decodeClean(text: Buffer): Buffer | undefined {
    const lead = this.#carried > 0 ? 4 - this.#carried : 0;
    if (text.length < lead) return this.#keep(text, this.#carried) ? EMPTY : undefined;
    const end = text.length - ((text.length - lead) % 4);
    const out = Buffer.allocUnsafeSlow(((end - lead) / 4) * 3 + (lead > 0 ? 3 : 0));
    let at = 0;
    if (lead > 0) {
      const group = this.#carry.toString('latin1', 0, this.#carried) + text.toString('latin1', 0, lead);
      at = out.write(group, 0, 'base64');
      if (at !== 3) return undefined;
    }
    for (let i = lead; i < end; i += STEP) {
      const length = Math.min(STEP, end - i);
      const written = out.write(text.toString('latin1', i, i + length), at, 'base64');
      if (written !== (length / 4) * 3) return undefined;
      at += written;
    }
    if (text.indexOf(DASH) >= 0 || text.indexOf(UNDERSCORE) >= 0) return undefined;
    return this.#keep(text.subarray(end), 0) ? out : undefined;
  }

  /** Carries an incomplete group; false when it is not of the alphabet alone. */
  #keep(text: Buffer, carried: number): boolean {
    for (const byte of text) if (KIND[byte] !== DIGIT) return false;
    this.#carried = carried + text.copy(this.#carry, carried);
    return true;
  }

  #stripped(text: Buffer): Buffer {
    if (this.#scratch.length < text.length + 4) this.#scratch = Buffer.allocUnsafeSlow(text.length + 4);
    let length = this.#strip(this.#carry.subarray(0, this.#carried), 0);
    length = this.#strip(text, length);
    this.#carried = 0;
    return this.#scratch.subarray(0, length);
  }

  #strip(text: Buffer, length: number): number {
    const scratch = this.#scratch;
    for (let i = 0; i < text.length; i++) {
      const byte = text[i]!;
      const kind = KIND[byte];
      if (kind === DIGIT) scratch[length++] = byte;
      else if (kind !== BREAK) refuse();
    }
    return length;
  }

  // Once padding has begun nothing but padding and line breaks may follow.
  #pad(text: Buffer): Buffer {
    for (const byte of text) {
      if (byte === PAD) this.#padding++;
      else if (KIND[byte] !== BREAK) refuse();
    }
    if (this.#padding > 2) refuse();
    return EMPTY;
  }
}

const EMPTY = Buffer.alloc(0);
const SLACK = 64 * 1024;
// Strings of this length stay in the processor's cache; longer ones cost half as much again. A multiple of four.
const STEP = 8 * 1024;
const PAD = 0x3d;
const DASH = 0x2d;
const UNDERSCORE = 0x5f;
const DIGIT = 1;
const BREAK = 2;

const KIND = new Uint8Array(256);
for (const digit of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'))
  KIND[digit] = DIGIT;
KIND[0x0a] = BREAK;
KIND[0x0d] = BREAK;

function refuse(): never {
  throw invalidBase64();
}
