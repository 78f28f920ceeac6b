import type { IncomingMessage } from 'node:http';
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { GraphQLContext } from '../context.js';
import { tagsOf } from '../http/negotiation.js';
import type { Operation } from './operation.js';

/** Answers whose revision is remembered; one is a few hundred bytes. */
const REMEMBERED = 10_000;

/**
 * Answers that clients poll. The tag is the hash of the text. A cheaper operation reads the revision that the text depends
 * on: only for a request that has a tag, and before the answer is made, so that a change in between makes the remembered
 * revision too old and never too new.
 */
export class Revision {
  /** Which tag, at which address, was made of which revision: those of users who read the same text differ. */
  private readonly known = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(
    private readonly operation: Pick<Operation, 'execute'>,
    /** How long an answer may be kept; revalidated each time when absent. */
    private readonly cacheControl = 'private, no-cache',
  ) {}

  /** The revision of the caller's answer; undefined for a request without a condition. */
  async now(request: IncomingMessage, context: GraphQLContext): Promise<string | undefined> {
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
