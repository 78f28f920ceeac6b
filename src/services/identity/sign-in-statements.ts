import { assign } from '../../database/columns.js';
import { db, sql, statement, table, type Expression, type Placeholders } from '../../database/sql.js';

const i = table('user_identity', 'i');
const t = table('api_token', 't');
const c = table('sign_in_code', 'c');

const STORED = [
  ...(['digest', 'userId', 'providerId', 'providerSession', 'redirectUri', 'codeChallenge', 'expiresAt'] as const),
];

export const insertCode = statement<{
  digest: string;
  userId: string;
  providerId: number;
  providerSession: string | null;
  redirectUri: string;
  codeChallenge: string;
  expiresAt: Date;
  now: Date;
}>()((p) =>
  db
    .with('ended', (eb) => eb.deleteFrom('sign_in_code').where('expires_at', '<', p('now')))
    .insertInto('sign_in_code')
    .values(assign('sign_in_code', p, STORED)),
);

/** The organization of a code. The code may be used by another request before it is locked. */
export const organizationOfCode = statement<{ digest: string }>()((p) =>
  db
    .selectFrom('sign_in_code as c')
    .innerJoin('identity_provider as ip', 'ip.id', 'c.provider_id')
    .select('ip.organization_id as organizationId')
    .where('c.digest', '=', p('digest')),
);

export const takeCode = statement<{ digest: string; redirectUri: string; codeChallenge: string; now: Date }>()((p) =>
  db
    .deleteFrom('sign_in_code')
    .where('digest', '=', p('digest'))
    .where('redirect_uri', '=', p('redirectUri'))
    .where('code_challenge', '=', p('codeChallenge'))
    .where('expires_at', '>', p('now'))
    .returning(['user_id as userId', 'provider_id as providerId', 'provider_session as providerSession']),
);

export const memberOf = statement<{ userId: string; organizationId: number }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(['u.username', 'u.personal_key as personalKey'])
    .where('m.user_id', '=', p('userId'))
    .where('m.organization_id', '=', p('organizationId'))
    .where('m.deactivated_at', 'is', null)
    .where('u.deactivated_at', 'is', null),
);

interface EndedSessions {
  providerId: number;
  session: string | null;
  issuer: string;
  subject: string | null;
}

/** Whether a logout token names the session or the user of a code or token. */
const isNamed = (p: Placeholders<EndedSessions>, of: Record<'provider_session' | 'user_id', Expression>) =>
  sql<boolean>`(${p('session')}::text is null or ${of.provider_session} = ${p('session')})
    and (${p('subject')}::text is null or exists (select from ${i.table}
          where ${i.user_id} = ${of.user_id} and ${i.issuer} = ${p('issuer')} and ${i.subject} = ${p('subject')}))`;

/** Unexchanged codes are future sessions. */
export const dropCodes = statement<EndedSessions>()((p) =>
  db.deleteFrom('sign_in_code as c').where('c.provider_id', '=', p('providerId')).where(isNamed(p, c)),
);

export const endSessions = statement<EndedSessions & { now: Date }>()((p) =>
  db
    .updateTable('api_token as t')
    .from('app_user as u')
    .set({ revoked_at: p('now') })
    .whereRef('u.id', '=', 't.user_id')
    .where('t.provider_id', '=', p('providerId'))
    .where('t.revoked_at', 'is', null)
    .where('t.expires_at', '>', p('now'))
    .where(isNamed(p, t))
    .returning(['t.id', 't.digest', 't.user_id as userId', 'u.username']),
);

/** Of organizations that are not deleted: several may have configured the same client. */
export const providersBy = statement<{ issuer: string; clientIds: readonly string[] }>()((p) =>
  db
    .selectFrom('identity_provider as ip')
    .innerJoin('organization as o', 'o.id', 'ip.organization_id')
    .select(['ip.id', 'ip.issuer', 'ip.client_id as clientId'])
    .where('ip.issuer', '=', p('issuer'))
    .where('ip.client_id', '=', ({ fn }) => fn.any(p('clientIds')))
    .where('ip.deleted_at', 'is', null)
    .where('o.deleted_at', 'is', null)
    .orderBy('ip.id'),
);
