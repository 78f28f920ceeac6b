import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import type { Database } from '../../database/database.js';
import { person, Projection, properties, type Shape } from '../../database/projection.js';
import { db, sql, statementPer, table } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import {
  IncidentListing,
  lockIncident,
  recordIncident,
  type IncidentKey,
  type IncidentRef,
} from './incidents.service.js';

export interface NewIncidentNote extends IncidentKey {
  text: string;
}

type NoteRow = { $id: number };

const n = table('incident_note');

const listing = new IncidentListing(n);

const projection = new Projection('IncidentNote', {
  ...properties(n, 'id', 'text', 'created_at'),
  createdBy: person(n.created_by),
});

const one = statementPer<Shape, { id: number }>()(
  (p, { select }) =>
    sql<{ $organization: number }>`
      select ${n.organization_id} as "$organization", ${sql.join(select)} from ${n.table} where ${n.id} = ${p('id')}`,
);

const insert = statementPer<Shape, NewIncidentNote & { username: string; now: Date }>()((p, { select }) =>
  db
    .insertInto('incident_note')
    .values({
      organization_id: p('organizationId'),
      incident_id: p('incidentId'),
      text: p('text'),
      created_by: p('username'),
      created_at: p('now'),
    })
    .returning('id as $id')
    .returning(select)
    .$castTo<NoteRow>(),
);

/** Notes on incidents: they are added, and neither changed nor deleted. */
export class IncidentNoteService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly now: () => Date,
  ) {}

  /** Adds a note, also to a closed incident. Throws NOT_FOUND, FORBIDDEN and BAD_USER_INPUT. */
  async add(caller: Caller, { text, ...key }: NewIncidentNote, selection: Selection): Promise<object> {
    await this.access.authorize(caller, 'EDIT_INCIDENTS', key.organizationId);
    const user = this.access.authorizeSelf(caller, 'write');
    return this.database.transaction(async (tx) => {
      const incident = await lockIncident(tx, key);
      const now = this.now();
      const shape = projection.of(selection);
      const stored = { ...key, text: text.trim(), username: user.username, now };
      const [note] = shape.nest<NoteRow>(await insert(shape).all(tx, stored)) as [NoteRow];
      const changes = { note: { after: note.$id }, text: { after: stored.text } };
      await recordIncident(tx, user, incident, { action: 'NOTE_ADDED', at: now, changes });
      return note;
    });
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not read the notes of the incident. */
  authorizeList(caller: Caller, { organizationId }: IncidentRef): Promise<void> {
    return this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
  }

  /** One note; throws NOT_FOUND or FORBIDDEN. */
  async read(caller: Caller, id: number, selection: Selection): Promise<object> {
    const shape = projection.of(selection);
    const rows = await one(shape).all(this.database, { id });
    const [note] = shape.nest<(typeof rows)[number]>(rows);
    if (note === undefined) throw notFound();
    await this.access.authorize(caller, 'READ_INCIDENTS', note.$organization);
    return note;
  }

  /** Those with these ids. Whether the caller may read them has been decided. */
  records(ids: readonly number[], selection: Selection): Promise<Map<number, object>> {
    return listing.byIds(this.database, ids, projection.of(selection));
  }

  /** Notes on each incident, newest first; throws for the first that the caller may not list. */
  async ofIncidents(
    caller: Caller,
    incidents: readonly IncidentRef[],
    query: { page: PageRequest },
    { items, total }: ListSelection,
  ): Promise<Map<IncidentRef, Page<object>>> {
    for (const incident of incidents) await this.authorizeList(caller, incident);
    return listing.of(this.database, incidents, { page: query.page, shape: projection.of(items), total });
  }
}
