import { LIMITS } from '../values/limits.js';
import type { Queryable } from './database.js';
import { column, sql, statement, table } from './sql.js';

const t = table('api_token');

const touch = statement<{ ids: number[]; instants: Date[] }>()(
  (p) => sql`
    update ${t.table} set ${column('api_token', 'last_used_at')} = used.at
      from unnest(${p('ids')}::int[], ${p('instants')}::timestamptz[]) as used(id, at)
     where ${t.id} = used.id
       and (${t.last_used_at} is null or ${t.last_used_at} < used.at - make_interval(secs => ${LIMITS.token.lastUsedSeconds}))`,
);

/** Writes when tokens were last used: apart from any request, and at most once a minute for a token. */
export class TokenUsage {
  private readonly pending = new Map<number, number>();
  private readonly writtenAt = new Map<number, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly database: Queryable,
    private readonly now: () => number = Date.now,
    flushEveryMilliseconds = 2000,
  ) {
    this.timer = setInterval(() => void this.flush().catch(() => undefined), flushEveryMilliseconds).unref();
  }

  /** Notes that the token was used just now; written with the next flush. */
  used(tokenId: number): void {
    const now = this.now();
    if (now - (this.writtenAt.get(tokenId) ?? -Infinity) < LIMITS.token.lastUsedSeconds * 1000) return;
    this.pending.set(tokenId, now);
  }

  /** Writes what is pending; what cannot be written stays pending. */
  async flush(): Promise<void> {
    if (this.pending.size === 0) return;
    const batch = [...this.pending];
    await touch.all(this.database, { ids: batch.map(([id]) => id), instants: batch.map(([, at]) => new Date(at)) });
    if (this.writtenAt.size > 100_000) this.writtenAt.clear();
    for (const [id, at] of batch) {
      this.writtenAt.set(id, at);
      if (this.pending.get(id) === at) this.pending.delete(id);
    }
  }

  /** Writes what is pending, once; what cannot be written now is lost. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush().catch(() => undefined);
  }
}
