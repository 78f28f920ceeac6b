import type { IncomingMessage, ServerResponse } from 'node:http';
import { internal, methodNotAllowed, notFound, unauthenticated, unavailable, type DomainError } from '../errors.js';
import { setSafetyHeaders } from './asset.js';
import { contentPolicy } from './content-policy.js';

/** Statuses of what goes wrong with a page. */
export type PortalStatus = 401 | 404 | 405 | 500 | 503;

const ERRORS: Readonly<Record<PortalStatus, DomainError>> = {
  401: unauthenticated(),
  404: notFound(),
  405: methodNotAllowed(),
  500: internal(),
  503: unavailable(),
};

/** Answers a client that wants JSON and no page with the envelope; whether it was one. */
export function sendJsonError(request: IncomingMessage, response: ServerResponse, status: PortalStatus): boolean {
  if (!wantsJson(request)) return false;
  const body = JSON.stringify({ error: 1, messages: ERRORS[status].messages });
  setSafetyHeaders(response, POLICY);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
  return true;
}

const POLICY = contentPolicy();

function wantsJson({ headers: { accept = '' } }: IncomingMessage): boolean {
  const types = accept.split(',').map((type) => type.split(';', 1)[0]?.trim().toLowerCase());
  return types.includes('application/json') && !types.includes('text/html');
}
