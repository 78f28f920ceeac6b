import type { DocumentNode } from 'graphql';
import type { CostlyRequest } from '../access/rate-limits.js';
import type { ErrorCode } from '../errors.js';
import type { Parameter } from './parameters.js';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In the specification's spelling. A path with a slash at its end is another path, and is not found. */
  readonly path: string;
  /** Its name in clients that are generated from the interface description. */
  readonly operationId: string;
  /** Where it is asked for: a section of the specification, or of the decisions. */
  readonly source: string;
  /** What it is about, in the interface description: a key of openapi/tags.ts. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Who answers: SOFA, or the thin route of that file name. */
  readonly carrier:
    | 'sofa'
    | 'create-organization'
    | 'document-versions'
    | 'incident-attachments'
    | 'organization-logo'
    | 'downloads'
    | 'evidence-pack'
    | 'openapi';
  /** The operation behind it. */
  readonly document?: DocumentNode;
  readonly parameters: readonly Parameter[];
  /** What is sent, where SOFA carries the route. */
  readonly body?: Body;
  /**
   * Success is 201: with `Location`, when it is a path whose braces name fields of `data` or parameters of the route.
   * Otherwise it is 200.
   */
  readonly created?: string | true;
  /** The boolean field of the payload that tells 201 from 200. */
  readonly createdWhen?: string;
  /** What may go wrong besides what may go wrong everywhere (openapi/failures.ts). */
  readonly errors: readonly ErrorCode[];
  /** An example of the envelope's `data`, for the interface description; of one item, where it is a list. */
  readonly example?: object;
  /**
   * An operation whose `data` is a text that changes whenever the answer would: a client that polls with the answer's
   * `ETag` gets 304 for the price of this operation.
   */
  readonly revision?: DocumentNode;
  /** How long an answer with a revision may be kept; asked for again each time when absent. */
  readonly cacheControl?: string;
  /** Counted as one of these, where its method does not tell. */
  readonly limit?: 'uploads' | 'searches';
  /** Costly: one token may have few of these under way at the same time. */
  readonly costly?: CostlyRequest;
  /** Needs no token; or none where the address is signed. */
  readonly open?: true | 'when signed';
}

/**
 * A JSON body: the fields of a GraphQL input object, flat, in the wire's spelling. Fields that are named as parameters of
 * the path are filled from there and are not accepted in the body. The document's variable is called `input`.
 */
export interface Body {
  /** Name of the input type. */
  readonly input: string;
  readonly example: object;
}

export type OperationRoute = Route & { readonly document: DocumentNode };

export function isOperationRoute(route: Route): route is OperationRoute {
  return route.document !== undefined;
}
