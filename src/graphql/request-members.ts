import type { IncomingMessage } from 'node:http';
import { parseJson } from '../common/json-text.js';
import { shownName } from '../common/shown-name.js';
import { badUserInput } from '../errors.js';
import { TOKEN_NAME } from '../http/context.js';
import { queryOf, requireUtf8, unknownIn, unknownParameter } from '../http/target.js';

/** The parts of a request, in a body as in the address of a GET (GraphQL over HTTP 5.1 and its appendix A). */
const MEMBERS: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions', 'documentId']);

/** In an address, an empty one is none. */
export const OPTIONAL_PARAMETERS: readonly string[] = [...MEMBERS].filter((name) => name !== 'query');

/** Errors of members that would be ignored, such as a misspelt `variables`. */
export function unknownMembers(request: object): string[] {
  const unknown = Object.keys(request).filter((name) => !MEMBERS.has(name));
  return unknown.map((name) => `${shownName(name)} is not a known field`);
}

/** Throws BAD_USER_INPUT for unknown members of a request; values that are no objects are refused elsewhere. */
export function requireKnownMembers(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const errors = unknownMembers(body);
  if (errors.length > 0) throw badUserInput(errors);
}

/** The same of an address: of a GET it is the request, of a POST there is nothing in it but the token. */
export function requireKnownParameters(request: Pick<IncomingMessage, 'method' | 'url'>): void {
  const query = queryOf(request);
  if (query.size === 0) return;
  const isMember = (name: string) => request.method === 'GET' && MEMBERS.has(name);
  const unknown = unknownIn(query, (name) => name === TOKEN_NAME || isMember(name));
  if (unknown.length > 0) throw badUserInput(unknown.map(unknownParameter));
}

/** Throws BAD_USER_INPUT for a header with the expected version of the object, which would have no effect. */
export function requireNoState({ headers, method }: Pick<IncomingMessage, 'headers' | 'method'>): void {
  const names = [
    ...((headers['if-match'] ?? '*').trim() === '*' ? [] : ['If-Match']),
    ...(method === 'POST' && headers['if-none-match'] !== undefined ? ['If-None-Match'] : []),
  ];
  if (names.length > 0)
    throw badUserInput(
      names.map((name) => `${name} is no header of this path: send version in the input of the mutation`),
    );
}

/**
 * The request in the address of a GET; its parameters that are JSON are read by the rules of a body. An empty parameter is
 * none (GraphQL over HTTP, GET). Throws BAD_USER_INPUT, also for one that is given twice.
 */
export function requestInAddress(request: Pick<IncomingMessage, 'url'>) {
  requireUtf8(request);
  const query = queryOf(request);
  const repeated = [...MEMBERS].filter((name) => query.getAll(name).length > 1);
  if (repeated.length > 0) throw badUserInput(repeated.map((name) => `${name} must not be given twice`));
  const text = (name: string) => query.get(name) || null;
  const json = (what: string) => {
    const given = text(what);
    return given === null ? null : parseJson(Buffer.from(given), { what });
  };
  return {
    ...{ query: text('query'), documentId: text('documentId'), operationName: text('operationName') },
    ...{ variables: json('variables'), extensions: json('extensions') },
  };
}
