import { responseErrors } from './contract/answers.js';
import { allowOf, below, operationAt, pathAt, type DescribedPath } from './contract/description.js';
import { requestErrors } from './contract/requests.js';

/** One request and its answer, as they were on the wire. Names of headers are in lower case. */
export interface RequestContext {
  method: string;
  /** Path and query. */
  target: string;
  sent: Readonly<Record<string, string>>;
  /** The bytes that were sent; undefined where they are not known. */
  body: Uint8Array | undefined;
  status: number;
  headers: Readonly<Record<string, string>>;
  answer: Uint8Array;
}

/**
 * Compares a REST exchange with the committed OpenAPI document. Of an answer the status, the media type, every header and
 * the body must be described; of a request that was accepted, every parameter, the media type and the body, in whatever
 * form it came. Returns what is not; nothing for what is no REST.
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

/** Paths and methods that the document does not have are refused as it says that they are. */
function unlistedErrors(failure: string, status: number, requestContext: RequestContext): string[] {
  if (requestContext.status !== status)
    return [`it is not in the document, and yet the status is ${requestContext.status}`];
  return responseErrors(below('#/components/responses', failure), requestContext);
}

/** The document describes OPTIONS in words: every path has it, and lists its methods. */
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
