import type { ScimEmail } from '../../common/scim-resources.js';
import { assign } from '../../database/columns.js';
import { db, sql, statement, table, type Placeholders } from '../../database/sql.js';
import type { Role } from '../../values/enums.js';

const s = table('scim_user', 's');
const m = table('membership', 'm');
const u = table('app_user', 'u');
const g = table('scim_group', 'g');
const gm = table('scim_group_member', 'gm');
const d = table('identity_domain', 'd');
const t = table('api_token', 't');
const other = table('membership', 'other');
const known = table('user_identity', 'known');
const holder = table('app_user', 'holder');

/** A user of a directory with its member. */
export interface UserRow {
  id: string;
  userName: string;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  displayName: string | null;
  emails: ScimEmail[];
  email: string;
  createdAt: string;
  updatedAt: string;
  version: string;
  groups: { value: string; display: string }[];
  /** False after the directory has withdrawn access, until it is restored, also manually; and whether the member has access. */
  saysActive: boolean;
  active: boolean;
  madeUser: boolean;
  userId: string;
  username: string;
  role: Role;
}

const COLUMNS = sql`
  ${s.id}, ${s.user_name} as "userName", ${s.external_id} as "externalId", ${s.given_name} as "givenName",
  ${s.family_name} as "familyName", ${s.display_name} as "displayName", ${s.emails}, ${s.email}, ${s.created_at} as "createdAt",
  ${s.updated_at} as "updatedAt", ${s.version} || '.' || ${m.version} || '.' || left(md5(shown.groups::text), 8) as version, ${s.active} as "saysActive",
  ${m.deactivated_at} is null as active, ${s.made_user} as "madeUser", ${m.user_id} as "userId", ${u.username}, ${m.role},
  shown.groups`;

/** With the groups of a user, which are part of its version: changes of a group do not write its members' rows. */
const FROM = sql`
  ${s.table} join ${m.table} on ${m.id} = ${s.membership_id} join ${u.table} on ${u.id} = ${m.user_id}
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('value', ${g.id}, 'display', ${g.display_name}) order by ${g.display_name_key}), '[]') as groups
      from ${gm.table} join ${g.table} on ${g.id} = ${gm.group_id} where ${gm.user_id} = ${s.id}) as shown`;

export const userById = statement<{ organizationId: number; id: string }>()(
  (p) => sql<UserRow>`
    select ${COLUMNS} from ${FROM}
     where ${s.organization_id} = ${p('organizationId')} and ${s.id} = ${p('id')} and ${s.deleted_at} is null`,
);

interface Filtered {
  organizationId: number;
  userName: string | null;
  externalId: string | null;
}

const filtered = (p: Placeholders<Filtered>) => sql`
  ${s.organization_id} = ${p('organizationId')} and ${s.deleted_at} is null
  and (${p('userName')}::text is null or ${s.user_name_key} = ${p('userName')})
  and (${p('externalId')}::text is null or ${s.external_id} = ${p('externalId')})`;

export const usersOf = statement<Filtered & { offset: number; limit: number }>()(
  (p) => sql<UserRow>`
    select ${COLUMNS} from ${FROM} where ${filtered(p)}
     order by ${s.created_at}, ${s.id} limit ${p('limit')} offset ${p('offset')}`,
);

export const countUsers = statement<Filtered>()(
  (p) => sql<{ total: number }>`select count(*) as total from ${s.table} where ${filtered(p)}`,
);

/** Another user of the directory with one of these names. */
export const takenBy = statement<{
  organizationId: number;
  id: string | null;
  userName: string;
  externalId: string | null;
  email: string;
}>()(
  (p) => sql<{ id: string }>`
    select ${s.id} from ${s.table}
     where ${s.organization_id} = ${p('organizationId')} and ${s.deleted_at} is null and ${s.id} is distinct from ${p('id')}::uuid
       and (${s.user_name_key} = ${p('userName')} or ${s.external_id} = ${p('externalId')}::text or ${s.email} = ${p('email')})
     limit 1`,
);

export const isProven = statement<{ organizationId: number; domain: string }>()(
  (p) => sql<{ id: number }>`
    select ${d.id} from ${d.table} where ${d.organization_id} = ${p('organizationId')} and ${d.domain} = ${p('domain')}
       and ${d.verified_at} is not null limit 1`,
);

/** The user of an address, its membership in the organization, and whether a directory has deleted it there. */
export const personOf = statement<{ organizationId: number; email: string }>()(
  (p) => sql<{
    userId: string;
    username: string;
    membershipId: number | null;
    role: Role | null;
    hasAccess: boolean;
    scimId: string | null;
    isDeleted: boolean;
    saysActive: boolean;
    madeUser: boolean;
  }>`
    select ${u.id} as "userId", ${u.username}, ${m.id} as "membershipId", ${m.role},
           ${m.id} is not null and ${m.deactivated_at} is null as "hasAccess", ${s.id} as "scimId",
           ${s.deleted_at} is not null as "isDeleted", coalesce(${s.active}, true) as "saysActive", coalesce(${s.made_user}, false) as "madeUser"
      from ${u.table} left join ${m.table} on ${m.user_id} = ${u.id} and ${m.organization_id} = ${p('organizationId')}
      left join ${s.table} on ${s.membership_id} = ${m.id}
     where ${u.email} = ${p('email')}`,
);

