import type { Caller, UserCaller } from '../../auth/caller.js';
import { rolesWith, type Privilege } from '../../auth/roles.js';
import type { Queryable } from '../../database/database.js';
import { filter } from '../../database/list-conditions.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import { projected, Projection } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { found, unauthenticated } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import type { Role } from '../../values/enums.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { createAlone, gatheredCreations, type WrittenOrganization } from './creation.js';
import { requirePublicLogo, withLogo } from './logo.js';
import { firstEntry } from '../audit/record.js';
import { organizationChanges } from '../audit/subjects.js';
import { organizationColumns } from '../shared/organization-columns.js';
import { type OrganizationReader } from '../shared/organization-reader.js';
import { ACTIVE_MEMBER, accessibleOrganizations, restorableSince } from '../shared/accessible-organizations.js';
import { grantedTo } from '../shared/privileges.service.js';
import { firstDueAt } from '../shared/report-week.js';
import { asParameter, ownedQuota, tooManyOwned } from '../shared/quotas.js';
import { containsText } from '../shared/text-search.js';
import { LIMITS } from '../../values/limits.js';

/** An organization whose every field has passed its rules (specification 2.2); absent is empty. */
export type NewOrganization = Omit<
  WrittenOrganization,
  'logoBytes' | 'complianceFrameworks' | 'createdAt' | 'updatedAt' | 'reportDueAt'
> & {
  complianceFrameworks: readonly { value: string; fields: Readonly<Record<string, unknown>> }[];
};

export interface OrganizationQuery extends ListQuery<'NAME' | 'CREATED_AT'> {
  /** Part of the name, case-insensitive. */
  search?: string | null;
  /** Only where the caller has exactly this role. */
  role?: Role | null;
  /** Restorable organizations instead of present ones. */
  deleted?: boolean | null;
}

const m = table('membership', 'm');
const o = table('organization', 'o');

/** Whether a user has lost all access. */
const isGone = statement<{ userId: string }>()((p) =>
  db.selectFrom('app_user').select('id').where('id', '=', p('userId')).where('deactivated_at', 'is not', null),
);

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
  private readonly creations: ReturnType<typeof gatheredCreations>;

  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'access' | 'content' | 'config' | 'now'>,
    private readonly reader: OrganizationReader,
  ) {
    this.creations = gatheredCreations(deps.database);
    const organization = { object: organizationColumns(deps.config.publicUrl) };
    this.viewerProjection = new Projection(
      'ViewerOrganization',
      { organization, role: m.role, privileges: { needs: {} } },
      ['organization', 'role'],
    );
  }

  /**
   * The caller becomes Organization Owner (specification 4.1). A logo that comes as a file becomes `logo`. Throws CONFLICT
   * when the caller owns its maximum of organizations, or the logo exceeds the quota.
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
    // The owner may concurrently read this id from before it existed: no later request waits for that.
    access.cache.announced(`m:${user.userId}:${created.id}`);
    return created;
  }

  /** One organization (specification 2.2). Throws NOT_FOUND for non-members, and FORBIDDEN. */
  async read(caller: Caller, id: number, selection: Selection): Promise<object> {
    await this.deps.access.authorize(caller, 'READ_ORGANIZATION', id);
    const shape = this.reader.projection.of(selection);
    // A role in it implies its existence: nested lists need only its id.
    if (shape.bare) {
      // Otherwise no statement would report that the past cannot be reconstructed.
      await this.deps.database.past.tables;
      return { id };
    }
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

  /** The caller's organizations by name, with its role and permissions in each with this token. */
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
    const now = this.deps.now();
    const at = now.toISOString();
    const { sandbox } = input;
    const changes = organizationChanges({}, sandbox ? input : { ...input, sandbox: undefined });
    const creation = {
      founder: user,
      organization: {
        ...input,
        ...{ complianceFrameworks: [...input.complianceFrameworks], logoBytes },
        ...{ createdAt: at, updatedAt: at, reportDueAt: firstDueAt(now).toISOString() },
      },
      quota: asParameter(ownedQuota(sandbox, this.deps.config.quotas)),
      firstEntry: firstEntry(user, input.name, { action: 'ORGANIZATION_CREATED', at: now, changes, state: {} }),
    };
    // A request that commits its changes together with its answer, or with a file, has its own transaction.
    const isAlone = database !== this.deps.database || this.deps.database.request.shared !== undefined;
    const created = await (isAlone ? createAlone(database, creation) : this.creations.do(creation));
    if (created === undefined) {
      if ((await isGone.first(database, { userId: user.userId })) !== undefined) throw unauthenticated();
      throw tooManyOwned(sandbox);
    }
    const { logId, id, version, createdAt, updatedAt } = created;
    database.appended?.(logId);
    const values = { id, version, createdAt, updatedAt };
    return { ...input, ...values, $order: 'NAME', $sort: input.name, $key: values.id };
  }
}
