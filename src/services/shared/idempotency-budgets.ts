import { DAY, HOUR } from '../../common/time.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { rateLimited } from '../../errors.js';
import type { Quotas } from '../../config.js';

export type IdempotencyQuotas = Pick<Quotas, 'idempotencyBytesPerUser' | 'idempotencyBytesPerOrganization'>;

/** User and organizations whose budgets a stored answer counts against. */
interface AnswerOwners {
  userId: string;
  organizationIds: readonly number[];
}

/** Milliseconds for which the bytes of an hour count: its last answer is stored for a day. */
const COUNTED = DAY + HOUR;

const v = table('idempotency_volume', 'v');

const volumes = statement<{ owners: string[]; after: Date }>()((p) =>
  db
    .selectFrom('idempotency_volume')
    .select(({ fn }) => ['owner', sql<number>`sum(bytes)::bigint`.as('bytes'), fn.min('hour').as('since')])
    .where('owner', '=', ({ fn }) => fn.any(p('owners')))
    .where('hour', '>', p('after'))
    .groupBy('owner'),
);

/** In the same order for each request, which prevents deadlocks. */
const count = statement<{ owners: string[]; hour: Date; bytes: number }>()(
  (p) => sql`
    insert into ${v.table} (owner, hour, bytes)
    select owner, ${p('hour')}, ${p('bytes')} from unnest(${p('owners')}::text[]) as owner order by owner
        on conflict (owner, hour) do update set bytes = ${v.bytes} + excluded.bytes`,
);

const total = statement<{ after: Date }>()((p) =>
  db
    .selectFrom('idempotency_volume')
    .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'))
    .where('owner', 'like', sql.lit('user %'))
    .where('hour', '>', p('after')),
);

const purge = statement<{ before: Date }>()((p) =>
  db.deleteFrom('idempotency_volume').where('hour', '<=', p('before')),
);

/** Budgets of stored answers in bytes, for a user and for an organization, counted by the hour. */
export class IdempotencyBudgets {
  constructor(
    private readonly database: Queryable,
    private readonly quotas: IdempotencyQuotas,
    private readonly now: () => Date,
  ) {}

  /** Throws RATE_LIMITED where a budget is used up: concurrent requests may exceed it. */
  async refuseMore(tx: Queryable, answerOwners: AnswerOwners): Promise<void> {
    const owners = ownersOf(answerOwners);
    const { idempotencyBytesPerUser, idempotencyBytesPerOrganization } = this.quotas;
    for (const { owner, bytes, since } of await volumes.all(tx, { owners, after: this.oldest() })) {
      const budget = owner.startsWith(USER) ? idempotencyBytesPerUser : idempotencyBytesPerOrganization;
      const freed = Date.parse(since) + COUNTED - this.now().getTime();
      if (bytes >= budget) throw rateLimited(Math.max(1, Math.ceil(freed / 1000)));
    }
  }

  async count(tx: Queryable, answerOwners: AnswerOwners, bytes: number): Promise<void> {
    const hour = new Date(Math.floor(this.now().getTime() / HOUR) * HOUR);
    await count.all(tx, { owners: ownersOf(answerOwners), hour, bytes });
  }

  /** Bytes of all stored answers. */
  async storedBytes(): Promise<number> {
    return (await total.one(this.database, { after: this.oldest() })).bytes;
  }

  async purgeOld(): Promise<void> {
    await purge.all(this.database, { before: this.oldest() });
  }

  private oldest(): Date {
    return new Date(this.now().getTime() - COUNTED);
  }
}

const USER = 'user ';

function ownersOf({ userId, organizationIds }: AnswerOwners): string[] {
  return [USER + userId, ...organizationIds.map((id) => `organization ${id}`)];
}
