import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allowedExtensions, type FileKindName, fileKinds } from '../../src/values/file-types.js';
import { detectFileType } from '../../src/storage/file-type.js';
import { compoundFile, largeCompoundFile } from '../support/compound-file.js';
import { encodedTexts, hiddenMarkup } from '../support/encodings.js';
import { openFilesBelow } from '../support/open-files.js';
import {
  officeDocument,
  pdf,
  sample,
  type SampleFile,
  samples,
  signedDocument,
  workbook,
} from '../support/sample-files.js';
import { zip } from '../support/zip.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'file-type-'));
});
afterAll(async () => {
  expect(await openFilesBelow(directory)).toEqual([]);
  await rm(directory, { recursive: true, force: true });
});

interface Sent {
  filename?: string;
  contentType?: string;
  bytes: Buffer;
}

async function detect({ bytes, filename, contentType }: Sent) {
  const path = join(directory, 'staged');
  await writeFile(path, bytes);
  return detectFileType({ path, head: bytes.subarray(0, 16), size: bytes.length }, { filename, contentType });
}

const refused = { code: 'UNSUPPORTED_FILE_TYPE', messages: ['Unsupported file type'], allowed: allowedExtensions() };
const everyKind = Object.entries(samples) as [FileKindName, SampleFile][];
const textKinds = fileKinds.filter(({ isText }) => isText).map(({ name }) => name);
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const text = (content: string | Buffer) => sample('a.txt', 'text/plain', content);
const markdown = (content: string) => sample('a.md', 'text/markdown', content);
const xml = (content: string | Buffer) => sample('a.xml', 'application/xml', content);
const json = (content: string | Buffer) => sample('a.json', 'application/json', content);
const eml = (content: string | Buffer) => sample('a.eml', 'message/rfc822', content);
const docx = (bytes: Buffer) => sample('a.docx', word, bytes);
const archive = (bytes: Buffer) => sample('a.zip', 'application/zip', bytes);
const msg = (bytes: Buffer) => sample('a.msg', 'application/vnd.ms-outlook', bytes);
const utf16 = (content: string) => Buffer.from(`\ufeff${content}`, 'utf16le');
const raw = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

describe('each allowed kind', () => {
  it('has a sample here', () => {
    expect(everyKind.map(([kind]) => kind).toSorted()).toEqual(fileKinds.map(({ name }) => name).toSorted());
  });

  it.each(everyKind)('%s is accepted by name, type and content', async (kind, file) => {
    expect(await detect(file)).toEqual({ kind, mediaType: file.contentType });
  });

  it.each(everyKind)('%s is accepted when no type is declared, or the generic one', async (kind, file) => {
    expect(await detect({ ...file, contentType: undefined })).toMatchObject({ kind });
    expect(await detect({ ...file, contentType: 'application/octet-stream' })).toMatchObject({ kind });
    expect(await detect({ ...file, contentType: '' })).toMatchObject({ kind });
  });

  it.each(everyKind)('%s is accepted without an extension, by type and content', async (kind, file) => {
    expect(await detect({ ...file, filename: 'evidence' })).toMatchObject({ kind });
  });

  it.each(everyKind)('%s is detected by its content without name and type, unless it is a text', async (kind, file) => {
    const answer = detect({ bytes: file.bytes });
    if (textKinds.includes(kind)) await expect(answer).rejects.toMatchObject(refused);
    else expect(await answer).toMatchObject({ kind });
  });

  it.each(everyKind)('%s is accepted in capitals and with parameters', async (kind, file) => {
    const shouted = {
      ...file,
      filename: file.filename.toUpperCase(),
      contentType: `${file.contentType.toUpperCase()} ; charset="utf-8"`,
    };
    expect(await detect(shouted)).toMatchObject({ kind });
  });

  it.each(everyKind)('%s is refused under the name or the type of any kind it is not', async (kind, file) => {
    const accepted: string[] = [];
    for (const [other, foreign] of everyKind) {
      if (other === kind) continue;
      const renamed = await detect({ bytes: file.bytes, filename: foreign.filename }).catch(() => undefined);
      if (renamed) accepted.push(`name of ${other}`);
      const retyped = await detect({ ...file, contentType: foreign.contentType }).catch(() => undefined);
      if (retyped) accepted.push(`type of ${other}`);
    }
    // Only these texts cannot be distinguished by content, or share text/plain; Windows declares CSV and RTF so.
    const allowed = textKinds.includes(kind) ? ['name of TXT', 'name of CSV', 'name of MARKDOWN', 'type of TXT'] : [];
    const declared = { CSV: ['type of XLS'], RTF: ['type of DOC'] }[kind as string] ?? [];
    expect(accepted.filter((found) => ![...allowed, ...declared].includes(found))).toEqual([]);
  });
});

