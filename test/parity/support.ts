import { expect } from '@jest/globals';
import type { Answer, Envelope, GraphQLResult } from '../support/clients.js';
import { failsWithoutCode } from '../support/matchers.js';
import type { World } from '../support/world.js';

/** How a call ended, in words that both doors have. */
export interface Outcome {
  code: string;
  messages: (string | number)[];
}

const CODES: Record<number, string> = {
  200: 'OK',
  201: 'OK',
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'FILE_TOO_LARGE',
  415: 'UNSUPPORTED_FILE_TYPE',
};

/** REST tells these three by their sentence, with the status of BAD_USER_INPUT (decisions §3). */
const SENTENCES: Record<string, string> = {
  'Missing content': 'MISSING_CONTENT',
  'Invalid base64 content': 'INVALID_BASE64',
  'Invalid data provided': 'INVALID_DATA',
};

const NUMBERS: Record<string, number> = {
  UNAUTHENTICATED: 1001,
  FORBIDDEN: 1003,
  NOT_FOUND: 1004,
  CONFLICT: 1009,
};

export function restOutcome({ status, body, story }: Answer<Envelope>): Outcome {
  const code = SENTENCES[String(body.messages[0])] ?? CODES[status] ?? `status ${status}`;
  const number = NUMBERS[code];
  // Two paths show no integer code; everything else is alike (specification 4.3, 7.5).
  const isNumberLeftOut = number !== undefined && body.messages.length === 0 && failsWithoutCode({ story });
  return { code, messages: isNumberLeftOut ? [number] : body.messages };
}

export function graphqlOutcome({ body }: Answer<GraphQLResult>): Outcome {
  const [error] = body.errors ?? [];
  if (error === undefined) return { code: 'OK', messages: [] };
  const { code, messages } = error.extensions;
  return { code, messages };
}

/** What is alike proves little where all ends are: somebody has to be served, and nobody without a token. */
export function expectBothEnds(codes: ReadonlySet<string>): void {
  expect([...codes]).toEqual(expect.arrayContaining(['OK', 'UNAUTHENTICATED']));
}

/** Every kind of caller with its token. */
export function callersOf(world: World): [name: string, token: string | undefined][] {
  const { readOnly, writeOnly, telemetry, expired, revoked, deactivated } = world.tokens;
  return [
    ['nobody', undefined],
    ['malformed', 'scp_x'],
    ['expired', expired],
    ['revoked', revoked],
    ['deactivated', deactivated],
    ['newcomer', world.newcomer.token],
    ['stranger', world.stranger.token],
    ['viewer', world.viewer.token],
    ['analyst', world.analyst.token],
    ['officer', world.officer.token],
    ['manager', world.manager.token],
    ['owner', world.owner.token],
    ['read only', readOnly],
    ['write only', writeOnly],
    ['telemetry', telemetry],
  ];
}
