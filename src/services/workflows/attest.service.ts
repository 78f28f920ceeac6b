import type { Access } from '../../auth/access.js';
import { userOf, type Caller, type UserCaller } from '../../auth/caller.js';
import { roleHas, type Privilege } from '../../auth/roles.js';
import { dayOf } from '../../common/local-time.js';
import { visibleText } from '../../common/visible-text.js';
import type { Selection } from '../../common/selection.js';
import { assign, selectSome, type RowOf } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, found, notFound, requireVersion } from '../../errors.js';
import type { AttestedEvidence } from '../../values/attestations.js';
import { nameOf } from '../audit/personal-values.js';
import { recordAt, type AuditFacts } from '../audit/record.js';
import { headOf } from '../audit/trails.js';
import { datedEvidence, type DatedEvidence } from './attested-evidence.js';
import { comparedWithNow } from './attestation-states.js';
import type { AttestationService } from './attestations.service.js';
import { controlOf } from './catalog.js';
import type { CatalogWorkflow } from './catalog-file.js';
import { freshnessOf, type OrganizationControlKey } from './control-evidence.service.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { isOf } from './progress.js';
import { lockAssociation, type WorkflowService } from './workflows.service.js';

export interface NewAttestation extends OrganizationControlKey {
  statement: string;
  /** The version of the attested control; any version when null or absent. */
  controlVersion?: number | null;
}

interface AttestationRef extends OrganizationControlKey {
  attestationId: number;
  /** Version of the attestation. */
  version?: number | null;
}

export type Countersignature = AttestationRef;

export interface Withdrawal extends AttestationRef {
  reason?: string | null;
}

/** An attestation with the facts that its permissions depend on. */
interface ManagedAttestation {
  organizationId: number;
  state: string;
  attestedById: string;
}

/** A control with the facts that its permissions depend on. */
interface OwnedControl {
  organizationId: number;
  status: string;
  owner: { userId: string } | null;
}

interface Deps {
  database: Database;
  access: Access;
  catalogs: OrganizationCatalogs;
  workflows: WorkflowService;
  attestations: AttestationService;
  now: () => Date;
}

const s = table('control_state', 's');

/** The role of a user, locked until the transaction ends: none for a user who is no active member. */
const lockRole = statement<{ organizationId: number; userId: string }>()((p) =>
  db
    .selectFrom('membership as m')
    .select('m.role')
    .where('m.organization_id', '=', p('organizationId'))
    .where('m.user_id', '=', p('userId'))
    .where('m.deactivated_at', 'is', null)
    .forShare(),
);

const stateOf = statement<OrganizationControlKey>()((p) =>
  db
    .selectFrom('control_state as s')
    .select(['s.status', 's.owner_id as ownerId', 's.review_interval_months as reviewIntervalMonths', 's.version'])
    .where(isOf(s, p))
    .where('s.control_id', '=', p('controlId')),
);

const supersede = statement<OrganizationControlKey & { now: Date }>()((p) =>
  db
    .updateTable('control_attestation')
    .set({ superseded_at: p('now') })
    .where('organization_id', '=', p('organizationId'))
    .where('workflow_id', '=', p('workflowId'))
    .where('control_id', '=', p('controlId'))
    .where('withdrawn_at', 'is', null)
    .where('superseded_at', 'is', null)
    .returning('id'),
);

const nextId = statement()(
  () => sql<{ id: number }>`select nextval(pg_get_serial_sequence('control_attestation', 'id')) as id`,
);

const STORED = [
  ...(['id', 'organizationId', 'workflowId', 'controlId', 'statement', 'evidence', 'position'] as const),
  ...(['attestedBy', 'attestedById', 'attestedAt', 'comparedUpTo'] as const),
];

const insert = statement<
  Pick<RowOf<'control_attestation'>, Exclude<(typeof STORED)[number], 'evidence'>> & { evidence: string }
>()((p) => db.insertInto('control_attestation').values(assign('control_attestation', p, STORED)));

const LOCKED = [
  ...(['id', 'organizationId', 'workflowId', 'controlId', 'version', 'attestedById', 'countersignedById'] as const),
  ...(['countersignedAt', 'withdrawnAt', 'supersededAt', 'staleAt', 'changes'] as const),
];

const lock = statement<AttestationRef>()((p) =>
  db
    .selectFrom('control_attestation as a')
    .select(selectSome('control_attestation', 'a', LOCKED))
    .select('a.evidence as attestedEvidence')
    .where('a.id', '=', p('attestationId'))
    .where('a.organization_id', '=', p('organizationId'))
    .where('a.workflow_id', '=', p('workflowId'))
    .where('a.control_id', '=', p('controlId'))
    .forNoKeyUpdate(),
);

type LockedAttestation = Pick<RowOf<'control_attestation'>, (typeof LOCKED)[number]> & {
  attestedEvidence: AttestedEvidence;
};