const binaryKinds = everyKind.filter(([kind]) => !textKinds.includes(kind));

it.each(binaryKinds)('%s is accepted or refused, whichever byte of it is broken', async (_, file) => {
  for (let at = 0; at < file.bytes.length; at += Math.ceil(file.bytes.length / 300)) {
    const broken = Buffer.from(file.bytes);
    broken[at] = (broken[at] ?? 0) ^ 0xff;
    await detect({ ...file, bytes: broken }).catch((error: unknown) => expect(error).toMatchObject(refused));
  }
});

describe('what is never accepted', () => {
  const disguises: Record<string, Sent> = {
    'HTML under its own name': sample('a.html', 'text/html', '<!doctype html><p>x'),
    'HTML under the type text/html': sample('a.txt', 'text/html', 'x'),
    'HTML as text': text('<!DOCTYPE html><html><body>x</body></html>'),
    'HTML after white space and a mark': text('\ufeff \r\n\t<HTML>'),
    'HTML after a comment': text('<!-- a --><!-- b --> <html>'),
    'HTML after a comment that only HTML ends': text('<!--><script>alert(1)</script>-->'),
    'HTML after a comment that ends with a bang': text('<!-- a --!><script>alert(1)</script>-->'),
    'HTML after an instruction that only HTML ends': text('<?xml ><script>alert(1)</script>?>x'),
    'HTML as UTF-16': text(utf16('<html>')),
    'HTML as CSV': sample('a.csv', 'text/csv', '<table><tr><td>1'),
    'HTML as Markdown': markdown('<html><body># x'),
    'a script in Markdown': markdown('<script src=x></script>'),
    'a frame in Markdown': markdown('\n<iframe src=x>'),
    'HTML behind 64 KB of white space': text(`${' '.repeat(70_000)}<html>`),
    'HTML behind a comment without end': text(`<!--${'x'.repeat(70_000)}--><html>`),
    'HTML as XML': xml('<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"></html>'),
    'HTML as JSON': json('<html></html>'),
    'HTML as an e-mail': eml('<html></html>'),
    'HTML as PDF': sample('a.pdf', 'application/pdf', '<html></html>'),
    'HTML without a name': { contentType: 'text/html', bytes: Buffer.from('<html></html>') },
    'SVG under its own name': sample('a.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'SVG as XML': xml('<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
    'SVG as text': text('<svg onload=alert(1)>'),
    'SVG as text behind an XML declaration': text('<?xml version="1.0"?>\n<svg/>'),
    'SVG as PNG': sample('a.png', 'image/png', '<svg/>'),
    'SVG behind a mark, comments, instructions and a type': xml(
      '\ufeff<?xml version="1.0"?>\n<?xml-stylesheet href="a.css"?><!-- <root> --><!DOCTYPE x PUBLIC "a>" "b"><svg></svg>',
    ),
    'SVG by its document type': xml('<!DOCTYPE svg PUBLIC "x" "y"><x></x>'),
    'SVG under a prefix': xml('<x:svg xmlns:x="http://www.w3.org/2000/svg"></x:svg>'),
    'SVG under a prefix with a quote trick': xml("<a:svg b='>' xmlns:a='http://www.w3.org/2000/svg'></a:svg>"),
    'an unknown element of SVG': xml('<g xmlns="http://www.w3.org/2000/svg"><script/></g>'),
    'an unknown element of HTML under a prefix': xml('<h:x a="1" xmlns:h = \'http://www.w3.org/1999/xhtml\'></h:x>'),
    'a namespace hidden by references': xml('<g xmlns="http:&#47;/www.w3.org/2000/svg"></g>'),
    'SVG behind a subset whose comment holds a quote': xml(
      "<!DOCTYPE x [<!-- ' -->]><svg><script/><!-- ' ]><safe> --></svg>",
    ),
    'SVG behind a subset whose entity holds a bracket': xml('<!DOCTYPE x [<!ENTITY a "]><safe>">]><svg></svg>'),
    'SVG as UTF-16': xml(utf16('<?xml version="1.0" encoding="utf-16"?><svg></svg>')),
    'SVG in UTF-7': xml('<?xml version="1.0" encoding="utf-7"?>+ADw-svg/>'),
    'a shell script': sample('run.sh', 'application/x-sh', '#!/bin/sh\nrm -rf /\n'),
    'a shell script as text': text('#!/bin/sh\nid\n'),
    'a shell script as text behind a mark': text('\ufeff#!/bin/sh\nid\n'),
    'a shell script as Markdown behind lines': markdown('\n\n#!/bin/sh'),
    'a batch file as text': text('@echo off\r\ndel *.*'),
    PHP: sample('a.php', 'application/x-php', '<?php system($_GET[0]);'),
    'PHP as text': text('\n<?php system($_GET[0]);'),
    'PHP in short as text': text('<?= `id` ?>'),
    'PHP as XML': xml('<?php echo 1 ?><a></a>'),
    JavaScript: sample('a.js', 'text/javascript', 'alert(1)'),
    'PostScript as text': text('%!PS-Adobe-3.0\n'),
    'a Windows program': sample('a.exe', 'application/x-msdownload', raw('4d5a 9000 0300 0000')),
    'a Windows program as PDF': sample('a.pdf', 'application/pdf', raw('4d5a 9000 0300 0000')),
    'a Windows program as text': text('MZ this program cannot be run'),
    'a Windows program without a name': { bytes: raw('4d5a 9000 0300 0000') },
    'a Linux program': sample('a', 'application/x-executable', raw('7f454c46 0201 0100')),
    'a Linux program as text': text(raw('7f454c46 0201 0100')),
    'a macOS program as ZIP': archive(raw('cffaedfe 0700 0001')),
    'a Java class as ZIP': archive(raw('cafebabe 0000 0034')),
    'a program in an attachment name that reads backwards': sample('report\u202efdp.exe', '', pdf('x')),
    'a PDF called .exe': sample('a.pdf.exe', 'application/pdf', pdf('x')),
    'a PDF that begins later': sample('a.pdf', 'application/pdf', `\n${pdf('x').toString('latin1')}`),
    'a PDF called text': text(pdf('x')),
    'RTF called text': text('{\\rtf1 x}'),
    'a PNG called PDF': sample('a.pdf', 'application/pdf', samples.PNG.bytes),
    'a PNG of type JPEG': sample('a.png', 'image/jpeg', samples.PNG.bytes),
    'a PNG of an unknown type': sample('a.png', 'image/x-unknown', samples.PNG.bytes),
    'WAVE as WebP': sample('a.webp', 'image/webp', 'RIFF\x10\0\0\0WAVEfmt '),
    'an empty PDF': sample('a.pdf', 'application/pdf', ''),
    'an empty JSON': json(''),
  };
  it.each(Object.entries(disguises))('%s', async (_, file) => {
    await expect(detect(file)).rejects.toMatchObject(refused);
  });
});

describe('a text', () => {
  it.each<[string, Sent]>([
    ['empty', text('')],
    ['in UTF-16', text(utf16('Città, 3 €'))],
    ['in UTF-16 of the other order', text(Buffer.from(utf16('Città')).swap16())],
    ['with a byte order mark', text('\ufeffCittà')],
    ['with a coloured log', sample('a.log', 'text/plain', '\x1b[31mERROR\x1b[0m\n')],
    ['that speaks of HTML', text('The page had <script>alert(1)</script> in it.')],
    ['that holds XML', text('<?xml version="1.0"?><note>x</note>')],
    ['that begins with a lesser sign', text('< 5 % of the hosts')],
    ['in Markdown with a centred title', markdown('<!-- badges -->\n<h1 align="center">Plan</h1>')],
    ['in CSV from Windows', sample('a.csv', 'application/vnd.ms-excel', 'a;b\r\n')],
  ])('is accepted %s', async (_, file) => {
    expect(await detect(file)).toHaveProperty('kind');
  });

  it.each(Array.from({ length: 8 }, (_, shift) => shift))(
    'is accepted with long characters across the chunks that it is read in (%i)',
    async (shift) => {
      expect(await detect(text('a'.repeat(shift) + '€😀è'.repeat(30_000)))).toMatchObject({ kind: 'TXT' });
    },
  );

  const names: [string, string][] = [
    ['a.txt', 'text/plain'],
    ['a.log', 'text/x-log'],
    ['a.csv', 'application/vnd.ms-excel'],
    ['a.md', 'text/markdown'],
  ];
  it.each(encodedTexts)('is accepted in %s', async (_, bytes) => {
    for (const [filename, contentType] of names)
      expect(await detect({ filename, contentType, bytes })).toHaveProperty('kind');
    const object = Buffer.concat([Buffer.from('{"a":"'), bytes, Buffer.from('"}')]);
    if (bytes[0] !== 0xff && bytes[0] !== 0xfe) expect(await detect(json(object))).toMatchObject({ kind: 'JSON' });
  });

  it.each(hiddenMarkup)('is refused with markup in %s', async (_, bytes) => {
    for (const [filename, contentType] of names.slice(0, 3))
      await expect(detect({ filename, contentType, bytes })).rejects.toMatchObject(refused);
    for (const file of [xml(bytes), eml(bytes), json(bytes)]) await expect(detect(file)).rejects.toMatchObject(refused);
  });

  it('is refused as a Markdown that begins with a script in any of them', async () => {
    for (const [, bytes] of hiddenMarkup.filter(([, each]) => !/onload|html/.test(each.toString('latin1'))))
      await expect(detect({ filename: 'a.md', contentType: 'text/markdown', bytes })).rejects.toMatchObject(refused);
  });

  const far = 'a'.repeat(200_000);
  it.each<[string, Buffer]>([
    ['a NUL', Buffer.from('a\0b')],
    ['a control character', Buffer.from('a\x08b')],
    ['a control character far in', Buffer.from(`${far}\x01${far}`)],
    ['a NUL behind letters of an older character set', raw('6369747485 00')],
    ['a control character far behind them', Buffer.concat([raw('85'), Buffer.from(`${far}\x01`)])],
    ['half a unit of UTF-16', Buffer.concat([utf16('abc'), raw('61')])],
    ['a lone surrogate in UTF-16', raw('fffe 00d8 6100')],
    ['a NUL in UTF-16', utf16('a\0b')],
  ])('is refused with %s', async (_, bytes) => {
    await expect(detect(text(bytes))).rejects.toMatchObject(refused);
  });
});

describe('JSON', () => {
  it.each(['{', '{"a":1}x', 'undefined', 'nulls', 'x: 1', '{"a":"\x01"}', '{"a":1', '[1}', "'a'"])(
    'is refused when it does not begin and end as JSON (%#)',
    async (content) => {
      await expect(detect(json(content))).rejects.toMatchObject(refused);
    },
  );

  it('is accepted across many chunks, with a byte order mark, and in UTF-16', async () => {
    const rows = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, note: 'è\n"x"', score: id / 7 })));
    expect(await detect(json(rows))).toMatchObject({ kind: 'JSON' });
    expect(await detect(json(`\ufeff${rows}`))).toMatchObject({ kind: 'JSON' });
    await expect(detect(json(rows.slice(0, -1)))).rejects.toMatchObject(refused);
    expect(await detect(json(utf16(rows)))).toMatchObject({ kind: 'JSON' });
    await expect(detect(json(utf16(rows.slice(0, -1))))).rejects.toMatchObject(refused);
  });
});

