import type { AccessRecords } from '../auth/access.js';
import type { TokenRecord } from '../auth/token-lookup.js';
import type { Membership } from '../auth/access-cache.js';
import type { Database } from './database.js';

const TOKEN = `
  select t.digest, t.id, t.user_id as "userId", u.username, t.scopes, t.expires_at as "expiresAt", t.revoked_at as "revokedAt",
         u.deactivated_at as "deactivatedAt", t.allowed_ips as "allowedIps",
         array(select b.organization_id from token_block b where b.token_id = t.id) as "blockedIn"
    from api_token t join app_user u on u.id = t.user_id`;

const STANDING = `
  select m.role, o.query_token_allowed as "queryTokens" from membership m join organization o on o.id = m.organization_id and o.deleted_at is null
   where m.user_id = $1 and m.organization_id = $2 and m.deactivated_at is null`;

/** Access as the database has it. */
export function accessRecords(database: Database): AccessRecords {
  return {
    tokens: async (digests) => {
      const text = `${TOKEN} where t.digest = any($1::text[])`;
      const rows = await database.rows<TokenRecord & { digest: string }>(text, [digests]);
      return new Map(rows.map((row) => [row.digest, row]));
    },
    membership: async (userId, organizationId) =>
      (await database.rows<Membership>(STANDING, [userId, organizationId]))[0],
    seesUncommitted: () => database.seesUncommitted(),
    afterwards: (work) => void database.afterwards(work),
  };
}
