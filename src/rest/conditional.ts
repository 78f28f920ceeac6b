import type { IncomingMessage } from 'node:http';
import { hash } from 'node:crypto';
import { print, type DocumentNode } from 'graphql';
import type { RequestContext } from '../context.js';
import type { Engine } from '../engine/engine.js';
import { TOKEN_NAME } from '../context.js';
import { Operation } from './operation.js';

/** Whether the client has what the tag names already (RFC 9110 13.1.2). */
export function hasCurrent({ headers }: Pick<IncomingMessage, 'headers'>, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}

/**
 * The tag of an answer that is not made yet: an operation of its own tells whether it would be another one, for less than
 * the answer costs. It is asked first, so that a change in between makes the tag too old and never too new.
 */
export class Revision {
  private readonly operation: Operation;
  /** A new version of ours may show the same things differently. */
  private readonly shape: string;

  constructor(engine: Engine, { revision, document }: { revision: DocumentNode; document: DocumentNode }) {
    this.operation = new Operation(engine, revision);
    this.shape = hash('sha256', print(document));
  }

  async headersFor(context: RequestContext) {
    const { data } = await this.operation.execute({}, context);
    return {
      ETag: `"${hash('sha256', `${this.shape} ${String(data)}`, 'base64url')}"`,
      'Cache-Control': 'private, no-cache',
      Vary: TOKEN_NAME,
    };
  }
}