describe('XML', () => {
  it.each<[string, Buffer | string]>([
    ['without a declaration', '<a/>'],
    [
      'with a stylesheet, comments and a document type',
      '<?xml-stylesheet href="a.xsl"?><!-- <svg> --><!DOCTYPE a [<!ATTLIST a b CDATA "]>"><!-- <!ENTITY c "d"> -->]><a b="1>2">x</a>\n',
    ],
    ['with a document type of an address', '<!DOCTYPE a PUBLIC "-//A//B" "a.dtd"><a/>'],
    [
      'that only uses XHTML inside, as security benchmarks do',
      '<B xmlns="http://checklists.nist.gov/xccdf/1.2" xmlns:h="http://www.w3.org/1999/xhtml"><h:p>x</h:p></B>',
    ],
    ['in UTF-16', utf16('<?xml version="1.0" encoding="UTF-16"?><città/>')],
    [
      'in an older character set that it names',
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>citt\xe0</a>', 'latin1'),
    ],
    [
      'in Shift_JIS that it names',
      Buffer.concat([
        Buffer.from('<?xml version="1.0" encoding="Shift_JIS"?><a>'),
        raw('955c8ea6'),
        Buffer.from('</a>'),
      ]),
    ],
  ])('is accepted %s', async (_, content) => {
    expect(await detect(xml(content))).toMatchObject({ kind: 'XML' });
  });

  it.each<[string, Buffer | string]>([
    ['plain text', 'hello'],
    ['text before the root', 'x <a/>'],
    ['an open end', '<a>x'],
    ['a broken root', '<a b=1></a>'],
    ['a document type without end', '<!DOCTYPE a [<!ELEMENT a ANY>'],
    ['an entity', '<?xml version="1.0"?>\n<!DOCTYPE a [<!ELEMENT a ANY> <!ENTITY b "c">]><a>&b;</a>'],
    ['an entity of another file', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['an entity of its document type', '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://b.example/"> %b;]><a/>'],
    ['an entity in other letters', '<!doctype a [<!entity b "c">]><a>&b;</a>'],
    ['an entity in UTF-16', utf16('<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')],
    ['an entity in UTF-16, big end first', utf16('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').swap16()],
    [
      'an entity in an older character set',
      '<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE a [<!ENTITY b "c">]><a/>',
    ],
    ['another encoding than it names', '<?xml version="1.0" encoding="UTF-16"?><a/>'],
    ['bytes of a character set that it does not name', Buffer.from('<a>citt\xe0</a>', 'latin1')],
  ])('is refused with %s', async (_, content) => {
    await expect(detect(xml(content))).rejects.toMatchObject(refused);
  });
});

describe('an e-mail', () => {
  it('may have a body in any character set', async () => {
    const body = Buffer.from('From: a@example.com\nSubject: x\n\ncitt\xe0', 'latin1');
    expect(await detect(eml(body))).toMatchObject({ kind: 'EML' });
  });

  it.each(['From soc@example.com Mon Mar  2 09:00:00 2026\r\n', '>From - Mon\n'])(
    'may begin with the line that mailboxes put before it (%#)',
    async (line) => {
      expect(await detect(eml(Buffer.concat([Buffer.from(line), samples.EML.bytes])))).toMatchObject({ kind: 'EML' });
      await expect(detect(eml(`${line}<html>`))).rejects.toMatchObject(refused);
    },
  );

  it.each([
    ...['no header', 'Host: a\nAccept: b\n\n', 'From: a@example.com\n\n', 'From: a\nSubject: b\n<html>\n', ''],
    ' <html>\nFrom: a\nSubject: b\n\n',
    utf16('From: a\nSubject: b\n\n'),
  ])('is refused without the header fields of one (%#)', async (content) => {
    await expect(detect(eml(content))).rejects.toMatchObject(refused);
  });
});

/** An archive of one member, whose directory places it after other bytes. */
function placedBehind(others: Buffer, single: Buffer): Buffer {
  const moved = Buffer.from(single);
  const end = moved.length - 22;
  const directory = moved.readUInt32LE(end + 16);
  moved.writeUInt32LE(directory + others.length, end + 16);
  moved.writeUInt32LE(others.length, directory + 42);
  return Buffer.concat([others, moved]);
}

describe('a ZIP container', () => {
  const plain = zip([{ name: 'a.txt', content: 'a' }]);
  const types = (content: string) =>
    zip([
      { name: '[Content_Types].xml', content },
      { name: 'word/document.xml', content: '' },
    ]);

  it('is an archive with nothing in it, with a comment, with many entries, and with programs inside', async () => {
    const many = zip(
      Array.from({ length: 3_000 }, (_, at) => ({ name: `logs/${at}/${'x'.repeat(60)}.log`, content: '' })),
    );
    const programs = zip([
      { name: 'malware/a.exe', content: 'MZ' },
      { name: 'page.html', content: '<html>' },
    ]);
    for (const bytes of [zip([]), zip([{ name: 'a', content: '' }], 'a comment'), many, programs]) {
      expect(await detect(archive(bytes))).toMatchObject({ kind: 'ZIP' });
    }
  });

  it('may have line ends behind it, as programs and mail systems add them', async () => {
    for (const end of ['\n', '\r\n', '\r\n\r\n']) {
      expect(await detect(docx(Buffer.concat([samples.DOCX.bytes, Buffer.from(end)])))).toMatchObject({ kind: 'DOCX' });
      expect(await detect(archive(Buffer.concat([plain, Buffer.from(end)])))).toMatchObject({ kind: 'ZIP' });
    }
    for (const end of ['\n'.repeat(5), '\n<html>', ' \n'])
      await expect(detect(docx(Buffer.concat([samples.DOCX.bytes, Buffer.from(end)])))).rejects.toMatchObject(refused);
  });

  it.each<[string, Sent]>([
    [
      'a signed container of another kind',
      sample('a.asice', '', zip([{ name: 'mimetype', content: 'application/vnd.etsi.asic-s+zip', stored: true }])),
    ],
    ['an archive that is only called a signed container', sample('a.asice', '', plain)],
    [
      'a JAR that is a signed container as well',
      sample(
        'a.asice',
        '',
        zip([
          { name: 'mimetype', content: samples.ASICE.contentType, stored: true },
          { name: 'META-INF/MANIFEST.MF', content: '' },
        ]),
      ),
    ],
    [
      'a JAR',
      archive(
        zip([
          { name: 'META-INF/MANIFEST.MF', content: '' },
          { name: 'A.class', content: '' },
        ]),
      ),
    ],
    [
      'a JAR whose manifest comes last',
      archive(
        zip([
          { name: 'A.class', content: '' },
          { name: 'meta-inf/manifest.mf', content: '' },
        ]),
      ),
    ],
    [
      'a JAR under its own name',
      sample('a.jar', 'application/java-archive', zip([{ name: 'META-INF/MANIFEST.MF', content: '' }])),
    ],
    ['a WAR', archive(zip([{ name: 'WEB-INF/web.xml', content: '' }]))],
    ['an Android package', archive(zip([{ name: 'AndroidManifest.xml', content: '' }]))],
    ['an iOS package', archive(zip([{ name: 'Payload/A.app/Info.plist', content: '' }]))],
    ['a browser extension', archive(zip([{ name: 'META-INF/mozilla.rsa', content: '' }]))],
    ['a Word document as ZIP', archive(samples.DOCX.bytes)],
    ['a plain archive as Word document', docx(plain)],
    ['an Excel workbook as Word document', docx(samples.XLSX.bytes)],
    [
      'a JAR that is a Word document as well',
      docx(officeDocument(`${word}.main+xml`, 'word/document.xml', [{ name: 'META-INF/MANIFEST.MF', content: '' }])),
    ],
    [
      'a Word document with macros by its type',
      docx(officeDocument('application/vnd.ms-word.document.macroEnabled.main+xml', 'word/document.xml')),
    ],
    [
      'a Word document with macros inside',
      docx(officeDocument(`${word}.main+xml`, 'word/document.xml', [{ name: 'word/vbaProject.bin', content: 'x' }])),
    ],
    [
      'a Word document with two lists of types',
      docx(officeDocument(`${word}.main+xml`, 'word/document.xml', [{ name: '[Content_Types].xml', content: '<a/>' }])),
    ],
    ['a Word document without its main part', docx(officeDocument(`${word}.main+xml`, 'document.xml'))],
    ['a document of two programs', docx(types(`ContentType="${word}.main+xml" ContentType="a/b.main+xml"`))],
    [
      'a Word template',
      docx(
        officeDocument(
          'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml',
          'word/document.xml',
        ),
      ),
    ],
    ['a type named after a property of every object', docx(types('ContentType="constructor.main+xml"'))],
    ['a list of types that is a bomb', docx(types(`ContentType="${word}.main+xml"${' '.repeat(5_000_000)}`))],
    [
      'an OpenDocument drawing',
      sample(
        'a.odt',
        samples.ODT.contentType,
        zip([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.graphics', stored: true }]),
      ),
    ],
    ['an OpenDocument text as ZIP', archive(samples.ODT.bytes)],
    [
      'an OpenDocument text with macros',
      sample(
        'a.odt',
        samples.ODT.contentType,
        zip([
          { name: 'mimetype', content: samples.ODT.contentType, stored: true },
          { name: 'Basic/Standard/Module1.xml', content: '' },
        ]),
      ),
    ],
    ['an electronic book as ZIP', archive(zip([{ name: 'mimetype', content: 'application/epub+zip', stored: true }]))],
    [
      'an archive behind another file',
      archive(Buffer.concat([plain, zip([{ name: 'META-INF/MANIFEST.MF', content: '' }])])),
    ],
    [
      'an archive behind another one, whose places are counted from the beginning of the file',
      archive(placedBehind(plain, plain)),
    ],
    ['an archive with something behind it', archive(Buffer.concat([plain, Buffer.from('x')]))],
    [
      'an archive with something before its end',
      archive(Buffer.concat([plain.subarray(0, -22), Buffer.from('x'), plain.subarray(-22)])),
    ],
    ['an archive cut off', archive(plain.subarray(0, -3))],
    ['a beginning without an end', archive(Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100_000)]))],
    ['an end that counts entries that are not there', archive(tampered(plain, 10, 9))],
    [
      'an end that counts fewer entries than there are',
      archive(
        tampered(
          zip([
            { name: 'a', content: '' },
            { name: 'META-INF/MANIFEST.MF', content: '' },
          ]),
          10,
          1,
        ),
      ),
    ],
  ])('is refused as %s', async (_, file) => {
    await expect(detect(file)).rejects.toMatchObject(refused);
  });

  /** Writes a count into the end record, into both of its places. */
  function tampered(bytes: Buffer, offset: number, count: number): Buffer {
    const copy = Buffer.from(bytes);
    copy.writeUInt16LE(count, copy.length - 22 + offset);
    copy.writeUInt16LE(count, copy.length - 22 + offset - 2);
    return copy;
  }

  it('is read by its packed content, not by what it claims to contain', () => {
    // Guards the bomb above: it must be small enough for the limit of packed bytes.
    expect(deflateRawSync(Buffer.alloc(5_000_000, ' ')).length).toBeLessThan(1024 * 1024);
  });
});

