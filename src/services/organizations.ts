import type { Access } from '../access/access.js';
import type { Caller, UserCaller } from '../access/caller.js';
import { PRIVILEGES, privilegesOf, type Privilege } from '../access/roles.js';
import type { Database, Queryable } from '../database/database.js';
import { Listing } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import type { ComplianceFramework, Contact, CustomColors } from '../entities/organization.js';
import { notFound } from '../errors.js';
import type { BlobStore } from '../storage/blob-store.js';
import { BRANDING_DEFAULTS } from '../vocabulary/branding-defaults.js';
import type { IncomingFile } from '../vocabulary/incoming-file.js';
import type { Role } from '../vocabulary/roles.js';
import type { Selection } from '../vocabulary/selection.js';
import { lockContent } from './blob-references.js';
import { stageLogo } from './logos.js';
import { organizationColumns } from './organization-columns.js';
import { ACTIVE_MEMBER, withinReach } from './reach.js';

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

export interface Branding {
  palette: string;
  customColors: CustomColors;
}

export interface MembershipView {
  organization: object;
  role: Role;
  privileges: readonly Privilege[];
}

/** One statement, so that an organization without an owner cannot exist even for a moment (decisions §2). */
const CREATE = `
  with created as (
    insert into organization (name, description, number_employees, website, logo, sectors, industries, nis2_sector,
                              compliance_frameworks, infrastructure, contacts, domains, ips)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
    returning id, version, created_at, updated_at
  ), owner as (
    insert into membership (organization_id, user_id, role) select id, $14, 'ORGANIZATION_OWNER' from created
  )
  select id, version, created_at as "createdAt", updated_at as "updatedAt" from created`;

const memberships = new Listing<'NAME'>({
  from: 'membership m join organization o on o.id = m.organization_id and o.deleted_at is null',
  where: [ACTIVE_MEMBER],
  id: { sql: 'o.id', type: 'int' },
  parent: { sql: 'm.user_id', type: 'uuid' },
  sorts: { NAME: { sql: 'o.name', type: 'text' } },
});

/** Organizations (specification 2.2, 4.1, 4.9). */
export class OrganizationService {
  private readonly projection: Projection;
  private readonly viewerProjection: Projection;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly store: BlobStore,
    private readonly publicUrl: string,
  ) {
    const columns = organizationColumns('o', publicUrl);
    this.projection = new Projection(columns);
    this.viewerProjection = new Projection({ organization: { object: columns }, role: 'm.role' }, [
      'organization',
      'role',
    ]);
  }

  /** The caller becomes Organization Owner (specification 4.1). A logo that comes as a file becomes `logo`. */
  async create(caller: Caller, input: NewOrganization, logo?: IncomingFile | null): Promise<OrganizationRecord> {
    const user = this.access.authorizeSelf(caller, 'write');
    const created = logo ? await this.createWithLogo(user, input, logo) : await this.insert(this.database, user, input);
    // The owner may have asked for this id before it existed, and "no member" may be remembered.
    this.access.cache.announced(`m:${user.userId}:${created.id}`);
    return created;
  }

  async read(caller: Caller, id: number, asked: Selection): Promise<object> {
    await this.access.authorize(caller, 'READ_ORGANIZATION', id);
    const shape = this.projection.of(asked);
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
  async ofCaller(caller: Caller, page: PageRequest, asked: Selection, total: boolean): Promise<Page<MembershipView>> {
    const user = this.access.authorizeSelf(caller, 'read');
    const shape = this.viewerProjection.of(asked);
    const found = await memberships.of<MembershipView>(this.database, user.userId, {
      page,
      conditions: withinReach(user),
      sort: 'NAME',
      descending: false,
      select: shape.select,
      total,
    });
    shape.nest(found.rows);
    for (const row of found.rows) row.privileges = grantedTo(user, row.role);
    return found;
  }

  async authorizeBranding(caller: Caller, id: number): Promise<void> {
    await this.access.authorize(caller, 'READ_BRANDING', id);
  }

  /** Stored branding of each organization, or the default values (specification 4.9). */
  async brandings(ids: readonly number[]): Promise<Map<number, Branding>> {
    const rows = await this.database.rows<{ id: number; palette: string | null; customColors: CustomColors | null }>(
      'select id, palette, custom_colors as "customColors" from organization where id = any($1) and deleted_at is null',
      [ids],
    );
    return new Map(
      rows.map(({ id, palette, customColors }) => [
        id,
        {
          palette: palette ?? BRANDING_DEFAULTS.palette,
          customColors: customColors ?? BRANDING_DEFAULTS.customColors,
        },
      ]),
    );
  }

  private async createWithLogo(
    user: UserCaller,
    input: NewOrganization,
    file: IncomingFile,
  ): Promise<OrganizationRecord> {
    const { staged, path } = await stageLogo(this.store, file);
    try {
      return await this.database.transaction(async (tx) => {
        await lockContent(tx, staged.sha256);
        await staged.keep();
        const created = await this.insert(tx, user, { ...input, logo: path });
        return { ...created, logo: this.publicUrl + path };
      });
    } finally {
      await staged.discard();
    }
  }

  private async insert(
    database: Queryable,
    { userId }: UserCaller,
    input: NewOrganization,
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
    ]);
    return { ...(input as Omit<OrganizationRecord, 'id'>), ...(row as OrganizationRecord) };
  }
}

function grantedTo({ scopes }: UserCaller, role: Role): Privilege[] {
  return privilegesOf(role).filter((privilege) => scopes.has(PRIVILEGES[privilege].scope));
}
