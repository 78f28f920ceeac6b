import { selectSome, type RowOf } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement } from '../../database/sql.js';
import type { AttestationChange, AttestationState, AttestedEvidence } from '../../values/attestations.js';
import { attestedEvidence, changesSince } from './attested-evidence.js';
import type { OrganizationControlKey } from './control-evidence.service.js';
import type { OrganizationCatalog, OrganizationCatalogs } from './organization-catalogs.js';
import type { OrganizationWorkflowKey } from './progress.js';

/** The columns that determine the state of an attestation. */
export interface StoredAttestation extends OrganizationControlKey {
  attestedEvidence: AttestedEvidence;
  countersignedAt: string | null;
  withdrawnAt: string | null;
  supersededAt: string | null;
  staleAt: string | null;
  changes: readonly AttestationChange[] | null;
}

interface Compared {
  state: AttestationState;
  changes: readonly AttestationChange[];
}

/** The state of each, and the differences in the evidence of open ones. */
export async function comparedWithNow(
  database: Queryable,
  catalogs: ReadonlyMap<number, OrganizationCatalog>,
  attestations: readonly StoredAttestation[],
): Promise<Compared[]> {
  const open = attestations.filter(isOpen);
  const evidence = await attestedEvidence(database, catalogs, open);
  const current = new Map(open.map((one, index) => [one, evidence[index] as AttestedEvidence]));
  return attestations.map((one) => {
    const now = current.get(one);
    const changes = now === undefined ? (one.changes ?? []) : changesSince(one, one.attestedEvidence, now);
    return { state: stateOf(one, changes), changes };
  });
}

/** Whether it is compared with the evidence: ended and stale ones do not change any more. */
function isOpen({ withdrawnAt, supersededAt, staleAt }: StoredAttestation): boolean {
  return withdrawnAt === null && supersededAt === null && staleAt === null;
}

function stateOf(
  { withdrawnAt, supersededAt, staleAt, countersignedAt }: StoredAttestation,
  changes: readonly AttestationChange[],
): AttestationState {
  if (withdrawnAt !== null) return 'WITHDRAWN';
  if (supersededAt !== null) return 'SUPERSEDED';
  if (staleAt !== null || changes.length > 0) return 'STALE';
  return countersignedAt === null ? 'ATTESTED' : 'COUNTERSIGNED';
}

const LISTED = [
  ...([
    'id',
    'organizationId',
    'workflowId',
    'controlId',
    'statement',
    'position',
    'attestedBy',
    'attestedAt',
  ] as const),
  ...(['countersignedBy', 'countersignedAt', 'withdrawnBy', 'withdrawnAt', 'withdrawalReason'] as const),
  ...(['supersededAt', 'staleAt', 'changes'] as const),
];

/** An attestation for archives and exports. */
export type ListedAttestation = Omit<Pick<RowOf<'control_attestation'>, (typeof LISTED)[number]>, 'changes'> &
  Compared & { attestedEvidence: AttestedEvidence };

const ofWorkflow = statement<OrganizationWorkflowKey>()((p) =>
  db
    .selectFrom('control_attestation as a')
    .select(selectSome('control_attestation', 'a', LISTED))
    .select('a.evidence as attestedEvidence')
    .where('a.organization_id', '=', p('organizationId'))
    .where('a.workflow_id', '=', p('workflowId'))
    .orderBy('a.id'),
);

/** Those of all controls of a workflow, oldest first. */
export async function attestationsOfWorkflow(
  database: Queryable,
  catalog: OrganizationCatalog,
  { organizationId, workflowId }: OrganizationWorkflowKey,
): Promise<ListedAttestation[]> {
  const rows = await ofWorkflow.all(database, { organizationId, workflowId });
  const compared = await comparedWithNow(database, new Map([[organizationId, catalog]]), rows);
  return rows.map((row, index) => ({ ...row, ...(compared[index] as Compared) }));
}

/** Number of controls with an attestation that was not withdrawn. */
export interface AttestationCounts {
  attested: number;
  /** Of these. */
  countersigned: number;
  stale: number;
}

const currentOf = statement<{ ids: readonly number[] }>()((p) =>
  db
    .selectFrom('control_attestation as a')
    .innerJoin('organization_workflow as w', (join) =>
      join.onRef('w.organization_id', '=', 'a.organization_id').onRef('w.workflow_id', '=', 'a.workflow_id'),
    )
    .select(selectSome('control_attestation', 'a', LISTED))
    .select('a.evidence as attestedEvidence')
    .where('a.organization_id', '=', sql<number>`any(${p('ids')}::bigint[])`)
    .where('a.withdrawn_at', 'is', null)
    .where('a.superseded_at', 'is', null),
);

/** Of all associated workflows of each organization, in two statements besides the catalogues. */
export async function attestationCounts(
  database: Queryable,
  catalogs: OrganizationCatalogs,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AttestationCounts>> {
  const stored = await currentOf.all(database, { ids });
  const counts = new Map(ids.map((id) => [id, { attested: 0, countersigned: 0, stale: 0 }]));
  if (stored.length === 0) return counts;
  const known = await catalogs.ofMany(ids, database);
  // A later edition of an imported workflow may lack the control.
  const rows = stored.filter(({ organizationId, workflowId, controlId }) =>
    known.get(organizationId)?.control(workflowId, controlId),
  );
  const compared = await comparedWithNow(database, known, rows);
  for (const [index, { organizationId }] of rows.entries()) {
    const count = counts.get(organizationId) as AttestationCounts;
    const { state } = compared[index] as Compared;
    if (state === 'STALE') count.stale += 1;
    else count.attested += 1;
    if (state === 'COUNTERSIGNED') count.countersigned += 1;
  }
  return counts;
}
