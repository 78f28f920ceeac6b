import type { Caller, UserCaller } from '../../auth/caller.js';
import { rolesWith, type Privilege } from '../../auth/roles.js';
import { assign, type RowOf } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { filter, Listing, type ListQuery } from '../../database/list-query.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import { projected, Projection } from '../../database/projection.js';
import { db, insertSelect, sql, statement, table } from '../../database/sql.js';
import { found, unauthenticated } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import type { Role } from '../../values/enums.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { requirePublicLogo, withLogo } from './logo.js';
import { beginTrail, firstEntry, type FirstEntry } from '../audit/record.js';
import { organizationChanges } from '../audit/subjects.js';
import { organizationColumns } from '../shared/organization-columns.js';
import { type OrganizationReader } from '../shared/organization-reader.js';
import { ACTIVE_MEMBER, accessibleOrganizations, restorableSince } from '../shared/accessible-organizations.js';
import { grantedTo } from '../shared/privileges.service.js';
import { firstDueAt } from '../shared/report-week.js';
import { asParameter, ownedQuota, tooManyOwned } from '../shared/quotas.js';
import { containsText } from '../shared/text-search.js';
import { LIMITS } from '../../values/limits.js';

/** The columns that an organization is created with. */
const WRITTEN = [
  ...(['name', 'description', 'numberEmployees', 'website', 'logo', 'logoBytes', 'sectors', 'industries'] as const),
  ...(['nis2Sector', 'complianceFrameworks', 'infrastructure', 'contacts', 'domains', 'ips', 'sandbox'] as const),
];

/** An organization whose every field has passed its rules (specification 2.2); absent is empty. */
export type NewOrganization = Omit<Written, 'logoBytes' | 'complianceFrameworks'> & {
  complianceFrameworks: readonly { value: string; fields: Readonly<Record<string, unknown>> }[];
};

type Written = Pick<RowOf<'organization'>, (typeof WRITTEN)[number]>;

export interface OrganizationQuery extends ListQuery<'NAME' | 'CREATED_AT'> {
  /** Part of the name, in whatever case. */
  search?: string | null;
  /** Only where the caller is exactly this. */
  role?: Role | null;
  /** Those that the caller may restore, in the place of those that exist. */
  deleted?: boolean | null;
}

const m = table('membership', 'm');
const o = table('organization', 'o');
const created = table('organization');
const u = table('app_user', 'u');

/** Whether a user may not do anything any more. */
const isGone = statement<{ userId: string }>()((p) =>
  db.selectFrom('app_user').select('id').where('id', '=', p('userId')).where('deactivated_at', 'is not', null),
);

/**
 * One statement, so that an organization without an owner or an entry cannot exist even for a moment. No row when the
 * user owns as many as it may, or has been erased: it waits for what else makes it an owner, or erases it.
 */
const create = statement<Omit<Written, 'complianceFrameworks' | 'contacts'> & Creation>()((p) => {
  const organization = insertSelect('organization', {
    ...assign('organization', p, WRITTEN),
    created_at: p('now'),
    updated_at: p('now'),
    report_due_at: p('reportDueAt'),
  });
  const owner = insertSelect('membership', {
    organization_id: sql`created.id`,
    user_id: p('userId'),
    role: sql`'ORGANIZATION_OWNER'`,
    created_at: sql`created."createdAt"`,
  });
  return sql<Pick<RowOf<'organization'>, 'id' | 'version' | 'createdAt' | 'updatedAt'> & { logId: number }>`
    with founder as (
      select ${u.id} from ${u.table} where ${u.id} = ${p('userId')} and ${u.deactivated_at} is null for key share
    ), created as (
      ${organization} from founder where ${p('quota')}::int is null or owned_organizations(${p('userId')}, ${p('sandbox')}) < ${p('quota')}
      returning ${created.id}, ${created.version}, ${created.created_at} as "createdAt", ${created.updated_at} as "updatedAt"
    ), owner as (${owner} from created), ${beginTrail(p)}
    select created.*, head.id as "logId" from created, head`;
});

interface Creation extends FirstEntry {
  complianceFrameworks: string;
  contacts: string;
  userId: string;
  now: Date;
  /** Known from the beginning: to find it out takes a job. */
  reportDueAt: Date;
  quota: number | null;
}

const memberships = new Listing<OrganizationQuery>({
  from: sql`${m.table} join ${o.table} on ${o.id} = ${m.organization_id}`,
  where: [ACTIVE_MEMBER],
  id: { column: o.id, type: 'bigint' },
  parent: { column: m.user_id, type: 'uuid' },
  sorts: { NAME: { column: o.name, type: 'text' }, CREATED_AT: { column: o.created_at, type: 'timestamptz' } },
  order: { field: 'NAME', direction: 'ASC' },
  filters: {
    role: (role) => sql`${m.role} = ${role}`,
    search: (text) => containsText(sql`split_part(${o.searchable}, chr(10), 1)`, text),
  },
});

const one = projected<{ id: number }>()((p, { select }) =>
  db.selectFrom('organization as o').select(select).where('o.id', '=', p('id')).where('o.deleted_at', 'is', null),
);

