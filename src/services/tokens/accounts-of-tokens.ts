import { sql, table } from '../../database/sql.js';

const u = table('app_user', 'u');
const r = table('membership', 'r');
const s = table('service_account', 's');

/** Of a user `u` who has a token: what entries about a token say of a service account. */
export interface AccountOfToken {
  /** User name of a service account; null for a person's token. */
  account: string | null;
  /** Who answers for the service account and is notified: a member that is deactivated reads nothing. */
  responsible: string | null;
}

export const ACCOUNT = sql<string | null>`case when ${u.kind} = 'SERVICE_ACCOUNT' then ${u.username} end`;

export const RESPONSIBLE = sql<string | null>`(
  select ${r.user_id} from ${s.table} join ${r.table} on ${r.user_id} = ${s.responsible_id}
     and ${r.organization_id} = ${s.organization_id} and ${r.deactivated_at} is null
   where ${s.user_id} = ${u.id})`;
