import { sql, table } from '../../database/sql.js';

const u = table('app_user', 'u');
const r = table('membership', 'r');
const s = table('service_account', 's');

/** For a user `u` with a token: facts about a service account for entries about its token. */
export interface AccountOfToken {
  /** User name of a service account; null for a person's token. */
  account: string | null;
  /** The responsible member of the service account, who is notified; null if deactivated. */
  responsible: string | null;
}

export const ACCOUNT = sql<string | null>`case when ${u.kind} = 'SERVICE_ACCOUNT' then ${u.username} end`;

export const RESPONSIBLE = sql<string | null>`(
  select ${r.user_id} from ${s.table} join ${r.table} on ${r.user_id} = ${s.responsible_id}
     and ${r.organization_id} = ${s.organization_id} and ${r.deactivated_at} is null
   where ${s.user_id} = ${u.id})`;
