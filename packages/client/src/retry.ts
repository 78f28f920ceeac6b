/** Limits of the retries of a request. */
export interface RetryOptions {
  /** Maximum number of attempts; 5 when absent, 1 disables retries. */
  attempts?: number;
  /** Maximum delay before an attempt, in seconds; 60 when absent. A longer `Retry-After` ends the attempts. */
  longestWaitSeconds?: number;
  /**
   * Time limit in seconds for the head of a response, and for each further chunk of the response to a change; 60 when
   * absent.
   */
  timeoutSeconds?: number;
  /** Called before each wait. */
  onRetry?: (retry: Retry) => void;
}

export interface Retry {
  /** Number of the next attempt, from 2 on. */
  attempt: number;
  /** Delay before it. */
  seconds: number;
  /** The response, or the reason why there was none. */
  cause: Response | Error;
}

const BASE_WAIT_SECONDS = 0.5;
/** Milliseconds of a timer, which fires at once for a value above its maximum. */
const timerOf = (seconds: number) => Math.min(seconds * 1000, 2 ** 31 - 1);

/** Whether a request is read-only. */
export const isReading = ({ method }: Request) => ['GET', 'HEAD'].includes(method);

/**
 * Sends a request until its response is final. 429, 503 and a key in use are retried for every method: nothing was
 * done. No response, 502 and 504 are retried for reads, and for changes with a key.
 */
export async function sendWithRetries(
  request: Request,
  fetchOnce: (url: string, init: RequestInit) => Promise<Response>,
  { attempts = 5, longestWaitSeconds = 60, timeoutSeconds = 60, onRetry }: RetryOptions = {},
): Promise<Response> {
  const { method, headers, url, signal } = request;
  // Not tested by `request.body`, which Firefox lacks; no GET may have even an empty body.
  const body = isReading(request) ? undefined : await request.arrayBuffer();
  const isRepeatable = isReading(request) || headers.has('idempotency-key');
  for (let attempt = 1; ; attempt += 1) {
    // A redirect is a response: the token is sent to no other address.
    const init: RequestInit = { method, headers, redirect: 'manual', ...(body?.byteLength && { body }) };
    const attempted = (limit: AbortSignal) => fetchOnce(url, { ...init, signal: limit });
    // A change whose response breaks off or stalls is retried as well: otherwise the caller does not know its result.
    const outcome = await answered(timeoutSeconds, signal, attempted, isRepeatable && !isReading(request));
    const mayRepeat = outcome instanceof Error ? isRepeatable : passes(outcome, isRepeatable);
    const seconds = waitSeconds(outcome, attempt);
    // A limit that is not a number allows nothing.
    if (!mayRepeat || !(attempt < attempts) || !(seconds <= longestWaitSeconds)) {
      if (outcome instanceof Error) throw outcome;
      return outcome;
    }
    if (!(outcome instanceof Error)) await outcome.body?.cancel();
    onRetry?.({ attempt: attempt + 1, seconds, cause: outcome });
    await waitFor(seconds, signal);
  }
}

/**
 * The response once its head, or all of it, is received, or the reason why there is none; throws if the caller has
 * aborted.
 */
async function answered(
  timeoutSeconds: number,
  signal: AbortSignal,
  send: (signal: AbortSignal) => Promise<Response>,
  isWhole: boolean,
): Promise<Response | Error> {
  signal.throwIfAborted();
  const limit = new AbortController();
  const late = () => limit.abort(new DOMException(`There was no answer within ${timeoutSeconds} s`, 'TimeoutError'));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waitOn = () => {
    clearTimeout(timer);
    timer = setTimeout(late, timerOf(timeoutSeconds));
  };
  waitOn();
  try {
    const answer = await send(AbortSignal.any([signal, limit.signal]));
    // Reads a clone, so that the caller's response is unconsumed.
    const rest = isWhole ? answer.clone().body?.getReader() : undefined;
    while (rest !== undefined) {
      waitOn();
      if ((await rest.read()).done) break;
    }
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
  }
}

function passes({ status, headers }: Response, isRepeatable: boolean): boolean {
  if (status === 409) return headers.get('conflict-reason') === 'IDEMPOTENCY_KEY_IN_USE';
  return status === 429 || status === 503 || (isRepeatable && (status === 502 || status === 504));
}

/**
 * Delay of the next attempt in seconds: that of `Retry-After`, a number or a date; otherwise exponential backoff with
 * jitter.
 */
function waitSeconds(outcome: Response | Error, attempt: number): number {
  const given = outcome instanceof Error ? null : outcome.headers.get('retry-after');
  if (given !== null && /^\d+$/.test(given)) return Number(given);
  const at = given === null ? NaN : Date.parse(given);
  if (!Number.isNaN(at)) return Math.max(0, (at - Date.now()) / 1000);
  return BASE_WAIT_SECONDS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}

/** Waits; throws the reason if the signal is aborted meanwhile. */
export function waitFor(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const stop = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done();
    }, timerOf(seconds));
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
