import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { hasCurrent } from '../../http/negotiation.js';
import { requestContextOf } from '../../http/request-context.js';
import type { Logger } from '../../logger.js';
import type { Download, DownloadService, FileAddress } from '../../services/files/downloads.service.js';
import { sendJson } from '../answer.js';
import { attachment } from './streamed-file.js';
import { errorEnvelope } from '../envelope.js';
import type { RouteHandler } from '../operation-handler.js';
import { readAddress } from '../read-parameters.js';
import type { Parameter } from '../route.js';
import { STATUS } from '../status.js';

export type Downloads = Pick<DownloadService, 'find'>;

/** What a `download_url` leads to (specification 2.3): the bytes as they were uploaded, or one range of them. */
export function downloadsHandler(
  parameters: readonly Parameter[],
  { downloads, log }: { downloads: Downloads; log: Logger },
): RouteHandler {
  return async (request, response, inPath) => {
    const address = readAddress(parameters, request, inPath) as unknown as FileAddress;
    const file = await downloads.find(address, requestContextOf(request).origin());
    const headers = headersOf(file);
    if (hasCurrent(request, headers.ETag)) return void response.writeHead(STATUS.notModified, headers).end();
    const range = rangeOf(request, headers.ETag, file.size);
    if (range === 'unsatisfiable') return refuseRange(request, response, file.size);
    await sendFile(request, response, { file, headers, range }, log);
  };
}

function headersOf({ name, sha256 }: Download) {
  return {
    ETag: `"${sha256}"`,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private',
    'Content-Disposition': attachment(name),
    'X-Content-Type-Options': 'nosniff',
  };
}

interface Range {
  start: number;
  end: number;
}

/**
 * The range that is requested; undefined for the whole file. A header that is malformed, names several ranges, or
 * belongs to other bytes (If-Range) is as good as none (RFC 9110 14.2); so is any with a HEAD request.
 */
function rangeOf(
  { headers, method }: IncomingMessage,
  etag: string,
  size: number,
): Range | 'unsatisfiable' | undefined {
  const condition = headers['if-range'];
  if (method !== 'GET' || (condition !== undefined && condition !== etag)) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start > end ? 'unsatisfiable' : { start, end };
}

/** No DomainError: their list is closed, and this failure has no message. */
function refuseRange(request: IncomingMessage, response: ServerResponse, size: number): void {
  const body = JSON.stringify(errorEnvelope({ messages: [] }));
  sendJson(request, response, STATUS.rangeNotSatisfiable, body, { 'Content-Range': `bytes */${size}` });
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { file, headers, range }: { file: Download; headers: OutgoingHttpHeaders; range: Range | undefined },
  log: Logger,
): Promise<void> {
  const length = range === undefined ? file.size : range.end - range.start + 1;
  const complete = { ...headers, 'Content-Type': file.mediaType, 'Content-Length': length };
  if (request.method === 'HEAD') return void response.writeHead(STATUS.ok, complete).end();
  // Opened before the first header goes out, so that a failure can still be answered.
  const bytes = await file.open(range);
  if (range === undefined) response.writeHead(STATUS.ok, complete);
  else {
    const contentRange = `bytes ${range.start}-${range.end}/${file.size}`;
    response.writeHead(STATUS.partialContent, { ...complete, 'Content-Range': contentRange });
  }
  try {
    await pipeline(bytes, response);
  } catch (err) {
    // The client sees a file that is too short for its Content-Length; mostly it is the client itself who left.
    log.debug({ err, requestId: requestContextOf(request).requestId }, 'a download broke off');
  }
}
