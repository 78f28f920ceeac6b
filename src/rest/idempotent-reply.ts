import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLContext } from '../context.js';
import { idempotentRequestOf } from '../http/idempotency-key.js';
import { IDEMPOTENCY_REPLAYED, type Idempotency, type Reply } from '../common/idempotency.js';
import { sendJson } from './answer.js';
import type { Route } from './route.js';
import { isFailure, STATUS } from './status.js';

/** A POST: what distinguishes it from another one, and how it is answered. */
export interface Post {
  context: GraphQLContext;
  /** Called when the whole body was read. */
  fingerprint(): string | Promise<string>;
  execute(): Promise<Reply>;
}

/** Answers a POST: once for each `Idempotency-Key`, if it names one. A failure undoes what was changed and is not kept. */
export async function answerPost(
  request: IncomingMessage,
  response: ServerResponse,
  idempotency: Idempotency,
  { context, fingerprint, execute }: Post,
): Promise<void> {
  const idempotent = idempotentRequestOf(request, context);
  if (idempotent === undefined) return sendReply(request, response, await execute());
  const { reply, isReplayed } = await idempotency.run(idempotent, fingerprint, async () => {
    const executed = await execute();
    return { reply: executed, outcome: isFailure(executed.status) ? 'failed' : 'done' };
  });
  if (isReplayed) response.setHeader(IDEMPOTENCY_REPLAYED, 'true');
  sendReply(request, response, reply);
}

export function sendReply(request: IncomingMessage, response: ServerResponse, { status, body, headers }: Reply): void {
  if (status === STATUS.notModified) response.writeHead(status, headers).end();
  else sendJson(request, response, status, body, headers);
}

/** Of what was read from path, query, headers and body: neither white space nor a boundary matters. */
export function fingerprintOf({ method, path }: Route, ...parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify([method, path, ...parts]));
}
