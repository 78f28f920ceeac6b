import { isUnreached, RefusedAddress, type OutgoingAnswer } from '../../common/outgoing-requests.js';
import { DAY, HOUR, MINUTE } from '../../common/time.js';
import { LIMITS } from '../../values/limits.js';

/** Seconds between an attempt and the next one. */
const SECOND = 1_000;
const DELAYS = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
].map((milliseconds) => milliseconds / SECOND);
/** Consecutive failures from which on an endpoint is paused, and the seconds of the pause, doubled each time. */
const BREAKER = 3;
const PAUSE = 10;
const LONGEST_PAUSE = 5 * 60;
const LONGEST_RETRY_AFTER = DAY / SECOND;

/** The outcome of one request to a receiver. */
export interface Outcome {
  accepted: boolean;
  statusCode: number | null;
  /** The reason for the failure, as a sentence. */
  error: string;
  answer: string;
  /** Seconds of the pause that the receiver requests. */
  retryAfter?: number;
  /** The host was not reached, which affects all endpoints of the host. */
  unreached?: true;
  /** The gateway could not make the request. */
  unmade?: true;
}

export function outcomeOf({ status, headers, body }: OutgoingAnswer, now: Date): Outcome {
  const accepted = status >= 200 && status < 300;
  const isRedirect = status >= 300 && status < 400;
  const error = accepted ? '' : `The receiver answered ${status}${isRedirect ? '; redirects are not followed' : ''}.`;
  const retryAfter = accepted ? undefined : secondsOf(headers['retry-after'], now);
  // PostgreSQL's texts cannot contain NUL.
  const answer = body.subarray(0, LIMITS.webhook.answerBytes).toString('utf8').replaceAll('\0', '\ufffd');
  return { accepted, statusCode: status, error, answer, ...(retryAfter !== undefined && { retryAfter }) };
}

/** The code of a network error: messages contain addresses. */
export function failureOf(error: unknown): Outcome {
  const failure = { accepted: false, statusCode: null, error: sentenceOf(error), answer: '' };
  return isUnreached(error) ? { ...failure, unreached: true } : failure;
}

function sentenceOf(error: unknown): string {
  if (error instanceof RefusedAddress) return `The address ${error.message}.`;
  const { name, code = 'unknown' } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return 'The receiver did not answer in time.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host was not found (${code}).`;
  return `The connection failed (${code}).`;
}

/** Seconds until the next attempt; undefined after the last one. */
export function delayAfter(attempts: number, { retryAfter = 0 }: Outcome): number | undefined {
  const delay = DELAYS[attempts - 1];
  return delay === undefined ? undefined : Math.max(delay * (1 + Math.random() / 5), retryAfter);
}

/** Seconds of the pause after this many consecutive failures. */
export function pauseAfter(failures: number, { retryAfter = 0 }: Outcome): number {
  const pause = failures < BREAKER ? 0 : Math.min(PAUSE * 2 ** (failures - BREAKER), LONGEST_PAUSE);
  return Math.max(pause * (1 + Math.random() / 5), retryAfter);
}

export function wasPaused(failures: number): boolean {
  return failures >= BREAKER;
}

/** Of the header `Retry-After`: seconds, or a date. */
function secondsOf(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / SECOND;
  return seconds > 0 ? Math.min(seconds, LONGEST_RETRY_AFTER) : undefined;
}
