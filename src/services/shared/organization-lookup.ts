import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { notFound } from '../../errors.js';

const ofRecord = (table: 'incident' | 'incident_attachment' | 'document_version' | 'invitation') =>
  statement<{ id: number }>()((p) =>
    db.selectFrom(table).select('organization_id as organizationId').where('id', '=', p('id')),
  );

/** Records whose ids say which organization has them, by what their ids are called in arguments. */
const STATEMENTS = {
  incidentId: ofRecord('incident'),
  attachmentId: ofRecord('incident_attachment'),
  documentVersionId: ofRecord('document_version'),
  invitationId: ofRecord('invitation'),
};

/**
 * Finds the organization that has a record, where a request names the record alone. It authorizes nothing: the use case
 * that is called with the organization does, and a record of others looks absent there as well.
 */
export class OrganizationLookup {
  constructor(private readonly database: Database) {}

  /** Undefined for ids of other kinds. Throws NOT_FOUND for a record that does not exist. */
  of(part: string, id: number | string): Promise<number> | undefined {
    return Object.hasOwn(STATEMENTS, part)
      ? this.read(STATEMENTS[part as keyof typeof STATEMENTS], Number(id))
      : undefined;
  }

  private async read(one: ReturnType<typeof ofRecord>, id: number): Promise<number> {
    const row = await one.first(this.database, { id });
    if (row === undefined) throw notFound();
    return row.organizationId;
  }
}
