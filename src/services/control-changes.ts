import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database, Queryable } from '../database/database.js';
import { badUserInput, notFound } from '../errors.js';
import type { ControlStatus } from '../vocabulary/control-statuses.js';
import {
  controlChangeFaults,
  placedUpdates,
  type ControlUpdate,
  type ManyChanges,
  type PlacedUpdate,
} from './control-change-rules.js';
import { notify } from './notifier.js';
import type { OrganizationWorkflowService } from './organization-workflows.js';
import { controlOf } from './workflow-catalog.js';
import type { CatalogWorkflow } from './workflow-file.js';
import { recordProgress, type OrganizationWorkflowKey, type SeenWorkflow } from './workflow-progress.js';

interface StoredState {
  controlId: string;
  status: ControlStatus;
  justification: string;
  note: string;
  ownerId: string | null;
  dueDate: string | null;
}

/** The association is the lock: whoever changes controls of a workflow, or lets it go, waits for whoever does. */
const LOCK = 'select 1 from organization_workflow where organization_id = $1 and workflow_id = $2 for update';

const STORED = `
  select control_id as "controlId", status, justification, note, owner_id as "ownerId", due_date as "dueDate"
    from control_state where organization_id = $1 and workflow_id = $2 and control_id = any($3)`;

/** Locked, so that nobody leaves between this look and the end of the transaction. */
const ACTIVE_MEMBERS = `
  select m.user_id as id from membership m join app_user u on u.id = m.user_id and u.deactivated_at is null
   where m.organization_id = $1 and m.deactivated_at is null
     and m.user_id = any($2::uuid[]) for share of m`;

/**
 * An owner is written where it was named, and otherwise left to the row as it is by now: whoever leaves the organization
 * is taken out of it without waiting for the workflow.
 */
const STORE = `
  insert into control_state (organization_id, workflow_id, control_id, status, justification, note, owner_id, due_date, updated_at)
  select $1, $2, given.control_id, given.status, given.justification, given.note, given.owner_id, given.due_date, $9
    from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::date[])
      as given(control_id, status, justification, note, owner_id, due_date)
  on conflict (organization_id, workflow_id, control_id)
  do update set status = excluded.status, justification = excluded.justification, note = excluded.note,
                owner_id = case when excluded.control_id = any($10) then excluded.owner_id else control_state.owner_id end,
                due_date = excluded.due_date, updated_at = excluded.updated_at`;

/** Changes controls of one workflow: all of them or none, and with them the progress of the day. */
export class ControlChangeService {
  private readonly now: () => Date;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly workflows: OrganizationWorkflowService,
    { now = () => new Date() }: { now?: (() => Date) | undefined } = {},
  ) {
    this.now = now;
  }

  /**
   * Answers the workflow of the control. Throws NOT_FOUND unless it is associated and has the control, FORBIDDEN, and
   * BAD_USER_INPUT.
   */
  async update(caller: Caller, key: OrganizationWorkflowKey, update: ControlUpdate): Promise<SeenWorkflow> {
    const seen = await this.authorized(caller, key);
    if (controlOf(seen.workflow, update.controlId) === undefined) throw notFound();
    await this.apply(caller, seen, [{ update, path: '', idPath: 'control_id' }]);
    return seen;
  }

  /**
   * The same for many at once, and answers their ids as well; then a control that the workflow does not have is a fault among
   * the others.
   */
  async updateAll(
    caller: Caller,
    key: OrganizationWorkflowKey,
    changes: ManyChanges,
  ): Promise<{ seen: SeenWorkflow; ids: string[] }> {
    const seen = await this.authorized(caller, key);
    const updates = placedUpdates(changes);
    await this.apply(caller, seen, updates);
    return { seen, ids: updates.map(({ update }) => update.controlId) };
  }

  private async authorized(caller: Caller, key: OrganizationWorkflowKey): Promise<SeenWorkflow> {
    await this.access.authorize(caller, 'SET_CONTROL_STATUS', key.organizationId);
    const [seen] = await this.workflows.seen([key]);
    return seen as SeenWorkflow;
  }

  private apply(caller: Caller, seen: SeenWorkflow, updates: readonly PlacedUpdate[]): Promise<void> {
    const { organizationId, workflowId } = seen.key;
    return this.database.transaction(async (tx) => {
      if ((await tx.rows(LOCK, [organizationId, workflowId])).length === 0) throw notFound();
      const ids = updates.map(({ update }) => update.controlId);
      const stored = new Map(
        (await tx.rows<StoredState>(STORED, [organizationId, workflowId, ids])).map((row) => [row.controlId, row]),
      );
      const members = await activeMembers(tx, organizationId, updates);
      const faults = [...controlFaults(seen.workflow, updates), ...changeFaults(updates, stored, members)];
      if (faults.length > 0) throw badUserInput(faults);
      const changed = updates.map(({ update }) => changedState(stored.get(update.controlId), update));
      await this.store(tx, seen, changed, idsThatNameAnOwner(updates));
      const now = this.now();
      await recordProgress(tx, seen, now);
      await tellOwners(tx, caller, seen, { owned: newlyOwned(changed, stored), at: now });
    });
  }

  private async store(
    tx: Queryable,
    { key }: SeenWorkflow,
    states: readonly StoredState[],
    named: readonly string[],
  ): Promise<void> {
    await tx.rows(STORE, [
      key.organizationId,
      key.workflowId,
      states.map(({ controlId }) => controlId),
      states.map(({ status }) => status),
      states.map(({ justification }) => justification),
      states.map(({ note }) => note),
      states.map(({ ownerId }) => ownerId),
      states.map(({ dueDate }) => dueDate),
      this.now(),
      named,
    ]);
  }
}

