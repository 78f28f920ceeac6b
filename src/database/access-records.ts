import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { AccessRecords } from '../auth/access-reader.js';
import { BackgroundWork } from '../common/concurrency.js';
import { seldom } from '../common/seldom.js';
import type { Logger } from '../logger.js';
import type { Database, Queryable } from './database.js';
import { db, sql, statement, column, table } from './sql.js';
import { LIMITS } from '../values/limits.js';

/** Memberships in existing organizations; deactivated members have none. */
const memberships = db
  .selectFrom('membership as m')
  .innerJoin('organization as o', 'o.id', 'm.organization_id')
  .select(['m.role', 'o.query_token_allowed as queryTokens', 'o.required_provider_id as requiredProviderId'])
  .where('m.deactivated_at', 'is', null)
  .where('o.deleted_at', 'is', null);

/** Memberships that are read with a token: more than most users have. Others are read on demand. */
const WITH_TOKEN = 20;

const tokens = statement<{ digests: readonly string[] }>()((p) =>
  db
    .selectFrom('api_token as t')
    .innerJoin('app_user as u', 'u.id', 't.user_id')
    .leftJoin('identity_provider as ip', 'ip.id', 't.provider_id')
    .select(['t.origin', 't.provider_id as providerId', 'ip.organization_id as providerOrganizationId'])
    .leftJoin('service_account as s', 's.user_id', 'u.id')
    .select(['t.digest', 't.id', 't.user_id as userId', 'u.username', 't.scopes', 't.expires_at as expiresAt'])
    .select(['t.revoked_at as revokedAt', 'u.deactivated_at as deactivatedAt', 't.allowed_ips as allowedIps'])
    .select(['u.personal_key as personalKey', 's.organization_id as serviceOf'])
    .select(({ selectFrom }) => {
      const blocks = selectFrom('token_block as b').select('b.organization_id').whereRef('b.token_id', '=', 't.id');
      return sql<number[]>`array(${blocks})`.as('blockedIn');
    })
    .select(() => {
      const ofUser = memberships
        .where('m.user_id', '=', sql.ref<string>('u.id'))
        .select('m.organization_id as organizationId');
      return jsonArrayFrom(ofUser.limit(WITH_TOKEN)).as('memberships');
    })
    .where('t.digest', '=', ({ fn }) => fn.any(p('digests'))),
);

const membership = statement<{ userId: string; organizationId: number }>()((p) =>
  memberships.where('m.user_id', '=', p('userId')).where('m.organization_id', '=', p('organizationId')),
);

const engagement = statement<{ userId: string; engagementId: number; at: Date }>()((p) =>
  db
    .selectFrom('engagement_auditor as a')
    .innerJoin('engagement as e', 'e.id', 'a.engagement_id')
    .innerJoin('organization as o', 'o.id', 'e.organization_id')
    .select(['o.id as organizationId', 'o.query_token_allowed as queryTokens'])
    .where('a.user_id', '=', p('userId'))
    .where('a.engagement_id', '=', p('engagementId'))
    .where('e.until', '>', p('at'))
    .where('o.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) => {
      const members = selectFrom('membership as m').whereRef('m.organization_id', '=', 'o.id');
      return not(exists(members.whereRef('m.user_id', '=', 'a.user_id')));
    }),
);

/** Access data in the database. */
export function accessRecords(database: Database): AccessRecords {
  return {
    tokens: (digests) =>
      database.past.present(async () => {
        return new Map((await tokens.all(database, { digests })).map((row) => [row.digest, row]));
      }),
    membership: (userId, organizationId) =>
      database.past.present(() => membership.first(database, { userId, organizationId })),
    engagement: (userId, engagementId, at) =>
      database.past.present(() => engagement.first(database, { userId, engagementId, at })),
    seesUncommitted: () => database.past.present(() => database.seesUncommitted()),
    afterwards: (work) => void database.request.afterwards(work),
  };
}

const t = table('api_token');

/** An erasure revokes a token and deletes its last use, which must remain deleted. */
const touch = statement<{ ids: number[]; instants: Date[] }>()(
  (p) => sql`
    update ${t.table} set ${column('api_token', 'last_used_at')} = used.at
      from unnest(${p('ids')}::bigint[], ${p('instants')}::timestamptz[]) as used(id, at)
     where ${t.id} = used.id and ${t.revoked_at} is null
       and (${t.last_used_at} is null or ${t.last_used_at} < used.at - make_interval(secs => ${LIMITS.token.lastUsedSeconds}))`,
);

/** Writes the last use of tokens: outside of requests, and at most once a minute for each token. */
export class TokenUsage {
  private readonly pending = new Map<number, number>();
  private readonly writtenAt = new Map<number, number>();
  private readonly work: BackgroundWork;

  constructor(
    private readonly database: Queryable,
    log: Pick<Logger, 'warn'>,
    private readonly now: () => number = Date.now,
    flushEveryMilliseconds = 2000,
  ) {
    this.work = new BackgroundWork(
      flushEveryMilliseconds,
      () => this.flush(),
      seldom((err: unknown) => log.warn({ err }, 'uses of tokens cannot be written at the moment')),
    );
  }

  /** Records the use of a token; written with the next flush. */
  used(tokenId: number): void {
    const now = this.now();
    if (now - (this.writtenAt.get(tokenId) ?? -Infinity) < LIMITS.token.lastUsedSeconds * 1000) return;
    this.pending.set(tokenId, now);
  }

  /** Writes pending uses; those that cannot be written remain pending. */
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

  /** Writes pending uses once; those that cannot be written are lost. */
  close(): Promise<void> {
    return this.work.close();
  }
}
