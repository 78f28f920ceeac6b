import { unauthenticated } from '../errors.js';
import { db, sql, statement, type Queryable } from './sql.js';

/**
 * Held by the transactions of a change, beside others that hold the same: its user, who is not erased meanwhile, and organizations,
 * which are not emptied. They are held before any row is locked, so that no two wait for each other.
 */
export interface ChangeLocks {
  /** Undefined where the change itself takes the locks that it needs. */
  readonly userId: string | undefined;
  readonly organizationIds: readonly number[];
  /** Runs before COMMIT, once all locks were waited for: what it throws undoes the change. */
  readonly confirm?: () => Promise<void>;
}

/** The number of these locks, which no other use of such locks has. */
const USE = sql.lit(6);

const lockShared = statement<{ names: readonly string[] }>()(
  (p) => sql`
    select pg_advisory_xact_lock_shared(hashtextextended(name, ${USE})) from unnest(${p('names')}::text[]) as name`,
);

const isPresent = statement<{ userId: string }>()((p) =>
  db.selectFrom('app_user').select('id').where('id', '=', p('userId')).where('deactivated_at', 'is', null),
);

/** Sends both statements at once: the second sees what was committed while the first waited. Throws UNAUTHENTICATED. */
export async function acquireLocks(tx: Queryable, { userId, organizationIds }: ChangeLocks): Promise<void> {
  if (userId === undefined) return;
  const names = [userName(userId), ...organizationIds.toSorted((one, other) => one - other).map(organizationName)];
  const [, user] = await Promise.all([lockShared.all(tx, { names }), isPresent.first(tx, { userId })]);
  if (user === undefined) throw unauthenticated();
}

/** For a change without a caller, whose organization it finds itself. Call it before anything else is locked. */
export async function lockOrganizationShared(tx: Queryable, organizationId: number): Promise<void> {
  await lockShared.all(tx, { names: [organizationName(organizationId)] });
}

const lockExclusive = statement<{ name: string }>()(
  (p) => sql`select pg_advisory_xact_lock(hashtextextended(${p('name')}, ${USE}))`,
);

/** Waits for what the user is changing; further changes of it wait until the end. Call it before anything else is locked. */
export async function lockUserExclusive(tx: Queryable, userId: string): Promise<void> {
  await lockExclusive.all(tx, { name: userName(userId) });
}

/** The same for what users change in an organization. */
export async function lockOrganizationExclusive(tx: Queryable, organizationId: number): Promise<void> {
  await lockExclusive.all(tx, { name: organizationName(organizationId) });
}

const lockWait = statement<{ milliseconds: number }>()(
  (p) => sql`select set_config('lock_timeout', (${p('milliseconds')}::int)::text, true)`,
);

/** From now on the transaction waits so many milliseconds for each lock, where others wait for it who have nothing to do with the lock. */
export async function limitLockWait(tx: Queryable, milliseconds: number): Promise<void> {
  await lockWait.all(tx, { milliseconds });
}

const userName = (userId: string) => `user ${userId}`;
const organizationName = (organizationId: number) => `organization ${organizationId}`;
