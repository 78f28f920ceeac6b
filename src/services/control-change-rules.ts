import type { ControlStatus } from '../vocabulary/control-statuses.js';
import { badUserInput } from '../errors.js';
import { LIMITS } from '../vocabulary/limits.js';
import { proseFaults } from './text-rules.js';

/** What becomes of a control; absent stays as it is, null clears. */
export interface ControlChange {
  status?: ControlStatus | null;
  justification?: string | null;
  note?: string | null;
  /** A user's id. */
  ownerId?: string | null;
  /** `YYYY-MM-DD`. */
  dueDate?: string | null;
}

/** One control and what becomes of it. */
export interface ControlUpdate extends ControlChange {
  controlId: string;
}

/** What is stored of the control and matters to the rules. */
export interface ControlFacts {
  status: ControlStatus;
  justification: string;
}

/** What is wrong with a change, all of it; each sentence begins with the field's name in the wire's spelling. */
export function controlChangeFaults(
  change: ControlChange,
  stored: ControlFacts | undefined,
  members: ReadonlySet<string>,
): string[] {
  const { justificationCharacters, noteCharacters } = LIMITS.control;
  const faults = [
    ...proseFaults('justification', change.justification ?? '', justificationCharacters),
    ...proseFaults('note', change.note ?? '', noteCharacters),
  ];
  if (change.status === null) faults.push('status must not be null');
  const status = change.status ?? stored?.status ?? 'TO_DO';
  const justified = (change.justification === undefined ? stored?.justification : change.justification)?.trim();
  if (status === 'NOT_APPLICABLE') {
    if (!justified) faults.push('justification is required with the status NOT_APPLICABLE');
  } else if (change.justification?.trim()) {
    faults.push('justification goes with the status NOT_APPLICABLE only');
  }
  if (change.ownerId != null && !members.has(change.ownerId.toLowerCase()))
    faults.push('owner_id must be an active member of the organization');
  return faults;
}

/** Changes of many controls as a caller says them: one set of changes for a list of ids, or a list of changes. */
export interface ManyChanges {
  controlIds?: readonly string[] | null;
  changes?: ControlChange | null;
  updates?: readonly ControlUpdate[] | null;
}

/** A change with the wire path of where it was said, for its faults: `changes.`, or such as `updates[3].`. */
export interface PlacedUpdate {
  update: ControlUpdate;
  path: string;
  /** How the control itself was named there. */
  idPath: string;
}

/** Throws BAD_USER_INPUT unless exactly one of the two forms is used, for 1 to 200 controls. */
export function placedUpdates({ controlIds, changes, updates }: ManyChanges): PlacedUpdate[] {
  const { changedAtOnce } = LIMITS.control;
  const listed = updates != null;
  if (listed === (controlIds != null || changes != null))
    throw badUserInput(['either control_ids with changes or updates must be given']);
  if (!listed && (controlIds == null || changes == null))
    throw badUserInput([`${controlIds == null ? 'control_ids' : 'changes'} is required`]);
  const [name, count] = listed ? ['updates', updates.length] : ['control_ids', controlIds?.length ?? 0];
  if (count < 1 || count > changedAtOnce) throw badUserInput([`${name} must have from 1 to ${changedAtOnce} items`]);
  if (listed)
    return updates.map((update, index) => ({
      update,
      path: `updates[${index}].`,
      idPath: `updates[${index}].control_id`,
    }));
  return (controlIds ?? []).map((controlId, index) => ({
    update: { ...changes, controlId },
    path: 'changes.',
    idPath: `control_ids[${index}]`,
  }));
}
