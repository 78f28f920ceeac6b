import { Dicer } from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { auditJson } from '../common/json-text.js';
import { DomainError } from '../errors.js';
import { SMALL_BODY } from '../http/request-body.js';

/**
 * What is wrong with the JSON of a GraphQL multipart request, whose parser reads it leniently: the fields before the first
 * file are read beside it, by the rules of every other body. Resolves when they have come.
 */
export function formFieldErrors(request: IncomingMessage): Promise<string[]> {
  const [, quoted, plain] = BOUNDARY.exec(request.headers['content-type'] ?? '') ?? [];
  const boundary = quoted ?? plain;
  // Without one it is no form, which the parser says.
  if (boundary === undefined) return Promise.resolve([]);
  const reader = new Dicer({ boundary });
  const fields: Promise<string[]>[] = [];
  return new Promise((resolve) => {
    const end = (errors: string[] | Promise<string[]>) => {
      request.unpipe(reader);
      resolve(errors);
    };
    // What is no form, or is not received to its end, the parser refuses.
    const giveUp = () => end([]);
    const finish = () => end(Promise.all(fields).then((errors) => errors.flat()));
    reader.on('part', (part) => {
      part.on('error', giveUp).once('header', (headers: Readonly<Record<string, readonly string[]>>) => {
        const name = FIELD.exec(headers['content-disposition']?.[0] ?? '')?.[1];
        if (name === undefined) return finish();
        fields.push(textErrors(part, name));
        if (name === LAST) finish();
      });
    });
    reader.on('error', giveUp).once('finish', finish);
    request.once('close', () => (request.readableEnded ? finish() : giveUp())).pipe(reader);
  });
}

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i;
/** A field that has JSON; a file has another name. */
const FIELD = /;\s*name="?(operations|map)"?\s*(?:;|$)/i;
const LAST = 'map';

async function textErrors(part: Readable, what: string): Promise<string[]> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of part as AsyncIterable<Buffer>) {
    // What is too long is refused by the parser.
    if ((size += piece.length) > SMALL_BODY) return [];
    pieces.push(piece);
  }
  try {
    return auditJson(Buffer.concat(pieces), { what }).errors;
  } catch (error) {
    if (error instanceof DomainError) return error.messages.map(String);
    throw error;
  }
}
