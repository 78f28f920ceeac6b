/**
 * Every error that leaves the gateway, and when it happens. Anything else that is thrown is logged with its request id
 * and becomes INTERNAL, without its message. Statuses are chosen in rest/answer/answer.ts.
 */
export const ERROR_CODES = {
  UNAUTHENTICATED: 'The token is missing, malformed, unknown, expired or revoked.',
  FORBIDDEN:
    "The caller's role or the token's scopes do not allow it; or it is for persons and the caller is a service account, or the token is of a sign-in.",
  NOT_FOUND: 'There is no such thing, or the caller is no member of its organization.',
  METHOD_NOT_ALLOWED: 'The path exists, and the method that was used does not.',
  REQUEST_TIMEOUT: 'The headers or the body arrived too slowly; the connection is closed.',
  CONFLICT: 'The state it is in does not allow it, or it was changed in the meantime: the reason says which.',
  PRECONDITION_FAILED: 'The record is in another state than `If-Match` names, or the condition cannot be compared.',
  GONE: 'The cursor of the feed of events is older than what is stored, or not of this database: begin with the cursor `latest`, and then read what you follow anew.',
  HEADERS_TOO_LARGE: 'The headers, the address among them, are larger than 16 KB; the connection is closed.',
  RATE_LIMITED: 'Too many requests, too many of a costly kind at the same time, or too many mails.',
  BAD_USER_INPUT: 'Something that was sent is wrong: one sentence for each error, at most 50, each naming its field.',
  PERSISTED_QUERY_NOT_FOUND: 'No registered document has the id that was sent in place of a document.',
  PERSISTED_QUERY_NOT_SUPPORTED:
    'The id of a document was sent in place of the document, and no application has registered any.',
  MISSING_CONTENT: 'There is no content, or it is empty.',
  INVALID_BASE64: 'The content is no base64.',
  UNSUPPORTED_FILE_TYPE:
    'The file is of a type that is not allowed, or its content is not what its name or media type says.',
  FILE_TOO_LARGE: 'The file is larger than one of its kind may be: the message says how large that is.',
  INVALID_DATA:
    'The body is no form with exactly one file, of the name that is expected; or an attachment is empty or of a type that is not allowed, or a logo is empty.',
  UNAVAILABLE: 'The database or the storage is away, or what the request needs was busy for too long.',
  INTERNAL: 'Something unexpected went wrong; the request id finds it in the logs.',
} as const;
export type ErrorCode = keyof typeof ERROR_CODES;
export type RestErrorCode = Exclude<ErrorCode, `PERSISTED_QUERY_${string}`>;

/** An item of the envelope's `messages` (specification 2.1): a sentence or an integer code. */
export type ErrorMessage = string | number;

/**
 * Reasons of a CONFLICT, for programs (GraphQL's `extensions.reason`, REST's `Conflict-Reason`) and for people. One
 * that is new is described in docs/errors.md as well.
 */
