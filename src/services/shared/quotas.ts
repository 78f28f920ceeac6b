import { DAY } from '../../common/time.js';
import type { Quotas } from '../../config.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, rateLimited, type DomainError } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';

const invitation = table('invitation');

const o = table('organization', 'o');

const ownedOrganizations = statement<{ userId: string; organizationId: number }>()(
  (p) => sql<{ owned: number; sandbox: boolean }>`
    select ${o.sandbox}, owned_organizations(${p('userId')}, ${o.sandbox}) as owned from ${o.table} where ${o.id} = ${p('organizationId')}`,
);

const countMembers = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select((eb) => eb.fn.countAll<number>().as('members'))
    .where('m.organization_id', '=', p('organizationId'))
    .where('u.kind', '=', 'PERSON'),
);

const storage = statement<{ organizationId: number }>()((p) =>
  db.selectFrom('organization_storage').select('bytes').where('organization_id', '=', p('organizationId')),
);

/** A quota for PostgreSQL's comparisons: null for none. */
export function asParameter(quota: number): number | null {
  return Number.isFinite(quota) ? quota : null;
}

/** Maximum number of organizations that a user may own; sandboxes have a separate limit. */
export function ownedQuota(sandbox: boolean, { organizationsPerUser }: Quotas): number {
  return sandbox ? LIMITS.sandbox.perUser : organizationsPerUser;
}

export function tooManyOwned(sandbox: boolean): DomainError {
  return conflict(sandbox ? 'SANDBOX_LIMIT' : 'ORGANIZATION_LIMIT');
}

/**
 * Throws CONFLICT when a user cannot own this organization as well. Callers for one user are serialized; call it after
 * the organization is locked, and before the user owns it.
 */
export async function refuseMoreOrganizations(tx: Queryable, userId: string, organizationId: number, quotas: Quotas) {
  const { owned, sandbox } = await ownedOrganizations.one(tx, { userId, organizationId });
  if (owned >= ownedQuota(sandbox, quotas)) throw tooManyOwned(sandbox);
}

/** Throws CONFLICT when an organization cannot have one more member. Call it under the lock of the members. */
export async function refuseMoreMembers(tx: Queryable, organizationId: number, { membersPerOrganization }: Quotas) {
  if (!Number.isFinite(membersPerOrganization)) return;
  const { members } = await countMembers.one(tx, { organizationId });
  if (members >= membersPerOrganization) throw conflict('MEMBER_LIMIT');
}

/**
 * Throws CONFLICT when an organization has more bytes than its quota. Call it after the row was written: triggers have
 * counted it and lock the count until the transaction ends, so that concurrent uploads cannot exceed it.
 */
export async function refuseMoreBytes(tx: Queryable, organizationId: number, quota: number): Promise<void> {
  if (!Number.isFinite(quota)) return;
  const stored = await storage.first(tx, { organizationId });
  if (stored !== undefined && stored.bytes > quota) throw conflict('STORAGE_LIMIT');
}

/** An advisory lock on a text in a number space of its own, until the end of the transaction. */
export const textLock = (use: number) =>
  statement<{ text: string }>()((p) => sql`select pg_advisory_xact_lock(hashtextextended(${p('text')}, ${use}))`);

const lockSender = textLock(7_214_004);

const sentMails = statement<{ userId: string; now: Date; since: Date }>()(
  (p) => sql<{ count: number; oldest: string | null }>`
    select count(*) as count, min(sent) as oldest
      from ${invitation.table} cross join unnest(${invitation.sent_at}) as sent
     where ${invitation.invited_by_id} = ${p('userId')} and ${invitation.expires_at} > ${p('now')} and sent > ${p('since')}`,
);

/** Throws RATE_LIMITED at the daily maximum of a user's mails, which are serialized. */
export async function refuseMoreMails(tx: Queryable, userId: string, { mailsPerSender }: Quotas, now: Date) {
  if (!Number.isFinite(mailsPerSender)) return;
  await lockSender.all(tx, { text: userId });
  const { count, oldest } = await sentMails.one(tx, { userId, now, since: new Date(now.getTime() - DAY) });
  if (count < mailsPerSender) return;
  throw rateLimited(secondsLeft(oldest, DAY, now));
}

/** Seconds until the first item that a limit counts expires, `period` milliseconds after it. */
export function secondsLeft(first: string | null, period: number, now: Date): number {
  const begin = first === null ? now.getTime() : Date.parse(first);
  return Math.max(1, Math.ceil((begin + period - now.getTime()) / 1000));
}
