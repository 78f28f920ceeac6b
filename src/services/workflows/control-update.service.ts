import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { isUuid } from '../../common/formats.js';
import { insertRows, jsonRows, selectSome } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { column, db, sql, statement, table } from '../../database/sql.js';
import { notFound, refuseErrors, requireVersion, type FieldError, type Path } from '../../errors.js';
import { changesBetween, record } from '../audit/record.js';
import { recordWorkflow } from '../audit/subjects.js';
import type { AssignedControl } from './notifications.js';
import { controlOf } from './catalog.js';
import { FIRST_VERSION, STORED, UNTOUCHED, WRITTEN, type ControlValues, type StoredState } from './controls.service.js';
import { isOf, recordProgress, type OrganizationWorkflowKey, type SeenWorkflow } from './progress.js';
import { lockAssociation, type WorkflowService } from './workflows.service.js';

/** Change of a control; absent values stay, null clears. */
export type ControlChange = { [Property in keyof ControlValues]?: ControlValues[Property] | null };

export interface ControlUpdate extends ControlChange {
  controlId: string;
  /** The version that the change is made to; any version when null or absent. */
  version?: number | null;
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

const s = table('control_state', 's');

/** Locked, in their order: a member who leaves is taken out of its controls without waiting for the workflow. */
const storedStates = statement<OrganizationWorkflowKey & { ids: readonly string[] }>()((p) =>
  db
    .selectFrom('control_state as s')
    .select(selectSome('control_state', 's', [...STORED, 'version']))
    .where(isOf(s, p))
    .where('s.control_id', '=', ({ fn }) => fn.any(p('ids')))
    .orderBy('s.control_id')
    .forNoKeyUpdate(),
);

/** People, locked, so that no member leaves before the end of the transaction. */
const lockActiveMembers = statement<{ organizationId: number; ids: readonly string[] }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select('m.user_id as id')
    .where('u.deactivated_at', 'is', null)
    .where('u.kind', '=', 'PERSON')
    .where('m.organization_id', '=', p('organizationId'))
    .where('m.deactivated_at', 'is', null)
    .where('m.user_id', '=', sql<string>`any(${p('ids')}::uuid[])`)
    .forShare('m'),
);

/** Stores JSON of rows. */
const storeStates = statement<{ rows: string }>()((p) => {
  const excluded = table('control_state', 'excluded');
  const key = ['organizationId', 'workflowId', 'controlId'] as const;
  const names = ['status', 'justification', 'inclusion_reason', 'note', 'due_date', 'review_interval_months'] as const;
  const changes = [...names, 'owner_id' as const, 'updated_at' as const].map(
    (name) => sql`${column('control_state', name)} = ${excluded[name]}`,
  );
  return sql`${insertRows('control_state', [...key, ...WRITTEN, 'updatedAt'], p('rows'))}
    on conflict (organization_id, workflow_id, control_id) do update set ${sql.join(changes)}`;
});

/** Changes controls of one workflow: all of them or none, and with them the progress of the day. */
export class ControlUpdateService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly workflows: WorkflowService,
    private readonly now: () => Date,
  ) {}

  /**
   * Answers the workflow of the control. Throws NOT_FOUND unless it is associated and has the control, FORBIDDEN,
   * PRECONDITION_FAILED for another version, and BAD_USER_INPUT.
   */
  async update(caller: Caller, key: OrganizationWorkflowKey, update: ControlUpdate): Promise<SeenWorkflow> {
    const seen = await this.authorized(caller, key);
    if (controlOf(seen.workflow, update.controlId) === undefined) throw notFound();
    return this.apply(caller, seen, [{ update, path: ['input'], idPath: ['input', 'controlId'] }]);
  }

  /** The same for many at once; returns their ids as well. An unknown control is then one error among others. */
  async updateAll(
    caller: Caller,
    key: OrganizationWorkflowKey,
    changes: ManyChanges,
  ): Promise<{ seen: SeenWorkflow; ids: string[] }> {
    const updates = placedUpdates(changes);
    const seen = await this.apply(caller, await this.authorized(caller, key), updates);
    return { seen, ids: updates.map(({ update }) => update.controlId) };
  }

  /** The workflow, if the caller may change its controls; throws NOT_FOUND and FORBIDDEN. */
  async authorized(caller: Caller, key: OrganizationWorkflowKey): Promise<SeenWorkflow> {
    await this.access.authorize(caller, 'SET_CONTROL_STATUS', key.organizationId);
    return this.workflows.find(key);
  }

  private apply(caller: Caller, found: SeenWorkflow, updates: readonly PlacedUpdate[]): Promise<SeenWorkflow> {
    return this.database.transaction(async (tx) => {
      if ((await lockAssociation.first(tx, found.key)) === undefined) throw notFound();
      const seen = await this.workflows.locked(tx, found);
      const ids = updates.map(({ update }) => update.controlId);
      // Before their controls, in the order in which a member who leaves locks both.
      const members = await activeMembers(tx, seen.key.organizationId, updates);
      const stored = new Map((await storedStates.all(tx, { ...seen.key, ids })).map((row) => [row.controlId, row]));
      for (const { update } of updates)
        requireVersion(stored.get(update.controlId) ?? { version: FIRST_VERSION }, update.version);
      const states = updates.map(({ update }) => changedState(stored.get(update.controlId), update));
      const errors = [...controlErrors(seen, updates), ...changeErrors(updates, states, { stored, members })];
      refuseErrors(errors);
      // Values that are sent back unchanged change nothing.
      const changed = states.filter((state) => {
        const before = stored.get(state.controlId) ?? UNTOUCHED;
        return Object.keys(changesBetween(before, state, WRITTEN)).length > 0;
      });
      if (changed.length === 0) return seen;
      const now = this.now();
      const rows = changed.map((state) => ({ ...seen.key, ...state, updatedAt: now.toISOString() }));
      await storeStates.all(tx, { rows: jsonRows<'control_state'>(rows) });
      await recordProgress(tx, seen, now);
      await recordControls(tx, caller, seen, { changed, stored, at: now });
      await recordOwners(tx, caller, seen, { changed, stored, at: now });
      return seen;
    });
  }
}

