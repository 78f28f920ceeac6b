import { unauthenticated } from '../errors.js';
import { db, sql, statement, type Queryable } from './sql.js';

/**
 * Shared locks that each transaction of a change acquires before it locks rows, so that none deadlock: its user, who
 * is not erased meanwhile, and organizations, which are not emptied.
 */
export interface ChangeLocks {
  /** Undefined where the change acquires its locks itself. */
  readonly userId: string | undefined;
  readonly organizationIds: readonly number[];
  /** Runs before COMMIT, after all locks were acquired: an error rolls back the change. */
  readonly confirm?: () => Promise<void>;
}

/** The seed of the hash of these locks, which no other advisory locks use. */
const USE = sql.lit(6);

const lockShared = statement<{ names: readonly string[] }>()(
  (p) => sql`
    select pg_advisory_xact_lock_shared(hashtextextended(name, ${USE})) from unnest(${p('names')}::text[]) as name`,
);

const isPresent = statement<{ userId: string }>()((p) =>
  db.selectFrom('app_user').select('id').where('id', '=', p('userId')).where('deactivated_at', 'is', null),
);

/**
 * Sends both statements together: the second sees what was committed while the first waited. Throws UNAUTHENTICATED.
 */
export async function acquireLocks(tx: Queryable, { userId, organizationIds }: ChangeLocks): Promise<void> {
  if (userId === undefined) return;
  const names = [userName(userId), ...organizationIds.toSorted((one, other) => one - other).map(organizationName)];
  const [, user] = await Promise.all([lockShared.all(tx, { names }), isPresent.first(tx, { userId })]);
  if (user === undefined) throw unauthenticated();
}

/** For a change without a caller, which finds its organization itself. Call it before other locks. */
export async function lockOrganizationShared(tx: Queryable, organizationId: number): Promise<void> {
  await lockShared.all(tx, { names: [organizationName(organizationId)] });
}

const lockExclusive = statement<{ name: string }>()(
  (p) => sql`select pg_advisory_xact_lock(hashtextextended(${p('name')}, ${USE}))`,
);

/** Waits for changes of the user; further ones wait until the end. Call it before other locks. */
export async function lockUserExclusive(tx: Queryable, userId: string): Promise<void> {
  await lockExclusive.all(tx, { name: userName(userId) });
}

/** The same for changes in an organization. */
export async function lockOrganizationExclusive(tx: Queryable, organizationId: number): Promise<void> {
  await lockExclusive.all(tx, { name: organizationName(organizationId) });
}

const lockWait = statement<{ milliseconds: number }>()(
  (p) => sql`select set_config('lock_timeout', (${p('milliseconds')}::int)::text, true)`,
);

/**
 * Limits the milliseconds that the transaction waits for each further lock, where unrelated work would wait with it.
 */
export async function limitLockWait(tx: Queryable, milliseconds: number): Promise<void> {
  await lockWait.all(tx, { milliseconds });
}

const userName = (userId: string) => `user ${userId}`;
const organizationName = (organizationId: number) => `organization ${organizationId}`;
