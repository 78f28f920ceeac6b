import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { rowsOfAll, type Page, type PageRequest } from '../../database/cursor.js';
import type { Database, Queryable } from '../../database/database.js';
import { filter } from '../../database/list-conditions.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import { sql, statement, table } from '../../database/sql.js';
import { found } from '../../errors.js';
import type { AttestationState, AttestedDocument } from '../../values/attestations.js';
import { comparedWithNow, type StoredAttestation } from './attestation-states.js';
import { controlLists, type ControlLists, type OrganizationControlKey } from './control-evidence.service.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';

/** An attestation, optionally with its control. */
export interface AttestationKey extends Partial<OrganizationControlKey> {
  id: number;
}

interface AttestationRow extends StoredAttestation {
  id: number;
  state?: AttestationState;
  evidence?: readonly (AttestedDocument & { organizationId: number })[];
}

const a = table('control_attestation', 'a');
const o = table('organization', 'o');

const FROM = sql`${a.table} join ${o.table} on ${o.id} = ${a.organization_id} and ${o.deleted_at} is null`;

/** Controls by keys such as `1/iso-27001-2022/A.5.1`. */
const listing = new Listing<ListQuery<'ID'>>({
  from: FROM,
  ...orderedByKey(a.id, 'ID', 'DESC'),
  parent: { column: sql`${a.organization_id} || '/' || ${a.workflow_id} || '/' || ${a.control_id}`, type: 'text' },
});

/** The parts of the key, as expressions of the index. */
const isOfControl = filter(
  (_p, key) => sql`${a.organization_id} = split_part(${key}, '/', 1)::bigint
    and ${a.workflow_id} = split_part(${key}, '/', 2) and ${a.control_id} = split_part(${key}, '/', 3)`,
)({});

const KEY = properties(a, 'organization_id', 'workflow_id', 'control_id');

/** The columns of `StoredAttestation`. */
const STORED_ATTESTATION = {
  ...{ ...KEY, attestedEvidence: a.evidence },
  ...properties(a, 'countersigned_at', 'withdrawn_at', 'superseded_at', 'stale_at', 'changes'),
};

const projection = new Projection(
  'ControlAttestation',
  {
    ...{ ...KEY, id: a.id, cursor: listing.place },
    ...properties(a, 'statement', 'position', 'attested_at', 'countersigned_at', 'withdrawn_at', 'stale_at', 'version'),
    withdrawalReason: a.withdrawal_reason,
    supersededAt: a.superseded_at,
    attestedBy: person(a.attested_by),
    countersignedBy: person(a.countersigned_by),
    withdrawnBy: person(a.withdrawn_by),
    state: { needs: STORED_ATTESTATION },
    changes: { needs: STORED_ATTESTATION },
    evidence: { needs: { ...KEY, attestedEvidence: a.evidence } },
    workflow: { needs: KEY },
    control: { needs: KEY },
    viewerCan: { needs: { ...STORED_ATTESTATION, attestedById: a.attested_by_id } },
  },
  ['id', 'organizationId'],
);

const one = projected<AttestationKey>()(
  (p, { select }) => sql<AttestationRow>`
    select ${sql.join(select)} from ${FROM}
     where ${a.id} = ${p('id')}
       and (${p('organizationId')}::bigint is null or ${a.organization_id} = ${p('organizationId')})
       and (${p('workflowId')}::text is null or ${a.workflow_id} = ${p('workflowId')})
       and (${p('controlId')}::text is null or ${a.control_id} = ${p('controlId')})`,
);

const author = statement<Required<AttestationKey>>()(
  (p) => sql<{ attestedById: string }>`
    select ${a.attested_by_id} as "attestedById" from ${a.table}
     where ${a.id} = ${p('id')} and ${a.organization_id} = ${p('organizationId')}
       and ${a.workflow_id} = ${p('workflowId')} and ${a.control_id} = ${p('controlId')}`,
);

