import type { GatewayClient } from './client.js';
import { envelopeOf, GatewayError } from './errors.js';
import type { components } from './openapi.js';
import { requireOptions } from './options.js';
import { nextOf } from './pages.js';
import { waitFor } from './retry.js';

export type GatewayEvent = components['schemas']['Event'];

export interface FollowOptions {
  /** Start position: the `cursor` of a page, or `latest`. The oldest retained event when absent. */
  after?: string;
  /** Only these types; all when absent. An empty list is a TypeError, as are undefined and null. */
  types?: readonly GatewayEvent['type'][];
  /** Only this organization; all of the caller when absent. Undefined or null is a TypeError, as in `types`. */
  organizationId?: number;
  /** Whether to continue without end, which is the default, or to end after the newest event. */
  until?: 'ABORTED' | 'NEWEST';
  signal?: AbortSignal;
  /** Called when the gateway is unreachable or overloaded: the same page is requested again after the wait. */
  onInterruption?: (error: Error, seconds: number) => void;
}

/** Events in their order; empty if a wait or a long search for types ended without one. */
export interface EventPage {
  events: GatewayEvent[];
  /** The cursor to begin with the next time, once these events are processed. */
  cursor: string;
}

const OPTIONS: Readonly<Record<keyof FollowOptions, true>> = {
  ...{ after: true, types: true, organizationId: true, until: true, signal: true, onInterruption: true },
};
const WAIT_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 30;

/**
 * Pages of events in order, without gaps. Store `cursor` after a page is processed: a restarted program continues
 * there. Throws GatewayError with the status 410 if the cursor is older than the retention: begin with `latest`, and
 * reload your data after the first page.
 */
export async function* followEvents(
  client: GatewayClient,
  options: FollowOptions = {},
): AsyncGenerator<EventPage, void, undefined> {
  const { after, types, organizationId, until = 'ABORTED', signal, onInterruption } = options;
  requireOptions(options, OPTIONS);
  // A missing filter would select every event.
  for (const name of ['types', 'organizationId'] as const)
    if (name in options && options[name] == null)
      throw new TypeError(`The option ${name} is ${options[name]}: without one, leave it out`);
  if (types?.length === 0) throw new TypeError('The option types names no type: of all, leave it out');
  if (until !== 'ABORTED' && until !== 'NEWEST')
    throw new TypeError(`until is ABORTED or NEWEST, not ${String(until)}`);
  const filter = {
    ...(types && { types: [...types] }),
    ...(organizationId !== undefined && { organization_id: organizationId }),
  };
  const wait = until === 'NEWEST' ? 0 : WAIT_SECONDS;
  let cursor = after;
  for (let failures = 0; ;) {
    // Fetches the current cursor at once, so that no event of an interruption is missed.
    const seconds = cursor === 'latest' ? 0 : wait;
    const query = { limit: 100, wait: seconds, ...filter, ...(cursor !== undefined && { after: cursor }) };
    try {
      const call = client.GET('/api/v1/events', { params: { query }, ...(signal && { signal }) });
      const { data } = await envelopeOf(call);
      const { response } = await call;
      const next = nextOf(response)?.get('after');
      if (next == null) throw new Error('The answer has no Link to go on with');
      [cursor, failures] = [next, 0];
      yield { events: data, cursor };
      // A search for types may take so long that a page is empty although more events follow.
      const isLast = data.length === 0 && response.headers.get('has-next-page') !== 'true';
      if (until === 'NEWEST' && isLast) return;
    } catch (error) {
      if (until === 'NEWEST' || signal?.aborted || !isInterruption(error)) throw error;
      const seconds = Math.min(2 ** failures, LONGEST_PAUSE_SECONDS);
      failures += 1;
      onInterruption?.(error, seconds);
      await waitFor(seconds, signal);
    }
  }
}

/** No response, a late or interrupted one, or a temporary failure. */
function isInterruption(error: unknown): error is Error {
  if (error instanceof GatewayError) return error.isTemporary;
  return error instanceof Error && ['TypeError', 'SyntaxError', 'TimeoutError'].includes(error.name);
}