describe('a Compound File', () => {
  const streams = (...names: string[]) => compoundFile(names.map((name) => ({ name, content: Buffer.alloc(64) })));
  const encrypted = streams('EncryptionInfo', 'EncryptedPackage');
  const doc = (bytes: Buffer) => sample('a.doc', 'application/msword', bytes);
  const xls = (bytes: Buffer) => sample('a.xls', 'application/vnd.ms-excel', bytes);
  const ppt = (bytes: Buffer) => sample('a.ppt', 'application/vnd.ms-powerpoint', bytes);
  /** An entry of the directory; the root's is the first. */
  const entryOf = (bytes: Buffer, at: number) => bytes.subarray((bytes.readUInt32LE(48) + 1) * 512 + at * 128);
  const presentation = (hasMacros: number, padding = 0) => {
    const info = Buffer.concat([
      raw('0f00ff03 14000000 02000004 0c000000 01000000 00000000 02000000'),
      Buffer.alloc(padding),
    ]);
    info.writeUInt32LE(hasMacros, 20);
    return compoundFile([{ name: 'PowerPoint Document', content: info }]);
  };

  it('that a password protects is the document that its name and media type say', async () => {
    expect(await detect(docx(encrypted))).toMatchObject({ kind: 'DOCX', mediaType: word });
    expect(await detect({ filename: 'a.xlsx', bytes: encrypted })).toMatchObject({ kind: 'XLSX' });
    expect(await detect({ filename: 'a', contentType: samples.PPTX.contentType, bytes: encrypted })).toMatchObject({
      kind: 'PPTX',
    });
  });

  it('is a workbook by either name that its stream may have', async () => {
    expect(await detect(xls(compoundFile([{ name: 'Book', content: workbook(0) }])))).toMatchObject({ kind: 'XLS' });
  });

  it('is what it is in sectors of either size, and with more of them than its header can list', async () => {
    const sheets = Buffer.concat([workbook(0), Buffer.alloc(4096 - workbook(0).length)]);
    for (const sector of [512, 4096] as const)
      for (const content of [sheets, Buffer.concat([sheets, Buffer.alloc(10_000)])])
        expect(await detect(xls(largeCompoundFile('Workbook', content, sector)))).toMatchObject({ kind: 'XLS' });
    const large = largeCompoundFile('WordDocument', Buffer.alloc(8 * 1024 * 1024));
    expect(await detect(doc(large))).toMatchObject({ kind: 'DOC' });
  });

  it('is a workbook whose sheets a password hides', async () => {
    const content = Buffer.concat([raw('2f000200 0000'), workbook(1)]);
    expect(await detect(xls(compoundFile([{ name: 'Workbook', content }])))).toMatchObject({ kind: 'XLS' });
  });

  it('is a document by its root, whatever is embedded in it', async () => {
    const bytes = streams('Workbook', 'ObjectPool', 'WordDocument');
    const pool = entryOf(bytes, 2);
    pool.writeUInt8(1, 66);
    pool.writeUInt32LE(0xffffffff, 68);
    pool.writeUInt32LE(1, 76);
    expect(await detect(doc(bytes))).toMatchObject({ kind: 'DOC' });
  });

  it('is refused where its directory has no root', async () => {
    const bytes = streams('WordDocument');
    entryOf(bytes, 0).writeUInt8(1, 66);
    await expect(detect(doc(bytes))).rejects.toMatchObject(refused);
  });

  it('is refused where its sectors lead back to one another', async () => {
    const sheets = largeCompoundFile('Workbook', Buffer.concat([workbook(0), Buffer.alloc(10_000)]));
    const own = entryOf(sheets, 1).readUInt32LE(116);
    sheets.writeUInt32LE(own, 512 + (own + 1) * 4);
    entryOf(sheets, 1).writeUInt32LE(0xffffffff, 120);
    await expect(detect(xls(sheets))).rejects.toMatchObject(refused);
    const list = Buffer.concat([streams('WordDocument'), Buffer.alloc(512, 0xff)]);
    const last = list.length / 512 - 2;
    list.writeUInt32LE(last, 68);
    list.writeUInt32LE(last, list.length - 4);
    await expect(detect(doc(list))).rejects.toMatchObject(refused);
  });

  it('is a presentation when its record of macros says that there are none', async () => {
    expect(await detect(ppt(presentation(0)))).toMatchObject({ kind: 'PPT' });
  });

  it.each<[string, Sent]>([
    ['an old Word file under the type of a message', sample('a.doc', 'application/vnd.ms-outlook', samples.DOC.bytes)],
    ['an old Word file as a message', msg(samples.DOC.bytes)],
    ['an old Word file as a document of today', docx(samples.DOC.bytes)],
    ['a text', text(samples.DOC.bytes)],
    ['an archive', archive(samples.DOC.bytes)],
    ['a program to install', doc(streams('_StringData', '_StringPool'))],
    ['two documents in one', doc(streams('WordDocument', 'Workbook'))],
    ['a Word file with macros', doc(streams('WordDocument', 'Macros'))],
    ['a Word file with a project of macros', doc(streams('WordDocument', '_VBA_PROJECT'))],
    [
      'a workbook with macros',
      xls(
        compoundFile([
          { name: 'Workbook', content: workbook(0) },
          { name: '_VBA_PROJECT_CUR', content: raw('00') },
        ]),
      ),
    ],
    ['a workbook with a sheet of macros', xls(compoundFile([{ name: 'Workbook', content: workbook(1) }]))],
    ['a workbook with a module', xls(compoundFile([{ name: 'Workbook', content: workbook(6) }]))],
    [
      'a workbook with a sheet of macros under its older name',
      xls(compoundFile([{ name: 'Book', content: workbook(1) }])),
    ],
    ['a presentation with macros', ppt(presentation(1))],
    ['a presentation with another number of macros', ppt(presentation(2))],
    ['a protected document without a name', { bytes: encrypted }],
    ['a protected document of macros by its name', sample('a.docm', '', encrypted)],
    ['a protected document as an old one', doc(encrypted)],
    ['half of its signature', msg(raw('d0cf11e0'))],
    ['nothing but its signature', doc(raw('d0cf11e0a1b11ae1'))],
  ])('is refused as %s', async (_, file) => {
    await expect(detect(file)).rejects.toMatchObject(refused);
  });
});

