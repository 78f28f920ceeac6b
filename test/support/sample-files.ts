import { crc32, deflateSync } from 'node:zlib';
import type { FileKindName } from '../../src/values/file-types.js';
import { compoundFile } from './compound-file.js';
import { zip, type ZipMember } from './zip.js';

/** A file to upload. */
export interface SampleFile {
  filename: string;
  contentType: string;
  bytes: Buffer;
}

/** The smallest valid file of each allowed type. */
export const samples: Record<FileKindName, SampleFile> = {
  PDF: sample('policy.pdf', 'application/pdf', pdf('Access policy')),
  DOCX: office('policy.docx', 'wordprocessingml.document', 'word/document.xml'),
  XLSX: office('assets.xlsx', 'spreadsheetml.sheet', 'xl/workbook.xml'),
  PPTX: office('training.pptx', 'presentationml.presentation', 'ppt/presentation.xml'),
  ODT: openDocument('policy.odt', 'text'),
  ODS: openDocument('assets.ods', 'spreadsheet'),
  ODP: openDocument('training.odp', 'presentation'),
  RTF: sample('memo.rtf', 'application/rtf', '{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\f0 Memo\\par}'),
  TXT: sample('notes.txt', 'text/plain', 'Reviewed on 3 March.\nNothing to add – è tutto.\n'),
  CSV: sample('assets.csv', 'text/csv', 'name,owner\r\n"Firewall, north",Rossi\r\n'),
  MARKDOWN: sample('README.md', 'text/markdown', '# Backup plan\n\n1. Weekly\n2. Off site\n'),
  JSON: sample('scan.json', 'application/json', '{"findings": [{"severity": "low", "score": 1.5e0}], "open": null}\n'),
  XML: sample(
    'scan.xml',
    'application/xml',
    '<?xml version="1.0" encoding="UTF-8"?>\n<scan xmlns="urn:scan"><host/></scan>\n',
  ),
  PNG: sample('diagram.png', 'image/png', png()),
  JPEG: sample(
    'rack.jpg',
    'image/jpeg',
    Buffer.from(
      `/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP${'/'.repeat(86)}wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=`,
      'base64',
    ),
  ),
  WEBP: sample('rack.webp', 'image/webp', Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')),
  GIF: sample(
    'icon.gif',
    'image/gif',
    Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  ),
  TIFF: sample('scan.tiff', 'image/tiff', tiff()),
  EML: sample(
    'alert.eml',
    'message/rfc822',
    'From: soc@example.com\r\nTo: ciso@example.com\r\nDate: Mon, 2 Mar 2026 09:00:00 +0100\r\n' +
      'Subject: Alert\r\n\tof today\r\nMIME-Version: 1.0\r\n\r\nA login from two places.\r\n',
  ),
  MSG: sample('alert.msg', 'application/vnd.ms-outlook', message()),
  HEIC: sample('photo.heic', 'image/heic', heic()),
  DOC: sample('policy.doc', 'application/msword', compoundFile([{ name: 'WordDocument', content: Buffer.alloc(64) }])),
  XLS: sample('assets.xls', 'application/vnd.ms-excel', compoundFile([{ name: 'Workbook', content: workbook(0) }])),
  PPT: sample(
    'training.ppt',
    'application/vnd.ms-powerpoint',
    compoundFile([{ name: 'PowerPoint Document', content: Buffer.alloc(64) }]),
  ),
  P7M: sample('contract.pdf.p7m', 'application/pkcs7-mime', signedDocument(pdf('Contract'))),
  ASICE: sample(
    'contract.asice',
    'application/vnd.etsi.asic-e+zip',
    zip([
      { name: 'mimetype', content: 'application/vnd.etsi.asic-e+zip', stored: true },
      { name: 'contract.pdf', content: pdf('Contract') },
      { name: 'META-INF/signatures.xml', content: '<XAdESSignatures/>' },
    ]),
  ),
  ZIP: sample('evidence.zip', 'application/zip', zip([{ name: 'logs/a.log', content: 'first\n' }])),
};

/** A file of this name, media type and content. */
export function sample(filename: string, contentType: string, content: string | Buffer): SampleFile {
  return { filename, contentType, bytes: Buffer.from(content) };
}

/** `[Content_Types].xml` and a main part, with further given parts. */
export function officeDocument(mainType: string, mainPart: string, more: ZipMember[] = []): Buffer {
  const types =
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/${mainPart}" ContentType="${mainType}"/></Types>`;
  const relations =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" ' +
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" ' +
    `Target="${mainPart}"/></Relationships>`;
  return zip([
    { name: '[Content_Types].xml', content: types },
    { name: '_rels/.rels', content: relations },
    { name: mainPart, content: '<document/>' },
    ...more,
  ]);
}

function office(filename: string, name: string, mainPart: string): SampleFile {
  const type = `application/vnd.openxmlformats-officedocument.${name}`;
  return sample(filename, type, officeDocument(`${type}.main+xml`, mainPart));
}

function openDocument(filename: string, name: string): SampleFile {
  const type = `application/vnd.oasis.opendocument.${name}`;
  const manifest =
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">' +
    `<manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/></manifest:manifest>`;
  const bytes = zip([
    { name: 'mimetype', content: type, stored: true },
    {
      name: 'content.xml',
      content: '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"/>',
    },
    { name: 'META-INF/manifest.xml', content: manifest },
  ]);
  return sample(filename, type, bytes);
}

/** One empty page with its title in the document information. */
export function pdf(title: string): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
    `<< /Title (${title}) >>`,
  ];
  let body = '%PDF-1.4\n';
  let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  objects.forEach((object, at) => {
    table += `${String(body.length).padStart(10, '0')} 00000 n \n`;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
  });
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\n`;
  return Buffer.from(`${body}${table}${trailer}startxref\n${body.length}\n%%EOF\n`);
}

function png(): Buffer {
  const size = Buffer.from('00000001000000010800000000', 'hex');
  const chunks = [
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(Buffer.from([0, 0x80]))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
}

/** The box with the file type, and an empty one of metadata. */
function heic(): Buffer {
  return Buffer.concat([
    Buffer.from('00000018', 'hex'),
    Buffer.from('ftypheic\0\0\0\0mif1heic'),
    Buffer.from('0000000c', 'hex'),
    Buffer.from('meta\0\0\0\0'),
  ]);
}

/** The first records of a workbook with one sheet: 0 a worksheet, 1 one of macros, 6 a module. */
export function workbook(sheetType: number): Buffer {
  const sheet = Buffer.concat([Buffer.from([0, 0, 0, 0, 0, sheetType, 6, 0]), Buffer.from('Sheet1')]);
  return Buffer.concat([record(0x809, Buffer.alloc(16)), record(0x85, sheet), record(0x0a, Buffer.alloc(0))]);
}

function record(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(content.length, 2);
  return Buffer.concat([head, content]);
}

/** PKCS #7 SignedData around a content, without a signer: DER. */
export function signedDocument(content: Buffer): Buffer {
  const data = der(0x30, oid('06092a864886f70d010701'), der(0xa0, der(0x04, content)));
  const signed = der(0x30, Buffer.from('020101', 'hex'), der(0x31), data, der(0x31));
  return der(0x30, oid('06092a864886f70d010702'), der(0xa0, signed));
}

function oid(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length);
  const length = content.length < 0x80 ? [content.length] : [0x84, ...size];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

/** One grey pixel: width, height, bits, no compression, black is zero, offset of the strip, its rows, its length. */
function tiff(): Buffer {
  const tags = [
    [256, 1],
    [257, 1],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, 1],
    [279, 1],
  ] as const;
  const directory = Buffer.alloc(2 + tags.length * 12 + 4);
  directory.writeUInt16LE(tags.length, 0);
  tags.forEach(([tag, value], at) => {
    directory.writeUInt16LE(tag, 2 + at * 12);
    directory.writeUInt16LE(4, 4 + at * 12);
    directory.writeUInt32LE(1, 6 + at * 12);
    directory.writeUInt32LE(value, 10 + at * 12);
  });
  return Buffer.concat([Buffer.from('49492a000a0000008000', 'hex'), directory]);
}

function message(): Buffer {
  const classProperty = Buffer.from('IPM.Note', 'utf16le');
  return compoundFile([
    { name: '__properties_version1.0', content: Buffer.alloc(32) },
    { name: '__substg1.0_001A001F', content: classProperty },
  ]);
}
