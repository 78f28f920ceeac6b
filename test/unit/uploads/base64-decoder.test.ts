import { describe, expect, it } from '@jest/globals';
import { Base64Decoder } from '../../../src/rest/uploads/base64-decoder.js';
import { MIB, randomBytes, randomNumbers } from './support.js';

function decode(text: string, size = text.length || 1): Buffer {
  const decoder = new Base64Decoder(MIB);
  const bytes = Buffer.from(text, 'latin1');
  const decoded: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size)
    decoded.push(Buffer.from(decoder.push(bytes.subarray(at, at + size))));
  return Buffer.concat([...decoded, decoder.end()]);
}

const refusal = expect.objectContaining({ code: 'INVALID_BASE64' });

describe('strict base64', () => {
  it.each([
    ['', ''],
    ['Zg==', 'f'],
    ['Zg', 'f'],
    ['Zm8=', 'fo'],
    ['Zm8', 'fo'],
    ['Zm9v', 'foo'],
    ['Zm9vYg==', 'foob'],
    ['Zm\r\n9v\nYm\rFy\r\n', 'foobar'],
    ['Zg=\r\n=\r\n', 'f'],
    ['Z\n\n\n\n\n\ng', 'f'],
    ['+/+/', '\xfb\xff\xbf'],
  ])('decodes %j', (text, content) => {
    for (let size = 1; size <= 9; size++) expect(decode(text, size).toString('latin1')).toBe(content);
  });

  it.each(['Z', 'Zm9vY', '=', '==', 'Zg=', 'Zm8==', 'Zm9v=', 'Zm9v====', 'Zg===', 'Zg==Zg==', 'Z=g=', 'Zm=v'])(
    'refuses the length or padding of %j',
    (text) => {
      for (let size = 1; size <= 9; size++) expect(() => decode(text, size)).toThrow(refusal);
    },
  );

  it('refuses every byte outside the alphabet wherever it stands', () => {
    const alphabet = /[A-Za-z0-9+/=\r\n]/;
    for (let byte = 0; byte < 256; byte++) {
      const foreign = String.fromCharCode(byte);
      if (alphabet.test(foreign)) continue;
      for (const size of [1, 3, 4, 100]) {
        for (let at = 0; at <= 12; at++) {
          const text = `${'Zm9vYmFyYmF6'.slice(0, at)}${foreign}${'Zm9vYmFyYmF6'.slice(at)}`;
          expect(() => decode(text, size)).toThrow(refusal);
        }
      }
    }
  });

  it('refuses the URL-safe alphabet in a text whose length would fit', () => {
    for (const text of ['Zm-v', 'Zm_v', '-m9v', 'Zm9vYmE-', 'Zm9vYm_', 'Zm9vY-']) {
      for (let size = 1; size <= 9; size++) expect(() => decode(text, size)).toThrow(refusal);
    }
  });

  it('ignores bits of the last character that belong to no byte', () => {
    expect(decode('Zh==').toString()).toBe('f');
    expect(decode('Zm9').toString()).toBe('fo');
  });

  it('gives back any bytes whatever the line breaks and wherever it is cut', () => {
    const random = randomNumbers(1);
    for (let round = 0; round < 400; round++) {
      const content = randomBytes(random, random(200));
      let text = content.toString('base64');
      if (random(2)) text = text.replace(/=+$/, '');
      if (random(2)) text = [...text].map((letter) => (random(10) ? letter : `${letter}\r\n`)).join('');
      expect(decode(text, 1 + random(30))).toEqual(content);
    }
  });

  it('gives back a large content', () => {
    const content = randomBytes(randomNumbers(2), 300_001);
    expect(decode(content.toString('base64'), 65_536).equals(content)).toBe(true);
    expect(decode(content.toString('base64').replace(/.{76}/g, '$&\r\n'), 65_537).equals(content)).toBe(true);
  });

  it('refuses one foreign byte in a large text', () => {
    const text = randomBytes(randomNumbers(3), 90_000).toString('base64');
    for (const at of [0, 8191, 8192, 65_535, 65_536, text.length - 1]) {
      for (const foreign of ['-', '_', ' ', '\t', '\0', '\xe9', '*']) {
        const broken = text.slice(0, at) + foreign + text.slice(at + 1);
        expect(() => decode(broken, 65_536)).toThrow(refusal);
      }
    }
  });

  it('refuses line breaks without end as too large a file', () => {
    const decoder = new Base64Decoder(MIB);
    const breaks = Buffer.alloc(64 * 1024, '\n');
    const flood = () => {
      for (let i = 0; i < 40; i++) decoder.push(breaks);
    };
    expect(flood).toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE' }));
  });
});
