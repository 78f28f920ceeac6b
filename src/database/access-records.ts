import type { AccessRecords } from '../auth/access.js';
import type { Database } from './database.js';
import { db, sql, statement } from './sql.js';

const tokens = statement<{ digests: readonly string[] }>()((p) =>
  db
    .selectFrom('api_token as t')
    .innerJoin('app_user as u', 'u.id', 't.user_id')
    .select(['t.digest', 't.id', 't.user_id as userId', 'u.username', 't.scopes', 't.expires_at as expiresAt'])
    .select(['t.revoked_at as revokedAt', 'u.deactivated_at as deactivatedAt', 't.allowed_ips as allowedIps'])
    .select(({ selectFrom }) => {
      const blocks = selectFrom('token_block as b').select('b.organization_id').whereRef('b.token_id', '=', 't.id');
      return sql<number[]>`array(${blocks})`.as('blockedIn');
    })
    .where('t.digest', '=', ({ fn }) => fn.any(p('digests'))),
);

const membership = statement<{ userId: string; organizationId: number }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['m.role', 'o.query_token_allowed as queryTokens'])
    .where('m.user_id', '=', p('userId'))
    .where('m.organization_id', '=', p('organizationId'))
    .where('m.deactivated_at', 'is', null)
    .where('o.deleted_at', 'is', null),
);

/** Access as the database has it. */
export function accessRecords(database: Database): AccessRecords {
  return {
    tokens: async (digests) => new Map((await tokens.all(database, { digests })).map((row) => [row.digest, row])),
    membership: (userId, organizationId) => membership.first(database, { userId, organizationId }),
    seesUncommitted: () => database.seesUncommitted(),
    afterwards: (work) => void database.afterwards(work),
  };
}
