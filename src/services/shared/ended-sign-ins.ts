import { db, sql, statement, table } from '../../database/sql.js';

const ip = table('identity_provider', 'ip');
const t = table('api_token', 't');

/** Sessions of sign-ins have access to this organization alone: rejoining members sign in again. */
export const endSignIns = statement<{ organizationId: number; userId: string; now: Date }>()((p) =>
  db
    .updateTable('api_token as t')
    .from('identity_provider as ip')
    .set({ revoked_at: p('now') })
    .where(sql<boolean>`${ip.id} = ${t.provider_id} and ${ip.organization_id} = ${p('organizationId')}`)
    .where('t.user_id', '=', p('userId'))
    .where('t.revoked_at', 'is', null)
    .returning('t.digest'),
);
