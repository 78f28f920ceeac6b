import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { tokenOf } from '../../context.js';
import { badUserInput, methodNotAllowed, unauthenticated } from '../../errors.js';
import type { Exchange } from '../../http/exchange.js';
import type { Logger } from '../../logger.js';
import { LIMITS } from '../../vocabulary/limits.js';
import type { Call } from '../admission.js';
import { formatErrors } from '../apollo-errors.js';
import { parseJson, readBytes } from '../json-body.js';
import { EventStream } from './event-stream.js';
import type { LiveDeps } from './live-doors.js';
import { isLive, type LiveOperations } from './live-operations.js';
import { identified } from './live-session.js';
import type { LiveSessions } from './live-sessions.js';

export interface SseDeps extends LiveDeps {
  operations: LiveOperations;
  sessions: LiveSessions;
}

/**
 * Subscriptions as server-sent events at /graphql/stream: one request for each ("distinct connections mode" of the
 * protocol of graphql-sse). What is wrong with the request is answered by a status, what is wrong with the operation as
 * its only event.
 */
export class SseDoor {
  constructor(private readonly deps: SseDeps) {}

  /** Throws what is to be answered with a status. */
  async handle(request: IncomingMessage, response: ServerResponse, exchange: Exchange): Promise<void> {
    const { log, operations, sessions } = this.deps;
    if (request.method !== 'GET' && request.method !== 'POST') throw methodNotAllowed();
    const events = new EventStream(response);
    const end = { refuse: () => events.dismiss(unauthorized(exchange, log)), goAway: () => events.dismiss() };
    const { requestId } = exchange;
    const session = await identified(request, tokenOf(request), { ...this.deps, requestId, end });
    if (session === undefined) throw unauthenticated();
    const call = await callOf(request);
    sessions.enter(session);
    response.once('close', () => sessions.leave(session));
    // It may have left while it was looked at.
    if (response.destroyed) return sessions.leave(session);
    events.open();
    const admitted = operations.admit(call, session);
    if (!('operation' in admitted)) return events.finish({ errors: formatErrors(admitted, session) });
    const { operationName, variables } = call;
    const results = await operations.begin({ document: admitted.document, operationName, variables }, session);
    if (isLive(results)) await events.carry(results);
    else events.finish(results);
  }
}

function unauthorized({ requestId }: Exchange, log: Logger): object {
  const error = new GraphQLError('', { originalError: unauthenticated() });
  return { errors: formatErrors([error], { requestId, log }) };
}

async function callOf(request: IncomingMessage): Promise<Call> {
  const given = request.method === 'POST' ? await bodyOf(request) : queryOf(request);
  const { query, operationName, variables } = given;
  const faults: string[] = [];
  if (typeof query !== 'string' || query === '') faults.push('query is required');
  if (operationName != null && typeof operationName !== 'string') faults.push('operationName must be a string');
  if (variables != null && (typeof variables !== 'object' || Array.isArray(variables)))
    faults.push('variables must be an object');
  if (faults.length > 0) throw badUserInput(faults);
  return { query, operationName, variables } as Call;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw badUserInput(['Content-Type must be application/json']);
  const body = parseJson(await readBytes(request, LIMITS.live.messageBytes));
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badUserInput(['The body must be a JSON object']);
  return body as Record<string, unknown>;
}

function queryOf({ url = '' }: IncomingMessage): Record<string, unknown> {
  const start = url.indexOf('?');
  const query = new URLSearchParams(start < 0 ? '' : url.slice(start));
  const variables = query.get('variables');
  return {
    query: query.get('query'),
    operationName: query.get('operationName'),
    variables: variables ? parseJson(Buffer.from(variables)) : null,
  };
}
