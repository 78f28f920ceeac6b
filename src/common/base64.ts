import { invalidBase64 } from '../errors.js';

/** Decodes strict base64: see `decodeBase64Bytes`. */
export function decodeBase64(text: string): Buffer {
  if (Buffer.byteLength(text) > text.length) throw invalidBase64();
  return decodeBase64Bytes(Buffer.from(text, 'latin1'));
}

/**
 * Decodes strict base64 in place, so that large contents are not copied: the alphabet A–Z a–z 0–9 + /, CR and LF
 * anywhere, padding optional. Bits of the last character beyond the last byte are ignored. Throws INVALID_BASE64.
 */
export function decodeBase64Bytes(spelled: Buffer): Buffer {
  const bytes = spelled.includes(LF) || spelled.includes(CR) ? withoutLineBreaks(spelled) : spelled;
  const padding = bytes.at(-1) !== PAD ? 0 : bytes.at(-2) === PAD ? 2 : 1;
  const digits = bytes.length - padding;
  const isPadded = padding === 0 || bytes.length % 4 === 0;
  // Node also accepts the URL-safe alphabet, and skips unknown characters, so that bytes are missing.
  if (!isPadded || digits % 4 === 1 || bytes.includes(DASH) || bytes.includes(UNDERSCORE)) throw invalidBase64();
  let length = 0;
  for (let at = 0; at < digits; at += STEP) {
    const end = Math.min(at + STEP, digits);
    const written = bytes.write(bytes.toString('latin1', at, end), length, 'base64');
    if (written !== Math.floor(((end - at) * 3) / 4)) throw invalidBase64();
    length += written;
  }
  return bytes.subarray(0, length);
}

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;
const PAD = 0x3d;
const UNDERSCORE = 0x5f;
/** Characters at a time; a multiple of four. */
const STEP = 8 * 1024;

function withoutLineBreaks(bytes: Buffer): Buffer {
  let length = 0;
  for (const byte of bytes) if (byte !== LF && byte !== CR) bytes[length++] = byte;
  return bytes.subarray(0, length);
}
