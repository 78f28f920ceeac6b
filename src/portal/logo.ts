import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../errors.js';
import { pathOf } from '../http/target.js';
import { setSafetyHeaders } from './asset.js';
import { sendJsonError, sendMissingPage } from './error-page.js';
import { contentPolicy } from './page.js';

/** Opens a stored logo by the last part of its path; rejects with NOT_FOUND or UNAVAILABLE. */
export type OpenLogo = (name: string) => Promise<{ content: Readable; mediaType: string }>;

export const LOGO_PATH = '/logos/';

/** Answers with the logo of an organization. It needs no token: mails and other sites show logos. */
export async function sendLogo(request: IncomingMessage, response: ServerResponse, openLogo: OpenLogo): Promise<void> {
  const logo = await openLogo(pathOf(request).slice(LOGO_PATH.length)).catch((error: unknown) => refusalOf(error));
  if (logo === 'NOT_FOUND') return sendMissingPage(request, response);
  setSafetyHeaders(response, contentPolicy());
  if (logo === 'UNAVAILABLE') {
    response.setHeader('retry-after', '5');
    if (sendJsonError(request, response, 503)) return;
    return void response.writeHead(503).end();
  }
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  // The name is the hash of the content.
  response.setHeader('Cache-Control', 'public, max-age=86400');
  response.setHeader('Content-Type', logo.mediaType);
  if (request.method === 'HEAD') {
    logo.content.destroy();
    return void response.end();
  }
  await pipeline(logo.content, response).catch((error: NodeJS.ErrnoException) => {
    // The client closed the connection.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

function refusalOf(error: unknown): 'NOT_FOUND' | 'UNAVAILABLE' {
  if (error instanceof DomainError && (error.code === 'NOT_FOUND' || error.code === 'UNAVAILABLE')) return error.code;
  throw error;
}
