import { crc32, deflateSync } from 'node:zlib';

export interface DemoFile {
  name: string;
  content: Buffer;
}

/** A file by its name: a PDF of the lines of `text`, a CSV with the line ends of RFC 4180, or the text as it is. */
export function toFile(name: string, text: string): DemoFile {
  if (name.endsWith('.pdf')) return { name, content: pdfPage(text.trimEnd().split('\n')) };
  return { name, content: Buffer.from(name.endsWith('.csv') ? text.replaceAll('\n', '\r\n') : text) };
}

/**
 * A PDF of one A4 page: the first line as its heading, the others as they are. Characters outside Latin-1 have no
 * glyph in the font that every viewer brings along.
 */
function pdfPage([heading = '', ...lines]: readonly string[]): Buffer {
  const text = [
    'BT /F1 18 Tf 56 770 Td',
    `(${escaped(heading)}) Tj`,
    '/F1 11 Tf 0 -14 Td 16 TL',
    ...lines.map((line) => `T* (${escaped(line)}) Tj`),
    'ET',
  ].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  return Buffer.from(pdfFile(objects), 'latin1');
}

/** Characters are bytes here, so that places in the text are places in the file. */
function pdfFile(objects: readonly string[]): string {
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}

function escaped(line: string): string {
  return line.replaceAll(/[\\()]/g, '\\$&');
}

type Rgb = readonly [red: number, green: number, blue: number];

/** A square PNG: a disc of `light` above a horizon on `dark`, good enough for a company that sells sunlight. */
export function sunrisePng(side: number, light: Rgb, dark: Rgb): Buffer {
  const rows = Array.from({ length: side }, (_, y) => {
    const row = Buffer.alloc(1 + 3 * side);
    for (let x = 0; x < side; x += 1) row.set(isSun(x / side, y / side) ? light : dark, 1 + 3 * x);
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits for each of red, green and blue; no interlacing.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const data = deflateSync(Buffer.concat(rows));
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Places are fractions of the side. Below the horizon only the stripes of the reflection are lit. */
function isSun(x: number, y: number): boolean {
  if (Math.hypot(x - 0.5, y - 0.58) > 0.34) return false;
  return y < 0.6 || Math.floor((y - 0.6) / 0.06) % 2 === 1;
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
