import { dayOf } from '../../common/local-time.js';
import type { Cells } from '../../common/spreadsheets.js';
import type { Queryable } from '../../database/database.js';
import { entryRecords } from '../audit/entry-records.js';
import type { EntryText } from '../audit/trails.js';
import { freshnessOf, type Dated } from '../workflows/control-evidence.service.js';
import { leavesOf } from '../workflows/catalog.js';
import {
  currentAttestations,
  evidenceByControl,
  type EvidenceDocument,
  type EvidenceSnapshot,
  type MappedDocument,
} from './evidence-snapshot.js';

/** A document with its place in the archive. */
export type Packed<Document extends EvidenceDocument> = Document & { path: string };

/** Every control with its state and the number of its documents in the archive. */
export function controlsTable(snapshot: EvidenceSnapshot): Cells[] {
  const { controls } = snapshot.workflow;
  const evidenceOf = evidenceByControl(snapshot);
  const attestations = currentAttestations(snapshot);
  const headings = new Set(controls.map(({ parentId }) => parentId));
  const rows = controls.map(({ id, label, kind, parentId }) => {
    const state = snapshot.states.get(id);
    // A heading groups controls and has no status of its own.
    const status = state?.status ?? (headings.has(id) ? '' : 'TO_DO');
    const { justification = '', username: owner = null, dueDate = null } = state ?? {};
    const { own, mapped } = evidenceOf(id);
    const attestation = attestations.get(id)?.state ?? null;
    const counts = [own.length, mapped.length, attestation];
    return [id, label, kind, parentId, status, justification, owner, dueDate, ...counts];
  });
  return [CONTROL_COLUMNS, ...rows];
}

const CONTROL_COLUMNS =
  'control_id label kind parent_id status justification owner due_date documents mapped_documents attestation'.split(
    ' ',
  );

const FILE_COLUMNS = ['version_id', 'original_name', 'content_type', 'size', 'sha256'];
const UPLOAD_COLUMNS = ['uploaded_by', 'uploaded_at', 'effective_at', 'note', 'valid_until'];

function fileCells({ id, originalName, contentType, size, sha256 }: EvidenceDocument) {
  return [id, originalName, contentType, size, sha256];
}

function uploadCells({ createdBy, createdAt, effectiveAt, note, validUntil }: EvidenceDocument) {
  return [createdBy, createdAt, effectiveAt, note, validUntil];
}

export function documentsTable(documents: readonly Packed<EvidenceDocument>[]): Cells[] {
  const head = ['path', 'control_id', ...FILE_COLUMNS, ...UPLOAD_COLUMNS];
  return [head, ...documents.map((each) => [each.path, each.artifactId, ...fileCells(each), ...uploadCells(each)])];
}

/** A row for each control that a document counts for. */
export function mappedTable(documents: readonly Packed<MappedDocument>[]): Cells[] {
  const head = ['control_id', 'via', 'path', 'uploaded_to_workflow', 'uploaded_to_control', ...FILE_COLUMNS];
  const rows = documents.flatMap((each) =>
    each.countsFor.map(({ controlId, via }) => [
      ...[controlId, via, each.path, each.workflowId, each.artifactId],
      ...[...fileCells(each), ...uploadCells(each)],
    ]),
  );
  return [[...head, ...UPLOAD_COLUMNS], ...rows];
}

/** Every attestation of the workflow, with the SHA-256 of each attested document. */
export function attestationsTable({ attestations }: EvidenceSnapshot): Cells[] {
  const rows = attestations.map((each) => [
    ...[each.id, each.controlId, each.state, each.statement, each.attestedBy, each.attestedAt],
    ...[each.countersignedBy, each.countersignedAt, each.staleAt],
    each.changes.map(({ kind, workflowId, controlId }) => `${kind} ${workflowId}/${controlId}`).join('; '),
    ...[each.withdrawnBy, each.withdrawnAt, each.withdrawalReason, each.supersededAt, each.position],
    each.attestedEvidence.documents.map(({ documentVersionId, sha256 }) => `${documentVersionId} ${sha256}`).join('; '),
  ]);
  return [ATTESTATION_COLUMNS, ...rows];
}

