import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { GraphQLContext } from '../context.js';
import { toDomainError, reportError } from './errors.js';
import {
  badUserInput,
  conflict,
  fieldMessage,
  methodNotAllowed,
  type ConflictReason,
  type DomainError,
} from '../errors.js';

export interface HttpHead {
  status: number;
  /** Seconds. */
  retryAfter: number | undefined;
}

/** What is sent for any error whatever: code, messages, and where in the document; never Apollo's or a library's own text. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const fault = transportError(formatted, error) ?? toDomainError(error);
  const notified = formatDomainError(fault);
  if (formatted.locations === undefined && formatted.path === undefined) return notified;
  return { ...notified, locations: formatted.locations, path: formatted.path };
}

/**
 * A fault as a GraphQL error: a sentence for people, the code and the messages of REST for programs. GraphQL has no
 * conditional requests: a `version` that is not the current one is a CONFLICT.
 */
export function formatDomainError(fault: DomainError): GraphQLFormattedError {
  const { code, messages, reason } = fault.code === 'PRECONDITION_FAILED' ? conflict() : fault;
  const general = reason === undefined ? SENTENCES[code] : REASON_SENTENCES[reason];
  const sentence = messages.find((message) => typeof message === 'string') ?? general ?? code;
  const fields = fault.fields?.map((error) => ({ path: error.path, message: fieldMessage(error) }));
  return { message: sentence, extensions: { code, messages, ...(fields && { fields }), ...(reason && { reason }) } };
}

/** Errors of a result as they are sent, each masked and logged. */
export function formatErrors(
  errors: readonly GraphQLError[],
  context: Pick<GraphQLContext, 'log' | 'requestId'>,
): GraphQLFormattedError[] {
  return errors.map((error) => {
    const { locations, path } = error;
    return {
      ...formatDomainError(reportError(error, context)),
      ...(locations && { locations }),
      ...(path && { path }),
    };
  });
}

/** Errors that Apollo itself makes of a request: its sentences are fixed and tell what to do, so they are kept. */
function transportError({ extensions, message }: GraphQLFormattedError, error: unknown): DomainError | undefined {
  if (extensions?.['code'] !== 'BAD_REQUEST') return undefined;
  const status = (error as { extensions?: { http?: { status?: number } } }).extensions?.http?.status;
  if (status === 405) return methodNotAllowed();
  return badUserInput([message]);
}

/** For people; programs read `extensions.code`. */
const SENTENCES: Partial<Record<DomainError['code'], string>> = {
  UNAUTHENTICATED: 'A valid X-Service-Token is required',
  FORBIDDEN: 'Your role or the scopes of your token do not allow this',
  NOT_FOUND: 'There is no such thing, or it is not yours to see',
  METHOD_NOT_ALLOWED: 'This method is not allowed here',
  CONFLICT: 'The state of the record does not allow this, or another request has changed it in the meantime',
  RATE_LIMITED: 'Too many requests; try again later',
  UNAVAILABLE: 'The service is not available at the moment; try again later',
  INTERNAL: 'Something went wrong on our side; the request id finds it in our logs',
};

/** Of a CONFLICT that has a reason. */
const REASON_SENTENCES: Readonly<Record<ConflictReason, string>> = {
  QUOTA_EXCEEDED: 'A quota that the operator has set is used up',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used for another request',
  IDEMPOTENCY_KEY_IN_USE: 'The first request with this Idempotency-Key is still under way; try again later',
};

/** Logs the errors and tells the status of the answer: some faults concern all of it, whatever field found them first. */
export function statusOfErrors(errors: readonly GraphQLError[], context: GraphQLContext): HttpHead {
  const head: HttpHead = { status: 200, retryAfter: undefined };
  for (const error of errors) {
    const { code, retryAfter } = reportError(error, context);
    if (code === 'UNAUTHENTICATED') head.status = 401;
    if (code === 'RATE_LIMITED') head.retryAfter = retryAfter;
    if (code === 'UNAVAILABLE') Object.assign(head, { status: 503, retryAfter });
  }
  return head;
}
