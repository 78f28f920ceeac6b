import { describe, expect, it } from '@jest/globals';
import {
  FORM_TYPE,
  MIB,
  MISSING,
  NOT_BASE64,
  document,
  invalid,
  outcome,
  randomBytes,
  randomNumbers,
  refused,
  sameWhereverCut,
} from './support.js';

const form = (body: string, max?: number) => outcome(document(FORM_TYPE, body, max));

describe('a document as a form', () => {
  it('gives the content and the facts, wherever the body is cut', async () => {
    const body =
      'filename=%c3%A9+100%%2bx%.pdf&&content=Zm9v%0D%0AYm%2Fy%2B%0aAA%3d&content%5Ftype=a/b&source=attached&';
    expect(await sameWhereverCut(FORM_TYPE, body)).toEqual({
      content: Buffer.from('Zm9vYm/y+AA=', 'base64').toString('latin1'),
      facts: { filename: 'é 100%+x%.pdf', contentType: 'a/b', source: 'attached' },
    });
  });

  it.each(['', '&', '&&', 'content', 'content=', 'content=&filename=x', 'filename=x', 'content=%0D%0A'])(
    'finds the content missing in %j',
    async (body) => expect(await sameWhereverCut(FORM_TYPE, body)).toEqual(MISSING),
  );

  it.each([
    'content=Zm9+',
    'content=Zm9v%',
    'content=Zm9v%2',
    'content=Zm9v%2&x=1',
    'content=Zm9v%zz',
    'content=Zm9%00',
    'content=Zm-v',
    'content=Z=',
    'content=Zm%39v==',
  ])('refuses the base64 of %s', async (body) => expect(await sameWhereverCut(FORM_TYPE, body)).toEqual(NOT_BASE64));

  it('reads raw = and / in the content as themselves', async () => {
    expect(await sameWhereverCut(FORM_TYPE, 'content=Zm8/YQ==&filename=a=b')).toMatchObject({
      facts: { filename: 'a=b' },
    });
  });

  it('reports all errors of the fields at once, after the content was read', async () => {
    const body = 'x=1&content=Zm9v&filename=a%00&filename=b&=c&__proto__=d';
    expect(await sameWhereverCut(FORM_TYPE, body)).toEqual(
      invalid(
        'x is not a known field',
        'filename must not contain a NUL character',
        'filename must not be given twice',
        'A field without a name is not a known field',
        '__proto__ is not a known field',
      ),
    );
  });

  it('refuses a second content and what is not UTF-8', async () => {
    expect(await form('content=Zm9v&content=Zm9v')).toEqual(refused('content must not be given twice'));
    expect(await form('content=Zm9v&filename=%ff')).toEqual(refused('filename must be valid UTF-8'));
  });

  it('bounds a field, their number and their sum', async () => {
    expect(await form(`content=Zm9v&filename=${'x'.repeat(64 * 1024)}`)).toMatchObject({ content: 'foo' });
    expect(await form(`content=Zm9v&filename=${'x'.repeat(64 * 1024 + 1)}`)).toEqual(
      refused('filename must not exceed 64 KB'),
    );
    expect(await form(`content=Zm9v&${Array.from({ length: 32 }, (_, i) => `x${i}=1`).join('&')}`)).toEqual(
      refused('The body must not hold more than 32 fields'),
    );
    expect(await form(`content=Zm9v${'&'.repeat(257 * 1024)}`)).toEqual(
      refused('The body must not hold more than 256 KB besides the content'),
    );
    expect(await form(`content=${'%0A'.repeat(4 * MIB)}`, MIB)).toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  it('takes a content of the largest size, though each of its characters is escaped', async () => {
    const bytes = Buffer.alloc(MIB, 0xff);
    const lines = bytes.toString('base64').replaceAll(/.{64}/g, '$&\r\n');
    const body = `content=${encodeURIComponent(lines)}&filename=scan.tif`;
    expect(await form(body, MIB)).toEqual({
      content: bytes.toString('latin1'),
      facts: { filename: 'scan.tif' },
    });
  });

  it('agrees with URLSearchParams and Buffer.from on random forms', async () => {
    const random = randomNumbers(6);
    for (let round = 0; round < 300; round++) {
      const content = randomBytes(random, 1 + random(300));
      const filename = Array.from({ length: random(20) }, () => 'aé%+&= 2F€😀'[random(12)])
        .join('')
        .toWellFormed();
      const fields = [
        ['content', content.toString('base64')],
        ['filename', filename],
      ].sort(() => random(2) - 0.5);
      const body = new URLSearchParams(fields).toString();
      const loose = random(2) ? body.replaceAll('%2F', '/').replaceAll('%3D', '=') : body;
      const reference = new URLSearchParams(loose);
      expect(await form(loose)).toEqual({
        content: Buffer.from(reference.get('content')!, 'base64').toString('latin1'),
        facts: { filename: reference.get('filename') },
      });
    }
  });
});
