import { DomainError } from '../errors.js';
import type { Logger } from '../logger.js';

/** Milliseconds in which a cause is logged once; repetitions are counted in the next entry. */
const QUIET = 10_000;
/** Causes remembered of one log; there are a dozen or so. */
const MOST = 100;

interface Entry {
  at: number;
  unwritten: number;
}

const entries = new WeakMap<Logger, Map<string, Entry>>();

/** Logs unavailable services and why: once for each cause in ten seconds, so that an outage does not flood the log. */
export function logUnavailable(log: Logger, error: unknown, requestId?: string): void {
  if (!(error instanceof DomainError) || error.code !== 'UNAVAILABLE') return;
  const { service = 'gateway' } = error as DomainError & { service?: string };
  const err = rootOf(error);
  const entry = entryOf(log, `${service} ${err === undefined ? '' : causeName(err)}`);
  if (performance.now() - entry.at < QUIET) return void (entry.unwritten += 1);
  const since = entry.unwritten === 0 ? {} : { unwritten: entry.unwritten };
  Object.assign(entry, { at: performance.now(), unwritten: 0 });
  log.warn({ requestId, service, err, ...since }, 'a service is not available');
}

/** Code or name of an error, as the system, the database or the driver gives it; never its text. */
export function causeName(error: Error): string {
  const { code, $metadata } = error as Error & { code?: unknown; $metadata?: { httpStatusCode?: number } };
  if (typeof code === 'string') return code;
  return $metadata?.httpStatusCode === undefined ? error.name : `${error.name} ${$metadata.httpStatusCode}`;
}

/** The error that others were made from; undefined when there is none. */
export function rootOf(error: DomainError): Error | undefined {
  let root: unknown = error.cause;
  // Not instanceof: an error of another realm is an error as well.
  for (let depth = 0; depth < 5; depth += 1) {
    const next = (root as Error | undefined)?.cause;
    if (next === undefined || next === null) break;
    root = next;
  }
  return root === undefined ? undefined : (root as Error);
}

function entryOf(log: Logger, key: string): Entry {
  let known = entries.get(log);
  if (known === undefined) entries.set(log, (known = new Map()));
  if (known.size > MOST) known.clear();
  let entry = known.get(key);
  if (entry === undefined) known.set(key, (entry = { at: -Infinity, unwritten: 0 }));
  return entry;
}