export const CONFLICT_REASONS = {
  STALE_VERSION: 'Another request has changed the record in the meantime: read it again, and send its version',
  LAST_OWNER: 'An organization must keep an owner: make another member its owner first, or delete it',
  ALREADY_MEMBER: 'The person is already a member of the organization, active or deactivated',
  ALREADY_INVITED: 'The address has an open invitation already: send that again, or cancel it first',
  INVITATION_CLOSED: 'The invitation was accepted or cancelled',
  MAIL_LIMIT: 'The invitation has had all its mails: when it has expired, invite again',
  MEMBERSHIPS_CHANGED: 'The person has joined an organization in the meantime: try again',
  ORGANIZATION_LIMIT:
    'The user owns as many organizations as the operator allows, those that can still be restored included',
  MEMBER_LIMIT: 'The organization has as many members as the operator allows, deactivated ones included',
  INVITATION_LIMIT: 'The organization has as many open invitations as the operator allows: cancel one first',
  STORAGE_LIMIT: 'The organization stores as many megabytes as the operator allows',
  IDENTITY_PROVIDER_LIMIT: 'The organization has reached the limit of identity providers: delete one first',
  NOT_A_SANDBOX: 'The organization is not a sandbox: this is possible only in one that was created as a sandbox',
  SANDBOX_LIMIT: 'The user has reached the limit of sandboxes: reset one instead',
  SERVICE_ACCOUNT_LIMIT: 'The organization has reached the limit of service accounts: delete one first',
  IMPORT_JOB_LIMIT: 'The organization has reached the limit of imports under way: wait for one, or cancel it',
  IMPORT_JOB_ENDED: 'The import has ended',
  ENGAGEMENT_LIMIT: 'The limit of engagements is reached, or that of the auditors, requests or sign-offs of one',
  ALREADY_AUDITOR: 'The person is an auditor of the engagement already',
  REQUEST_CLOSED: 'The request is closed',
  CONTROL_NOT_DONE: 'The control is not DONE: what is attested has to be in place',
  EVIDENCE_NOT_FRESH: 'No document shows now that the control is met',
  ATTESTATION_STALE: 'What was attested has changed since: the owner of the control has to attest it anew',
  ATTESTATION_COUNTERSIGNED: 'The attestation is countersigned already',
  ATTESTATION_ENDED: 'The attestation was withdrawn, or a newer one has taken its place',
  OWN_ATTESTATION: 'An attestation is countersigned by another person than the one who made it',
  WEBHOOK_ENDPOINT_LIMIT: 'The organization has reached the limit of webhook endpoints: delete one first',
  USER_WEBHOOK_ENDPOINT_LIMIT: 'The user has reached the limit of webhook endpoints: delete one first',
  WEBHOOK_ENDPOINT_UNUSED: 'No organization sends its events to the webhook endpoint',
  WEBHOOK_ENDPOINT_DISABLED: 'The webhook endpoint is disabled: enable it first',
  SCIM_TOKEN_LIMIT: 'A directory has two valid tokens at most: revoke one first',
  TOKEN_LIMIT: 'The user has reached the limit of valid tokens: revoke one first',
  TOKEN_NOT_ROTATABLE: 'The token is revoked, has expired, or was rotated already',
  DEVICE_REPORT_DIFFERS: 'Another report of the same device and moment has other content',
  NAME_TAKEN: 'Another identity provider has this name',
  DOMAIN_TAKEN: 'The domain was proven for another identity provider already',
  DOMAIN_NOT_PROVEN: 'The DNS has no such TXT record yet: it may take a while until it is seen',
  WORKFLOW_ASSOCIATED:
    'The workflow is associated with the organization: dissociate it, or import it again with the digest of a preview',
  STALE_PREVIEW: 'What the import changes is not what its preview said: read a new one',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used for another request',
  IDEMPOTENCY_OTHER_VERSION:
    'A request with this Idempotency-Key was executed by another version of the gateway, and cannot be compared with this one: read what it changed',
  IDEMPOTENCY_KEY_IN_USE: 'The first request with this Idempotency-Key is still under way; try again later',
  IDEMPOTENCY_ANSWER_NOT_KEPT:
    'The request with this Idempotency-Key was executed, and its answer was too long to be stored: read what it changed',
  INCIDENT_CLOSED: 'The incident is closed: open it again first',
  REPORT_ALREADY_RECORDED: 'This report is recorded already: correct it instead',
  EARLIER_REPORT_MISSING: 'A report before it is not recorded: record that first, or name it in `includes`',
  REPORT_NOT_RECORDED: 'This report is not recorded',
  REPORT_FOLLOWED: 'A report that follows it is recorded: take that back first',
  AUDIT_TRAIL_FAULT: 'The audit trail is not as it was written: its verification names the fault',
} as const;
export type ConflictReason = keyof typeof CONFLICT_REASONS;

/** Messages of one error at most, so that a hostile body cannot cause an answer larger than itself. */
export const MAX_ERRORS = 50;

/** The place of an error: names of fields and indices of lists. */
export type Path = readonly (string | number)[];

/** An error of a field of the input: its path begins with the name of the argument, in GraphQL's spelling. */
export interface FieldError {
  readonly path: Path;
  /** The error, to follow the name of the place; `{field}` is the name of another one. It never quotes input. */
  readonly sentence: string;
  /** The sentence has no place before it: none in particular is wrong, or it names the place itself. */
  readonly whole?: true | 'as written';
}

/** A request that was executed before, whose answer is not repeated. */
export interface ExecutedBefore {
  /** `Location` of the created object in REST. */
  readonly location?: string | undefined;
  /** Ids of the selected objects of the answer, by path. */
  readonly objects?: readonly ChangedObject[] | undefined;
}

