import { responseErrors } from './contract/answers.js';
import { allowOf, below, operationAt, pathAt, type DescribedPath } from './contract/description.js';
import { requestErrors } from './contract/requests.js';

/** One request and its response as transmitted. Names of headers are in lower case. */
export interface RequestContext {
  method: string;
  /** Path and query. */
  target: string;
  sent: Readonly<Record<string, string>>;
  /** The bytes that were sent; undefined if they are not known. */
  body: Uint8Array | undefined;
  status: number;
  headers: Readonly<Record<string, string>>;
  answer: Uint8Array;
}

/**
 * Compares a REST exchange with the committed OpenAPI document: of a response its status, media type, headers and body;
 * of an accepted request its parameters, media type and body in any form. Returns the violations; none for requests
 * outside REST.
 */
export function contractErrors(requestContext: RequestContext): string[] {
  const path = requestContext.target.split('?', 1)[0] as string;
  if (path !== '/api/v1' && !path.startsWith('/api/v1/')) return [];
  const place = path.includes('#') ? undefined : pathAt(path);
  if (place === undefined) return unlistedErrors('NOT_FOUND', 404, requestContext);
  if (requestContext.method === 'OPTIONS') return optionsErrors(place, requestContext);
  const operation = operationAt(place, requestContext.method);
  if (operation === undefined) {
    return [...unlistedErrors('METHOD_NOT_ALLOWED', 405, requestContext), ...allowErrors(place, requestContext)];
  }
  const { status } = requestContext;
  if (!(status in operation.what.responses)) return [`status ${status} is not listed for ${place.template}`];
  return [
    ...responseErrors(below(operation.pointer, 'responses', status), requestContext),
    ...(status === 405 ? allowErrors(place, requestContext) : []),
    ...(status < 400 ? requestErrors(operation, place.inBraces, requestContext) : []),
  ];
}

/** Checks that undocumented paths and methods are refused as documented. */
function unlistedErrors(failure: string, status: number, requestContext: RequestContext): string[] {
  if (requestContext.status !== status)
    return [`it is not in the document, and yet the status is ${requestContext.status}`];
  return responseErrors(below('#/components/responses', failure), requestContext);
}

/** The document describes OPTIONS in its text: every path supports it, and lists its methods. */
function optionsErrors(place: DescribedPath, requestContext: RequestContext): string[] {
  const { status, headers } = requestContext;
  return [
    ...(status === 204 ? [] : [`status ${status} is not that of OPTIONS`]),
    ...(headers['x-request-id'] === undefined ? ['the header X-Request-Id is missing'] : []),
    ...allowErrors(place, requestContext),
  ];
}

function allowErrors(place: DescribedPath, { headers }: RequestContext): string[] {
  const allow = allowOf(place);
  return headers['allow'] === allow ? [] : [`Allow is ${headers['allow']}, and the document says ${allow}`];
}
