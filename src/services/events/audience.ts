import { rolesWith } from '../../auth/roles.js';
import { sql } from '../../database/sql.js';
import { invalidInput } from '../../errors.js';
import { ACTIONS } from '../../values/audit.js';
import { EVENT_ACTIONS, EVENT_TYPES, type EventAction, type EventType } from '../../values/events.js';

type Fragment = ReturnType<typeof sql>;

const MEMBERS = EVENT_ACTIONS.filter((action) => ACTIONS[action].audience === 'MEMBERS');
const list = (words: readonly string[]) => sql.join(words.map((word) => sql.lit(word)));

/** Whether a member with a role may read an event of an action. */
export function readableBy(role: Fragment, action: Fragment): Fragment {
  return sql`(${role} in (${list(rolesWith('READ_AUDIT_TRAIL'))}) or ${action} in (${list(MEMBERS)}))`;
}

/** The actions of these types; null for all. Throws BAD_USER_INPUT for an empty list. */
export function actionsOf(types: readonly EventType[] | null | undefined): readonly EventAction[] | null {
  if (types?.length === 0) throw invalidInput([{ path: ['types'], sentence: 'must name at least one type' }]);
  return types == null ? null : EVENT_ACTIONS.filter((action) => types.includes(EVENT_TYPES[action]));
}