function idsThatNameAnOwner(updates: readonly PlacedUpdate[]): string[] {
  return updates.flatMap(({ update: { controlId, ownerId } }) => (ownerId === undefined ? [] : [controlId]));
}

async function activeMembers(
  tx: Queryable,
  organizationId: number,
  updates: readonly PlacedUpdate[],
): Promise<ReadonlySet<string>> {
  const asked = new Set(updates.flatMap(({ update: { ownerId } }) => (isUuid(ownerId) ? [ownerId.toLowerCase()] : [])));
  if (asked.size === 0) return asked;
  const rows = await tx.rows<{ id: string }>(ACTIVE_MEMBERS, [organizationId, [...asked]]);
  return new Set(rows.map(({ id }) => id));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isUuid(text: string | null | undefined): text is string {
  return text != null && UUID.test(text);
}

/** Each control is one of the workflow's, and is named once. */
function controlFaults(workflow: CatalogWorkflow, updates: readonly PlacedUpdate[]): string[] {
  const named = new Set<string>();
  return updates.flatMap(({ update: { controlId }, idPath }) => {
    if (controlOf(workflow, controlId) === undefined) return [`${idPath} is no control of this workflow`];
    if (named.has(controlId)) return [`${idPath} is named twice`];
    named.add(controlId);
    return [];
  });
}

/** One set of changes for many controls has its faults told once. */
function changeFaults(
  updates: readonly PlacedUpdate[],
  stored: ReadonlyMap<string, StoredState>,
  members: ReadonlySet<string>,
): string[] {
  const faults = updates.flatMap(({ update, path }) =>
    controlChangeFaults(update, stored.get(update.controlId), members).map((fault) => path + fault),
  );
  return [...new Set(faults)];
}

function changedState(stored: StoredState | undefined, update: ControlUpdate): StoredState {
  const { controlId } = update;
  const status = update.status ?? stored?.status ?? 'TO_DO';
  const justification =
    update.justification === undefined ? (stored?.justification ?? '') : update.justification?.trim();
  return {
    controlId,
    status,
    // It explains why a control does not apply; when it applies there is nothing to explain.
    justification: status === 'NOT_APPLICABLE' ? (justification ?? '') : '',
    note: (update.note === undefined ? stored?.note : update.note) ?? '',
    ownerId: (update.ownerId === undefined ? stored?.ownerId : update.ownerId?.toLowerCase()) ?? null,
    dueDate: (update.dueDate === undefined ? stored?.dueDate : update.dueDate) ?? null,
  };
}

/** Control ids by who answers for them from now on and did not before. */
function newlyOwned(
  changed: readonly StoredState[],
  stored: ReadonlyMap<string, StoredState>,
): ReadonlyMap<string, string[]> {
  const owned = new Map<string, string[]>();
  for (const { controlId, ownerId } of changed) {
    if (ownerId === null || ownerId === stored.get(controlId)?.ownerId) continue;
    owned.set(ownerId, [...(owned.get(ownerId) ?? []), controlId]);
  }
  return owned;
}

async function tellOwners(
  tx: Queryable,
  caller: Caller,
  { key, workflow }: SeenWorkflow,
  { owned, at }: { owned: ReadonlyMap<string, string[]>; at: Date },
): Promise<void> {
  const workflowLink = `/organizations/${key.organizationId}/workflows/${key.workflowId}`;
  for (const [ownerId, ids] of owned) {
    const [first = ''] = ids;
    const one = ids.length === 1;
    await notify(tx, {
      organizationId: key.organizationId,
      type: 'WORKFLOW',
      at,
      title: one ? 'Control assigned to you' : 'Controls assigned to you',
      message: one
        ? `${workflow.name}, ${first}: ${controlOf(workflow, first)?.label ?? ''}.`
        : `${workflow.name}: ${ids.length} controls, from ${first} on.`,
      href: one ? `${workflowLink}/controls/${first}` : workflowLink,
      to: { users: [ownerId] },
      alerts: 'v_ciso',
      except: caller.kind === 'user' ? caller.userId : undefined,
    });
  }
}
