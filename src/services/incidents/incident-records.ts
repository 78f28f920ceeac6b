import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { Page } from '../../database/cursor.js';
import type { Database, Listable } from '../../database/database.js';
import {
  filter,
  Listing,
  type Condition,
  type ListingRequest,
  type ListingSpec,
  type ListQuery,
} from '../../database/list-query.js';
import { projected, type Projection } from '../../database/projection.js';
import { sql, type Expression, type TableReference } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { IncidentRef } from './incidents.service.js';

/** A record by its own id; where it belongs may be named as well. */
interface RecordKey {
  id: number;
  organizationId?: number | null;
  incidentId?: number | null;
}

/** Reads what belongs to incidents, newest first: the rows of one table, each of one incident. */
export class IncidentRecords<Row extends { id: number } = { id: number }> {
  private readonly listing: IncidentListing<ListQuery<'ID'>>;
  private readonly one;
  private readonly some;

  constructor(
    protected readonly database: Database,
    protected readonly access: Access,
    rows: TableReference<'incident_attachment' | 'incident_note' | 'incident_report'>,
    private readonly projection: Projection,
  ) {
    const id = { column: rows.id, type: 'int' } as const;
    const parent = { column: rows.incident_id, type: 'int' } as const;
    const order = { field: 'ID', direction: 'DESC' } as const;
    this.listing = new IncidentListing(
      { from: rows.table, id, parent, sorts: { ID: id }, order },
      rows.organization_id,
    );
    this.one = projected<RecordKey>()(
      (p, { select }) =>
        sql<Row & { $organization: number }>`
          select ${rows.organization_id} as "$organization", ${sql.join(select)} from ${rows.table}
           where ${rows.id} = ${p('id')}
             and (${p('organizationId')}::int is null or ${rows.organization_id} = ${p('organizationId')})
             and (${p('incidentId')}::int is null or ${rows.incident_id} = ${p('incidentId')})`,
    );
    this.some = projected<{ ids: readonly number[] }>()(
      (p, { select }) =>
        sql<Row>`select ${sql.join(select)} from ${rows.table} where ${rows.id} = any(${p('ids')}::bigint[])`,
    );
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not list those of the incident. */
  authorizeList(caller: Caller, { organizationId }: IncidentRef): Promise<void> {
    return this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
  }

  /** One of them; throws NOT_FOUND, also for one of another organization or incident where one is named, or FORBIDDEN. */
  async read(caller: Caller, { id, organizationId, incidentId }: RecordKey, selection: Selection): Promise<Row> {
    if (organizationId != null) await this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
    const one = this.one(this.projection.of(selection));
    const record = await one.first(this.database, { id, organizationId, incidentId });
    if (record === undefined) throw notFound();
    await this.access.authorize(caller, 'READ_INCIDENTS', record.$organization);
    this.complete([record], selection);
    return record;
  }

  /** Those with these ids. Whether the caller may read them has been decided. */
  async records(ids: readonly number[], selection: Selection): Promise<Map<number, Row>> {
    const rows = await this.some(this.projection.of(selection)).all(this.database, { ids });
    this.complete(rows, selection);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Those of each incident; throws for the first that the caller may not list. */
  async ofIncidents(
    caller: Caller,
    incidents: readonly IncidentRef[],
    query: ListQuery<'ID'>,
    selection: ListSelection,
  ): Promise<Map<IncidentRef, Page<Row>>> {
    for (const incident of incidents) await this.authorizeList(caller, incident);
    const request = { ...query, ...this.projection.list(selection) };
    const pages = await this.listing.ofIncidents<Row>(this.database, incidents, request);
    for (const { rows } of pages.values()) this.complete(rows, selection.items);
    return pages;
  }

  /** Adds what is selected and no column. */
  protected complete(_rows: readonly Row[], _selection: Selection): void {
    // Columns are all that notes and reports have.
  }
}

/** A list of each incident. */
export class IncidentListing<Query extends ListQuery<string>> {
  private readonly listing: Listing<Query>;
  private readonly isOfOrganizations: (values: { organizations: readonly number[] }) => Condition;

  /** `parent` of the list is the incident, and `organizationId` the organization that has it. */
  constructor(spec: ListingSpec<Query>, organizationId: Expression) {
    this.listing = new Listing(spec);
    this.isOfOrganizations = filter((p) => sql`${organizationId} = any(${p('organizations')}::int[])`);
  }

  /** One page of each incident. Whether the caller may read them has been decided. */
  async ofIncidents<Row>(
    database: Listable,
    incidents: readonly IncidentRef[],
    request: ListingRequest<Query>,
  ): Promise<Map<IncidentRef, Page<Row>>> {
    const ids = [...new Set(incidents.map(({ id }) => id))];
    // A reference that names the wrong organization must not open an incident of another one.
    const organizations = [...new Set(incidents.map(({ organizationId }) => organizationId))];
    const found = await this.listing.ofMany<Row, number>(database, ids, {
      ...request,
      conditions: [this.isOfOrganizations({ organizations }), ...(request.conditions ?? [])],
    });
    return new Map(incidents.map((incident) => [incident, found.get(incident.id) as Page<Row>]));
  }
}
