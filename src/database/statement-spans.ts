import { LRUCache } from 'lru-cache';
import { isTraced, SpanKind, traced } from '../common/tracing.js';

/** Enough for the prepared texts, and some more. */
const summaries = new LRUCache<string, string>({ max: 500 });
/** The most tables of a summary. */
const TABLES = 4;
const FIRST_WORD = /^\s*(\w+)/;
const CHANGE = /\b(insert into|update|delete from)\s+"/;
const TABLE = /\b(?:from|join|into|update)\s+"(\w+)"/g;

/** Runs a statement in a span with its verb and tables, never its text or values; only within a trace. */
export function tracedStatement<Result>(
  { text, name }: { text: string; name?: string | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isTraced()) return work();
  return traced(() => {
    const summary = summaryOf(text);
    const prepared = name === undefined ? {} : { 'gateway.statement': name };
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary, ...prepared };
    return { name: summary, kind: SpanKind.CLIENT, attributes };
  }, work);
}

/** For example `update webhook_endpoint`; for subqueries, the first tables. */
function summaryOf(text: string): string {
  let summary = summaries.get(text);
  if (summary === undefined) {
    const [verb = ''] = (CHANGE.exec(text)?.[1] ?? FIRST_WORD.exec(text)?.[1] ?? '').split(' ');
    const tables = new Set([...text.matchAll(TABLE)].map(([, table]) => table));
    summary = [verb === 'with' ? 'select' : verb, ...[...tables].slice(0, TABLES)].join(' ');
    summaries.set(text, summary);
  }
  return summary;
}
