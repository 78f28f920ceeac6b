import { responseFaults } from './contract/answers.js';
import { allowOf, below, operationAt, pathAt, type DescribedPath } from './contract/description.js';
import { requestFaults } from './contract/requests.js';

/** One request and its answer, as they were on the wire. Names of headers are in lower case. */
export interface Exchange {
  method: string;
  /** Path and query. */
  target: string;
  sent: Readonly<Record<string, string>>;
  /** What was sent; undefined where it is not known. */
  body: Uint8Array | undefined;
  status: number;
  headers: Readonly<Record<string, string>>;
  answer: Uint8Array;
}

/**
 * Holds a REST exchange against the committed OpenAPI document. Of an answer the status, the media type, every header and
 * the body must be described; of a request that was accepted, every parameter, the media type and the body, in whatever
 * form it came. Tells what is not; nothing of what is no REST.
 */
export function contractFaults(exchange: Exchange): string[] {
  const path = exchange.target.split('?', 1)[0] as string;
  if (path !== '/api/v1' && !path.startsWith('/api/v1/')) return [];
  const place = path.includes('#') ? undefined : pathAt(path);
  if (place === undefined) return unlistedFaults('NOT_FOUND', 404, exchange);
  if (exchange.method === 'OPTIONS') return optionsFaults(place, exchange);
  const operation = operationAt(place, exchange.method);
  if (operation === undefined) {
    return [...unlistedFaults('METHOD_NOT_ALLOWED', 405, exchange), ...allowFaults(place, exchange)];
  }
  const { status } = exchange;
  if (!(status in operation.what.responses)) return [`status ${status} is not listed for ${place.template}`];
  return [
    ...responseFaults(below(operation.pointer, 'responses', status), exchange),
    ...(status === 405 ? allowFaults(place, exchange) : []),
    ...(status < 400 ? requestFaults(operation, place.inBraces, exchange) : []),
  ];
}

/** Paths and methods that the document does not have are refused as it says that they are. */
function unlistedFaults(failure: string, status: number, exchange: Exchange): string[] {
  if (exchange.status !== status) return [`it is not in the document, and yet the status is ${exchange.status}`];
  return responseFaults(below('#/components/responses', failure), exchange);
}

/** The document tells of OPTIONS in words: every path has it, and tells its methods. */
function optionsFaults(place: DescribedPath, exchange: Exchange): string[] {
  const { status, headers } = exchange;
  return [
    ...(status === 204 ? [] : [`status ${status} is not that of OPTIONS`]),
    ...(headers['x-request-id'] === undefined ? ['the header X-Request-Id is missing'] : []),
    ...allowFaults(place, exchange),
  ];
}

function allowFaults(place: DescribedPath, { headers }: Exchange): string[] {
  const allow = allowOf(place);
  return headers['allow'] === allow ? [] : [`Allow is ${headers['allow']}, and the document says ${allow}`];
}
