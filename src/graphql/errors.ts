import { GraphQLError, Kind } from 'graphql';
import type { GraphQLContext } from '../context.js';
import { badUserInput, DomainError, internal } from '../errors.js';
import { logUnavailable } from '../http/outage-log.js';

/**
 * What may leave the process of an error: the DomainError it is or was made from; a request error of
 * GraphQL as BAD_USER_INPUT; and INTERNAL for all else. Everything that reaches a client passes through here.
 */
export function toDomainError(error: unknown): DomainError {
  const domain = domainErrorIn(error);
  if (domain !== undefined) return domain;
  if (error instanceof GraphQLError && isRequestError(error)) return badUserInput([requestSentence(error)]);
  return internal();
}

/** Logs what a client is not told. Returns the fault it is told. */
export function reportError(error: unknown, context: Pick<GraphQLContext, 'log' | 'requestId'>): DomainError {
  const fault = toDomainError(error);
  if (fault.code === 'INTERNAL')
    context.log.error({ requestId: context.requestId, err: causeOf(error) }, 'unexpected fault');
  logUnavailable(context.log, fault, context.requestId);
  return fault;
}

function domainErrorIn(error: unknown): DomainError | undefined {
  let at: unknown = error;
  for (let depth = 0; depth < 5 && at instanceof Error; depth += 1) {
    if (at instanceof DomainError) return at;
    at = at instanceof GraphQLError ? at.originalError : undefined;
  }
  return undefined;
}

function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? error.originalError : error;
}

/** Errors of the document or its variables, not of a resolver: no resolver has thrown, and no field was entered. */
function isRequestError(error: GraphQLError): boolean {
  if (error.originalError && !(error.originalError instanceof GraphQLError)) return false;
  const kind = error.nodes?.[0]?.kind;
  return error.path === undefined || (kind !== undefined && kind !== Kind.FIELD);
}

/** Kinds of nodes whose text is a value: graphql-js repeats it in the message, and no input is repeated (§3). */
const VALUE_KINDS: ReadonlySet<string> = new Set([
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
  Kind.LIST,
  Kind.OBJECT,
]);

function requestSentence(error: GraphQLError): string {
  if (error.extensions['validationErrorCode'] === 'INTROSPECTION_DISABLED') return 'Introspection is switched off';
  const node = error.nodes?.[0];
  const at = error.locations?.[0];
  const where = at === undefined ? '' : ` (line ${at.line}, column ${at.column})`;
  if ((node === undefined && at !== undefined) || error.extensions['code'] === 'GRAPHQL_PARSE_FAILED')
    return `The document is not valid GraphQL${where}`;
  if (node !== undefined && VALUE_KINDS.has(node.kind))
    return `A value in the document does not have the type of its place${where}`;
  return error.message.length > 300 ? `The document is not valid for this schema${where}` : error.message;
}
