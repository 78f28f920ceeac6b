import { GraphQLError } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tokenOf } from '../../context.js';
import { badUserInput, methodNotAllowed, unauthenticated } from '../../errors.js';
import { readBytes } from '../../http/request-body.js';
import type { RequestContext } from '../../http/request-context.js';
import type { Logger } from '../../logger.js';
import { LIMITS } from '../../values/limits.js';
import { formatErrors } from '../apollo-errors.js';
import type { Call } from '../document-validator.js';
import { parseJson } from '../json-body.js';
import { isLive, type LiveOperations, type LiveResults } from './operations.js';
import { identified, type LiveDeps, type LiveSessions } from './sessions.js';

export interface SseDeps extends LiveDeps {
  operations: LiveOperations;
  sessions: LiveSessions;
}

/**
 * Subscriptions as server-sent events at /graphql/stream: one request for each ("distinct connections mode" of the
 * protocol of graphql-sse). What is wrong with the request is answered by a status, what is wrong with the operation as
 * its only event.
 */
export class SseTransport {
  constructor(private readonly deps: SseDeps) {}

  /** Throws what is to be answered with a status. */
  async handle(request: IncomingMessage, response: ServerResponse, requestContext: RequestContext): Promise<void> {
    const { log, operations, sessions } = this.deps;
    if (request.method !== 'GET' && request.method !== 'POST') throw methodNotAllowed();
    const events = new EventStream(response);
    const end = { refuse: () => events.dismiss(unauthorized(requestContext, log)), goAway: () => events.dismiss() };
    const { requestId } = requestContext;
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

function unauthorized({ requestId }: RequestContext, log: Logger): object {
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

/** A comment: keeps proxies from taking a quiet line for a dead one. */
const SIGN_OF_LIFE = ':\n\n';
/** Milliseconds that a client is given to take the last of it. */
const GOODBYE = 2_000;

/**
 * Writes server-sent events as fast as the client takes them and no faster: the next event is asked for when the last one
 * is on its way. A client that takes nothing between two signs of life is cut off.
 */
export class EventStream {
  private isBlocked = false;
  /** It was blocked at the last sign of life already, and has not moved since. */
  private isStuck = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly response: ServerResponse) {}

  open(): void {
    const { response } = this;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // Some proxies collect what passes through them until they are told not to.
      'x-accel-buffering': 'no',
    });
    // Browsers do not take the headers alone for an answer.
    response.write(SIGN_OF_LIFE);
    this.timer = setInterval(() => this.tick(), LIMITS.live.pingSeconds * 1000).unref();
    response.once('close', () => clearInterval(this.timer));
  }

  /** One event for each result, and one at the end. */
  async carry(results: LiveResults): Promise<void> {
    const { response } = this;
    if (!response.writable) return void results.return();
    response.once('close', () => void results.return());
    for await (const result of results) {
      if (!(await this.write(event('next', result)))) return;
    }
    response.end(event('complete'));
  }

  /** The last result. */
  finish(result: object): void {
    if (this.response.writable) this.response.end(event('next', result) + event('complete'));
  }

  /** As `finish`, or without a word of completion where the client is to come back; who does not take it is cut off. */
  dismiss(result?: object): void {
    if (result === undefined) this.response.end();
    else this.finish(result);
    setTimeout(() => this.response.destroy(), GOODBYE).unref();
  }

  /** Whether the client is still there. */
  private async write(text: string): Promise<boolean> {
    const { response } = this;
    if (!response.writable) return false;
    if (response.write(text)) return true;
    this.isBlocked = true;
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.once('drain', done).once('close', done);
    });
    this.isBlocked = this.isStuck = false;
    return response.writable;
  }

  private tick(): void {
    if (this.isStuck) this.response.destroy();
    else if (this.isBlocked) this.isStuck = true;
    else if (this.response.writable) this.response.write(SIGN_OF_LIFE);
  }
}

function event(name: 'next' | 'complete', data?: object): string {
  return `event: ${name}\ndata: ${data === undefined ? '' : JSON.stringify(data)}\n\n`;
}
