import type { Access } from '../access/access.js';
import type { Caller, UserCaller } from '../access/caller.js';
import type { Privilege } from '../access/roles.js';
import type { Database, Queryable } from '../database/database.js';
import { Listing, type Condition } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import type { ComplianceFramework, Contact } from '../entities/organization.js';
import { conflict, notFound } from '../errors.js';
import type { IncomingFile } from '../vocabulary/incoming-file.js';
import type { Role } from '../vocabulary/roles.js';
import type { ListSelection, Selection } from '../vocabulary/selection.js';
import { withLogo } from './logos.js';
import { organizationColumns } from './organization-columns.js';
import { ACTIVE_MEMBER, withinReach } from './reach.js';
import type { OrganizationReader } from './organization-reader.js';
import { grantedTo } from './privileges.js';
import { asParameter, NO_QUOTAS, type Quotas } from './quotas.js';
import type { StoredContent } from './stored-content.js';

/** An organization whose every field has passed its rules (specification 2.2); absent is empty. */
export interface NewOrganization {
  name: string;
  description: string;
  numberEmployees: number | null;
  website: string;
  logo: string;
  sectors: string[];
  industries: string[];
  nis2Sector: string;
  complianceFrameworks: { value: string; fields: Readonly<Record<string, unknown>> }[];
  infrastructure: string;
  contacts: Contact[];
  domains: string[];
  ips: string[];
}

/** An organization as stored. */
export interface OrganizationRecord extends Omit<NewOrganization, 'complianceFrameworks'> {
  id: number;
  complianceFrameworks: ComplianceFramework[];
  version: number;
  createdAt: string;
  updatedAt: string;
}

export type OrganizationSort = 'NAME' | 'CREATED';

export interface OrganizationQuery {
  page: PageRequest;
  /** Part of the name, in whatever case. */
  search?: string | null;
  /** Only where the caller is exactly this. */
  role?: Role | null;
  sort?: OrganizationSort | null;
  descending?: boolean;
}

export interface MembershipView {
  organization: object;
  role: Role;
  privileges: readonly Privilege[];
}

/**
 * One statement, so that an organization without an owner cannot exist even for a moment (decisions §2). No row when the
 * user owns as many as it may: the function waits for others that make it an owner.
 */
const CREATE = `
  with created as (
    insert into organization (name, description, number_employees, website, logo, sectors, industries, nis2_sector,
                              compliance_frameworks, infrastructure, contacts, domains, ips, created_at, updated_at,
                              logo_bytes)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $15, $15, $16
     where $17::int is null or owned_organizations($14) < $17
    returning id, version, created_at, updated_at
  ), owner as (
    insert into membership (organization_id, user_id, role, created_at)
    select id, $14, 'ORGANIZATION_OWNER', created_at from created
  )
  select id, version, created_at as "createdAt", updated_at as "updatedAt" from created`;

const memberships = new Listing<OrganizationSort>({
  from: 'membership m join organization o on o.id = m.organization_id and o.deleted_at is null',
  where: [ACTIVE_MEMBER],
  id: { sql: 'o.id', type: 'int' },
  parent: { sql: 'm.user_id', type: 'uuid' },
  sorts: { NAME: { sql: 'o.name', type: 'text' }, CREATED: { sql: 'o.created_at', type: 'timestamptz' } },
});

