import { selectSome, type RowOf } from '../../database/columns.js';
import type { Queryable, Reads } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { OrganizationCatalog, OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import { attestationsOfWorkflow, type ListedAttestation } from '../workflows/attestation-states.js';
import { statesOf, type StateRow } from '../workflows/controls.service.js';
import { keyOf, type ControlRef } from '../workflows/control-mappings.js';
import type { CatalogWorkflow } from '../workflows/catalog-file.js';
import { listsOf, type OrganizationWorkflowKey } from '../workflows/progress.js';

const DOCUMENT = [
  ...(['id', 'workflowId', 'artifactId', 'originalName', 'size', 'contentType', 'sha256', 'note'] as const),
  ...(['createdBy', 'createdAt', 'effectiveAt', 'validUntil'] as const),
];

export type EvidenceDocument = Pick<RowOf<'document_version'>, (typeof DOCUMENT)[number]>;

/** A document of an equivalent control, with the controls of the pack's workflow that it counts for. */
export interface MappedDocument extends EvidenceDocument {
  countsFor: readonly CountedControl[];
}

interface CountedControl {
  controlId: string;
  via: string | null;
}

/** Rows of one moment: no row was written between two of the reads. */
export interface EvidenceSnapshot {
  asOf: Date;
  organization: string;
  /** Whether the organization is a sandbox. */
  sandbox: boolean;
  timeZone: string;
  workflow: CatalogWorkflow;
  /** By control, if it was ever changed. */
  states: ReadonlyMap<string, StateRow>;
  documents: readonly EvidenceDocument[];
  mapped: readonly MappedDocument[];
  /** Of all controls of the workflow, oldest first. */
  attestations: readonly ListedAttestation[];
}

/** Period of an archive: from the first instant on, and before the last. */
export interface Period {
  from?: Date | null;
  to?: Date | null;
}

/** A stored file with its place in the archive. */
export interface PackedFile extends Pick<EvidenceDocument, 'createdAt' | 'contentType' | 'size' | 'sha256'> {
  path: string;
}

export interface PackSource extends OrganizationWorkflowKey {
  /** Everything that is stored. */
  everything: EvidenceSnapshot;
  /** Restricted to the documents of the period. */
  snapshot: EvidenceSnapshot;
  /** Copies of reports to authorities. */
  copies: readonly PackedFile[];
  period: Period;
  /** User name of the requester. */
  preparedFor: string;
}

/** The same rows with only the documents that were uploaded or true in the period. */
export function inPeriod(snapshot: EvidenceSnapshot, { from, to }: Period): EvidenceSnapshot {
  const isIn = (instant: string | null) =>
    instant !== null &&
    (from == null || Date.parse(instant) >= from.getTime()) &&
    (to == null || Date.parse(instant) < to.getTime());
  const isWanted = ({ createdAt, effectiveAt }: EvidenceDocument) => isIn(createdAt) || isIn(effectiveAt);
  return {
    ...snapshot,
    documents: snapshot.documents.filter(isWanted),
    mapped: snapshot.mapped.filter(isWanted),
  };
}

/** The evidence of a control: its own documents, and those that count by a mapping. */
export type ControlEvidence = (controlId: string) => {
  own: readonly EvidenceDocument[];
  mapped: readonly MappedDocument[];
};

export function evidenceByControl({ documents, mapped }: EvidenceSnapshot): ControlEvidence {
  const own = Map.groupBy(documents, ({ artifactId }) => artifactId);
  const pairs = mapped.flatMap((document) => document.countsFor.map(({ controlId }) => ({ controlId, document })));
  const counted = Map.groupBy(pairs, ({ controlId }) => controlId);
  return (controlId) => ({
    own: own.get(controlId) ?? [],
    mapped: (counted.get(controlId) ?? []).map(({ document }) => document),
  });
}

const organizationOf = statement<OrganizationWorkflowKey>()((p) =>
  db
    .selectFrom('organization_workflow as w')
    .innerJoin('organization as o', 'o.id', 'w.organization_id')
    .select(['o.name', 'o.sandbox'])
    .where('o.deleted_at', 'is', null)
    .where('w.organization_id', '=', p('organizationId'))
    .where('w.workflow_id', '=', p('workflowId')),
);

const documents = db
  .selectFrom('document_version as d')
  .select(selectSome('document_version', 'd', DOCUMENT))
  .orderBy('d.id');

const documentsOf = statement<OrganizationWorkflowKey>()((p) =>
  documents.where('d.organization_id', '=', p('organizationId')).where('d.workflow_id', '=', p('workflowId')),
);

interface Controls {
  organizationId: number;
  workflowIds: readonly string[];
  controlIds: readonly string[];
}

const d = table('document_version', 'd');

/** As in counts of evidence, dissociated workflows do not count. */
const documentsOfControls = statement<Controls>()((p) =>
  documents
    .innerJoin('organization_workflow as w', (join) =>
      join.onRef('w.organization_id', '=', 'd.organization_id').onRef('w.workflow_id', '=', 'd.workflow_id'),
    )
    .where('d.organization_id', '=', p('organizationId'))
    .where(
      sql<boolean>`(${d.workflow_id}, ${d.artifact_id}) in (
        select * from unnest(${p('workflowIds')}::text[], ${p('controlIds')}::text[]))`,
    ),
);

interface SnapshotDeps {
  reads: Reads;
  catalogs: OrganizationCatalogs;
  now: () => Date;
}

/** Reads the content of a pack. Throws NOT_FOUND when the workflow is not associated with the organization. */
export async function evidenceSnapshot(
  { reads, catalogs, now }: SnapshotDeps,
  key: OrganizationWorkflowKey,
): Promise<EvidenceSnapshot> {
  return reads.snapshot(async (tx) => {
    const organization = await organizationOf.first(tx, key);
    // The first statement begins the snapshot.
    const asOf = now();
    const catalog = await catalogs.inSnapshot(tx, key.organizationId);
    const workflow = catalog.find(key.workflowId);
    if (organization === undefined || workflow === undefined) throw notFound();
    const states = await statesOf.all(tx, listsOf([key]));
    const documents = await documentsOf.all(tx, key);
    const mapped = await mappedDocuments(tx, key.organizationId, countedControls(catalog, workflow));
    return {
      asOf,
      workflow,
      organization: organization.name,
      sandbox: organization.sandbox,
      timeZone: catalog.timeZone,
      states: new Map(states.map((state) => [state.controlId, state])),
      documents,
      mapped,
      attestations: await attestationsOfWorkflow(tx, catalog, key),
    };
  });
}

/** Controls of the workflow by the equivalent control whose documents count for them. */
function countedControls(catalog: OrganizationCatalog, workflow: CatalogWorkflow): Map<string, CountedBy> {
  const counted = new Map<string, CountedBy>();
  for (const { id: controlId } of workflow.controls) {
    for (const { via, ...source } of catalog.matches({ workflowId: workflow.id, controlId })) {
      const key = keyOf(source);
      const known = counted.get(key);
      if (known === undefined) counted.set(key, { source, controls: [{ controlId, via }] });
      else known.controls.push({ controlId, via });
    }
  }
  return counted;
}

interface CountedBy {
  source: ControlRef;
  controls: CountedControl[];
}

async function mappedDocuments(
  tx: Queryable,
  organizationId: number,
  counted: ReadonlyMap<string, CountedBy>,
): Promise<MappedDocument[]> {
  const sources = [...counted.values()].map(({ source }) => source);
  const rows = await documentsOfControls.all(tx, {
    organizationId,
    workflowIds: sources.map(({ workflowId }) => workflowId),
    controlIds: sources.map(({ controlId }) => controlId),
  });
  return rows.map((row) => ({
    ...row,
    countsFor: counted.get(keyOf({ workflowId: row.workflowId, controlId: row.artifactId }))?.controls ?? [],
  }));
}

/** The newest attestation of each control, unless withdrawn. */
export function currentAttestations({ attestations }: EvidenceSnapshot): ReadonlyMap<string, ListedAttestation> {
  const newest = new Map(attestations.map((attestation) => [attestation.controlId, attestation]));
  return new Map([...newest].filter(([, { withdrawnAt }]) => withdrawnAt === null));
}
