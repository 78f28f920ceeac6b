import { toSnakeCase } from '../common/naming.js';
import { DomainError, fieldMessage } from '../errors.js';

/** What every answer is wrapped in (specification 2.1). The order of the keys is the order on the wire. */
export interface SuccessEnvelope {
  error: 0;
  messages: [];
  data: unknown;
  /** Lists only: how many items meet the filter. */
  total?: number;
}

/** With `total` for lists only, as the last key. */
export function successEnvelope({ data, total }: { data: unknown; total?: number | undefined }): SuccessEnvelope {
  return total === undefined ? { error: 0, messages: [], data } : { error: 0, messages: [], data, total };
}

/** Paths whose failures have sentences or nothing in `messages`, and never an integer code (specification 4.3, 7.5). */
const WITHOUT_CODES: ReadonlySet<string> = new Set([
  '/api/v1/organizations/{id}/branding',
  '/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments',
]);

/** Whether failures of this path, a pattern, may have an integer code. */
export function hasCodes(path: string): boolean {
  return !WITHOUT_CODES.has(path);
}

/** A failure as the routes of this path, a pattern, word it. */
export function asWordedAt(path: string, { code, messages, retryAfter, reason, fields }: DomainError): DomainError {
  // Errors of fields name them as REST does.
  const worded = fields?.map((error) => fieldMessage(error, toSnakeCase)) ?? messages;
  const sentences = hasCodes(path) ? worded : worded.filter((message) => typeof message === 'string');
  return new DomainError(code, sentences, retryAfter, reason);
}

/** The same envelope for every error: only the messages differ, and it never has `data`. */
export function errorEnvelope({ messages }: Pick<DomainError, 'messages'>) {
  return { error: 1, messages };
}