/** Another member of the organization whose account has the address. */
export const memberWithEmail = statement<{ organizationId: number; email: string; userId: string }>()(
  (p) => sql<{ id: number }>`
    select ${m.id} from ${m.table} join ${u.table} on ${u.id} = ${m.user_id}
     where ${m.organization_id} = ${p('organizationId')} and ${m.user_id} <> ${p('userId')} and ${u.email} = ${p('email')}`,
);

const WRITTEN = [
  ...(['userName', 'userNameKey', 'externalId', 'givenName', 'familyName', 'displayName', 'emails'] as const),
  ...(['email', 'active', 'updatedAt'] as const),
];

export interface WrittenUser {
  userName: string;
  userNameKey: string;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  displayName: string | null;
  emails: string;
  email: string;
  active: boolean;
  updatedAt: Date;
}

export const insertScimUser = statement<
  WrittenUser & { id: string; organizationId: number; membershipId: number; madeUser: boolean; createdAt: Date }
>()((p) =>
  db
    .insertInto('scim_user')
    .values(
      assign('scim_user', p, [...WRITTEN, 'id', 'organizationId', 'membershipId', 'madeUser', 'createdAt'] as const),
    ),
);

export const writeScimUser = statement<WrittenUser & { id: string }>()((p) =>
  db
    .updateTable('scim_user')
    .set(assign('scim_user', p, WRITTEN))
    .where('id', '=', p('id')),
);

/** Groups contain the user names of their members. */
export const touchGroupsOf = statement<{ organizationId: number; id: string; now: Date }>()((p) =>
  db
    .updateTable('scim_group as g')
    .set({ updated_at: p('now') })
    .where('g.organization_id', '=', p('organizationId'))
    .where(
      sql<boolean>`exists (select from ${gm.table} where ${gm.group_id} = ${g.id} and ${gm.user_id} = ${p('id')})`,
    ),
);

/**
 * Hides a user of a directory; the remaining row records that the member was the directory's, and whether it was
 * deactivated by the directory or manually.
 */
export const hideScimUser = statement<{ id: string; saysActive: boolean; now: Date }>()((p) =>
  db
    .with('groups', (eb) => eb.deleteFrom('scim_group_member').where('user_id', '=', p('id')))
    .updateTable('scim_user')
    .set({
      ...{ deleted_at: p('now'), active: p('saysActive'), external_id: null, given_name: null, family_name: null },
      ...{ display_name: null, emails: sql`'[]'` },
    })
    .where('id', '=', p('id')),
);

export const dropScimUser = statement<{ id: string }>()((p) => db.deleteFrom('scim_user').where('id', '=', p('id')));

/** In one statement: a change of a member increments its version once. */
export const setAccess = statement<{
  organizationId: number;
  userId: string;
  role: Role;
  active: boolean;
  now: Date;
}>()((p) =>
  db
    .updateTable('membership')
    .set({
      role: p('role'),
      deactivated_at: sql`case when ${p('active')} then null else coalesce(deactivated_at, ${p('now')}) end`,
    })
    .where('organization_id', '=', p('organizationId'))
    .where('user_id', '=', p('userId')),
);

/** A directory may change the address used for sign-ins only until the account's first use. */
const isFree = (p: Placeholders<{ userId: string; email: string }>) =>
  sql`not exists (select from ${known.table} where ${known.user_id} = ${u.id})
      and not exists (select from ${t.table} where ${t.user_id} = ${u.id}) and not exists (select from ${holder.table} where ${holder.email} = ${p('email')} and ${holder.id} <> ${p('userId')})`;

/** The account of a user, as far as a directory writes it. */
export interface Account {
  firstName: string;
  lastName: string;
  email: string;
}

const ACCOUNT = ['first_name as firstName', 'last_name as lastName', 'email'] as const;

export const accountOf = statement<{ userId: string }>()((p) =>
  db.selectFrom('app_user').select(ACCOUNT).where('id', '=', p('userId')),
);

/**
 * The account of a user created by the directory that belongs to this organization alone. Another user's address is not
 * taken over, so that the directory learns nothing about users of others.
 */
export const renameUser = statement<Account & { organizationId: number; userId: string }>()(
  (p) => sql<Account>`
    update ${u.table} set
           first_name = ${p('firstName')}, last_name = ${p('lastName')},
           email_verified_at = case when ${isFree(p)} and ${u.email} <> ${p('email')} then null else ${u.email_verified_at} end,
           email = case when ${isFree(p)} then ${p('email')} else ${u.email} end
     where ${u.id} = ${p('userId')}
       and not exists (select from ${other.table} where ${other.user_id} = ${u.id} and ${other.organization_id} <> ${p('organizationId')})
    returning ${u.first_name} as "firstName", ${u.last_name} as "lastName", ${u.email}`,
);
