/** How long a client goes on with a request. */
export interface RetryOptions {
  /** How often a request is sent at most; 5 when absent, 1 never repeats one. */
  attempts?: number;
  /** The longest wait before an attempt, in seconds; 60 when absent. A `Retry-After` beyond it ends the attempts. */
  longestWaitSeconds?: number;
  /** How long the head of an answer may take, and each further piece of one to a change, in seconds; 60 when absent. */
  timeoutSeconds?: number;
  /** Called before each wait. */
  onRetry?: (retry: Retry) => void;
}

export interface Retry {
  /** The number of the attempt that comes, from 2 on. */
  attempt: number;
  /** How long the client waits before it. */
  seconds: number;
  /** The answer, or why there was none. */
  cause: Response | Error;
}

const BASE_WAIT_SECONDS = 0.5;
/** Milliseconds of a timer, which goes off at once for more than it can count. */
const timerOf = (seconds: number) => Math.min(seconds * 1000, 2 ** 31 - 1);

/** Whether a request changes nothing. */
export const isReading = ({ method }: Request) => ['GET', 'HEAD'].includes(method);

/**
 * Sends a request until it is answered for good. 429, 503 and a key that is in use are repeated for every method: nothing
 * was done. No answer, 502 and 504 are repeated where that does no harm: reading, and a change with a key.
 */
export async function sendWithRetries(
  request: Request,
  fetchOnce: (url: string, init: RequestInit) => Promise<Response>,
  { attempts = 5, longestWaitSeconds = 60, timeoutSeconds = 60, onRetry }: RetryOptions = {},
): Promise<Response> {
  const { method, headers, url, signal } = request;
  // Not by `request.body`, which Firefox does not have; no GET may have even an empty one.
  const body = isReading(request) ? undefined : await request.arrayBuffer();
  const isRepeatable = isReading(request) || headers.has('idempotency-key');
  for (let attempt = 1; ; attempt += 1) {
    // A redirect is an answer: the token goes to no other address.
    const init: RequestInit = { method, headers, redirect: 'manual', ...(body?.byteLength && { body }) };
    const attempted = (limit: AbortSignal) => fetchOnce(url, { ...init, signal: limit });
    // A change whose answer breaks off, or comes to a halt, is repeated as well: its caller does not know what has become of it.
    const outcome = await answered(timeoutSeconds, signal, attempted, isRepeatable && !isReading(request));
    const mayRepeat = outcome instanceof Error ? isRepeatable : passes(outcome, isRepeatable);
    const seconds = waitSeconds(outcome, attempt);
    // A limit that is no number allows nothing.
    if (!mayRepeat || !(attempt < attempts) || !(seconds <= longestWaitSeconds)) {
      if (outcome instanceof Error) throw outcome;
      return outcome;
    }
    if (!(outcome instanceof Error)) await outcome.body?.cancel();
    onRetry?.({ attempt: attempt + 1, seconds, cause: outcome });
    await waitFor(seconds, signal);
  }
}

/** The answer once its head, or all of it, is there, or why there is none; throws when the caller has given up. */
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
    // Of a copy, which leaves its caller the answer as it came.
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
 * The wait until the next attempt in seconds: that of `Retry-After`, a number or a date; otherwise twice as long each
 * time, with chance in it.
 */
function waitSeconds(outcome: Response | Error, attempt: number): number {
  const given = outcome instanceof Error ? null : outcome.headers.get('retry-after');
  if (given !== null && /^\d+$/.test(given)) return Number(given);
  const at = given === null ? NaN : Date.parse(given);
  if (!Number.isNaN(at)) return Math.max(0, (at - Date.now()) / 1000);
  return BASE_WAIT_SECONDS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}

/** Waits; throws the reason when the signal is given up meanwhile. */
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
