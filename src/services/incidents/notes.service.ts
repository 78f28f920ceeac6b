import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import { assign, type RowOf } from '../../database/columns.js';
import type { Database } from '../../database/database.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import { db, table } from '../../database/sql.js';
import { nameOf } from '../audit/personal-values.js';
import { IncidentRecords, placeById } from './incident-records.js';
import { lockIncident, recordIncident, type IncidentKey } from './incidents.service.js';

export interface NewIncidentNote extends IncidentKey {
  text: string;
}

const n = table('incident_note');

const projection = new Projection('IncidentNote', {
  ...properties(n, 'id', 'text', 'created_at'),
  createdBy: person(n.created_by),
  cursor: placeById(n.id),
});

const STORED = ['organizationId', 'incidentId', 'text', 'createdBy', 'createdAt'] as const;

const insert = projected<Pick<RowOf<'incident_note'>, (typeof STORED)[number]>>()((p, { select }) =>
  db
    .insertInto('incident_note')
    .values(assign('incident_note', p, STORED))
    .returning('id as $id')
    .returning(select)
    .$castTo<{ $id: number }>(),
);

/** Notes on incidents: they can be added, but neither changed nor deleted. */
export class IncidentNoteService extends IncidentRecords {
  constructor(
    database: Database,
    access: Access,
    private readonly now: () => Date,
  ) {
    super(database, access, n, projection);
  }

  /** Adds a note, also to a closed incident. Throws NOT_FOUND, FORBIDDEN and BAD_USER_INPUT. */
  async add(caller: Caller, { text, ...key }: NewIncidentNote, selection: Selection): Promise<object> {
    const user = await this.access.authorizeWrite(caller, 'EDIT_INCIDENTS', key.organizationId);
    return this.database.transaction(async (tx) => {
      const incident = await lockIncident(tx, key);
      const now = this.now();
      const stored = { ...key, text: text.trim(), createdBy: user.username, createdAt: now.toISOString() };
      const note = await insert(projection.of(selection)).one(tx, stored);
      const changes = { note: { after: note.$id }, text: { after: stored.text } };
      const state = { createdBy: nameOf(user) };
      await recordIncident(tx, user, incident, { action: 'NOTE_ADDED', at: now, changes, state });
      return note;
    });
  }
}
