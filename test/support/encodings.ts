const raw = (hex: string) => Buffer.from(hex, 'hex');
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

/** A table with letters of its language, encoded as by programs of that language. */
export const encodedTexts: readonly (readonly [charset: string, bytes: Buffer])[] = [
  ['Windows-1252', raw('6e616d653b6e6f74650d0a4669726577616c6c3b43697474e02c203320800d0a')],
  ['Windows-1252, beginning as markup of EBCDIC would', raw('4ce961204d617274696e3b4c6f20737461746f20e80d0a')],
  ['cp850', raw('6e616d653b6e6f74650d0a4669726577616c6c3b43697474852085206a6f75720d0a')],
  ['Shift_JIS', raw('96bc914f3b94f58d6c0d0a8e918e5991e492a03b955c8ea6835c0d0a')],
  ['EUC-JP', raw('ccbec1b03bc8f7b9cd0d0abbf1bbbac2e6c4a20d0a')],
  ['ISO-2022-JP', raw('1b24424c3e41301b28423b1b24424877394d1b28420d0a1b24423b713b3a426644221b28420d0a')],
  ['GBK', raw('c3fbb3c63bb1b8d7a20d0ab7c0bbf0c7bd0d0a')],
  ['Big5', raw('a657bad93bb3c6b5f90d0aa8bea4f5c0f00d0a')],
  ['EUC-KR', raw('c0ccb8a73bbaf1b0ed0d0ab9e6c8adbaae0d0a')],
  ['KOI8-R', raw('c9cdd13bd0d2c9cdc5dec1cec9c50d0afdc9d40d0a')],
  ['Windows-1251', raw('e8ecff3beff0e8ece5f7e0ede8e50d0ad9e8f20d0a')],
  ['ISO-8859-7', raw('fcedefece13bf3e7ece5dff9f3e70d0a')],
  ['Mac OS Roman', raw('6e616d653b6e6f74650d0a4669726577616c6c3b43697474880d0a')],
  ['UTF-8', Buffer.from('name;note\r\nFirewall;Città\r\n')],
  ['UTF-8 with its mark', Buffer.from('\ufeffname;note\r\nFirewall;Città\r\n')],
  ['UTF-8 that was cut in the middle of a letter', Buffer.from('name;Città').subarray(0, -1)],
  ['UTF-16', utf16('name\tnote\r\nFirewall\tCittà\r\n')],
  ['UTF-16, big end first', utf16('name\tnote\r\nFirewall\tCittà\r\n').swap16()],
];

const latin = (text: string) => Buffer.from(text, 'latin1');

/** HTML and SVG that a browser or a parser finds if it reads the bytes in their own character set. */
export const hiddenMarkup: readonly (readonly [where: string, bytes: Buffer])[] = [
  ['Windows-1252', latin('<html><script>alert(1)</script>citt\xe0')],
  ['Windows-1252 behind a mark of UTF-8', latin('\xef\xbb\xbf<script>alert(1)</script>citt\xe0')],
  ['Windows-1252 behind spaces of its own', latin('\xa0 <svg onload=alert(1)>citt\xe0')],
  ['Shift_JIS', Buffer.concat([Buffer.from('<iframe src=x>'), raw('96bc914f')])],
  ['ISO-2022-JP behind an escape', Buffer.from('\x1b(B<script>alert(1)</script>')],
  ['ISO-2022-JP with escapes inside a name', Buffer.from('<\x1b(Bscr\x1b(Bipt>alert(1)</script>')],
  ['UTF-16', utf16('<html><script>alert(1)</script>')],
  ['UTF-16, big end first', utf16('<svg onload=alert(1)>').swap16()],
  ['UTF-16 without a mark', Buffer.from('<html>', 'utf16le')],
  ['UTF-32', Buffer.from('fffe00003c00000068000000', 'hex')],
  ['UTF-7', Buffer.from('+ADw-script+AD4-alert(1)+ADw-/script+AD4-')],
  ['UTF-7 with its mark', Buffer.from('+/v8-+ADw-script+AD4-')],
  ['EBCDIC', raw('4c5ac4d6c3e3e8d7c54088a394936e254c88a394936e4ca283998997a36e81938599a34df15d')],
  ['EBCDIC without a document type', raw('4ca2a587409695939681847e81938599a34df15d6e')],
];