/** Organizations (specification 2.2, 4.1, 4.9). */
export class OrganizationService {
  private readonly viewerProjection: Projection;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly content: StoredContent,
    private readonly reader: OrganizationReader,
    private readonly publicUrl: string,
    private readonly now: () => Date = () => new Date(),
    private readonly quotas: Quotas = NO_QUOTAS,
  ) {
    const organization = { object: organizationColumns('o', publicUrl) };
    this.viewerProjection = new Projection({ organization, role: 'm.role' }, ['organization', 'role']);
  }

  /**
   * The caller becomes Organization Owner (specification 4.1). A logo that comes as a file becomes `logo`. Throws CONFLICT
   * when the caller owns as many organizations as it may, or the logo is more than one may store.
   */
  async create(caller: Caller, input: NewOrganization, logo?: IncomingFile | null): Promise<OrganizationRecord> {
    const user = this.access.authorizeSelf(caller, 'write');
    const created = logo
      ? await this.createWithLogo(user, input, logo)
      : await this.insert(this.database, user, { ...input, logoBytes: 0 });
    // The owner may have asked for this id before it existed, and "no member" may be remembered.
    this.access.cache.announced(`m:${user.userId}:${created.id}`);
    return created;
  }

  /** One organization (specification 2.2); throws NOT_FOUND for who is no member, and FORBIDDEN. */
  async read(caller: Caller, id: number, asked: Selection): Promise<object> {
    await this.access.authorize(caller, 'READ_ORGANIZATION', id);
    const shape = this.reader.shapeOf(asked);
    // Who has a role in it knows that it exists: lists below it need no more than its id.
    if (shape.bare) return { id };
    const rows = await this.database.rows(
      `select ${shape.select} from organization o where o.id = $1 and o.deleted_at is null`,
      [id],
    );
    if (rows.length === 0) throw notFound();
    return rows[0] as object;
  }

  /** The caller's organizations by name, with its role in each and what it may do there with this token. */
  async ofCaller(caller: Caller, page: PageRequest, { items, total }: ListSelection): Promise<Page<MembershipView>> {
    const user = this.access.authorizeSelf(caller, 'read');
    const shape = this.viewerProjection.of(items);
    const found = await memberships.of<MembershipView>(this.database, user.userId, {
      page,
      conditions: withinReach(user),
      sort: 'NAME',
      descending: false,
      shape,
      total,
    });
    for (const row of found.rows) row.privileges = grantedTo(user, row.role);
    return found;
  }

  /** The organizations that the caller belongs to. */
  async list(caller: Caller, query: OrganizationQuery, { items, total }: ListSelection): Promise<Page<object>> {
    const user = this.access.authorizeSelf(caller, 'read');
    return memberships.of<object>(this.database, user.userId, {
      page: query.page,
      conditions: [...withinReach(user), ...conditionsOf(query)],
      sort: query.sort ?? 'NAME',
      descending: query.descending ?? false,
      shape: this.reader.shapeOf(items),
      total,
    });
  }

  private createWithLogo(user: UserCaller, input: NewOrganization, file: IncomingFile): Promise<OrganizationRecord> {
    return withLogo(this.content, file, async (tx, stored) => {
      const created = await this.insert(tx, user, { ...input, ...stored });
      await this.content.refuseExcess(tx, created.id);
      return { ...created, logo: this.publicUrl + stored.logo };
    });
  }

  private async insert(
    database: Queryable,
    { userId }: UserCaller,
    { logoBytes, ...input }: NewOrganization & { logoBytes: number },
  ): Promise<OrganizationRecord> {
    const [row] = await database.rows<Pick<OrganizationRecord, 'id' | 'version' | 'createdAt' | 'updatedAt'>>(CREATE, [
      input.name,
      input.description,
      input.numberEmployees,
      input.website,
      input.logo,
      input.sectors,
      input.industries,
      input.nis2Sector,
      JSON.stringify(input.complianceFrameworks),
      input.infrastructure,
      JSON.stringify(input.contacts),
      input.domains,
      input.ips,
      userId,
      this.now(),
      logoBytes,
      asParameter(this.quotas.organizationsPerUser),
    ]);
    if (row === undefined) throw conflict('QUOTA_EXCEEDED');
    return { ...(input as Omit<OrganizationRecord, 'id'>), ...(row as OrganizationRecord) };
  }
}

function conditionsOf({ search, role }: OrganizationQuery): Condition[] {
  const conditions: Condition[] = [];
  if (role != null) conditions.push({ sql: 'm.role = ?', values: [role] });
  if (search != null && search !== '') {
    conditions.push({ sql: 'strpos(lower(o.name), lower(?)) > 0', values: [search] });
  }
  return conditions;
}
