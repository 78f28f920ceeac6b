import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { requestContextOf } from '../../http/request-context.js';
import type { Logger } from '../../logger.js';
import { STATUS } from '../status.js';

/** A file that is made while it is sent. */
export interface StreamedFile {
  name: string;
  mediaType: string;
  /** Not called for HEAD. */
  open(): Readable | Promise<Readable>;
}

/**
 * How long the file will be is not known before, so that one that breaks off has no end: the client sees that the answer
 * is not complete.
 */
export async function sendStreamed(
  request: IncomingMessage,
  response: ServerResponse,
  { name, mediaType, open }: StreamedFile,
  log: Logger,
): Promise<void> {
  // Before the first header goes out, so that a failure can still be answered.
  const stream = request.method === 'HEAD' ? undefined : await open();
  response.writeHead(STATUS.ok, {
    'Content-Type': mediaType,
    'Content-Disposition': attachment(name),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  if (stream === undefined) return void response.end();
  try {
    await pipeline(stream, response);
  } catch (err) {
    // A client that has left is no error; anything else is logged as one.
    const left = (err as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE';
    log[left ? 'debug' : 'error']({ err, requestId: requestContextOf(request).requestId }, 'a file broke off');
  }
}

/**
 * Content-Disposition of a file that is to be saved under its own name (RFC 6266): `filename` in ASCII for old clients,
 * and beside it `filename*` (RFC 8187) for a name that has more to it.
 */
export function attachment(name: string): string {
  // A percent sign in `filename` is decoded by some clients; quotes and backslashes are escaped differently by all.
  const ascii = name.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll(/["\\%]/g, '_');
  if (ascii === name) return `attachment; filename="${ascii}"`;
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extendedValue(name)}`;
}

/** encodeURIComponent leaves four characters alone that RFC 8187 wants encoded, and throws at half a character. */
function extendedValue(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
