import type { AccessRecords, TokenRecord } from '../access/access.js';
import type { Role } from '../vocabulary/roles.js';
import type { Queryable } from './database.js';

const TOKEN = `
  select t.id, t.user_id as "userId", u.username, t.scopes, t.expires_at as "expiresAt", t.revoked_at as "revokedAt",
         u.deactivated_at as "deactivatedAt"
    from api_token t join app_user u on u.id = t.user_id
   where t.digest = $1`;

const ROLE = `
  select m.role from membership m join organization o on o.id = m.organization_id and o.deleted_at is null
   where m.user_id = $1 and m.organization_id = $2`;

/** Access as the database has it. */
export function accessRecords(database: Queryable): AccessRecords {
  return {
    token: async (digest) => (await database.rows<TokenRecord>(TOKEN, [digest]))[0],
    role: async (userId, organizationId) =>
      (await database.rows<{ role: Role }>(ROLE, [userId, organizationId]))[0]?.role,
  };
}
