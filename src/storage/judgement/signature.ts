/** What the first bytes of a file can say. `zip` and `cfb` are containers of several kinds. */
export type Signature = 'PDF' | 'RTF' | 'PNG' | 'JPEG' | 'GIF' | 'WEBP' | 'TIFF' | 'zip' | 'cfb' | 'program';

/** Each at offset 0: readers that look for a signature further in are what polyglot files live on. */
const SIGNATURES: readonly [Signature, Buffer][] = [
  ['PDF', Buffer.from('%PDF-')],
  ['RTF', Buffer.from('{\\rtf')],
  ['PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['JPEG', Buffer.from('\xff\xd8\xff', 'latin1')],
  ['GIF', Buffer.from('GIF87a')],
  ['GIF', Buffer.from('GIF89a')],
  ['TIFF', Buffer.from('II*\0')],
  ['TIFF', Buffer.from('MM\0*')],
  ['zip', Buffer.from('PK\x03\x04')],
  ['zip', Buffer.from('PK\x05\x06')],
  ['cfb', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1')],
  ['program', Buffer.from('MZ')],
  ['program', Buffer.from('\x7fELF')],
  ['program', Buffer.from('#!')],
  ['program', Buffer.from('\ufeff#!')],
  ['program', Buffer.from('%!PS')],
  // Java classes and Mach-O binaries, both byte orders, one architecture or several.
  ...['cafebabe', 'cafebabf', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe'].map((magic): [Signature, Buffer] => [
    'program',
    Buffer.from(magic, 'hex'),
  ]),
];

/** The signature at the very beginning; undefined when there is none, as in a text. */
export function signatureOf(head: Uint8Array): Signature | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'WEBP';
  return SIGNATURES.find(([, magic]) => bytes.subarray(0, magic.length).equals(magic))?.[0];
}
