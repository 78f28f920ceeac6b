import { describe, expect, it } from '@jest/globals';
import { decodeBase64 } from '../../../src/common/base64.js';
import { randomBytes, randomNumbers } from './support.js';

const decode = decodeBase64;

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
    expect(decode(text).toString('latin1')).toBe(content);
  });

  it.each(['Z', 'Zm9vY', '=', '==', 'Zg=', 'Zm8==', 'Zm9v=', 'Zm9v====', 'Zg===', 'Zg==Zg==', 'Z=g=', 'Zm=v'])(
    'refuses the length or padding of %j',
    (text) => {
      expect(() => decode(text)).toThrow(refusal);
    },
  );

  it('refuses every character outside the alphabet wherever it stands', () => {
    const alphabet = /[A-Za-z0-9+/=\r\n]/;
    for (const byte of [...Array(256).keys(), 0x141, 0x20ac, 0xd800]) {
      const foreign = String.fromCharCode(byte);
      if (alphabet.test(foreign)) continue;
      for (let at = 0; at <= 12; at++) {
        for (const length of [9, 10, 11, 12]) {
          const text = 'Zm9vYmFyYmF6'.slice(0, length);
          expect(() => decode(`${text.slice(0, at)}${foreign}${text.slice(at)}`)).toThrow(refusal);
        }
      }
    }
  });

  it('refuses the URL-safe alphabet in a text whose length would fit', () => {
    for (const text of ['Zm-v', 'Zm_v', '-m9v', 'Zm9vYmE-', 'Zm9vYm_', 'Zm9vY-']) {
      expect(() => decode(text)).toThrow(refusal);
    }
  });

  it('ignores bits of the last character that belong to no byte', () => {
    expect(decode('Zh==').toString()).toBe('f');
    expect(decode('Zm9').toString()).toBe('fo');
  });

  it('gives back any bytes whatever the line breaks', () => {
    const random = randomNumbers(1);
    for (let round = 0; round < 400; round++) {
      const content = randomBytes(random, random(200));
      let text = content.toString('base64');
      if (random(2)) text = text.replace(/=+$/, '');
      if (random(2)) text = [...text].map((letter) => (random(10) ? letter : `${letter}\r\n`)).join('');
      expect(decode(text)).toEqual(content);
    }
  });

  it('gives back a large content', () => {
    const content = randomBytes(randomNumbers(2), 300_001);
    expect(decode(content.toString('base64')).equals(content)).toBe(true);
    expect(decode(content.toString('base64').replace(/.{76}/g, '$&\r\n')).equals(content)).toBe(true);
  });

  it('refuses one foreign byte in a large text', () => {
    const text = randomBytes(randomNumbers(3), 90_000).toString('base64');
    for (const at of [0, 8191, 8192, 65_535, 65_536, text.length - 1]) {
      for (const foreign of ['-', '_', ' ', '\t', '\0', '\xe9', '*']) {
        const broken = text.slice(0, at) + foreign + text.slice(at + 1);
        expect(() => decode(broken)).toThrow(refusal);
      }
    }
  });
});
