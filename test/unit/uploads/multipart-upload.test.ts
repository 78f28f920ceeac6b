import { describe, expect, it } from '@jest/globals';
import busboy from 'busboy';
import { Readable } from 'node:stream';
import { readForm } from '../../../src/http/multipart.js';
import {
  BOUNDARY,
  MIB,
  MISSING,
  MULTIPART_TYPE,
  NOT_BASE64,
  document,
  documentOf,
  invalid,
  field,
  file,
  multipart,
  outcome,
  pieces,
  randomBytes,
  randomNumbers,
  read,
  refused,
  request,
  sameWhereverCut,
  type FormPart,
} from './support.js';

const form = (...parts: FormPart[]) => outcome(document(MULTIPART_TYPE, multipart(...parts)));
const raw = (body: string | Uint8Array, type = MULTIPART_TYPE) => outcome(document(type, body));
const INVALID = refused('The body is not valid multipart form data');
const TRICKY = `\r\n--AaB03\r\n--AaB0\r\r\n\n--AaB03x\r\n-${'\r\n--'.repeat(3)}\r`;

describe('a document as multipart', () => {
  it('takes the content as base64 with its fields, wherever the body is cut', async () => {
    const body = multipart(
      field('filename', 'é.pdf'),
      field('content', 'Zm9v\r\nYg=='),
      field('content_type', 'a/b'),
      field('source', 'attached'),
    );
    expect(await sameWhereverCut(MULTIPART_TYPE, body)).toEqual({
      content: 'foob',
      facts: { filename: 'é.pdf', contentType: 'a/b', source: 'attached' },
    });
  });

  it.each(['content', 'file'])(
    'takes the bytes of a file part %s as they are, wherever the body is cut',
    async (name) => {
      const body = multipart(field('source', 'imported'), file(name, 'a.txt', TRICKY, 'Text/Plain; charset=x'));
      expect(await sameWhereverCut(MULTIPART_TYPE, body)).toEqual({
        content: TRICKY,
        facts: { filename: 'a.txt', contentType: 'text/plain', source: 'imported' },
      });
    },
  );

  it('lets the fields overrule what the file part says of itself', async () => {
    expect(
      await form(file('file', 'a.txt', 'x', 'text/plain'), field('filename', 'b'), field('content_type', 'c/d')),
    ).toEqual({
      content: 'x',
      facts: { filename: 'b', contentType: 'c/d' },
    });
  });

  it('takes what the file part says of itself where a field is empty', async () => {
    const empty = ['filename', 'content_type', 'source'].map((name) => field(name, ''));
    expect(await form(file('file', 'a.txt', 'x', 'text/plain'), ...empty)).toEqual({
      content: 'x',
      facts: { filename: 'a.txt', contentType: 'text/plain', source: '' },
    });
  });

  it('names a part file that is none', async () => {
    const refusal = refused('file must be a file part', 'filename is required');
    expect(await sameWhereverCut(MULTIPART_TYPE, multipart(field('file', 'text')))).toEqual(refusal);
    const inAnotherCharset = { head: 'name="file"; filename*=ISO-8859-1\'\'%fc.txt', body: 'x' };
    expect(await form(inAnotherCharset)).toEqual(refusal);
  });

  it('takes a part of type application/octet-stream as a file though it has no file name', async () => {
    const part = { head: 'name="content"\r\nContent-Type: application/octet-stream', body: 'Zm9v' };
    expect(await form(part)).toEqual({ content: 'Zm9v', facts: { contentType: 'application/octet-stream' } });
  });

  it('accepts a preamble, an epilogue, and folded headers', async () => {
    const body =
      `preamble\r\n--AaB03\r\n--${BOUNDARY}\r\nCONTENT-disposition : form-data`.replace(' :', ':') +
      `;\r\n name="file";\r\n\tfilename=a\r\nX-Other: y\r\n\r\nhello\r\n--${BOUNDARY}--  \r\nepilogue\r\n--${BOUNDARY}`;
    expect(await sameWhereverCut(MULTIPART_TYPE, body)).toEqual({ content: 'hello', facts: { filename: 'a' } });
  });

  it('accepts a closing delimiter with no line break after it', async () => {
    const body = multipart(file('file', 'a', 'hello')).subarray(0, -2);
    expect(await sameWhereverCut(MULTIPART_TYPE, body)).toEqual({ content: 'hello', facts: { filename: 'a' } });
  });

  it('accepts a quoted boundary with spaces and escapes in it', async () => {
    const body = multipart(file('file', 'a', 'hello'))
      .toString()
      .replaceAll(BOUNDARY, 'a b;"c');
    expect(await raw(body, 'Multipart/Form-Data; charset=x; Boundary="a b;\\"c"')).toMatchObject({ content: 'hello' });
  });

  it.each([
    ['a\\"b', 'a"b'],
    ['a%22b', 'a"b'],
    ['a%0D%0Ab', 'a\r\nb'],
    ['a%0d%0ab', 'a\r\nb'],
    ['100%25', '100%25'],
    ['C:\\dir\\new.txt', 'C:\\dir\\new.txt'],
    ['a\\\\b', 'a\\b'],
    ['a;b=c', 'a;b=c'],
    ['', ''],
    ['né 😀', 'né 😀'],
  ])('reads the file name %s', async (spelt, filename) => {
    expect(await sameWhereverCut(MULTIPART_TYPE, multipart(file('file', spelt, 'x')))).toEqual({
      content: 'x',
      facts: { filename },
    });
  });

  it('prefers filename* where a client sends it', async () => {
    const part = { head: `name="file"; filename="plain"; filename*=UTF-8'en'%e2%82%ac.txt`, body: 'x' };
    expect(await form(part)).toEqual({ content: 'x', facts: { filename: '€.txt' } });
    expect(await form({ ...part, head: part.head.replace('%e2', '%ff') })).toMatchObject({
      facts: { filename: 'plain' },
    });
  });

  it('reads a file name in Latin-1 when it is not UTF-8', async () => {
    const body = Buffer.from(multipart(file('file', '\u00e9', 'x')).toString('utf8'), 'latin1');
    expect(await raw(body)).toEqual({ content: 'x', facts: { filename: 'é' } });
  });

  it('finds an empty or absent content missing', async () => {
    expect(await form()).toEqual(MISSING);
    expect(await form(field('content', ''))).toEqual(MISSING);
    expect(await form(file('file', 'a', ''))).toEqual(MISSING);
    expect(await form(file('file', '', '', 'application/octet-stream'))).toEqual(MISSING);
    expect(await form(field('filename', 'a'))).toEqual(MISSING);
  });

  it('refuses broken base64 in a text field', async () => {
    expect(await sameWhereverCut(MULTIPART_TYPE, multipart(field('content', 'Zm9 v')))).toEqual(NOT_BASE64);
  });

  it('refuses two contents of whatever kind', async () => {
    const twice = refused('content must not be given twice');
    expect(await form(file('file', 'a', 'x'), file('content', 'a', 'x'))).toEqual(twice);
    expect(await form(file('file', 'a', 'x'), field('content', 'Zm9v'))).toEqual(twice);
    expect(await form(field('content', 'Zm9v'), field('content', 'Zm9v'))).toEqual(twice);
  });

  it('reports all errors of the fields at once, after the content was read', async () => {
    const parts = [
      field('x', '1'),
      file('y', 'a', 'z'),
      file('filename', 'a', 'z'),
      file('file', 'a', 'x'),
      field('source', 'a\0'),
    ];
    expect(
      await sameWhereverCut(MULTIPART_TYPE, multipart(...parts, field('source', 'b'), field('file', 'text'))),
    ).toEqual(
      invalid(
        'x is not a known field',
        'y is not a known field',
        'filename must be a text field',
        'source must not contain a NUL character',
        'source must not be given twice',
        'file must be a file part',
      ),
    );
  });

  it('refuses a field that is not UTF-8, or says so, or is encoded for mail', async () => {
    expect(await form(field('filename', Buffer.from([0xff])))).toEqual(refused('filename must be valid UTF-8'));
    expect(await form({ head: 'name="source"\r\nContent-Type: text/plain; charset=latin1', body: 'x' })).toEqual(
      refused('source must be UTF-8'),
    );
    expect(
      await form({ head: 'name="file"; filename="a"\r\nContent-Transfer-Encoding: base64', body: 'Zm9v' }),
    ).toEqual(refused('file must not have a Content-Transfer-Encoding'));
  });

  const sound = multipart(file('file', 'a', 'hello'), field('source', 'x')).toString();

  it('refuses a body that was cut off, wherever', async () => {
    for (let length = 0; length < sound.length - 2; length++) {
      const { code } = (await raw(sound.slice(0, length))) as { code?: unknown };
      expect({ length, code }).toEqual({ length, code: 'BAD_USER_INPUT' });
    }
  });

  it.each([
    ['nothing', ''],
    ['no delimiter', 'hello'],
    ['another boundary', sound.replaceAll(BOUNDARY, 'other')],
    ['text after the boundary', sound.replace(BOUNDARY, `${BOUNDARY}y`)],
    ['bare line feeds', sound.replaceAll('\r\n', '\n')],
    ['a bare line feed after a header', sound.replace('name="file"; filename="a"\r\n', 'name="file"; filename="a"\n')],
    ['no disposition', sound.replace('Content-Disposition', 'X-Disposition')],
    ['another disposition', sound.replace('form-data', 'attachment')],
    ['no name', sound.replace('name="file"; ', '')],
    ['a name twice', sound.replace('name="file"', 'name="file"; name="file"')],
    ['a header twice', sound.replace('\r\n\r\n', '\r\nContent-Disposition: form-data; name="x"\r\n\r\n')],
    ['padding after a boundary', sound.replace(`--${BOUNDARY}\r\n`, `--${BOUNDARY} \r\n`)],
    ['a part that ends with its head', sound.replace('\r\n\r\n', '\r\n')],
    [
      'a last part that ends with its head',
      sound.replace(
        `--${BOUNDARY}--`,
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="source"\r\n--${BOUNDARY}--`,
      ),
    ],
    ['a first header without a colon', sound.replace('Content-Disposition', 'hello\r\nContent-Disposition')],
    ['a header with a space before its colon', sound.replace('Content-Disposition:', 'Content-Disposition :')],
    ['a folded line first', sound.replace('Content-Disposition', ' Content-Disposition')],
    ['an unterminated quote', sound.replace('filename="a"', 'filename="a')],
    ['headers without end', sound.replace('\r\n\r\n', `\r\n${'X-A: b\r\n'.repeat(3000)}\r\n`)],
    [
      'a first header without end',
      sound.replace('Content-Disposition', `X: ${'a'.repeat(17_000)}\r\nContent-Disposition`),
    ],
  ])('refuses %s', async (_, body) => {
    expect(await raw(body)).toEqual(INVALID);
  });

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'b'.repeat(71)}`,
    'multipart/form-data; boundary="a "',
  ])('refuses the content type %s', async (type) =>
    expect(await raw(sound, type)).toMatchObject({ code: 'BAD_USER_INPUT' }),
  );

  it('accepts a boundary of seventy characters', async () => {
    const boundary = 'b'.repeat(70);
    expect(await raw(sound.replaceAll(BOUNDARY, boundary), `multipart/form-data; boundary=${boundary}`)).toMatchObject({
      content: 'hello',
    });
  });

  it('bounds a field, the number of parts, and all that is no content', async () => {
    const content = file('file', 'a', 'x');
    expect(await form(content, field('source', 'y'.repeat(64 * 1024)))).toMatchObject({ content: 'x' });
    expect(await form(content, field('source', 'y'.repeat(64 * 1024 + 1)))).toEqual(
      refused('source must not exceed 64 KB'),
    );
    const many = Array.from({ length: 32 }, () => field('source', ''));
    expect(await form(content, ...many)).toEqual(refused('The body must not hold more than 32 parts'));
    const excess = refused('The body must not hold more than 256 KB besides the content');
    expect(await form(content, field('x', 'y'.repeat(256 * 1024)))).toEqual(excess);
    expect(await raw(sound + 'y'.repeat(256 * 1024))).toEqual(excess);
    expect(await raw('y'.repeat(256 * 1024) + sound)).toEqual(excess);
    const flood = document(MULTIPART_TYPE, multipart(field('content', '\n'.repeat(5 * MIB))), MIB);
    expect(await outcome(flood)).toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  it('gives back a large file whatever the size of the chunks', async () => {
    const content = randomBytes(randomNumbers(7), 200_000);
    const body = multipart(file('file', 'a', content));
    for (const size of [61, 997, 4096, 65_535, 65_536, 65_537]) {
      const read_ = await read(documentOf(request(MULTIPART_TYPE, pieces(body, size)), MIB));
      expect(read_.equals(content)).toBe(true);
    }
  });

  it('cuts random bodies as busboy does', async () => {
    const random = randomNumbers(8);
    for (let round = 0; round < 250; round++) {
      const parts = Array.from({ length: random(5) }, () => randomPart(random));
      const body = multipart(...parts);
      const size = 1 + random(40);
      expect(await cutByUs(body, size)).toEqual(await cutByBusboy(body, size));
    }
  });
});

interface Cut {
  name: string;
  isFile: boolean;
  filename: string | undefined;
  body: string;
}

function randomPart(random: (below: number) => number): FormPart {
  const name = Array.from({ length: 1 + random(8) }, () => 'abé ;='[random(6)]).join('');
  const alphabet = ['\r\n', '\r', '\n', '-', '--', 'AaB03', `--${BOUNDARY}`, 'x', '\0', 'é', '\r\n--', '\r\n--AaB03'];
  const text = Array.from({ length: random(30) }, () => alphabet[random(alphabet.length)]).join('');
  const body = `\r\n${text}`.replaceAll(/(?:\r\n)+--AaB03x/g, '').slice(2);
  return random(2) ? field(name, body) : file(name, `${name}.txt`, body, random(2) ? 'text/plain' : undefined);
}

async function cutByUs(body: Buffer, size: number): Promise<Cut[]> {
  const limits = { maxParts: 100, maxOverhead: Infinity, tooLarge: () => new Error('too large') };
  const cuts: Cut[] = [];
  for await (const part of readForm(request(MULTIPART_TYPE, pieces(body, size)), limits)) {
    const content: Buffer[] = [];
    for await (const piece of part.content()) content.push(piece);
    cuts.push({
      name: part.name,
      isFile: part.isFile,
      filename: part.facts.filename,
      body: Buffer.concat(content).toString(),
    });
  }
  return cuts;
}

function cutByBusboy(body: Buffer, size: number): Promise<Cut[]> {
  return new Promise((resolve, reject) => {
    const cuts: Cut[] = [];
    const parser = busboy({ headers: { 'content-type': MULTIPART_TYPE }, defParamCharset: 'utf8', preservePath: true });
    parser.on('field', (name, text) => cuts.push({ name, isFile: false, filename: undefined, body: text }));
    parser.on('file', (name, stream, { filename }) => {
      const cut = { name, isFile: true, filename, body: '' };
      cuts.push(cut);
      stream.setEncoding('utf8').on('data', (text: string) => (cut.body += text));
    });
    parser.on('close', () => resolve(cuts)).on('error', reject);
    Readable.from(pieces(body, size)).pipe(parser);
  });
}