describe('a signed document', () => {
  const p7m = (bytes: Buffer | string) => sample('contract.pdf.p7m', 'application/pkcs7-mime', bytes);
  const der = samples.P7M.bytes;
  const base64 = der.toString('base64').replaceAll(/(.{64})/g, '$1\r\n');
  // In the form of programs that sign a stream: no length, and two zeros at the end of the content.
  const indefinite = Buffer.concat([raw('3080 06092a864886f70d010702 a080 3080 020101'), raw('0000 0000 0000')]);

  it.each<[string, Buffer | string]>([
    ['as DER', der],
    ['as DER with line ends behind it', Buffer.concat([der, Buffer.from('\r\n\r\n')])],
    ['with indefinite lengths', indefinite],
    ['of three bytes of length', Buffer.concat([raw('3082 0100 06092a864886f70d010702'), Buffer.alloc(0x100 - 11)])],
    ['as base64', base64],
    ['as base64 in one line', der.toString('base64')],
    ['as PEM', `-----BEGIN PKCS7-----\n${base64}\n-----END PKCS7-----\n`],
    ['as PEM under its newer name', `-----BEGIN CMS-----\r\n${base64}\r\n-----END CMS-----\r\n`],
    ['large', signedDocument(Buffer.alloc(200_000, 'x'))],
  ])('is accepted %s', async (_, bytes) => {
    expect(await detect(p7m(bytes))).toMatchObject({ kind: 'P7M', mediaType: 'application/pkcs7-mime' });
  });

  it.each<[string, Sent]>([
    ['encrypted data', p7m(Buffer.concat([raw('3010 06092a864886f70d010703'), Buffer.alloc(5)]))],
    ['a certificate', p7m(raw('3082 0004 3082 0000'))],
    ['a certificate as PEM', p7m('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n')],
    ['something behind it', p7m(Buffer.concat([der, Buffer.from('<html>')]))],
    ['cut off', p7m(der.subarray(0, -1))],
    ['base64 that ends as PEM does', p7m(`${base64}\n-----END PKCS7-----\n`)],
    ['base64 with something else in it', p7m(`${base64}\r\n<script>`)],
    ['a PDF under its name', p7m(pdf('x'))],
    ['a signed document under the name of what was signed', sample('contract.pdf', 'application/pdf', der)],
    ['nothing', p7m('')],
  ])('is refused as %s', async (_, file) => {
    await expect(detect(file)).rejects.toMatchObject(refused);
  });
});
