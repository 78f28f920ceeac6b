import { assign } from '../../database/columns.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import type { Role } from '../../values/enums.js';

const s = table('service_account', 's');
const u = table('app_user', 'u');
const m = table('membership', 'm');
const r = table('app_user', 'r');
const c = table('app_user', 'c');
const t = table('api_token', 't');

const FROM = sql`${s.table} join ${u.table} on ${u.id} = ${s.user_id}
  join ${m.table} on ${m.user_id} = ${s.user_id} and ${m.organization_id} = ${s.organization_id}
  left join ${r.table} on ${r.id} = ${s.responsible_id} left join ${c.table} on ${c.id} = ${s.created_by_id}`;
const EXISTS = sql<boolean>`${s.deleted_at} is null`;

export const accountListing = new Listing<ListQuery<'NAME'>>({
  from: FROM,
  where: [EXISTS],
  id: { column: s.user_id, type: 'uuid' },
  parent: { column: s.organization_id, type: 'bigint' },
  sorts: { NAME: { column: u.first_name, type: 'text' } },
  order: { field: 'NAME', direction: 'ASC' },
});

/** The name is stored as the first name, so that it is shown wherever users are. */
export const accountProjection = new Projection('ServiceAccount', {
  id: s.user_id,
  cursor: accountListing.place,
  username: u.username,
  name: u.first_name,
  description: s.description,
  role: m.role,
  responsible: {
    object: {
      userId: r.id,
      username: r.username,
      firstName: r.first_name,
      lastName: r.last_name,
      member: { needs: { organizationId: s.organization_id } },
    },
    key: 'userId',
  },
  createdBy: person(c.username),
  ...properties(s, 'created_at', 'updated_at', 'version'),
  lastUsedAt: sql`(select max(${t.last_used_at}) from ${t.table} where ${t.user_id} = ${s.user_id})`,
  viewerCan: { needs: { organizationId: s.organization_id, role: m.role } },
  history: { needs: { organizationId: s.organization_id } },
  tokens: { needs: { organizationId: s.organization_id } },
});

export const oneAccount = projected<{ id: string }>()(
  (p, { select }) => sql<object>`select ${sql.join(select)} from ${FROM} where ${s.user_id} = ${p('id')} and ${EXISTS}`,
);

export const accountFacts = statement<{ id: string }>()((p) =>
  db
    .selectFrom('service_account as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.user_id', '=', 's.user_id').onRef('m.organization_id', '=', 's.organization_id'),
    )
    .select(['s.organization_id as organizationId', 'u.id as userId', 'u.username', 'u.first_name as name'])
    .select(['s.description', 'm.role', 's.responsible_id as responsibleId', 's.version'])
    .where('s.user_id', '=', p('id'))
    .where('s.deleted_at', 'is', null),
);

export type ServiceAccountFacts = Awaited<ReturnType<typeof accountFacts.one>>;

export const countAccounts = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('service_account')
    .select((eb) => eb.fn.countAll<number>().as('accounts'))
    .where('organization_id', '=', p('organizationId'))
    .where('deleted_at', 'is', null),
);

export const insertAccountUser = statement<{ id: string; username: string; name: string; now: Date }>()((p) =>
  db
    .insertInto('app_user')
    .values({
      ...{ id: p('id'), kind: sql`'SERVICE_ACCOUNT'`, username: p('username'), email: sql`${p('id')}::uuid::text` },
      ...{ first_name: p('name'), created_at: p('now') },
    })
    .onConflict((onConflict) => onConflict.doNothing())
    .returning('id'),
);

export const insertAccount = statement<{
  userId: string;
  organizationId: number;
  description: string;
  responsibleId: string;
  createdById: string | null;
  createdAt: Date;
  updatedAt: Date;
}>()((p) =>
  db
    .insertInto('service_account')
    .values(
      assign('service_account', p, [
        ...(['userId', 'organizationId', 'description', 'responsibleId', 'createdById'] as const),
        ...(['createdAt', 'updatedAt'] as const),
      ]),
    ),
);

export const joinOrganization = statement<{ organizationId: number; userId: string; role: Role; createdAt: Date }>()(
  (p) => db.insertInto('membership').values(assign('membership', p, ['organizationId', 'userId', 'role', 'createdAt'])),
);

export const renameAccount = statement<{ id: string; name: string }>()((p) =>
  db
    .updateTable('app_user')
    .set({ first_name: p('name') })
    .where('id', '=', p('id')),
);

export const setAccountRole = statement<{ id: string; role: Role }>()((p) =>
  db
    .updateTable('membership')
    .set({ role: p('role') })
    .where('user_id', '=', p('id')),
);

export const describeAccount = statement<{
  id: string;
  description: string;
  responsibleId: string | null;
  now: Date;
}>()((p) =>
  db
    .updateTable('service_account')
    .set({ description: p('description'), responsible_id: p('responsibleId'), updated_at: p('now') })
    .where('user_id', '=', p('id')),
);

/** Its user remains, so that the trail can name it, without any access. */
export const END_ACCOUNT = [
  statement<{ id: string; now: Date }>()((p) =>
    db
      .updateTable('service_account')
      .set({ deleted_at: p('now') })
      .where('user_id', '=', p('id')),
  ),
  statement<{ id: string; now: Date }>()((p) =>
    db
      .updateTable('api_token')
      .set(({ fn, ref }) => ({ revoked_at: fn.coalesce(ref('revoked_at'), p('now')) }))
      .where('user_id', '=', p('id')),
  ),
  statement<{ id: string; now: Date }>()((p) => db.deleteFrom('membership').where('user_id', '=', p('id'))),
  statement<{ id: string; now: Date }>()((p) =>
    db
      .updateTable('app_user')
      .set({ deactivated_at: p('now') })
      .where('id', '=', p('id')),
  ),
];

export const releaseAccounts = statement<{ organizationId: number; userId: string; now: Date }>()((p) =>
  db
    .updateTable('service_account as s')
    .from('app_user as u')
    .set({ responsible_id: null, updated_at: p('now') })
    .where('s.organization_id', '=', p('organizationId'))
    .where('s.responsible_id', '=', p('userId'))
    .where('s.deleted_at', 'is', null)
    .whereRef('u.id', '=', 's.user_id')
    .returning(['s.user_id as userId', 'u.username']),
);
