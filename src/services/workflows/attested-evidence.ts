import type { Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import type { AttestationChange, AttestationChangeKind, AttestedEvidence } from '../../values/attestations.js';
import type { ControlStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import {
  controlLists,
  distinctControls,
  keyText,
  NEWEST_DATED,
  ZONE_OF_WANTED,
  type ControlLists,
  type Dated,
  type Newest,
  type OrganizationControlKey,
} from './control-evidence.service.js';
import { keyOf, type ControlRef } from './control-mappings.js';
import type { OrganizationCatalog } from './organization-catalogs.js';

const w = table('organization_workflow', 'w');
const s = table('control_state', 's');
const d = table('document_version', 'd');

interface StoredEvidence extends OrganizationControlKey {
  status: ControlStatus;
  documents: { documentVersionId: number; sha256: string }[];
  validUntil: Dated['validUntil'];
  /** Null without documents. */
  day: string | null;
}

/** A row for each control of an associated workflow: dissociated workflows do not count. */
const storedEvidence = statement<ControlLists>()(
  (p) => sql<StoredEvidence>`
    select wanted.organization as "organizationId", wanted.workflow as "workflowId", wanted.control as "controlId",
           coalesce(${s.status}, 'TO_DO') as status, kept.*
      from unnest(${p('organizationIds')}::bigint[], ${p('workflowIds')}::text[], ${p('controlIds')}::text[])
             as wanted(organization, workflow, control)
      join ${w.table} on ${w.organization_id} = wanted.organization and ${w.workflow_id} = wanted.workflow
      left join ${s.table} on ${s.organization_id} = wanted.organization and ${s.workflow_id} = wanted.workflow
                          and ${s.control_id} = wanted.control
     cross join lateral ${ZONE_OF_WANTED}
     cross join lateral (
       select coalesce(json_agg(json_build_object('documentVersionId', ${d.id}, 'sha256', ${d.sha256}) order by ${d.id}), '[]')
                as documents, ${NEWEST_DATED}
         from ${d.table}
        where ${d.organization_id} = wanted.organization and ${d.workflow_id} = wanted.workflow
          and ${d.artifact_id} = wanted.control) kept`,
);

export interface DatedEvidence {
  evidence: AttestedEvidence;
  newest: Newest;
}

/** The evidence of each control at this moment. */
export async function attestedEvidence(...of: Parameters<typeof datedEvidence>): Promise<AttestedEvidence[]> {
  return (await datedEvidence(...of)).map(({ evidence }) => evidence);
}

/** The same with the fields of its freshness, in one statement; `catalogs` are those of their organizations. */
export async function datedEvidence(
  database: Queryable,
  catalogs: ReadonlyMap<number, OrganizationCatalog>,
  controls: readonly OrganizationControlKey[],
): Promise<DatedEvidence[]> {
  if (controls.length === 0) return [];
  const wanted = controls.map((control) => {
    const { organizationId, workflowId, controlId } = control;
    const catalog = catalogs.get(organizationId);
    const isThere = catalog?.control(workflowId, controlId) !== undefined;
    const equivalents = (catalog?.matches(control) ?? []).map((match) => ({
      organizationId,
      ...{ workflowId: match.workflowId, controlId: match.controlId },
    }));
    return { control: { organizationId, workflowId, controlId }, isThere, equivalents };
  });
  const keys = wanted.flatMap(({ control, equivalents }) => [control, ...equivalents]);
  const rows = await storedEvidence.all(database, controlLists(distinctControls(keys)));
  const stored = new Map(rows.map((row) => [keyText(row), row]));
  const newestOf = (key: OrganizationControlKey): Dated | undefined => {
    const { validUntil = null, day = null } = stored.get(keyText(key)) ?? {};
    return day === null ? undefined : { validUntil, day };
  };
  return wanted.map(({ control, isThere, equivalents }) => ({
    evidence: {
      status: isThere ? (stored.get(keyText(control))?.status ?? null) : null,
      documents: [control, ...equivalents].flatMap((key) => {
        const { workflowId, controlId } = key;
        const documents = stored.get(keyText(key))?.documents ?? [];
        return documents.map((document) => ({ ...document, workflowId, controlId }));
      }),
      equivalents: equivalents.map(({ workflowId, controlId }) => ({ workflowId, controlId })),
    },
    newest: { own: newestOf(control), mapped: equivalents.flatMap((key) => newestOf(key) ?? []) },
  }));
}

/** Differences between the present and the attested evidence of a control; none if the attestation is valid. */
export function changesSince(
  control: ControlRef,
  attested: AttestedEvidence,
  current: AttestedEvidence,
): AttestationChange[] {
  const change = (
    kind: AttestationChangeKind,
    { workflowId, controlId }: ControlRef,
    { documentVersionId = null, sha256 = null }: Partial<Pick<AttestationChange, 'documentVersionId' | 'sha256'>> = {},
  ): AttestationChange => ({ kind, workflowId, controlId, documentVersionId, sha256 });
  if (current.status === null) return [change('CONTROL_REMOVED', control)];
  const ofDocument = ({ documentVersionId }: AttestedEvidence['documents'][number]) => documentVersionId;
  const changes = [
    ...(current.status === attested.status ? [] : [change('STATUS_CHANGED', control)]),
    ...missing(current.documents, attested.documents, ofDocument).map((one) => change('DOCUMENT_ADDED', one, one)),
    ...missing(attested.documents, current.documents, ofDocument).map((one) => change('DOCUMENT_REMOVED', one, one)),
    ...missing(current.equivalents, attested.equivalents, keyOf).map((one) => change('MAPPING_ADDED', one)),
    ...missing(attested.equivalents, current.equivalents, keyOf).map((one) => change('MAPPING_REMOVED', one)),
  ];
  return changes.slice(0, LIMITS.attestation.changes);
}

/** Elements of `some` that `others` lack. */
function missing<Item>(some: readonly Item[], others: readonly Item[], keyOfItem: (item: Item) => unknown): Item[] {
  const known = new Set(others.map(keyOfItem));
  return some.filter((item) => !known.has(keyOfItem(item)));
}
