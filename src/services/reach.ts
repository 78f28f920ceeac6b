import type { UserCaller } from '../access/caller.js';
import type { Condition } from '../database/listing.js';

/** Of a membership `m`: its member has access. Each list that joins memberships asks for it (see database/access-records.ts). */
export const ACTIVE_MEMBER = 'm.deactivated_at is null';

/**
 * Conditions on the organizations `o` of a list across several of them: what `authorize` would refuse for one is left
 * out of such a list.
 */
export function withinReach({ form, blockedIn }: UserCaller): Condition[] {
  const conditions: Condition[] = [];
  if (form === 'query') conditions.push({ sql: 'o.query_token_allowed', values: [] });
  if (blockedIn.size > 0) conditions.push({ sql: 'not (o.id = any(?))', values: [[...blockedIn]] });
  return conditions;
}

/** The same for statements that stand written: `blocked` and `byQuery` are the placeholders of `reachValues`. */
export function reachable(blocked: string, byQuery: string): string {
  return `not (o.id = any(${blocked}::int[])) and (o.query_token_allowed or not ${byQuery}::boolean)`;
}

/** The values of `reachable`, in the order of its placeholders. */
export function reachValues({ form, blockedIn }: UserCaller): [blocked: number[], byQuery: boolean] {
  return [[...blockedIn], form === 'query'];
}