export interface ChangedObject {
  readonly path: Path;
  readonly id?: string | undefined;
  readonly databaseId?: string | number | undefined;
}

/** A defect in an audit trail, and its place. */
export interface TrailFault {
  position: number;
  /** One of `AuditFaultReason`. */
  reason: string;
  message: string;
}

export class DomainError extends Error {
  /** Allowed file extensions, if another type was refused. */
  readonly allowed?: readonly string[];

  constructor(
    readonly code: ErrorCode,
    readonly messages: readonly ErrorMessage[],
    /** Seconds after which a retry may succeed; only for temporary errors. */
    readonly retryAfter?: number,
    /** Present on every CONFLICT, and on nothing else. */
    readonly reason?: ConflictReason,
    /** Only on BAD_USER_INPUT, for errors of fields, from which `messages` is derived. */
    readonly fields?: readonly FieldError[],
    /** The request was executed before, under the same key. */
    readonly executed?: ExecutedBefore,
    /** Only CONFLICT with the reason AUDIT_TRAIL_FAULT carries it. */
    readonly fault?: TrailFault,
  ) {
    // Refusals are expected and logged without a stack: GraphQLError would map every line of it to its source.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'DomainError';
  }
}

export const unauthenticated = () => new DomainError('UNAUTHENTICATED', [1001]);
export const forbidden = () => new DomainError('FORBIDDEN', [1003]);
/** For a token with the scope `DOCUMENTS`, for everything else. */
export const documentsOnly = () =>
  new DomainError('FORBIDDEN', [1003, 'This token runs registered GraphQL documents, and reaches nothing else']);
/** For a service account. */
export const forPersons = () =>
  new DomainError('FORBIDDEN', [
    1003,
    'This is for persons: a service account may not do it, whatever its role and scopes',
  ]);
/** For a token of a sign-in, at a user's own affairs. */
export const notBySignIn = () =>
  new DomainError('FORBIDDEN', [1003, 'A token of a sign-in may not do it: use one that you have created yourself']);
/** For a page of an origin that the operator does not allow. */
export const foreignOrigin = () =>
  new DomainError('FORBIDDEN', [
    1003,
    'Pages of this origin may not call: the operator allows an origin by CORS_ORIGINS',
  ]);
export const notFound = () => new DomainError('NOT_FOUND', [1004]);
export const methodNotAllowed = () => new DomainError('METHOD_NOT_ALLOWED', [1005]);
export const requestTimeout = (what: 'body' | 'request' = 'body') =>
  new DomainError('REQUEST_TIMEOUT', [`The ${what} arrived too slowly`]);
export const conflict = (reason: ConflictReason) => new DomainError('CONFLICT', [1009], undefined, reason);
export const auditTrailFault = (fault: TrailFault) =>
  new DomainError('CONFLICT', [1009], undefined, 'AUDIT_TRAIL_FAULT', undefined, undefined, fault);
export const preconditionFailed = () => new DomainError('PRECONDITION_FAILED', [1012]);
export const cursorGone = () =>
  new DomainError('GONE', [
    'The cursor is older than the events that are stored, or not of this database: begin with the cursor latest, and then read what you follow anew',
  ]);

/** Throws unless the current version is the expected one; null expects any. */
export function requireVersion(current: { version: number }, version: number | null | undefined): void {
  if (version != null && version !== current.version) throw preconditionFailed();
}

export const headersTooLarge = () => new DomainError('HEADERS_TOO_LARGE', ['The headers of the request are too large']);
export const addressNotEncoded = () =>
  new DomainError('BAD_USER_INPUT', ['The address must be percent-encoded: spaces, and all that is not ASCII']);
export const keyInUse = () => new DomainError('CONFLICT', [1009], 1, 'IDEMPOTENCY_KEY_IN_USE');
export const answerNotStored = (executed: ExecutedBefore) =>
  new DomainError('CONFLICT', [1009], undefined, 'IDEMPOTENCY_ANSWER_NOT_KEPT', undefined, executed);
