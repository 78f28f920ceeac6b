import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { shownName } from '../common/shown-name.js';
import { badUserInput } from '../errors.js';

type Target = Pick<IncomingMessage, 'url'>;

/** The path of a request as it was sent, without its query string. */
export function pathOf({ url = '/' }: Target): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** The query string of a request. */
export function queryOf(target: Target): URLSearchParams {
  return new URLSearchParams(queryTextOf(target));
}

/** Unknown names of parameters. Those that begin with an underscore are left to clients and caches. */
export function unknownIn(query: URLSearchParams, isKnown: (name: string) => boolean): string[] {
  return [...new Set(query.keys())].filter((name) => !isKnown(name) && !name.startsWith('_'));
}

/** The error of an unknown parameter. */
export function unknownParameter(name: string): string {
  return `${shownName(name)} is not a parameter of this path`;
}

/** Throws BAD_USER_INPUT with the name of each parameter whose bytes are not UTF-8. */
export function requireUtf8(target: Target): void {
  const errors = malformedPairs(queryTextOf(target)).map((name) => `${shownName(name)} must be valid UTF-8`);
  if (errors.length > 0) throw badUserInput(errors);
}

/** Of an address or a form, the names of pairs whose bytes are not UTF-8: decoded, they would be other texts. */
export function malformedPairs(text: string): string[] {
  if (!NOT_ASCII.test(text)) return [];
  const malformed = text.split('&').filter((pair) => !isUtf8(bytesOf(pair)));
  return malformed.map((pair) => [...new URLSearchParams(pair).keys()][0] ?? '');
}

const NOT_ASCII = /%[89a-f]|[\x80-\xff]/i;
const ESCAPE = /%([\da-f]{2})/gi;

function queryTextOf({ url = '' }: Target): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

function bytesOf(pair: string): Buffer {
  const unescaped = pair.replaceAll(ESCAPE, (_escape, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
  return Buffer.from(unescaped, 'latin1');
}
