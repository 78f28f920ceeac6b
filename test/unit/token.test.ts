import { describe, expect, it } from '@jest/globals';
import { crc32 } from 'node:zlib';
import {
  digestToken,
  generateToken,
  isWellFormedToken,
  mayContainToken,
  tokenPrefix,
  withoutTokens,
} from '../../src/auth/token.js';
import { tokenOf } from '../../src/http/context.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a token', () => {
  it('is "scp_", 30 random characters and 6 of their CRC32 in base62', () => {
    const token = generateToken();
    expect(token).toMatch(/^scp_[0-9A-Za-z]{36}$/);
    const random = token.slice(4, 34);
    const value = [...token.slice(34)].reduce((sum, digit) => sum * 62 + ALPHABET.indexOf(digit), 0);
    expect(value).toBe(crc32(random));
  });

  it('is never made twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => generateToken())).size).toBe(1000);
  });

  it('is distinguished from a text with any one character changed', () => {
    const token = generateToken();
    expect(isWellFormedToken(token)).toBe(true);
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'x' ? 'y' : 'x';
      expect(isWellFormedToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
    }
  });

  it.each(['', 'scp_', `${generateToken()}0`, generateToken().slice(1), ` ${generateToken()}`, `${generateToken()}\n`])(
    'is not %j',
    (text) => expect(isWellFormedToken(text)).toBe(false),
  );

  it('is stored as its SHA-256 and shown by its first eight characters', () => {
    expect(digestToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(tokenPrefix('scp_abcdefgh')).toBe('scp_abcd');
  });
});

describe('the token of a request', () => {
  const of = (header: string | undefined, url: string) =>
    tokenOf({ headers: header === undefined ? {} : { 'x-service-token': header }, headersDistinct: {}, url });

  it.each([
    ['is that of the header', 'a', '/x', 'a'],
    ['is that of the query where there is no header', undefined, '/x?limit=1&X-Service-Token=b', 'b'],
    ['may be the same in both', 'a', '/x?X-Service-Token=a', 'a'],
    ['is none when header and query differ', 'a', '/x?X-Service-Token=b', undefined],
    ['is none when the query gives two', undefined, '/x?X-Service-Token=a&X-Service-Token=b', undefined],
    ['may be the same twice in the query', undefined, '/x?X-Service-Token=a&X-Service-Token=a', 'a'],
    ['is not a parameter of another spelling', undefined, '/x?x-service-token=a', undefined],
    ['is none where there is none', undefined, '/x?y=1', undefined],
  ])('%s', (_law, header, url, token) => expect(of(header, url)?.token).toBe(token));

  it.each([
    ['in the header', 'a', '/x?X=a', 'header'],
    ['in the query', undefined, '/x?X-Service-Token=a', 'query'],
    ['in the query as soon as it is there as well', 'a', '/x?X-Service-Token=a', 'query'],
  ])('came %s', (_how, header, url, form) => expect(of(header, url)?.form).toBe(form));
});

it.each(['service', 'invitation', 'recovery', 'scim'] as const)(
  'a token of the kind %s is found within a text',
  (kind) => {
    const token = generateToken(kind);
    expect(mayContainToken(`/a/${token}/b`)).toBe(true);
    expect(withoutTokens(`/a/${token}/b?c=${token}`)).toBe('/a/[token]/b?c=[token]');
  },
);

it('a text without tokens is as it was', () => {
  expect(mayContainToken('/organizations/1')).toBe(false);
  expect(withoutTokens('/organizations/1')).toBe('/organizations/1');
});
