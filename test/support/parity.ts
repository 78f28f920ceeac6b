import { expect } from '@jest/globals';
import { toSnakeCase } from '../../src/common/naming.js';
import { inRestWords } from './rest-values.js';
import type { Answer, Envelope, GraphQLResult } from './clients.js';
import { failsWithoutCode } from './matchers.js';
import type { TestData } from './test-data.js';

/** Result of a call, in the common form of both APIs. */
export interface Outcome {
  code: string;
  messages: (string | number)[];
  /** Reason of a conflict. */
  reason?: string;
}

const CODES: Record<number, string> = {
  200: 'OK',
  201: 'OK',
  202: 'OK',
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'FILE_TOO_LARGE',
  // The version for a change is a header of REST, with its own status.
  412: 'CONFLICT',
  415: 'UNSUPPORTED_FILE_TYPE',
  429: 'RATE_LIMITED',
  503: 'UNAVAILABLE',
};

/** REST distinguishes these three by their sentence, with the status of BAD_USER_INPUT. */
const SENTENCES: Record<string, string> = {
  'Missing content': 'MISSING_CONTENT',
  'Invalid base64 content': 'INVALID_BASE64',
  'Invalid data provided': 'INVALID_DATA',
};

/** REST's integer codes in `messages`, by the code of the error. */
export const NUMBERS: Record<string, number> = {
  UNAUTHENTICATED: 1001,
  FORBIDDEN: 1003,
  NOT_FOUND: 1004,
  CONFLICT: 1009,
  RATE_LIMITED: 1029,
};

/** Converts a response of REST to its code, messages and reason. */
export function restOutcome({ status, headers, body, story }: Answer<Envelope>): Outcome {
  const code = SENTENCES[String(body.messages[0])] ?? CODES[status] ?? `status ${status}`;
  const number = NUMBERS[code];
  // Two paths show no integer code; all else is equal (specification 4.3, 7.5).
  const isNumberLeftOut = number !== undefined && body.messages.length === 0 && failsWithoutCode({ story });
  const isConflict = status === 412 && body.messages[0] === 1012;
  const reason = isConflict ? 'STALE_VERSION' : headers.get('conflict-reason');
  const messages = isNumberLeftOut || isConflict ? [NUMBERS[code]!] : body.messages;
  return { code, messages, ...(reason !== null && { reason }) };
}

/** Converts a response of GraphQL to its code, messages and reason; messages name fields as REST does. */
export function graphqlOutcome({ body }: Answer<GraphQLResult>): Outcome {
  const [error] = body.errors ?? [];
  if (error === undefined) return { code: 'OK', messages: [] };
  const { code, messages, reason } = error.extensions;
  return { code, messages: messages.map(inRestNames), ...(reason !== undefined && { reason }) };
}

function inRestNames(message: string | number): string | number {
  if (typeof message === 'number') return message;
  // The name of an unknown field is in the sender's spelling.
  const own = /\w+ is not a known field$/.exec(message)?.[0] ?? '';
  const rest = message.slice(0, message.length - own.length);
  return inRestWords(rest).replaceAll(/\b[a-z][a-z0-9]*[A-Z]\w*/g, (name) => toSnakeCase(name)) + own;
}

/** Guards against equal failures: one caller has to succeed, and none without a token. */
export function expectBothEnds(codes: ReadonlySet<string>): void {
  expect([...codes]).toEqual(expect.arrayContaining(['OK', 'UNAUTHENTICATED']));
}

/** Every kind of caller with its token. */
export function callersOf(testData: TestData): [name: string, token: string | undefined][] {
  const { readOnly, writeOnly, telemetry, expired, revoked, deactivated } = testData.tokens;
  return [
    ['nobody', undefined],
    ['malformed', 'scp_x'],
    ['expired', expired],
    ['revoked', revoked],
    ['deactivated', deactivated],
    ['userWithoutOrganization', testData.userWithoutOrganization.token],
    ['nonMember', testData.nonMember.token],
    ['viewer', testData.viewer.token],
    ['analyst', testData.analyst.token],
    ['officer', testData.officer.token],
    ['manager', testData.manager.token],
    ['owner', testData.owner.token],
    ['read only', readOnly],
    ['write only', writeOnly],
    ['telemetry', telemetry],
  ];
}
