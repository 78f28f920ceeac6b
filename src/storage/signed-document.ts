import { createReadStream } from 'node:fs';
import type { StagedBlob } from './blob-store.js';

/** OID of signed data: 1.2.840.113549.1.7.2 (RFC 5652). */
const SIGNED_DATA = Buffer.from('06092a864886f70d010702', 'hex');
const SEQUENCE = 0x30;
const INDEFINITE = 0x80;
/** Line ends that signing programs append to the document. */
const SLACK = 4;

const PEM_LINE = /^-----BEGIN (?:PKCS7|CMS|SIGNED MESSAGE)-----\s+/;
/** Base64 of the beginning of signed data. */
const BASE64_OPENING = /^[A-Za-z0-9+/]{4}/;
const BASE64 = /^[A-Za-z0-9+/=\s]*$/;
const PEM = /^[A-Za-z0-9+/=\s-]*$/;

/**
 * Whether a file is a signed document (PKCS #7, CMS): ASN.1 in DER or with indefinite lengths, or either in base64,
 * with or without the lines of PEM. The signed content is not inspected, like the contents of archives.
 */
export async function isSignedDocument({ path, size }: Pick<StagedBlob, 'path' | 'size'>): Promise<boolean> {
  const lead = await leadOf(path);
  if (lead[0] === SEQUENCE && isSignedData(lead)) return endsWithContent(lead, size);
  const text = lead.toString('latin1');
  const [line = ''] = PEM_LINE.exec(text) ?? [];
  const packed = text.slice(line.length).replaceAll(/\s/g, '');
  if (!BASE64_OPENING.test(packed) || !isSignedData(Buffer.from(packed.slice(0, 64), 'base64'))) return false;
  return consistsOf(path, line === '' ? BASE64 : PEM);
}

/** A sequence that begins with the identifier, whatever the form of its length. */
function isSignedData(bytes: Buffer): boolean {
  const content = contentStart(bytes);
  return content !== undefined && bytes.subarray(content, content + SIGNED_DATA.length).equals(SIGNED_DATA);
}

function contentStart(bytes: Buffer): number | undefined {
  if (bytes[0] !== SEQUENCE || bytes.length < 2) return undefined;
  const length = bytes[1] ?? 0;
  return length <= INDEFINITE ? 2 : 2 + (length & 0x7f);
}

/** Only line ends may follow the document; one of indefinite length marks its own end. */
function endsWithContent(bytes: Buffer, size: number): boolean {
  const length = bytes[1] ?? 0;
  if (length === INDEFINITE) return true;
  const start = contentStart(bytes) ?? 0;
  const content = length < INDEFINITE ? length : Number.parseInt(bytes.toString('hex', 2, start), 16);
  return start + content <= size && size <= start + content + SLACK;
}

async function leadOf(path: string): Promise<Buffer> {
  for await (const chunk of createReadStream(path, { end: 255 })) return chunk as Buffer;
  return Buffer.alloc(0);
}

async function consistsOf(path: string, characters: RegExp): Promise<boolean> {
  for await (const chunk of createReadStream(path)) {
    if (!characters.test((chunk as Buffer).toString('latin1'))) return false;
  }
  return true;
}