const ATTESTATION_COLUMNS = [
  ...['attestation_id', 'control_id', 'state', 'statement', 'attested_by', 'attested_at'],
  ...['countersigned_by', 'countersigned_at', 'stale_at', 'changes'],
  ...['withdrawn_by', 'withdrawn_at', 'withdrawal_reason', 'superseded_at', 'position', 'documents'],
];

/** Statement of applicability (ISO/IEC 27001 6.1.3 d): each control, why it is included or excluded, and whether it is implemented. */
export function applicabilityTable(snapshot: EvidenceSnapshot): Cells[] {
  const { asOf, states, workflow, timeZone } = snapshot;
  const leaves = leavesOf(workflow);
  const evidenceOf = evidenceByControl(snapshot);
  const rows = workflow.controls
    .filter(({ id }) => leaves.has(id))
    .map(({ id, label }) => {
      const state = states.get(id);
      const { status = 'TO_DO', username: owner = null, dueDate = null, reviewIntervalMonths = null } = state ?? {};
      const isApplicable = status !== 'NOT_APPLICABLE';
      const { own, mapped } = evidenceOf(id);
      const newest = { own: newestOfEach(own, timeZone)[0], mapped: newestOfEach(mapped, timeZone) };
      const evidence = freshnessOf(newest, reviewIntervalMonths, dayOf(asOf, timeZone));
      return [
        ...[id, label, isApplicable ? 'yes' : 'no', isApplicable ? (state?.inclusionReason ?? '') : ''],
        ...[isApplicable ? '' : (state?.justification ?? ''), status, status === 'DONE' ? 'yes' : 'no', owner, dueDate],
        ...[own.length, mapped.length, evidence.state, evidence.validUntil],
      ];
    });
  return [APPLICABILITY_COLUMNS, ...rows];
}

const APPLICABILITY_COLUMNS = [
  ...['control_id', 'label', 'applicable', 'reason_for_inclusion', 'reason_for_exclusion', 'status', 'implemented'],
  ...['owner', 'due_date', 'documents', 'mapped_documents', 'evidence_state', 'evidence_valid_until'],
];

/** The newest version of each control; a higher id is a later version. */
function newestOfEach(documents: readonly EvidenceDocument[], timeZone: string): Dated[] {
  const sorted = documents.toSorted((one, other) => one.id - other.id);
  const newest = new Map(sorted.map((document) => [`${document.workflowId}/${document.artifactId}`, document]));
  return [...newest.values()].map(({ validUntil, effectiveAt, createdAt }) => {
    return { validUntil, day: dayOf(effectiveAt ?? createdAt, timeZone) };
  });
}

const HISTORY_COLUMNS =
  'at control_id label status_before status justification changed_by changed_by_id position'.split(' ');

/** A row for each change of the status of a control of a workflow, from the entries of the audit trail. */
export async function* statusHistory(
  database: Queryable,
  batches: AsyncIterable<EntryText[]>,
  workflowId: string,
  { names }: { names: boolean },
): AsyncGenerator<Cells[]> {
  yield [HISTORY_COLUMNS];
  for await (const entries of batches) {
    const records = await entryRecords(database, entries);
    yield records.flatMap(({ action, actor, at, changes, subject, position }) => {
      const [status, justification] = ['status', 'justification'].map((name) =>
        changes.find(({ field }) => field === name),
      );
      const isOfWorkflow = subject.parent?.databaseId === workflowId;
      if (action !== 'CONTROL_UPDATED' || !isOfWorkflow || status === undefined) return [];
      const texts = [status.before, status.after, justification?.after ?? null] as (string | null)[];
      const actorName = names ? (actor.user?.username ?? actor.job) : null;
      const controlId = subject.databaseId.slice(workflowId.length + 1);
      return [[at, controlId, subject.name, ...texts, actorName, actor.userId, position]];
    });
  }
}
