import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../auth/caller.js';
import { badUserInput, persistedQueryNotFound, persistedQueryNotSupported } from '../errors.js';
import { pathOf, queryOf } from '../http/target.js';
import { OPTIONAL_PARAMETERS, requestInAddress } from './request-members.js';

/** A document that applications run by its id; the same object for as long as it is registered. */
export interface RegisteredDocument {
  readonly text: string;
}

/** The registered documents, as this instance knows them. */
export interface Registered {
  readonly isEmpty: boolean;
  /** By the SHA-256 of its text, as lower-case hexadecimal digits. */
  find(sha256: string): Promise<RegisteredDocument | undefined>;
  withText(text: string): RegisteredDocument | undefined;
  /** Reads changes if the cache is outdated. */
  refresh(): Promise<void>;
}

/**
 * Requests that name their document by an id in place of its text, or beside it: `documentId` of GraphQL over HTTP
 * (appendix A) and Apollo's `extensions.persistedQuery`. What follows sees the text, as if it had been sent.
 */
export class NamedDocuments {
  constructor(private readonly registered: Registered) {}

  /**
   * The request with its text, and without the id. Throws BAD_USER_INPUT for an id that is malformed or not the text's, and
   * PERSISTED_QUERY_NOT_FOUND or PERSISTED_QUERY_NOT_SUPPORTED for an unknown one without the text.
   */
  async resolve(request: unknown, caller: Caller): Promise<unknown> {
    // Withdrawn documents must not run, whether the id was sent or the text.
    if (caller.kind === 'user' && caller.documentsOnly) await this.registered.refresh();
    if (typeof request !== 'object' || request === null || !isNamed(request)) return request;
    const { documentId, query, extensions, ...others } = request;
    const { persistedQuery, ...further } = extensions ?? {};
    const sha256 = digestIn(documentId, persistedQuery);
    // Programs whose protocol requires the text send an empty one.
    const text = query == null || query === '' ? await this.textOf(sha256) : query;
    if (typeof text !== 'string') throw badUserInput(['query must be a string']);
    if (text === query && hash('sha256', text) !== sha256) throw badUserInput([ANOTHER_TEXT]);
    return { ...others, query: text, ...(Object.keys(further).length > 0 && { extensions: further }) };
  }

  /** The same for a request by GET: its address becomes one with the text. */
  async resolveAddress(request: IncomingMessage, caller: Caller): Promise<void> {
    const parameters = queryOf(request);
    const sent = requestInAddress(request);
    const resolved = await this.resolve(sent, caller);
    // Apollo reads the address itself, and takes an empty parameter for a value.
    const empty = OPTIONAL_PARAMETERS.filter((name) => parameters.get(name) === '');
    if (resolved === sent && empty.length === 0) return;
    for (const name of empty) parameters.delete(name);
    if (resolved !== sent) {
      const { query, extensions: further } = resolved as { query: string; extensions?: object };
      for (const name of PARAMETERS) parameters.delete(name);
      parameters.set('query', query);
      if (further !== undefined) parameters.set('extensions', JSON.stringify(further));
    }
    request.url = `${pathOf(request)}?${parameters}`;
  }

  private async textOf(sha256: string): Promise<string> {
    const found = await this.registered.find(sha256);
    if (found !== undefined) return found.text;
    throw this.registered.isEmpty ? persistedQueryNotSupported() : persistedQueryNotFound();
  }
}

interface NamedRequest {
  documentId?: unknown;
  query?: unknown;
  extensions?: { persistedQuery?: unknown; [name: string]: unknown } | null;
}

/** Whether a request names its document by an id. */
export function isNamed(request: object): request is NamedRequest {
  const { documentId, extensions } = request as NamedRequest;
  return documentId != null || extensions?.persistedQuery != null;
}

const PARAMETERS = ['documentId', 'query', 'extensions'];

const ANOTHER_TEXT = 'The text of the document is not the one that its id names';

/** The SHA-256 that both forms of an id name. */
function digestIn(documentId: unknown, persistedQuery: unknown): string {
  const errors: string[] = [];
  const digests = new Set<string>();
  if (documentId != null) {
    const [, digest] = /^sha256:([0-9a-f]{64})$/.exec(typeof documentId === 'string' ? documentId : '') ?? [];
    if (digest === undefined) errors.push('documentId must be "sha256:" and 64 lower-case hexadecimal digits');
    else digests.add(digest);
  }
  if (persistedQuery != null) {
    const { version, sha256Hash } = persistedQuery as { version?: unknown; sha256Hash?: unknown };
    if (version !== 1) errors.push('extensions.persistedQuery.version must be 1');
    if (typeof sha256Hash !== 'string' || !/^[0-9a-f]{64}$/.test(sha256Hash))
      errors.push('extensions.persistedQuery.sha256Hash must be 64 lower-case hexadecimal digits');
    else digests.add(sha256Hash);
  }
  if (digests.size > 1) errors.push('documentId and extensions.persistedQuery must name the same document');
  const [digest] = digests;
  if (errors.length > 0 || digest === undefined) throw badUserInput(errors);
  return digest;
}
