import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { ListSelection } from '../../common/selection.js';
import type { Page } from '../../database/cursor.js';
import type { Database, Listable } from '../../database/database.js';
import { filter, type Condition } from '../../database/list-conditions.js';
import { Listing, placeOf, type ListingRequest, type ListingSpec, type ListQuery } from '../../database/list-query.js';
import type { Projection } from '../../database/projection.js';
import { sql, type Expression, type TableReference } from '../../database/sql.js';
import { OrganizationRecords } from '../shared/organization-records.js';
import type { IncidentRef } from './incidents.service.js';

/** Reads records of incidents, newest first: rows of one table, each of one incident. */
export class IncidentRecords<Row extends { id: number } = { id: number }> extends OrganizationRecords<Row> {
  private readonly listing: IncidentListing<ListQuery<'ID'>>;

  constructor(
    database: Database,
    access: Access,
    rows: TableReference<'incident_attachment' | 'incident_note' | 'incident_report'>,
    projection: Projection,
  ) {
    const { table: from, id, incident_id: incidentId, organization_id: organizationId } = rows;
    super(database, access, {
      ...{ from, id, projection, parents: { organizationId, incidentId }, privilege: 'READ_INCIDENTS' },
    });
    const key = { column: id, type: 'bigint' } as const;
    const parent = { column: incidentId, type: 'bigint' } as const;
    const order = { field: 'ID', direction: 'DESC' } as const;
    this.listing = new IncidentListing({ from, id: key, parent, sorts: { ID: key }, order }, organizationId);
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not list those of the incident. */
  authorizeList(caller: Caller, { organizationId }: IncidentRef): Promise<void> {
    return this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
  }

  /** Those of each incident; throws for the first that the caller may not list. */
  async ofIncidents(
    caller: Caller,
    incidents: readonly IncidentRef[],
    query: ListQuery<'ID'>,
    selection: ListSelection,
  ): Promise<Map<IncidentRef, Page<Row>>> {
    for (const incident of incidents) await this.authorizeList(caller, incident);
    const request = { ...query, ...this.spec.projection.list(selection) };
    const pages = await this.listing.ofIncidents<Row>(this.database, incidents, request);
    for (const { rows } of pages.values()) await this.complete(rows, selection.items);
    return pages;
  }
}

/** Sort position of a record. */
export function placeById(id: Expression) {
  return placeOf('ID', id, id);
}

/** A list of each incident. */
export class IncidentListing<Query extends ListQuery<string>> {
  private readonly listing: Listing<Query>;
  private readonly isOfOrganizations: (values: { organizations: readonly number[] }) => Condition;

  /** `parent` of the list is the incident, and `organizationId` its organization. */
  constructor(spec: ListingSpec<Query>, organizationId: Expression) {
    this.listing = new Listing(spec);
    this.isOfOrganizations = filter((p) => sql`${organizationId} = any(${p('organizations')}::bigint[])`);
  }

  /** One page for each incident. The caller was authorized. */
  async ofIncidents<Row>(
    database: Listable,
    incidents: readonly IncidentRef[],
    request: ListingRequest<Query>,
  ): Promise<Map<IncidentRef, Page<Row>>> {
    const ids = [...new Set(incidents.map(({ id }) => id))];
    // A reference with a wrong organization must not give access to an incident of another one.
    const organizations = [...new Set(incidents.map(({ organizationId }) => organizationId))];
    const found = await this.listing.ofMany<Row, number>(database, ids, {
      ...request,
      conditions: [this.isOfOrganizations({ organizations }), ...(request.conditions ?? [])],
    });
    return new Map(incidents.map((incident) => [incident, found.get(incident.id) as Page<Row>]));
  }
}
