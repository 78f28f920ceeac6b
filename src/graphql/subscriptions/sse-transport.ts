import type { IncomingMessage, ServerResponse } from 'node:http';
import { tokenOf } from '../../http/context.js';
import { badUserInput, methodNotAllowed, unauthenticated } from '../../errors.js';
import { requireMediaType } from '../../http/media-type.js';
import { parseJson } from '../../common/json-text.js';
import { objectIn, readBytes } from '../../http/request-body.js';
import type { RequestContext } from '../../http/request-context.js';
import { LIMITS } from '../../values/limits.js';
import { formatErrors, refusal } from '../errors.js';
import { isNamed } from '../named-documents.js';
import { requestInAddress, requireKnownMembers, requireKnownParameters } from '../request-members.js';
import { CLOSE_TIME, sessionOf, type LiveSessions } from './live-sessions.js';
import { isLive, type LiveOperations, type LiveResults, type NamedCall } from './live-operations.js';

/**
 * Subscriptions as server-sent events at /graphql/stream: one request for each ("distinct connections mode" of the
 * protocol of graphql-sse). What is wrong with the request is answered by a status, what is wrong with the operation as
 * its only event.
 */
export class SseTransport {
  constructor(
    private readonly operations: LiveOperations,
    private readonly sessions: LiveSessions,
  ) {}

  /** Throws errors that are answered with a status. */
  async handle(request: IncomingMessage, response: ServerResponse, requestContext: RequestContext): Promise<void> {
    const { operations, sessions } = this;
    if (request.method !== 'GET' && request.method !== 'POST') throw methodNotAllowed();
    const events = new EventStream(response);
    const context = await requestContext.context();
    const session = sessionOf(context, tokenOf(request), {
      refuse: () => events.dismiss({ errors: formatErrors(refusal(unauthenticated()), context).errors }),
      goAway: () => events.dismiss(),
    });
    const call = await callOf(request);
    sessions.enter(session);
    response.once('close', () => sessions.leave(session));
    // It may have left while its token was looked up.
    if (response.destroyed) return sessions.leave(session);
    events.open();
    const admitted = await operations.admit(call, session);
    if (!('operation' in admitted)) return events.finish({ errors: formatErrors(admitted, session).errors });
    const results = await operations.begin(admitted, session);
    if (isLive(results)) await events.send(results);
    else events.finish(results);
  }
}

async function callOf(request: IncomingMessage): Promise<NamedCall> {
  requireKnownParameters(request);
  const given = request.method === 'POST' ? await bodyOf(request) : requestInAddress(request);
  requireKnownMembers(given);
  const { query, operationName, variables, documentId, extensions } = given;
  const errors: string[] = [];
  if (!isNamed(given) && (typeof query !== 'string' || query === '')) errors.push('query is required');
  if (operationName != null && typeof operationName !== 'string') errors.push('operationName must be a string');
  if (variables != null && (typeof variables !== 'object' || Array.isArray(variables)))
    errors.push('variables must be an object');
  if (errors.length > 0) throw badUserInput(errors);
  return { query, operationName, variables, documentId, extensions } as NamedCall;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  requireMediaType(request.headers, ['application/json']);
  return objectIn(parseJson(await readBytes(request, LIMITS.live.messageBytes)));
}

/** A comment, which prevents proxies from closing an idle connection. */
const HEARTBEAT = ':\n\n';

/**
 * Writes server-sent events no faster than the client reads them: the next result is pulled when the last one is
 * written. A client that reads nothing between two heartbeats is cut off.
 */
class EventStream {
  private isBlocked = false;
  /** It was blocked at the last heartbeat already, and has read nothing since. */
  private isStuck = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly response: ServerResponse) {}

  open(): void {
    const { response } = this;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // Some proxies buffer responses otherwise.
      'x-accel-buffering': 'no',
    });
    // Browsers report the connection as open after the first bytes of the body.
    response.write(HEARTBEAT);
    this.timer = setInterval(() => this.tick(), LIMITS.live.pingSeconds * 1000).unref();
    response.once('close', () => clearInterval(this.timer));
  }

  /** One event for each result, and one at the end. */
  async send(results: LiveResults): Promise<void> {
    const { response } = this;
    if (!this.isOpen) return void results.return();
    response.once('close', () => void results.return());
    for await (const result of results) {
      if (!(await this.write(event('next', result)))) return;
    }
    if (this.isOpen) response.end(event('complete'));
  }

  finish(result: object): void {
    if (this.isOpen) this.response.end(event('next', result) + event('complete'));
  }

  /** As `finish`, or without `complete` where the client is to connect again; one that does not read it is cut off. */
  dismiss(result?: object): void {
    if (result === undefined) this.response.end();
    else this.finish(result);
    setTimeout(() => this.response.destroy(), CLOSE_TIME).unref();
  }

  /** A response that was ended takes nothing more, while its connection closes; it calls itself writable all the same. */
  private get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  /** Whether the client is still there. */
  private async write(text: string): Promise<boolean> {
    const { response } = this;
    if (!this.isOpen) return false;
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
    return this.isOpen;
  }

  private tick(): void {
    if (this.isStuck) this.response.destroy();
    else if (this.isBlocked) this.isStuck = true;
    else if (this.isOpen) this.response.write(HEARTBEAT);
  }
}

function event(name: 'next' | 'complete', data?: object): string {
  return `event: ${name}\ndata: ${data === undefined ? '' : JSON.stringify(data)}\n\n`;
}
