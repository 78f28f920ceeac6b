import type { IncomingMessage } from 'node:http';
import { hash } from 'node:crypto';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../context.js';
import type { Engine } from '../engine/engine.js';
import { Operation } from './operation.js';

/** Whether the client has what the tag names already (RFC 9110 13.1.2). */
export function hasCurrent(request: Pick<IncomingMessage, 'headers'>, etag: string): boolean {
  const tags = tagsOf(request);
  return tags.includes(etag) || tags.includes('*');
}

function tagsOf({ headers }: Pick<IncomingMessage, 'headers'>): string[] {
  return headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
}

/** Answers whose revision is remembered; one is a few hundred bytes. */
const REMEMBERED = 10_000;

/**
 * Answers that clients poll. The tag is that of the text itself; an operation that costs less tells whether the text
 * would be another one. It is asked only by who has a tag already, and before the answer is made: a change in between
 * makes what is remembered too old and never too new.
 */
export class Revision {
  private readonly operation: Operation;
  /** Which tag, at which address, was made of which revision: those of users who read the same text differ. */
  private readonly known = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(
    engine: Engine,
    revision: DocumentNode,
    /** How long an answer may be kept; asked for again each time when absent. */
    private readonly cacheControl = 'private, no-cache',
  ) {
    this.operation = new Operation(engine, revision);
  }

  /** What the caller's answer would be made of now; undefined when nothing is asked on a condition. */
  async now(request: IncomingMessage, context: RequestContext): Promise<string | undefined> {
    if (request.headers['if-none-match'] === undefined) return undefined;
    return String((await this.operation.execute({}, context)).data);
  }

  /** Headers of the answer that the client has, when it is still right. */
  current(request: IncomingMessage, revision: string): RevisionHeaders | undefined {
    const tag = tagsOf(request).find((each) => this.known.get(keyOf(each, request, revision)));
    return tag === undefined ? undefined : this.headersOf(tag);
  }

  /** Headers of an answer that was made. */
  headersFor(text: string, request: IncomingMessage, revision: string | undefined): RevisionHeaders {
    const headers = this.headersOf(`"${hash('sha256', text, 'base64url')}"`);
    if (revision !== undefined) this.known.set(keyOf(headers.ETag, request, revision), true);
    return headers;
  }

  private headersOf(tag: string): RevisionHeaders {
    return { ETag: tag, 'Cache-Control': this.cacheControl };
  }
}

type RevisionHeaders = Record<'ETag' | 'Cache-Control', string>;

function keyOf(tag: string, { url = '' }: IncomingMessage, revision: string): string {
  // A token may be in the address.
  return hash('sha256', `${tag} ${url} ${revision}`, 'base64url');
}