export const rateLimited = (retryAfter: number) => new DomainError('RATE_LIMITED', [1029], retryAfter);
export const badUserInput = (errors: readonly string[]) =>
  new DomainError('BAD_USER_INPUT', errors.length > MAX_ERRORS ? errors.slice(0, MAX_ERRORS) : errors);
/** Clients recognise these messages and send the document itself. */
export const persistedQueryNotFound = () => new DomainError('PERSISTED_QUERY_NOT_FOUND', ['PersistedQueryNotFound']);
export const persistedQueryNotSupported = () =>
  new DomainError('PERSISTED_QUERY_NOT_SUPPORTED', ['PersistedQueryNotSupported']);
export const notJson = () => badUserInput(['The body is not valid JSON']);
/** Errors of fields: each API formats them with its own names. */
export const invalidInput = (errors: readonly FieldError[]) => {
  const fields = errors.slice(0, MAX_ERRORS);
  return new DomainError(
    'BAD_USER_INPUT',
    fields.map((error) => fieldMessage(error)),
    undefined,
    undefined,
    fields,
  );
};
/** Throws BAD_USER_INPUT where there are errors. */
export function refuseErrors(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidInput(errors);
}
export const inputError = (field: string, sentence: string): FieldError => ({ path: ['input', field], sentence });
/** The same for a sentence that names its place itself, such as a line of a text. */
export const wholeError = (path: Path, sentence: string): FieldError => ({
  path: ['input', ...path],
  sentence,
  whole: 'as written',
});
/** Runs the parsing of a text or a file; its errors become errors of the field. */
export async function reading<Result>(field: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'BAD_USER_INPUT' || error.fields !== undefined) throw error;
    throw invalidInput(error.messages.map((message) => wholeError([field], String(message))));
  }
}
/** An error for people: the name of an argument that is an object is omitted, its fields are not. */
export const fieldMessage = ({ path, ...error }: FieldError, spell = (name: string) => name) => {
  const named = path.map((part) => (typeof part === 'string' ? spell(part) : part));
  return messageOf({ path: named.length > 1 ? named.slice(1) : named, ...error }, spell);
};
export const missingContent = () => new DomainError('MISSING_CONTENT', ['Missing content']);
export const invalidBase64 = () => new DomainError('INVALID_BASE64', ['Invalid base64 content']);
/** With the allowed file extensions. */
export const unsupportedFileType = (allowed: readonly string[]) =>
  Object.assign(new DomainError('UNSUPPORTED_FILE_TYPE', ['Unsupported file type']), { allowed });
export const fileTooLarge = (maxBytes: number) =>
  new DomainError('FILE_TOO_LARGE', [`File too large. Maximum size is ${maxBytes / (1024 * 1024)} MB.`]);
export const invalidData = () => new DomainError('INVALID_DATA', ['Invalid data provided']);
/** With the failed service and the cause: for logs and readiness, never for a caller. */
export const unavailable = (retryAfter = 5, about: { service?: string; cause?: unknown } = {}) =>
  Object.assign(new DomainError('UNAVAILABLE', [], retryAfter), about);
/** Whether the database or a service is unavailable, which may be temporary. */
export const isUnavailable = (error: unknown) => error instanceof DomainError && error.code === 'UNAVAILABLE';
export const internal = () => new DomainError('INTERNAL', []);

/** An error for people; `spell` converts the names of fields. A path without a name is the whole input. */
export function messageOf({ path, sentence, whole }: FieldError, spell: (name: string) => string): string {
  if (whole === 'as written') return sentence;
  const words = sentence.replaceAll(/\{(\w+)\}/g, (_braces, field: string) => spell(field));
  const name = nameOf(path);
  // A field that cannot be named is reported by its object.
  if (sentence === UNNAMED_FIELD) return name === '' ? 'a field is not known' : `a field of ${name} is not known`;
  return whole ? words : `${name || 'input'} ${words}`;
}

/** The sentence of a field whose own name is not shown. */
export const UNNAMED_FIELD = 'has a field that is not known';

/** `contacts[0].email`. */
export function nameOf(path: Path): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? part : `${name}.${part}`;
  }, '');
}

/** Why the gateway cannot start: one sentence for the operator, printed without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** Undefined where `step` throws NOT_FOUND. */
export async function ifFound<Value>(step: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Returns the value; throws NOT_FOUND if it is undefined. */
export function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw notFound();
  return value;
}
