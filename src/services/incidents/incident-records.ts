import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import type { Database } from '../../database/database.js';
import type { Projection, Shape } from '../../database/projection.js';
import { sql, statementPer, type TableReference } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import { IncidentListing, type IncidentRef } from './incidents.service.js';

/** Reads what was recorded about incidents and stays as it is: notes and reports. */
export class IncidentRecords {
  private readonly listing: IncidentListing;
  private readonly one;

  constructor(
    protected readonly database: Database,
    protected readonly access: Access,
    rows: TableReference<'incident_note' | 'incident_report'>,
    private readonly projection: Projection,
  ) {
    this.listing = new IncidentListing(rows);
    this.one = statementPer<Shape, { id: number }>()(
      (p, { select }) =>
        sql<{ $organization: number }>`
          select ${rows.organization_id} as "$organization", ${sql.join(select)} from ${rows.table}
           where ${rows.id} = ${p('id')}`,
    );
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not list those of the incident. */
  authorizeList(caller: Caller, { organizationId }: IncidentRef): Promise<void> {
    return this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
  }

  /** One of them; throws NOT_FOUND or FORBIDDEN. */
  async read(caller: Caller, id: number, selection: Selection): Promise<object> {
    const shape = this.projection.of(selection);
    const rows = await this.one(shape).all(this.database, { id });
    const [record] = shape.nest<(typeof rows)[number]>(rows);
    if (record === undefined) throw notFound();
    await this.access.authorize(caller, 'READ_INCIDENTS', record.$organization);
    return record;
  }

  /** Those with these ids. Whether the caller may read them has been decided. */
  records(ids: readonly number[], selection: Selection): Promise<Map<number, object>> {
    return this.listing.byIds(this.database, ids, this.projection.of(selection));
  }

  /** Those of each incident, newest first; throws for the first that the caller may not list. */
  async ofIncidents(
    caller: Caller,
    incidents: readonly IncidentRef[],
    query: { page: PageRequest },
    { items, total }: ListSelection,
  ): Promise<Map<IncidentRef, Page<object>>> {
    for (const incident of incidents) await this.authorizeList(caller, incident);
    return this.listing.of(this.database, incidents, { page: query.page, shape: this.projection.of(items), total });
  }
}
