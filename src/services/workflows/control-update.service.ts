import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { jsonRows } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { invalidInput, notFound, type FieldError, type Path } from '../../errors.js';
import { recordWorkflow } from '../audit/subjects.js';
import type { AssignedControl } from './notifications.js';
import { changesBetween, record } from '../audit/record.js';
import type { CatalogWorkflow } from './catalog-file.js';
import {
  lockActiveMembers,
  lockAssociation,
  storeStates,
  storedStates,
  UNTOUCHED,
  WRITTEN,
  type ControlValues,
  type StoredState,
} from './control-states.js';
import { controlOf } from './catalog.js';
import { recordProgress, type OrganizationWorkflowKey, type SeenWorkflow } from './progress.js';
import type { OrganizationWorkflowService } from './workflows.service.js';

/** Changes controls of one workflow: all of them or none, and with them the progress of the day. */
export class ControlChangeService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly workflows: OrganizationWorkflowService,
    private readonly now: () => Date,
  ) {}

  /**
   * Answers the workflow of the control. Throws NOT_FOUND unless it is associated and has the control, FORBIDDEN, and
   * BAD_USER_INPUT.
   */
  async update(caller: Caller, key: OrganizationWorkflowKey, update: ControlUpdate): Promise<SeenWorkflow> {
    const seen = await this.authorized(caller, key);
    if (controlOf(seen.workflow, update.controlId) === undefined) throw notFound();
    await this.apply(caller, seen, [{ update, path: ['input'], idPath: ['input', 'controlId'] }]);
    return seen;
  }

  /** The same for many at once; returns their ids as well. An unknown control is then one error among others. */
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

  /** Whether the caller may change the controls of an organization. */
  mayUpdate(caller: Caller, organizationId: number): Promise<boolean> {
    return this.access.allows(caller, 'SET_CONTROL_STATUS', organizationId);
  }

  private async authorized(caller: Caller, key: OrganizationWorkflowKey): Promise<SeenWorkflow> {
    await this.access.authorize(caller, 'SET_CONTROL_STATUS', key.organizationId);
    const [seen] = await this.workflows.seen([key]);
    return seen as SeenWorkflow;
  }

  private apply(caller: Caller, seen: SeenWorkflow, updates: readonly PlacedUpdate[]): Promise<void> {
    const { organizationId } = seen.key;
    return this.database.transaction(async (tx) => {
      if ((await lockAssociation.first(tx, seen.key)) === undefined) throw notFound();
      const ids = updates.map(({ update }) => update.controlId);
      const stored = new Map((await storedStates.all(tx, { ...seen.key, ids })).map((row) => [row.controlId, row]));
      const members = await activeMembers(tx, organizationId, updates);
      const changed = updates.map(({ update }) => changedState(stored.get(update.controlId), update));
      const errors = [...controlErrors(seen.workflow, updates), ...changeErrors(updates, changed, members)];
      if (errors.length > 0) throw invalidInput(errors);
      const now = this.now();
      const rows = changed.map((state) => ({ ...seen.key, ...state, updatedAt: now.toISOString() }));
      await storeStates.all(tx, { rows: jsonRows<'control_state'>(rows), named: idsThatNameAnOwner(updates) });
      await recordProgress(tx, seen, now);
      await Promise.all(
        changed.map((state) =>
          recordControl(tx, caller, seen, { before: stored.get(state.controlId), state, at: now }),
        ),
      );
      await recordOwners(tx, caller, seen, { owned: newlyOwned(changed, stored), at: now });
    });
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
  const selection = new Set(
    updates.flatMap(({ update: { ownerId } }) => (isUuid(ownerId) ? [ownerId.toLowerCase()] : [])),
  );
  if (selection.size === 0) return selection;
  const rows = await lockActiveMembers.all(tx, { organizationId, ids: [...selection] });
  return new Set(rows.map(({ id }) => id));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isUuid(text: string | null | undefined): text is string {
  return text != null && UUID.test(text);
}

/** Each control is one of the workflow's, and is named once. */
function controlErrors(workflow: CatalogWorkflow, updates: readonly PlacedUpdate[]): FieldError[] {
  const named = new Set<string>();
  return updates.flatMap(({ update: { controlId }, idPath }) => {
    if (controlOf(workflow, controlId) === undefined)
      return [{ path: idPath, sentence: 'is no control of this workflow' }];
    if (named.has(controlId)) return [{ path: idPath, sentence: 'is named twice' }];
    named.add(controlId);
    return [];
  });
}

/** An error of one set of changes for many controls is reported once. */
function changeErrors(
  updates: readonly PlacedUpdate[],
  changed: readonly StoredState[],
  members: ReadonlySet<string>,
): FieldError[] {
  const errors = updates.flatMap(({ update, path }, index) =>
    controlChangeErrors(update, changed[index] as StoredState, members).map(({ field, sentence }) => {
      const error: FieldError = { path: [...path, field], sentence };
      return [JSON.stringify(error), error] as const;
    }),
  );
  return [...new Map(errors).values()];
}

function changedState(stored: StoredState | undefined, { controlId, ...update }: ControlUpdate): StoredState {
  const given = WRITTEN.filter((property) => update[property] !== undefined);
  const changes = given.map((property) => [property, update[property] ?? UNTOUCHED[property]]);
  const state: ControlValues = { ...(stored ?? UNTOUCHED), ...Object.fromEntries(changes) };
  return {
    ...state,
    controlId,
    // It explains why a control does not apply; when it applies there is nothing to explain.
    justification: state.status === 'NOT_APPLICABLE' ? state.justification.trim() : '',
    ownerId: state.ownerId?.toLowerCase() ?? null,
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

function recordControl(
  tx: Queryable,
  caller: Caller,
  { key: { organizationId, workflowId }, workflow }: SeenWorkflow,
  { before = UNTOUCHED, state, at }: { before: ControlValues | undefined; state: StoredState; at: Date },
): Promise<void> {
  const { controlId } = state;
  return record(tx, caller, {
    ...{ organizationId, action: 'CONTROL_UPDATED', at },
    subject: {
      ...{ type: 'CONTROL', id: `${workflowId}/${controlId}`, name: controlOf(workflow, controlId)?.label ?? '' },
      parent: { type: 'WORKFLOW', id: workflowId },
    },
    changes: changesBetween(before, state, WRITTEN),
  });
}

/** Records which controls each new owner answers for from now on: one entry, however many there are. */
async function recordOwners(
  tx: Queryable,
  caller: Caller,
  { key: { organizationId, workflowId }, workflow }: SeenWorkflow,
  { owned, at }: { owned: ReadonlyMap<string, string[]>; at: Date },
): Promise<void> {
  const facts = { organizationId, workflowId, name: workflow.name };
  for (const [ownerId, ids] of owned) {
    const controls: AssignedControl[] = ids.map((id) => ({ id, label: controlOf(workflow, id)?.label ?? '' }));
    const changes = { ownerId: { after: ownerId }, controls: { after: controls } };
    await recordWorkflow(tx, caller, facts, { action: 'CONTROLS_ASSIGNED', at, changes });
  }
}

/** What becomes of a control; absent stays as it is, null clears. */
export type ControlChange = { [Property in keyof ControlValues]?: ControlValues[Property] | null };

/** One control and what becomes of it. */
export interface ControlUpdate extends ControlChange {
  controlId: string;
}

/** What is wrong with a change, for what becomes of its control and who the members are. */
function controlChangeErrors(
  { justification, ownerId }: ControlChange,
  changed: StoredState,
  members: ReadonlySet<string>,
): { field: keyof ControlChange; sentence: string }[] {
  const errors: { field: keyof ControlChange; sentence: string }[] = [];
  if (changed.status === 'NOT_APPLICABLE') {
    if (changed.justification === '')
      errors.push({ field: 'justification', sentence: 'is required with the status NOT_APPLICABLE' });
  } else if (justification?.trim()) {
    errors.push({ field: 'justification', sentence: 'goes with the status NOT_APPLICABLE only' });
  }
  if (ownerId != null && !members.has(ownerId.toLowerCase()))
    errors.push({ field: 'ownerId', sentence: 'must be an active member of the organization' });
  return errors;
}

/** Changes of many controls as a caller says them: one set of changes for a list of ids, or a list of changes. */
export interface ManyChanges {
  controlIds?: readonly string[] | null;
  changes?: ControlChange | null;
  updates?: readonly ControlUpdate[] | null;
}

/** A change with the path of where it was said, and of where its control was named. */
interface PlacedUpdate {
  update: ControlUpdate;
  path: Path;
  idPath: Path;
}

/** Exactly one of the two forms is used: the input's own rules have seen to it. */
function placedUpdates({ controlIds, changes, updates }: ManyChanges): PlacedUpdate[] {
  if (updates != null)
    return updates.map((update, index) => {
      const path = ['input', 'updates', index];
      return { update, path, idPath: [...path, 'controlId'] };
    });
  return (controlIds ?? []).map((controlId, index) => ({
    update: { ...changes, controlId },
    path: ['input', 'changes'],
    idPath: ['input', 'controlIds', index],
  }));
}
