import { expect } from '@jest/globals';
import { Readable } from 'node:stream';
import type { IncomingFile } from '../../../src/storage/incoming-file.js';
import { LargeBodies, type UnreadRequest } from '../../../src/http/request-body.js';
import { incomingDocument } from '../../../src/rest/request/incoming-files.js';
import { readAll } from '../../support/bytes.js';

export const MIB = 1024 * 1024;
export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const BOUNDARY = 'AaB03x';
export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

type Body = string | Uint8Array;

/** A body in pieces of `size` bytes, each a fresh copy, as a socket delivers it. */
export async function* pieces(body: Body, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body as string);
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}

export async function* splitAt(body: Body, at: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body as string);
  yield bytes.subarray(0, at);
  yield bytes.subarray(at);
}

export const request = (
  contentType: string | undefined,
  stream: AsyncIterable<Uint8Array>,
  headers: object = {},
): UnreadRequest =>
  Object.assign(Readable.from(stream, { objectMode: false }), {
    headers: { 'content-type': contentType, ...headers },
  });

export const places = () => ({ largeBodies: new LargeBodies(), userId: 'one' });

export const documentOf = (sent: UnreadRequest, max = 10 * MIB) => incomingDocument(sent, max, places());

export const document = (type: string, body: Body, max?: number) => documentOf(request(type, pieces(body)), max);

export const read = ({ bytes }: IncomingFile): Promise<Buffer> => readAll(bytes);

/** Content and facts, or the code and messages of what was thrown and by which of the two. */
export async function outcome(file: IncomingFile) {
  let content: string;
  try {
    content = (await read(file)).toString('latin1');
  } catch (error) {
    return { thrownBy: 'bytes', ...refusalOf(error) };
  }
  try {
    return { content, facts: await file.facts() };
  } catch (error) {
    return { thrownBy: 'facts', ...refusalOf(error) };
  }
}

export function refusalOf(error: unknown) {
  const { code, messages } = error as { code: unknown; messages: unknown };
  if (code === undefined) throw error;
  return { code, messages };
}

export const refused = (...messages: string[]) => ({ thrownBy: 'bytes', code: 'BAD_USER_INPUT', messages });
export const invalid = (...messages: string[]) => ({ thrownBy: 'facts', code: 'BAD_USER_INPUT', messages });
export const MISSING = { thrownBy: 'bytes', code: 'MISSING_CONTENT', messages: ['Missing content'] };
export const NOT_BASE64 = { thrownBy: 'bytes', code: 'INVALID_BASE64', messages: ['Invalid base64 content'] };

/** The outcome must be the same for every chunking of the body, and for single bytes. */
export async function sameWhereverCut(type: string, body: Body, max = 10 * MIB) {
  const whole = await outcome(document(type, body, max));
  const length = Buffer.from(body as string).length;
  for (let at = 0; at <= length; at++) {
    const cut = await outcome(documentOf(request(type, splitAt(body, at)), max));
    expect({ at, ...cut }).toEqual({ at, ...whole });
  }
  expect(await outcome(documentOf(request(type, pieces(body, 1)), max))).toEqual(whole);
  return whole;
}

/** Pseudorandom numbers that are equal in every run, so that a failing case can be repeated. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function randomBytes(random: (below: number) => number, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random(256)));
}

export interface FormPart {
  head: string;
  body: Body;
}

export const field = (name: string, body: Body): FormPart => ({ head: `name="${name}"`, body });
export const file = (name: string, filename: string, body: Body, type?: string): FormPart => ({
  head: `name="${name}"; filename="${filename}"${type ? `\r\nContent-Type: ${type}` : ''}`,
  body,
});

export function multipart(...parts: FormPart[]): Buffer {
  const lines = parts.flatMap(({ head, body }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`,
    body,
    '\r\n',
  ]);
  return Buffer.concat([...lines, `--${BOUNDARY}--\r\n`].map((line) => Buffer.from(line as string)));
}
