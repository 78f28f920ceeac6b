import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { RequestContext } from '../context.js';
import { faultOf, reportFault } from '../engine/faults.js';
import { badUserInput, conflict, methodNotAllowed, type DomainError } from '../errors.js';

export interface HttpHead {
  status: number;
  /** Seconds. */
  retryAfter: number | undefined;
}

/** What is sent for any error whatever: code, messages, and where in the document; never Apollo's or a library's own text. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const fault = transportFault(formatted, error) ?? faultOf(error);
  const told = formatFault(fault);
  if (formatted.locations === undefined && formatted.path === undefined) return told;
  return { ...told, locations: formatted.locations, path: formatted.path };
}

/**
 * A fault as a GraphQL error: a sentence for people, the code and the messages of REST for programs. GraphQL has no
 * conditional requests: a `version` that is not the current one is a CONFLICT.
 */
export function formatFault(fault: DomainError): GraphQLFormattedError {
  const { code, messages, reason } = fault.code === 'PRECONDITION_FAILED' ? conflict() : fault;
  const sentence = messages.find((message) => typeof message === 'string') ?? SENTENCES[code] ?? code;
  return { message: sentence, extensions: { code, messages, ...(reason && { reason }) } };
}

/** Errors of a result as they are sent, each masked and logged. */
export function formatErrors(
  errors: readonly GraphQLError[],
  context: Pick<RequestContext, 'log' | 'requestId'>,
): GraphQLFormattedError[] {
  return errors.map((error) => {
    const { locations, path } = error;
    return { ...formatFault(reportFault(error, context)), ...(locations && { locations }), ...(path && { path }) };
  });
}

/** Errors that Apollo itself makes of a request: its sentences are fixed and tell what to do, so they are kept. */
function transportFault({ extensions, message }: GraphQLFormattedError, error: unknown): DomainError | undefined {
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
  CONFLICT: 'Its state does not allow it, or somebody else changed it in the meantime',
  RATE_LIMITED: 'Too many requests; try again later',
  UNAVAILABLE: 'The service is not available at the moment; try again later',
  INTERNAL: 'Something went wrong on our side; the request id finds it in our logs',
};

/** Logs the errors and tells the status of the answer: some faults concern all of it, whatever field found them first. */
export function statusOfErrors(errors: readonly GraphQLError[], context: RequestContext): HttpHead {
  const head: HttpHead = { status: 200, retryAfter: undefined };
  for (const error of errors) {
    const { code, retryAfter } = reportFault(error, context);
    if (code === 'UNAUTHENTICATED') head.status = 401;
    if (code === 'RATE_LIMITED') head.retryAfter = retryAfter;
    if (code === 'UNAVAILABLE') Object.assign(head, { status: 503, retryAfter });
  }
  return head;
}