/** Exactly one of the two forms is given, as the input's rules require. */
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

async function activeMembers(
  tx: Queryable,
  organizationId: number,
  updates: readonly PlacedUpdate[],
): Promise<ReadonlySet<string>> {
  const owners = new Set(updates.map(({ update: { ownerId } }) => ownerId?.toLowerCase() ?? '').filter(isUuid));
  if (owners.size === 0) return owners;
  const rows = await lockActiveMembers.all(tx, { organizationId, ids: [...owners] });
  return new Set(rows.map(({ id }) => id));
}

/** Each control is one of the workflow's, and is named once. */
function controlErrors({ workflow }: SeenWorkflow, updates: readonly PlacedUpdate[]): FieldError[] {
  const named = new Set<string>();
  return updates.flatMap(({ update: { controlId }, idPath }) => {
    if (controlOf(workflow, controlId) === undefined)
      return [{ path: idPath, sentence: 'is no control of this workflow' }];
    if (named.has(controlId)) return [{ path: idPath, sentence: 'is named twice' }];
    named.add(controlId);
    return [];
  });
}

/** The errors of the changes; an error of one set of changes for many controls is reported once. */
function changeErrors(
  updates: readonly PlacedUpdate[],
  changed: readonly StoredState[],
  { stored, members }: { stored: Changed['stored']; members: ReadonlySet<string> },
): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const [index, { update, path }] of updates.entries()) {
    const { controlId, status, justification, ownerId } = changed[index] as StoredState;
    const add = (field: keyof ControlChange, sentence: string) => {
      const error: FieldError = { path: [...path, field], sentence };
      errors.set(JSON.stringify(error), error);
    };
    if (status === 'NOT_APPLICABLE') {
      if (justification === '') add('justification', 'is required with the status NOT_APPLICABLE');
    } else if (update.justification?.trim()) {
      add('justification', 'is allowed with the status NOT_APPLICABLE only');
    }
    // A deactivated member stays the owner, and may be sent back.
    const isOther = ownerId !== null && ownerId !== stored.get(controlId)?.ownerId;
    if (isOther && !members.has(ownerId)) add('ownerId', 'must be an active member of the organization');
  }
  return [...errors.values()];
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

interface Changed {
  changed: readonly StoredState[];
  /** As they were, by control. */
  stored: ReadonlyMap<string, StoredState>;
  at: Date;
}

async function recordControls(
  tx: Queryable,
  caller: Caller,
  { key: { organizationId, workflowId }, workflow }: SeenWorkflow,
  { changed, stored, at }: Changed,
): Promise<void> {
  const parent = { type: 'WORKFLOW', id: workflowId } as const;
  const entries = changed.map((state) => {
    const { controlId } = state;
    const name = controlOf(workflow, controlId)?.label ?? '';
    const changes = changesBetween(stored.get(controlId) ?? UNTOUCHED, state, WRITTEN);
    const subject = { type: 'CONTROL', id: `${workflowId}/${controlId}`, name, parent } as const;
    return record(tx, caller, { organizationId, action: 'CONTROL_UPDATED', at, subject, changes });
  });
  await Promise.all(entries);
}

/** Records which controls each new owner answers for from now on: one entry, however many there are. */
async function recordOwners(
  tx: Queryable,
  caller: Caller,
  { key, workflow }: SeenWorkflow,
  { changed, stored, at }: Changed,
): Promise<void> {
  const taken = changed.filter(({ controlId, ownerId }) => ownerId !== (stored.get(controlId)?.ownerId ?? null));
  for (const [ownerId, states] of Map.groupBy(taken, (state) => state.ownerId)) {
    if (ownerId === null) continue;
    const controls = states.map(({ controlId: id }): AssignedControl => {
      return { id, label: controlOf(workflow, id)?.label ?? '' };
    });
    const changes = { ownerId: { after: ownerId }, controls: { after: controls } };
    await recordWorkflow(tx, caller, { ...key, name: workflow.name }, { action: 'CONTROLS_ASSIGNED', at, changes });
  }
}
