import { GraphQLError, isValueNode, Kind, type GraphQLFormattedError } from 'graphql';
import { DOCUMENT_LIMITS } from './document-limits.js';
import { traceId } from '../common/tracing.js';
import type { GraphQLContext } from '../http/context.js';
import {
  badUserInput,
  conflict,
  CONFLICT_REASONS,
  DomainError,
  type ErrorMessage,
  fieldMessage,
  internal,
  methodNotAllowed,
} from '../errors.js';
import type { Language } from '../messages/language.js';
import { logUnavailable } from '../http/outage-log.js';
import { ClientLeft } from '../http/request-body.js';

/**
 * Error as clients may see it: the DomainError it is or was made from; a request error of
 * GraphQL as BAD_USER_INPUT; and INTERNAL for all else. Everything that reaches a client passes through here.
 */
export function toDomainError(error: unknown): DomainError {
  const domain = domainErrorIn(error);
  if (domain !== undefined) return domain;
  if (error instanceof GraphQLError && isRequestError(error)) return badUserInput([requestSentence(error)]);
  return internal();
}

/** Logs masked errors. Returns the public one. */
export function reportError(error: unknown, context: Pick<GraphQLContext, 'log' | 'requestId'>): DomainError {
  const sent = toDomainError(error);
  const err = causeOf(error);
  if (sent.code === 'INTERNAL' && !(err instanceof ClientLeft))
    context.log.error({ requestId: context.requestId, err }, 'unexpected error');
  logUnavailable(context.log, sent, context.requestId);
  return sent;
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

function requestSentence(error: GraphQLError): string {
  const node = error.nodes?.[0];
  const at = error.locations?.[0];
  const where = at === undefined ? '' : ` (line ${at.line}, column ${at.column})`;
  if (TOO_MANY_TOKENS.test(error.message)) return `The document exceeds the limit of ${DOCUMENT_LIMITS.tokens} tokens`;
  if (node === undefined && at !== undefined) return `The document is not valid GraphQL${where}`;
  if (node !== undefined && isValueNode(node) && node.kind !== Kind.VARIABLE && !MISSING_FIELD.test(error.message))
    return `A value in the document ${valueError(error.message)}${where}${nearValues(error.message)}`;
  return error.message.length > 300 ? `The document is not valid for this schema${where}` : error.message;
}

/** graphql-js stops at the limit that it was given, with a sentence of its own. */
const TOO_MANY_TOKENS = /^Syntax Error: Document contains more tha[nt] \d+ tokens/;
/** It has only names of ours. */
const MISSING_FIELD = /^Field "\w+\.\w+" of required type "[^"]+" was not provided\.$/;
const EXPECTED_TYPE =
  /^(?:Enum "(\w+)" cannot|Value "\w+" does not exist in "(\w+)" enum|Expected value of type "([^"]+)"|(\w+) cannot represent)/;

/** graphql-js repeats the value in its message, and no input is repeated (§3): the type is taken out of it. Our scalars repeat none. */
function valueError(message: string): string {
  if (message.startsWith('must be ')) return message;
  const type = EXPECTED_TYPE.exec(message)?.slice(1).find(Boolean);
  return type === undefined ? 'is not valid' : `is not of the type ${type}`;
}

/** The values of an enum that graphql-js finds near: the end of its message, which has none but our own names. */
function nearValues(message: string): string {
  const [near] = / Did you mean the enum value (?:"\w+"(?:, or |, | or )?)+\?$/.exec(message) ?? [];
  return near === undefined ? '' : `.${near}`;
}

/** Error as it is sent: code, messages and place in the document, never a library's own text. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const domainError = transportError(formatted, error) ?? toDomainError(error);
  const sent = formatDomainError(domainError);
  if (formatted.locations === undefined && formatted.path === undefined) return sent;
  return { ...sent, locations: formatted.locations, path: formatted.path };
}

/**
 * A domain error as a GraphQL error: a sentence for people, the code and the messages of REST for programs. GraphQL has no
 * conditional requests: a `version` that is not the current one is a CONFLICT.
 */
