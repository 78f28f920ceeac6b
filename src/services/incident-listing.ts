import type { Listable } from '../database/database.js';
import { Listing } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import type { Shape } from '../database/projection.js';
import type { IncidentRef } from './incidents.js';

export interface IncidentListingRequest {
  page: PageRequest;
  shape: Shape;
  total: boolean;
}

/** What belongs to incidents, newest first: rows of one table, each of one incident. */
export class IncidentListing {
  private readonly listing: Listing<'ID'>;

  /** `from` joins the rows, whose alias is `alias`, with their incidents, whose alias is `i`. */
  constructor({ from, alias }: { from: string; alias: string }) {
    const id = { sql: `${alias}.id`, type: 'int' } as const;
    const parent = { sql: `${alias}.incident_id`, type: 'int' } as const;
    this.listing = new Listing({ from, id, parent, sorts: { ID: id } });
  }

  /** One page of each incident. Whether the caller may read them has been decided. */
  async of<Row extends object>(
    database: Listable,
    incidents: readonly IncidentRef[],
    { page, shape, total }: IncidentListingRequest,
  ): Promise<Map<IncidentRef, Page<Row>>> {
    const ids = [...new Set(incidents.map(({ id }) => id))];
    const organizations = [...new Set(incidents.map(({ organizationId }) => organizationId))];
    const pages = await this.listing.ofMany<Row, number>(database, ids, {
      page,
      // A reference that names the wrong organization must not open an incident of another one.
      conditions: [{ sql: 'i.organization_id = any(?::int[])', values: [organizations] }],
      sort: 'ID',
      descending: true,
      shape,
      total,
    });
    return new Map(incidents.map((incident) => [incident, pages.get(incident.id) as Page<Row>]));
  }
}
