/** Undoes the escaping of application/x-www-form-urlencoded: `+` is a space, `%2B` a byte, any other `%` itself. */
export class PercentText {
  /** How many bytes of the last `raw` were used: all of them but half an escape at its end. */
  taken = 0;
  #scratch = Buffer.alloc(0);

  /** The bytes that `raw` spells; good until the next call. Half an escape at its end waits for what follows. */
  read(raw: Buffer): Buffer {
    return this.#read(raw, raw.length - 2);
  }

  /** The same when nothing follows: half an escape at the end stands for itself. */
  readLast(raw: Buffer): Buffer {
    return this.#read(raw, raw.length);
  }

  /** An escape that begins at `waits` or later is left for the next call. */
  #read(raw: Buffer, waits: number): Buffer {
    this.taken = raw.length;
    if (raw.indexOf(PERCENT) < 0 && raw.indexOf(PLUS) < 0) return raw;
    if (this.#scratch.length < raw.length) this.#scratch = Buffer.allocUnsafeSlow(raw.length);
    const text = this.#scratch;
    let length = 0;
    for (let at = 0; at < raw.length; at++) {
      const byte = raw[at]!;
      if (byte !== PERCENT) {
        text[length++] = byte === PLUS ? SPACE : byte;
        continue;
      }
      if (at >= waits) {
        this.taken = at;
        break;
      }
      const value = hexPair(raw, at + 1);
      text[length++] = value ?? PERCENT;
      if (value !== undefined) at += 2;
    }
    return text.subarray(0, length);
  }
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

const DIGIT = new Int8Array(256).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  DIGIT[digit.charCodeAt(0)] = value;
  DIGIT[digit.toUpperCase().charCodeAt(0)] = value;
}

function hexPair(raw: Buffer, at: number): number | undefined {
  if (at + 1 >= raw.length) return undefined;
  const high = DIGIT[raw[at]!]!;
  const low = DIGIT[raw[at + 1]!]!;
  return high < 0 || low < 0 ? undefined : high * 16 + low;
}