export function formatDomainError(error: DomainError): GraphQLFormattedError {
  const { code, messages, reason, executed } = error.code === 'PRECONDITION_FAILED' ? conflict('STALE_VERSION') : error;
  const general = reason === undefined ? SENTENCES[code] : CONFLICT_REASONS[reason];
  const sentence = messages.find((message) => typeof message === 'string') ?? general ?? code;
  const fields = error.fields?.map((field) => ({ path: field.path, message: fieldMessage(field) }));
  const { allowed, fault } = error;
  const { objects } = executed ?? {};
  const trace = code === 'INTERNAL' ? traceId() : undefined;
  const about = {
    ...(fields && { fields }),
    ...(reason && { reason }),
    ...(allowed && { allowed }),
    ...(objects && { objects }),
    ...(fault && { fault }),
    ...(trace && { traceId: trace }),
  };
  return { message: fault?.message ?? sentence, extensions: { code, messages, ...about } };
}

/** The same in the requested language: only sentences differ. */
export function inLanguage(error: GraphQLFormattedError, language: Language | undefined): GraphQLFormattedError {
  if (language === undefined) return error;
  const { messages, fields, ...others } = (error.extensions ?? {}) as {
    messages?: readonly ErrorMessage[];
    fields?: readonly { path: unknown; message: string }[];
  };
  const said = (message: ErrorMessage) => (typeof message === 'string' ? language.sentence(message) : message);
  return {
    ...error,
    message: language.sentence(error.message),
    extensions: {
      ...others,
      ...(messages && { messages: messages.map(said) }),
      ...(fields && { fields: fields.map(({ path, message }) => ({ path, message: language.sentence(message) })) }),
    },
  };
}

/** Errors as they are sent, each masked and logged, and their effect on the whole answer. */
export interface SentErrors {
  errors: GraphQLFormattedError[];
  /** Undefined where the errors concern only their fields. */
  status: number | undefined;
  /** Seconds. */
  retryAfter: number | undefined;
}

/** Formats and logs errors of one answer. Some concern all of it, whichever field found them first. */
export function formatErrors(
  errors: readonly GraphQLError[],
  context: Pick<GraphQLContext, 'log' | 'requestId' | 'language'>,
): SentErrors {
  const sent: SentErrors = { errors: [], status: undefined, retryAfter: undefined };
  for (const error of errors) {
    const { locations, path } = error;
    const domainError = reportError(error, context);
    const { code, retryAfter } = domainError;
    if (code === 'UNAUTHENTICATED' || code === 'UNAVAILABLE') sent.status = STATUS[code];
    if (code === 'RATE_LIMITED' || code === 'UNAVAILABLE') sent.retryAfter = retryAfter;
    sent.errors.push({
      ...inLanguage(formatDomainError(domainError), context.language),
      ...(locations && { locations }),
      ...(path && { path }),
    });
  }
  return sent;
}

/** Status of an answer without data. */
export function statusOf({ code }: DomainError): number {
  return STATUS[code] ?? 500;
}

const STATUS: Partial<Record<DomainError['code'], number>> = {
  // As in Apollo Server: clients continue by sending the document.
  PERSISTED_QUERY_NOT_FOUND: 200,
  PERSISTED_QUERY_NOT_SUPPORTED: 200,
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

/** A refusal in the form of errors of a whole operation. */
export function refusal(error: unknown): GraphQLError[] {
  return [new GraphQLError('', { originalError: error instanceof Error ? error : internal() })];
}

/** Errors created by Apollo: their sentences are fixed and helpful, so they are sent unchanged. */
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
  NOT_FOUND: 'Not found: it does not exist, or you may not see it',
  METHOD_NOT_ALLOWED: 'This method is not allowed here',
  RATE_LIMITED: 'Too many requests; try again later',
  UNAVAILABLE: 'The service is not available at the moment; try again later',
  INTERNAL: 'Something went wrong on our side; our log has it under the X-Request-Id of this answer',
};