const countersign = statement<{ id: number; by: string; byId: string; now: Date }>()((p) =>
  db
    .updateTable('control_attestation')
    .set({ countersigned_by: p('by'), countersigned_by_id: p('byId'), countersigned_at: p('now') })
    .where('id', '=', p('id')),
);

const withdraw = statement<{ id: number; by: string; reason: string; now: Date }>()((p) =>
  db
    .updateTable('control_attestation')
    .set({ withdrawn_by: p('by'), withdrawn_at: p('now'), withdrawal_reason: p('reason') })
    .where('id', '=', p('id')),
);

/**
 * Attesting controls, countersigning and withdrawing (docs/adr/0039). Uploads are not waited for: evidence that one adds
 * after the comparison differs from the attested one, and the attestation is stale.
 */
export class AttestService {
  constructor(private readonly deps: Deps) {}

  /**
   * The owner of a control states that it is in place. Throws NOT_FOUND, FORBIDDEN for who is not its owner,
   * PRECONDITION_FAILED, and CONFLICT for a control that is not DONE or has no fresh evidence.
   */
  async attest(caller: Caller, input: NewAttestation, selection: Selection): Promise<object> {
    const { access, database, workflows, attestations, catalogs, now } = this.deps;
    const { organizationId, workflowId, controlId, statement: text, controlVersion } = input;
    const key = { organizationId, workflowId, controlId };
    await access.authorize(caller, 'ATTEST_CONTROLS', organizationId);
    const user = userOf(caller);
    const seen = await workflows.requireControl(organizationId, workflowId, controlId);
    return database.transaction(async (tx) => {
      found(await lockAssociation.first(tx, key));
      await this.requireRole(tx, user, 'ATTEST_CONTROLS', organizationId);
      const { workflow } = await workflows.locked(tx, seen);
      if (controlOf(workflow, controlId) === undefined) throw notFound();
      const state = await stateOf.first(tx, key);
      if (state?.ownerId !== user.userId) return access.refuse(caller, 'ATTEST_CONTROLS', organizationId);
      requireVersion(state, controlVersion);
      if (state.status !== 'DONE') throw conflict('CONTROL_NOT_DONE');
      const { reviewIntervalMonths } = state;
      // Before the evidence is read, so that the watch also compares changes made until the entry is written.
      const { position: comparedUpTo } = await headOf(tx, { organizationId });
      const catalog = await catalogs.inSnapshot(tx, organizationId);
      // Checked at attesting: documents may change in the meantime.
      const [dated] = await datedEvidence(tx, new Map([[organizationId, catalog]]), [key]);
      const { evidence, newest } = dated as DatedEvidence;
      const at = now();
      const { state: freshness } = freshnessOf(newest, reviewIntervalMonths, dayOf(at, catalog.timeZone));
      if (freshness === null || freshness === 'STALE') throw conflict('EVIDENCE_NOT_FRESH');
      const replaced = await supersede.first(tx, { ...key, now: at });
      const statement = visibleText(text).trim();
      // Before the entry, which names it: attested evidence is immutable.
      const { id } = await nextId.one(tx);
      const { status, equivalents, documents } = evidence;
      const position = await recordAttestation(tx, user, workflow, key, {
        ...{ action: 'CONTROL_ATTESTED', at },
        changes: {
          ...(replaced && { supersedes: { after: replaced.id } }),
          statement: { after: statement },
          evidence: { after: documents },
        },
        state: { attestation: id, status, equivalents, attestedBy: nameOf(user) },
      });
      const stored = {
        ...{ id, ...key, statement, evidence: JSON.stringify(evidence), position, comparedUpTo },
        ...{ attestedBy: user.username, attestedById: user.userId, attestedAt: at.toISOString() },
      };
      await insert.all(tx, stored);
      return attestations.byId(tx, id, selection);
    });
  }

  /**
   * Another user than the owner confirms an attestation. Throws NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED, and CONFLICT for
   * one's own, and for one that is stale, countersigned or ended.
   */
  async countersign(caller: Caller, input: Countersignature, selection: Selection): Promise<object> {
    const { access, catalogs, now } = this.deps;
    const { organizationId } = input;
    await access.authorize(caller, 'COUNTERSIGN_ATTESTATIONS', organizationId);
    const user = userOf(caller);
    return this.change(user, 'COUNTERSIGN_ATTESTATIONS', input, selection, async (tx, locked, workflow) => {
      refuseEnded(locked);
      if (locked.countersignedAt !== null) throw conflict('ATTESTATION_COUNTERSIGNED');
      if (locked.attestedById === user.userId) throw conflict('OWN_ATTESTATION');
      const catalog = await catalogs.inSnapshot(tx, organizationId);
      const [compared] = await comparedWithNow(tx, new Map([[organizationId, catalog]]), [locked]);
      if (compared?.state !== 'ATTESTED') throw conflict('ATTESTATION_STALE');
      const at = now();
      await countersign.all(tx, { id: locked.id, by: user.username, byId: user.userId, now: at });
      const changes = { attestation: { after: locked.id }, attesterId: { after: locked.attestedById } };
      const state = { countersignedBy: nameOf(user) };
      await recordAttestation(tx, user, workflow, locked, { action: 'ATTESTATION_COUNTERSIGNED', at, changes, state });
    });
  }