const exists = filter(() => sql`${o.deleted_at} is null`)({});
const isAmong = filter<{ ids: readonly number[] }>((p) => sql`${o.id} = any(${p('ids')}::bigint[])`);
const isRestorable = filter<{ since: Date }>(
  (p) => sql`${o.deleted_at} >= ${p('since')} and ${m.role} in (${sql.join(rolesWith('RESTORE_ORGANIZATION'))})`,
);

/** Organizations (specification 2.2, 4.1, 4.9). */
export class OrganizationService {
  private readonly viewerProjection: Projection;

  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'access' | 'content' | 'config' | 'now'>,
    private readonly reader: OrganizationReader,
  ) {
    const organization = { object: organizationColumns(deps.config.publicUrl) };
    this.viewerProjection = new Projection(
      'ViewerOrganization',
      { organization, role: m.role, privileges: { needs: {} } },
      ['organization', 'role'],
    );
  }

  /**
   * The caller becomes Organization Owner (specification 4.1). A logo that comes as a file becomes `logo`. Throws CONFLICT
   * when the caller owns as many organizations as it may, or the logo is more than one may store.
   */
  async create(caller: Caller, input: NewOrganization, logo?: IncomingFile | null) {
    const { access, content, config, database } = this.deps;
    const user = access.authorizeOwn(caller, 'write');
    if (input.logo) requirePublicLogo(input.logo, config.publicUrl);
    const created = logo
      ? await withLogo(content, logo, async (tx, stored) => {
          const made = await this.insert(tx, user, { ...input, ...stored });
          await content.refuseExcess(tx, made.id);
          return { ...made, logo: config.publicUrl + stored.logo };
        })
      : await this.insert(database, user, { ...input, logoBytes: 0 });
    // The owner may be reading this id at the moment, from before it existed: nothing that comes now waits for that.
    access.cache.announced(`m:${user.userId}:${created.id}`);
    return created;
  }

  /** One organization (specification 2.2). Throws NOT_FOUND for non-members, and FORBIDDEN. */
  async read(caller: Caller, id: number, selection: Selection): Promise<object> {
    await this.deps.access.authorize(caller, 'READ_ORGANIZATION', id);
    const shape = this.reader.projection.of(selection);
    // Who has a role in it knows that it exists: lists below it need no more than its id.
    if (shape.bare) return { id };
    return found(await one(shape).first(this.deps.database, { id }));
  }

  /** Those with these ids that the caller may read, a hundred in a statement; others are missing. */
  async among(caller: Caller, ids: readonly number[], selection: Selection): Promise<Map<number, { id: number }>> {
    const user = this.deps.access.authorizeToken(caller, 'read');
    const shape = this.reader.projection.list({ items: selection, total: false });
    const first = LIMITS.page.maxSize;
    const found = new Map<number, { id: number }>();
    for (let from = 0; from < ids.length; from += first) {
      const some = isAmong({ ids: ids.slice(from, from + first) });
      const request = { page: { first }, conditions: [exists, some, ...accessibleOrganizations(user)], ...shape };
      const { rows } = await memberships.of<{ id: number }>(this.deps.database, user.userId, request);
      for (const row of rows) found.set(row.id, row);
    }
    return found;
  }

  /** The caller's organizations by name, with its role in each and what it may do there with this token. */
  async ofCaller(caller: Caller, page: PageRequest, selection: ListSelection) {
    const user = this.deps.access.authorizeToken(caller, 'read');
    const conditions = [exists, ...accessibleOrganizations(user)];
    const request = { page, conditions, ...this.viewerProjection.list(selection) };
    const found = await memberships.of<{ role: Role; privileges: Privilege[] }>(
      this.deps.database,
      user.userId,
      request,
    );
    for (const row of found.rows) row.privileges = grantedTo(user, row.role);
    return found;
  }

  /** The organizations that the caller belongs to, or those deleted that it may restore. */
  async list(caller: Caller, query: OrganizationQuery, selection: ListSelection): Promise<Page<object>> {
    const user = this.deps.access.authorizeToken(caller, 'read');
    const present = query.deleted === true ? isRestorable({ since: restorableSince(this.deps.now()) }) : exists;
    return memberships.of<object>(this.deps.database, user.userId, {
      ...{ ...query, search: query.search || null, ...this.reader.projection.list(selection) },
      conditions: [present, ...accessibleOrganizations(user)],
    });
  }

  private async insert(database: Queryable, user: UserCaller, organization: NewOrganization & { logoBytes: number }) {
    const { logoBytes, ...input } = organization;
    const { userId } = user;
    const now = this.deps.now();
    const { sandbox } = input;
    const given = sandbox ? input : { ...input, sandbox: undefined };
    const changes = organizationChanges({}, given);
    const created = await create.first(database, {
      ...firstEntry(user, input.name, { action: 'ORGANIZATION_CREATED', at: now, changes, state: {} }),
      ...{
        ...input,
        logoBytes,
        userId,
        now,
        reportDueAt: firstDueAt(now),
        quota: asParameter(ownedQuota(sandbox, this.deps.config.quotas)),
      },
      complianceFrameworks: JSON.stringify(input.complianceFrameworks),
      contacts: JSON.stringify(input.contacts),
    });
    if (created === undefined) {
      if ((await isGone.first(database, { userId })) !== undefined) throw unauthenticated();
      throw tooManyOwned(sandbox);
    }
    const { logId, ...values } = created;
    database.appended?.(logId);
    return { ...input, ...values, $order: 'NAME', $sort: input.name, $key: values.id };
  }
}
