import type { Caller } from '../access/caller.js';
import { roleHas, type Privilege } from '../access/roles.js';
import type { Queryable } from '../database/database.js';
import { conflict, forbidden, notFound } from '../errors.js';
import type { Role } from '../vocabulary/roles.js';

/**
 * Makes changes of who is what in an organization wait for each other: what is read after it stays true until the
 * transaction ends. Throws NOT_FOUND for an organization that is not there or deleted. Reading and new records of the
 * organization do not wait.
 */
export async function lockMembers(tx: Queryable, organizationId: number): Promise<void> {
  const rows = await tx.rows('select 1 from organization where id = $1 and deleted_at is null for no key update', [
    organizationId,
  ]);
  if (rows.length === 0) throw notFound();
}

/**
 * An organization always keeps at least one owner (decisions §2), one who can act: throws CONFLICT when the transaction
 * has left none. Call it after the change, and `lockMembers` before.
 */
export async function keepAnOwner(tx: Queryable, organizationId: number): Promise<void> {
  const rows = await tx.rows(
    `select 1 from membership m join app_user u on u.id = m.user_id and u.deactivated_at is null
      where m.organization_id = $1 and m.role = 'ORGANIZATION_OWNER' and m.deactivated_at is null limit 1`,
    [organizationId],
  );
  if (rows.length === 0) throw conflict();
}

/**
 * What the caller is at this moment, not what was remembered: for decisions that must not be overtaken. The system acts
 * as an owner; undefined for strangers and deactivated members.
 */
export async function roleNow(tx: Queryable, caller: Caller, organizationId: number): Promise<Role | undefined> {
  await lockMembers(tx, organizationId);
  if (caller.kind !== 'user') return caller.kind === 'system' ? 'ORGANIZATION_OWNER' : undefined;
  const [row] = await tx.rows<{ role: Role }>(
    'select role from membership where organization_id = $1 and user_id = $2 and deactivated_at is null',
    [organizationId, caller.userId],
  );
  return row?.role;
}

/**
 * The same as a decision: who was allowed when it asked may have waited for whoever took its role away. Throws NOT_FOUND
 * and FORBIDDEN as `authorize` does, which comes before it and looks at the token as well.
 */
export async function authorizeNow(
  tx: Queryable,
  caller: Caller,
  privilege: Privilege,
  organizationId: number,
): Promise<void> {
  const role = await roleNow(tx, caller, organizationId);
  if (role === undefined) throw notFound();
  if (!roleHas(role, privilege)) throw forbidden();
}