  /**
   * Ends an attestation: one's own, or from rank 3 that of others. Throws NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED, and
   * CONFLICT for one that has ended.
   */
  async withdraw(caller: Caller, input: Withdrawal, selection: Selection): Promise<object> {
    const { access, attestations, now } = this.deps;
    const { organizationId, attestationId: id, workflowId, controlId } = input;
    await access.authorize(caller, 'ATTEST_CONTROLS', organizationId);
    const user = userOf(caller);
    const author = await attestations.authorOf({ organizationId, workflowId, controlId, id });
    const privilege = privilegeToWithdraw(user, author);
    return this.change(user, privilege, input, selection, async (tx, locked, workflow) => {
      refuseEnded(locked);
      const at = now();
      const reason = visibleText(input.reason ?? '').trim();
      await withdraw.all(tx, { id: locked.id, by: user.username, reason, now: at });
      const changes = {
        ...{ attestation: { before: locked.id }, attesterId: { before: locked.attestedById } },
        ...(locked.countersignedById !== null && { countersignerId: { before: locked.countersignedById } }),
      };
      await recordAttestation(tx, user, workflow, locked, {
        ...{ action: 'ATTESTATION_WITHDRAWN', at, changes, reason: reason || undefined },
        state: { withdrawnBy: nameOf(user) },
      });
    });
  }

  /** Whether `countersign` and `withdraw` would accept this caller. */
  async permissions(caller: Caller, { organizationId, state, attestedById }: ManagedAttestation) {
    const may = await this.deps.access.granted(caller, organizationId);
    const isOwn = caller.kind === 'user' && caller.userId === attestedById;
    return {
      countersign: state === 'ATTESTED' && !isOwn && may('COUNTERSIGN_ATTESTATIONS'),
      withdraw: !['WITHDRAWN', 'SUPERSEDED'].includes(state) && may(privilegeToWithdraw(caller, attestedById)),
    };
  }

  /** Whether the caller is the owner of a control that is done. */
  async mayAttest(caller: Caller, { organizationId, status, owner }: OwnedControl): Promise<boolean> {
    if (caller.kind !== 'user' || owner?.userId !== caller.userId || status !== 'DONE') return false;
    return this.deps.access.allows(caller, 'ATTEST_CONTROLS', organizationId);
  }

  private async change(
    user: UserCaller,
    privilege: Privilege,
    { version, ...ref }: AttestationRef,
    selection: Selection,
    work: (tx: Queryable, locked: LockedAttestation, workflow: CatalogWorkflow) => Promise<void>,
  ): Promise<object> {
    const { database, workflows, attestations } = this.deps;
    const { workflow } = await workflows.find(ref);
    return database.transaction(async (tx) => {
      await this.requireRole(tx, user, privilege, ref.organizationId);
      const locked = found(await lock.first(tx, ref));
      requireVersion(locked, version);
      await work(tx, locked, workflow);
      return attestations.byId(tx, ref.attestationId, selection);
    });
  }

  /** After the lock of the membership: a user who has lost its role meanwhile may not attest. */
  private async requireRole(tx: Queryable, user: UserCaller, privilege: Privilege, organizationId: number) {
    const { role } = found(await lockRole.first(tx, { organizationId, userId: user.userId }));
    if (!roleHas(role, privilege)) this.deps.access.refuse(user, privilege, organizationId);
  }
}

function privilegeToWithdraw(caller: Caller, attestedById: string): Privilege {
  return caller.kind === 'user' && caller.userId === attestedById ? 'ATTEST_CONTROLS' : 'COUNTERSIGN_ATTESTATIONS';
}

function refuseEnded({ withdrawnAt, supersededAt }: LockedAttestation): void {
  if (withdrawnAt !== null || supersededAt !== null) throw conflict('ATTESTATION_ENDED');
}

/** Records an event of a control's attestation in the history of the control; returns the position. */
export function recordAttestation(
  tx: Queryable,
  actor: Parameters<typeof recordAt>[1],
  workflow: CatalogWorkflow | undefined,
  { organizationId, workflowId, controlId }: OrganizationControlKey,
  facts: AuditFacts,
): Promise<number> {
  const parent = { type: 'WORKFLOW', id: workflowId, name: workflow?.name ?? workflowId } as const;
  const name = (workflow && controlOf(workflow, controlId)?.label) ?? controlId;
  const subject = { type: 'CONTROL', id: `${workflowId}/${controlId}`, name, parent } as const;
  return recordAt(tx, actor, { organizationId, ...facts, subject });
}
