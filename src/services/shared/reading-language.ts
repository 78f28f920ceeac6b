import type { RawBuilder } from 'kysely';
import { sql, table, type Expression, type TableReference } from '../../database/sql.js';
import { ACTIVE_MEMBER } from './accessible-organizations.js';

const reader = table('app_user', 'reader');
const o = table('organization', 'o');
const m = table('membership', 'm');

/** The user's chosen language, else the organization's. */
export const readingLanguage = (chosen: Expression, organizationId: Expression): RawBuilder<string> =>
  sql<string>`coalesce(${chosen}, (select ${o.language} from ${o.table} where ${o.id} = ${organizationId}))`;

/** The user's chosen language, else that of its oldest membership's organization; null without one. */
export const languageOfUser = (user: TableReference<'app_user'>): RawBuilder<string | null> =>
  sql<string | null>`coalesce(${user.language}, (
    select ${o.language} from ${m.table} join ${o.table} on ${o.id} = ${m.organization_id} and ${o.deleted_at} is null
     where ${m.user_id} = ${user.id} and ${ACTIVE_MEMBER} order by ${m.id} limit 1))`;

/** The chosen language of the user with this verified mailbox (in lower case); null without one. */
export const languageOfMailbox = (email: Expression): RawBuilder<string | null> =>
  sql<string | null>`(select ${reader.language} from ${reader.table}
        where ${reader.email} = ${email} and ${reader.email_verified_at} is not null)`;
