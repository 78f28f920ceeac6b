import type { Database, Queryable } from '../../database/database.js';
import { column, sql, statement, table } from '../../database/sql.js';
import { inBatches } from '../../database/until-fewer.js';
import type { AttestedEvidence } from '../../values/attestations.js';
import { recordAttestation } from './attest.service.js';
import { attestedEvidence, changesSince } from './attested-evidence.js';
import type { OrganizationControlKey } from './control-evidence.service.js';
import type { OrganizationCatalog, OrganizationCatalogs } from './organization-catalogs.js';

const a = table('control_attestation', 'a');
const s = table('control_state', 's');
const l = table('audit_log', 'l');
const o = table('organization', 'o');

/** Attestations in one transaction, locked together. */
const BATCH = 100;

const WATCH = { kind: 'system', name: 'attestations' } as const;

interface Compared extends OrganizationControlKey {
  id: number;
  evidence: AttestedEvidence;
  attesterId: string;
  countersignerId: string | null;
  ownerId: string | null;
}

/** Sort position of an attestation for comparison. */
type Place = Pick<Compared, 'organizationId' | 'id'>;

/**
 * Open attestations of organizations with entries since the last comparison, skipping rows of another instance. Each
 * change of evidence is recorded in the trail, in its own transaction.
 */
const take = statement<Place>()((p) => {
  const attestation = table('control_attestation');
  return sql<Compared>`
    update ${attestation.table} set ${column('control_attestation', 'compared_up_to')} = due.position
      from (
       select ${a.id}, ${l.position} from ${a.table}
         join ${l.table} on ${l.organization_id} = ${a.organization_id}
         join ${o.table} on ${o.id} = ${a.organization_id} and ${o.deleted_at} is null
        where ${a.withdrawn_at} is null and ${a.superseded_at} is null and ${a.stale_at} is null
          and ${l.position} > ${a.compared_up_to}
          and (${a.organization_id}, ${a.id}) > (${p('organizationId')}, ${p('id')})
        order by ${a.organization_id}, ${a.id} limit ${BATCH} for update of a skip locked) due
     where ${attestation.id} = due.id
    returning ${attestation.id}, ${attestation.organization_id} as "organizationId",
              ${attestation.workflow_id} as "workflowId", ${attestation.control_id} as "controlId", ${attestation.evidence},
              ${attestation.attested_by_id} as "attesterId", ${attestation.countersigned_by_id} as "countersignerId",
              (select ${s.owner_id} from ${s.table}
                where ${s.organization_id} = ${attestation.organization_id}
                  and ${s.workflow_id} = ${attestation.workflow_id}
                  and ${s.control_id} = ${attestation.control_id}) as "ownerId"`;
});

const markStale = statement<{ id: number; now: Date; changes: string }>()((p) => {
  const attestation = table('control_attestation');
  return sql`update ${attestation.table}
    set ${column('control_attestation', 'stale_at')} = ${p('now')}, ${column('control_attestation', 'changes')} = ${p('changes')}::jsonb
    where ${attestation.id} = ${p('id')}`;
});

/** Detects attestations whose evidence has changed. */
export class AttestationWatch {
  constructor(
    private readonly database: Database,
    private readonly catalogs: OrganizationCatalogs,
    private readonly now: () => Date,
  ) {}

  /**
   * Records stale attestations and notifies attester, countersigner and owner; returns the number of compared ones.
   * Idempotent, also on several instances.
   */
  async noticeStale(): Promise<number> {
    let compared = 0;
    const takenAfter = (place: Place = { organizationId: 0, id: 0 }) =>
      this.database.transaction((tx) => this.noticeSome(tx, place));
    for await (const taken of inBatches(BATCH, takenAfter)) compared += taken.length;
    return compared;
  }

  private async noticeSome(tx: Queryable, place: Place): Promise<Compared[]> {
    const taken = await take.all(tx, place);
    taken.sort((one, other) => one.organizationId - other.organizationId || one.id - other.id);
    const catalogs = new Map<number, OrganizationCatalog>();
    for (const { organizationId } of taken)
      if (!catalogs.has(organizationId))
        catalogs.set(organizationId, await this.catalogs.inSnapshot(tx, organizationId));
    const current = await attestedEvidence(tx, catalogs, taken);
    for (const [index, attestation] of taken.entries()) {
      const { id, organizationId, workflowId, evidence, attesterId, countersignerId, ownerId } = attestation;
      const changes = changesSince(attestation, evidence, current[index] as AttestedEvidence);
      if (changes.length === 0) continue;
      const at = this.now();
      await markStale.all(tx, { id, now: at, changes: JSON.stringify(changes) });
      const workflow = catalogs.get(organizationId)?.find(workflowId);
      await recordAttestation(tx, WATCH, workflow, attestation, {
        ...{ action: 'ATTESTATION_STALE', at },
        changes: {
          ...{ attestation: { after: id }, changes: { after: changes }, attesterId: { after: attesterId } },
          ...(countersignerId !== null && { countersignerId: { after: countersignerId } }),
          ...(ownerId !== null && { ownerId: { after: ownerId } }),
        },
      });
    }
    return taken;
  }
}
