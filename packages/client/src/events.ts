import type { GatewayClient } from './client.js';
import { envelopeOf, GatewayError } from './errors.js';
import type { components } from './openapi.js';
import { requireOptions } from './options.js';
import { nextOf } from './pages.js';
import { waitFor } from './retry.js';

export type GatewayEvent = components['schemas']['Event'];

export interface FollowOptions {
  /** Where to begin: the `cursor` of a page, or `latest`. The oldest event that is kept when absent. */
  after?: string;
  /** Only of these types; of all when absent. An empty list is a TypeError, as undefined and null are. */
  types?: readonly GatewayEvent['type'][];
  /** Only of this organization; of all of the caller when absent. Undefined or null is a TypeError, as in `types`. */
  organizationId?: number;
  /** Whether to go on for ever, which is so when absent, or to end after the newest event. */
  until?: 'ABORTED' | 'NEWEST';
  signal?: AbortSignal;
  /** Called when the gateway cannot be reached or is overloaded: the same place is asked for again after the wait. */
  onInterruption?: (error: Error, seconds: number) => void;
}

/** Events in their order, none on a page that came at the end of a wait, or of a long look for types. */
export interface EventPage {
  events: GatewayEvent[];
  /** The cursor to begin with the next time, once these events were handled. */
  cursor: string;
}

const OPTIONS: Readonly<Record<keyof FollowOptions, true>> = {
  ...{ after: true, types: true, organizationId: true, until: true, signal: true, onInterruption: true },
};
const WAIT_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 30;

/**
 * Pages of events as they come, without one missing. Keep `cursor` after a page was handled: a program that is started
 * anew goes on there. Throws GatewayError with the status 410 when the cursor is older than what is kept: begin
 * with `latest`, and read what you follow anew once the first page has come.
 */
export async function* followEvents(
  client: GatewayClient,
  options: FollowOptions = {},
): AsyncGenerator<EventPage, void, undefined> {
  const { after, types, organizationId, until = 'ABORTED', signal, onInterruption } = options;
  requireOptions(options, OPTIONS);
  // A filter that is missing by mistake would let everything through.
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
    // The place of now is taken at once, so that what happens during an interruption is not missed.
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
      // Looking for types may take so long that a page is empty though more follows.
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

/** No answer, one that was late or broke off, or one that says that it passes. */
function isInterruption(error: unknown): error is Error {
  if (error instanceof GatewayError) return error.isTemporary;
  return error instanceof Error && ['TypeError', 'SyntaxError', 'TimeoutError'].includes(error.name);
}
