import { db, sql, statement } from '../../database/sql.js';

export const keepCode = statement<{
  digest: string;
  userId: string;
  providerId: number;
  providerSession: string | null;
  redirectUri: string;
  codeChallenge: string;
  expiresAt: Date;
  now: Date;
}>()(
  (p) => sql`
    with ended as (delete from sign_in_code where expires_at < ${p('now')}::timestamptz)
    insert into sign_in_code (digest, user_id, provider_id, provider_session, redirect_uri, code_challenge, expires_at)
    values (${p('digest')}, ${p('userId')}, ${p('providerId')}, ${p('providerSession')}, ${p('redirectUri')},
            ${p('codeChallenge')}, ${p('expiresAt')}::timestamptz)`,
);

export const takeCode = statement<{ digest: string; redirectUri: string; codeChallenge: string; now: Date }>()(
  (p) => sql<{ userId: string; providerId: number; providerSession: string | null }>`
    delete from sign_in_code where digest = ${p('digest')} and redirect_uri = ${p('redirectUri')}
       and code_challenge = ${p('codeChallenge')} and expires_at > ${p('now')}::timestamptz
    returning user_id as "userId", provider_id as "providerId", provider_session as "providerSession"`,
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

export const endSessions = statement<{
  providerId: number;
  session: string | null;
  issuer: string;
  subject: string | null;
  now: Date;
}>()(
  (p) => sql<{ id: number; digest: string; userId: string; username: string }>`
    update api_token t set revoked_at = ${p('now')}::timestamptz from app_user u
     where u.id = t.user_id and t.provider_id = ${p('providerId')} and t.revoked_at is null
       and (${p('session')}::text is null or t.provider_session = ${p('session')})
       and (${p('subject')}::text is null or exists (select from user_identity i where i.user_id = t.user_id
            and i.issuer = ${p('issuer')} and i.subject = ${p('subject')}))
    returning t.id, t.digest, t.user_id as "userId", u.username`,
);

export const providersBy = statement<{ issuer: string; clientIds: readonly string[] }>()((p) =>
  db
    .selectFrom('identity_provider')
    .select('id')
    .where('issuer', '=', p('issuer'))
    .where('client_id', '=', ({ fn }) => fn.any(p('clientIds')))
    .where('deleted_at', 'is', null)
    .orderBy('id'),
);
