import type { Queryable } from '../../database/database.js';
import { column, sql, statement, table } from '../../database/sql.js';
import { untilFewer } from '../../database/until-fewer.js';
import type { Foundation } from '../foundation.js';
import { LIMITS } from '../../values/limits.js';
import { record } from '../audit/record.js';
import { tokenSubject } from '../audit/subjects.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import { ACCOUNT, RESPONSIBLE, type AccountOfToken } from './accounts-of-tokens.js';

const t = table('api_token', 't');
const u = table('app_user', 'u');
const m = table('membership', 'm');
const o = table('organization', 'o');

interface WarnedToken extends AccountOfToken {
  id: number;
  organizationId: number;
  userId: string;
  name: string;
  prefix: string;
  expiresAt: string;
}

/** Tokens in one transaction, which bounds the duration of its locks. */
const BATCH = 200;
const WARNINGS = { kind: 'system', name: 'token-warnings' } as const;

/**
 * Marks tokens that expire soon, each with its user's oldest membership, because a notification belongs to one
 * organization. Replaced and short-lived tokens, and those that another instance is marking, are skipped.
 */
const mark = statement<{ now: Date; days: number }>()(
  (p) => sql<WarnedToken>`
    with due as (
      select ${t.id}, place.organization_id, ${RESPONSIBLE} as responsible, ${ACCOUNT} as account
        from ${t.table}
        join ${u.table} on ${u.id} = ${t.user_id} and ${u.deactivated_at} is null
       cross join lateral (select ${m.organization_id} from ${m.table}
                             join ${o.table} on ${o.id} = ${m.organization_id} and ${o.deleted_at} is null
                            where ${m.user_id} = ${t.user_id} and ${ACTIVE_MEMBER} order by ${m.id} limit 1) place
       where ${t.warned_at} is null and ${t.revoked_at} is null and ${t.replaced_at} is null
         and ${t.expires_at} > ${p('now')} and ${t.expires_at} <= ${p('now')}::timestamptz + make_interval(days => ${p('days')})
         and ${t.created_at} < ${t.expires_at} - make_interval(days => ${p('days')})
       order by ${t.expires_at} limit ${BATCH} for update of t skip locked
    )
    update ${t.table} set ${column('api_token', 'warned_at')} = ${p('now')} from due where ${t.id} = due.id
    returning ${t.id}, due.organization_id as "organizationId", ${t.user_id} as "userId", ${t.name}, ${t.prefix},
              ${t.expires_at} as "expiresAt", due.account, due.responsible`,
);

/** Notifies users of the expiry of their tokens in time to rotate them. */
export class TokenWarningService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'now'>) {}

  /**
   * One notification for each token, seven days before it expires. Idempotent, also on several instances.
   * Returns their number.
   */
  warnExpiring(): Promise<number> {
    return untilFewer(BATCH, () => this.deps.database.transaction((tx) => this.warnSome(tx)));
  }

  private async warnSome(tx: Queryable): Promise<number> {
    const now = this.deps.now();
    const tokens = await mark.all(tx, { now, days: LIMITS.token.warnDays });
    tokens.sort((one, other) => one.organizationId - other.organizationId);
    for (const { id, organizationId, userId, name, prefix, expiresAt, account, responsible } of tokens) {
      await record(tx, WARNINGS, {
        ...{ organizationId, action: 'TOKEN_EXPIRING', at: now },
        subject: tokenSubject({ id, userId, name, account }),
        changes: {
          ...{ user: { after: userId }, prefix: { after: prefix }, expiresAt: { after: expiresAt } },
          ...(account !== null && { responsible: { after: responsible } }),
        },
      });
    }
    return tokens.length;
  }
}
