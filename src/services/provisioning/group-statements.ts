import { assign } from '../../database/columns.js';
import { db, insertSelect, sql, statement, statementPerList, table, type Placeholders } from '../../database/sql.js';

const g = table('scim_group', 'g');
const gm = table('scim_group_member', 'gm');
const s = table('scim_user', 's');

export interface GroupRow {
  id: string;
  displayName: string;
  externalId: string | null;
  createdAt: string;
  updatedAt: string;
  version: string;
  members?: { value: string; display: string }[];
}

const MEMBERS = sql`coalesce((
  select jsonb_agg(jsonb_build_object('value', ${s.id}, 'display', ${s.user_name}) order by ${s.user_name_key})
    from ${gm.table} join ${s.table} on ${s.id} = ${gm.user_id} where ${gm.group_id} = ${g.id}), '[]')`;

/** Creating a group with members changes it at an instant of PostgreSQL's clock, possibly slightly earlier. */
const columns = (names: readonly 'members'[]) => sql`
  ${g.id}, ${g.display_name} as "displayName", ${g.external_id} as "externalId", ${g.created_at} as "createdAt",
  greatest(${g.created_at}, ${g.updated_at}) as "updatedAt", ${g.version}::text as version${names.length > 0 ? sql`, ${MEMBERS} as members` : sql``}`;

export const groupById = statementPerList<'members', { organizationId: number; id: string }>()(
  (p, names) => sql<GroupRow>`
    select ${columns(names)} from ${g.table} where ${g.organization_id} = ${p('organizationId')} and ${g.id} = ${p('id')}`,
);

interface Filtered {
  organizationId: number;
  displayName: string | null;
  externalId: string | null;
  members: string | null;
}

const filtered = (p: Placeholders<Filtered>) => sql`
  ${g.organization_id} = ${p('organizationId')}
  and (${p('displayName')}::text is null or ${g.display_name_key} = ${p('displayName')})
  and (${p('externalId')}::text is null or ${g.external_id} = ${p('externalId')})
  and (${p('members')}::uuid is null or exists (
        select from ${gm.table} where ${gm.group_id} = ${g.id} and ${gm.user_id} = ${p('members')}))`;

export const groupsOf = statementPerList<'members', Filtered & { offset: number; limit: number }>()(
  (p, names) => sql<GroupRow>`
    select ${columns(names)} from ${g.table} where ${filtered(p)}
     order by ${g.created_at}, ${g.id} limit ${p('limit')} offset ${p('offset')}`,
);

export const countGroups = statement<Filtered>()(
  (p) => sql<{ total: number }>`select count(*) as total from ${g.table} where ${filtered(p)}`,
);

export const groupNamed = statement<{ organizationId: number; key: string; id: string | null }>()(
  (p) => sql<{ id: string }>`
    select ${g.id} from ${g.table} where ${g.organization_id} = ${p('organizationId')} and ${g.display_name_key} = ${p('key')}
       and ${g.id} is distinct from ${p('id')}::uuid`,
);

const WRITTEN = ['displayName', 'displayNameKey', 'externalId', 'updatedAt'] as const;

export interface WrittenGroup {
  id: string;
  displayName: string;
  displayNameKey: string;
  externalId: string | null;
  updatedAt: Date;
}

export const insertGroup = statement<WrittenGroup & { organizationId: number; createdAt: Date }>()((p) =>
  db
    .insertInto('scim_group')
    .values(assign('scim_group', p, ['id', 'organizationId', 'createdAt', ...WRITTEN] as const)),
);

export const writeGroup = statement<WrittenGroup>()((p) =>
  db
    .updateTable('scim_group')
    .set(assign('scim_group', p, WRITTEN))
    .where('id', '=', p('id')),
);

export const deleteGroup = statement<{ id: string }>()((p) => db.deleteFrom('scim_group').where('id', '=', p('id')));

/** The ids that are users of the directory. */
export const knownUsers = statement<{ organizationId: number; ids: readonly string[] }>()(
  (p) => sql<{ id: string }>`
    select ${s.id} from ${s.table} where ${s.organization_id} = ${p('organizationId')} and ${s.deleted_at} is null
       and ${s.id} = any(${p('ids')}::uuid[])`,
);

export const addMembers = statement<{ id: string; users: readonly string[] }>()(
  (p) => sql`
    ${insertSelect('scim_group_member', { group_id: sql`${p('id')}::uuid`, user_id: sql`unnest(${p('users')}::uuid[])` })}
    on conflict do nothing`,
);

export const removeMembers = statement<{ id: string; users: readonly string[] }>()((p) =>
  db
    .deleteFrom('scim_group_member')
    .where('group_id', '=', p('id'))
    .where('user_id', '=', ({ fn }) => fn.any(p('users'))),
);