/** The newest of each control. */
const newest = projected<ControlLists>()(
  (p, { select }) => sql<AttestationRow & { $place: number }>`
    select wanted.place as "$place", ${sql.join(select)}
      from unnest(${p('organizationIds')}::bigint[], ${p('workflowIds')}::text[], ${p('controlIds')}::text[])
             with ordinality as wanted(organization, workflow, control, place)
     cross join lateral (
       select * from ${a.table}
        where ${a.organization_id} = wanted.organization and ${a.workflow_id} = wanted.workflow
          and ${a.control_id} = wanted.control
        order by ${a.id} desc limit 1) a`,
);

/** Attestations of controls, as they are read. */
export class AttestationService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalogs: OrganizationCatalogs,
  ) {}

  /** One of them; throws NOT_FOUND, also for one of another control than the named one, or FORBIDDEN. */
  async read(caller: Caller, key: AttestationKey, selection: Selection): Promise<object> {
    if (key.organizationId !== undefined) await this.authorizeList(caller, key.organizationId);
    const row = found(await one(projection.of(selection)).first(this.database, key));
    await this.authorizeList(caller, row.organizationId);
    return this.completed(row, selection);
  }

  /** Reads without authorizing, in the transaction of a change: its answer has no later one. */
  async byId(tx: Queryable, id: number, selection: Selection): Promise<object> {
    return this.completed(found(await one(projection.of(selection)).first(tx, { id })), selection, tx);
  }

  /** Its author. Throws NOT_FOUND. */
  async authorOf(key: Required<AttestationKey>): Promise<string> {
    return found(await author.first(this.database, key)).attestedById;
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not read the attestations of the organization. */
  authorizeList(caller: Caller, organizationId: number): Promise<void> {
    return this.access.authorize(caller, 'READ_WORKFLOWS', organizationId);
  }

  /** Those of each control, newest first, by keys such as `1/iso-27001-2022/A.5.1`. The organizations were authorized. */
  async ofControls(
    keys: readonly string[],
    page: PageRequest,
    selection: ListSelection,
  ): Promise<Map<string, Page<object>>> {
    const request = { page, conditions: [isOfControl], ...projection.list(selection) };
    const pages = await listing.ofMany<AttestationRow, string>(this.database, keys, request);
    await this.complete(rowsOfAll(pages), selection.items);
    return pages;
  }

  /** The newest of each control; null for one that was never attested. The organizations were authorized. */
  async newestOf(controls: readonly OrganizationControlKey[], selection: Selection): Promise<(object | null)[]> {
    const rows = await newest(projection.of(selection)).all(this.database, controlLists(controls));
    await this.complete(rows, selection);
    const byPlace = new Map(rows.map((row) => [row.$place, row]));
    return controls.map((_control, index) => byPlace.get(index + 1) ?? null);
  }

  private async completed(row: AttestationRow, selection: Selection, tx: Queryable = this.database): Promise<object> {
    await this.complete([row], selection, tx);
    return row;
  }

  private async complete(
    rows: readonly AttestationRow[],
    selection: Selection,
    tx: Queryable = this.database,
  ): Promise<void> {
    if (selection.has('evidence'))
      for (const row of rows) row.evidence = ofOrganization(row, row.attestedEvidence.documents);
    if (!['state', 'changes', 'viewerCan'].some((field) => selection.has(field))) return;
    const ids = rows.map(({ organizationId }) => organizationId);
    const compared = await comparedWithNow(tx, await this.catalogs.ofMany(ids, tx), rows);
    for (const [index, row] of rows.entries()) {
      const { state, changes = [] } = compared[index] ?? {};
      Object.assign(row, { state, changes: ofOrganization(row, changes) });
    }
  }
}

/** Parts of an attestation with the organization of its documents and controls. */
function ofOrganization<Part extends object>({ organizationId }: AttestationRow, parts: readonly Part[]) {
  return parts.map((part) => ({ ...part, organizationId }));
}
