import { isUuid } from '../../common/formats.js';
import type { Database } from '../../database/database.js';
import { db, statement, type Statement } from '../../database/sql.js';
import { notFound } from '../../errors.js';

type Id = number | string;
type OfRecord = Statement<{ id: never }, { organizationId: number | null }>;

const ofRecord = (
  table:
    | 'incident'
    | 'incident_attachment'
    | 'incident_note'
    | 'incident_report'
    | 'cloud_defender'
    | 'threat_blocker'
    | 'document_version'
    | 'invitation'
    | 'import_job'
    | 'identity_provider'
    | 'control_attestation'
    | 'engagement'
    | 'scim_token'
    | 'webhook_endpoint'
    | 'webhook_delivery',
) =>
  statement<{ id: number }>()((p) =>
    db.selectFrom(table).select('organization_id as organizationId').where('id', '=', p('id')),
  );

const ofServiceAccount = statement<{ id: string }>()((p) =>
  db.selectFrom('service_account').select('organization_id as organizationId').where('user_id', '=', p('id')),
);

/** Records whose ids say which organization has them, by what their ids are called in arguments. */
const STATEMENTS: Readonly<Record<string, OfRecord>> = {
  incidentId: ofRecord('incident'),
  attachmentId: ofRecord('incident_attachment'),
  noteId: ofRecord('incident_note'),
  reportId: ofRecord('incident_report'),
  cloudDefenderId: ofRecord('cloud_defender'),
  threatBlockerId: ofRecord('threat_blocker'),
  documentVersionId: ofRecord('document_version'),
  attestationId: ofRecord('control_attestation'),
  invitationId: ofRecord('invitation'),
  importJobId: ofRecord('import_job'),
  serviceAccountId: ofServiceAccount,
  providerId: ofRecord('identity_provider'),
  engagementId: ofRecord('engagement'),
  webhookEndpointId: ofRecord('webhook_endpoint'),
  webhookDeliveryId: ofRecord('webhook_delivery'),
  scimTokenId: ofRecord('scim_token'),
};

/**
 * Finds the organization that has a record, where a request names the record alone. It authorizes nothing: the use case
 * that is called with the organization does, and a record of others looks absent there as well.
 */
export class OrganizationLookup {
  constructor(private readonly database: Database) {}

  /** Undefined for ids of other kinds, null for what is a user's. Throws NOT_FOUND for a record that does not exist. */
  of(part: string, id: Id): Promise<number | null> | undefined {
    const one = Object.hasOwn(STATEMENTS, part) ? STATEMENTS[part] : undefined;
    return one && this.read(one, id);
  }

  private async read(one: OfRecord, id: Id): Promise<number | null> {
    const known = typeof id === 'number' || isUuid(id);
    // A request about the past names what is there now.
    const row = known
      ? await this.database.past.present(() => one.first(this.database, { id: id as never }))
      : undefined;
    if (row === undefined) throw notFound();
    return row.organizationId;
  }
}
