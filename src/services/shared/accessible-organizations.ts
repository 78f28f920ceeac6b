import { DAY } from '../../common/time.js';
import { isExempt, type UserCaller } from '../../auth/caller.js';
import { filter, type Condition } from '../../database/list-conditions.js';
import { sql, table, type Placeholders } from '../../database/sql.js';
import { LIMITS } from '../../values/limits.js';

const m = table('membership', 'm');
const o = table('organization', 'o');

/** For a membership `m`: its member has access. Every statement that joins memberships needs it (database/access-records). */
export const ACTIVE_MEMBER = sql<boolean>`${m.deactivated_at} is null`;

/** Restrictions of a token that decide which organizations it has access to. */
export interface Reach {
  blockedIn: number[];
  byQuery: boolean;
  /** The organization and the provider of its sign-in; null for other tokens. */
  signedInTo: number | null;
  providerId: number | null;
  isExempt: boolean;
}

export function reachOf(caller: UserCaller): Reach {
  const { form, blockedIn, signIn } = caller;
  const { organizationId: signedInTo = null, providerId = null } = signIn ?? {};
  return { blockedIn: [...blockedIn], byQuery: form === 'query', signedInTo, providerId, isExempt: isExempt(caller) };
}

/** For an organization `o`: excludes organizations that `authorize` would refuse. */
export function reachable(p: Placeholders<Reach>) {
  return sql<boolean>`not (${o.id} = any(${p('blockedIn')}::bigint[])) and (${o.query_token_allowed} or not ${p('byQuery')}::boolean)
    and (${p('signedInTo')}::bigint is null or ${o.id} = ${p('signedInTo')}::bigint)
    and (${o.required_provider_id} is null or ${o.required_provider_id} = ${p('providerId')}::bigint or ${p('isExempt')}::boolean)`;
}

const isReachable = filter<Reach>(reachable);
const requiresNoProvider = filter(() => sql<boolean>`${o.required_provider_id} is null`)({});

/** The same as conditions of a list: for most callers one without parameters, which has its own plan. */
export function accessibleOrganizations(caller: UserCaller): Condition[] {
  const reach = reachOf(caller);
  if (reach.byQuery || reach.blockedIn.length > 0 || reach.signedInTo !== null) return [isReachable(reach)];
  return reach.isExempt ? [] : [requiresNoProvider];
}

/** Whether a record deleted at this instant (ISO 8601) may be restored. */
export function isRestorable(deletedAt: string, now: Date): boolean {
  return Date.parse(deletedAt) >= restorableSince(now).getTime();
}

/** Earliest deletion time of an organization that can be restored. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - LIMITS.softDelete.restoreDays * DAY);
}
