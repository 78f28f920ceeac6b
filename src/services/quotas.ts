import type { Queryable } from '../database/database.js';
import { conflict, rateLimited } from '../errors.js';

/** What an operator lets a user and an organization have. Infinity is no quota. */
export interface Quotas {
  /** Organizations that one user owns, those that were deleted and can still be restored included. */
  organizationsPerUser: number;
  /** Deactivated members included. */
  membersPerOrganization: number;
  openInvitationsPerOrganization: number;
  /** Bytes of an organization's documents, attachments and logo. */
  storedBytesPerOrganization: number;
  /** Mails of invitations that one user sends in 24 hours, from whichever organization. */
  mailsPerSender: number;
}

export const NO_QUOTAS: Quotas = {
  organizationsPerUser: Infinity,
  membersPerOrganization: Infinity,
  openInvitationsPerOrganization: Infinity,
  storedBytesPerOrganization: Infinity,
  mailsPerSender: Infinity,
};

/** A quota as PostgreSQL compares it: null where there is none. */
export function asParameter(quota: number): number | null {
  return Number.isFinite(quota) ? quota : null;
}

/**
 * Throws CONFLICT when a user cannot own one more organization. Those who make it an owner wait for each other; call it
 * after the organization is held, and before the user owns it.
 */
export async function refuseMoreOrganizations(tx: Queryable, userId: string, { organizationsPerUser }: Quotas) {
  if (!Number.isFinite(organizationsPerUser)) return;
  const [row] = await tx.rows<{ owned: number }>('select owned_organizations($1) as owned', [userId]);
  if ((row as { owned: number }).owned >= organizationsPerUser) throw conflict('QUOTA_EXCEEDED');
}

/** Throws CONFLICT when an organization cannot have one more member. Call it under the lock of the members. */
export async function refuseMoreMembers(tx: Queryable, organizationId: number, { membersPerOrganization }: Quotas) {
  if (!Number.isFinite(membersPerOrganization)) return;
  const [row] = await tx.rows<{ members: number }>(
    'select count(*) as members from membership where organization_id = $1',
    [organizationId],
  );
  if ((row as { members: number }).members >= membersPerOrganization) throw conflict('QUOTA_EXCEEDED');
}

/**
 * Throws CONFLICT when an organization has more bytes than it may. Call it after the row was written: triggers have
 * counted it by then, and hold the count until the transaction ends, so that uploads cannot pass it together.
 */
export async function refuseMoreBytes(tx: Queryable, organizationId: number, quota: number): Promise<void> {
  if (!Number.isFinite(quota)) return;
  const [row] = await tx.rows<{ bytes: number }>('select bytes from organization_storage where organization_id = $1', [
    organizationId,
  ]);
  if (row !== undefined && row.bytes > quota) throw conflict('QUOTA_EXCEEDED');
}

/** Any number, so that no other use of such locks meets this one. */
const SENDER_LOCK = 7_214_004;
const DAY = 24 * 60 * 60 * 1000;

/** Throws RATE_LIMITED when a user has sent as many mails as it may in a day. Its mails wait for each other. */
export async function refuseMoreMails(tx: Queryable, userId: string, { mailsPerSender }: Quotas, now: Date) {
  if (!Number.isFinite(mailsPerSender)) return;
  await tx.rows('select pg_advisory_xact_lock(hashtextextended($1, $2))', [userId, SENDER_LOCK]);
  const [row] = await tx.rows<{ count: number; oldest: string | null }>(
    `select count(*) as count, min(sent) as oldest
       from invitation cross join unnest(sent_at) as sent where invited_by_id = $1 and expires_at > $2 and sent > $3`,
    [userId, now, new Date(now.getTime() - DAY)],
  );
  const { count, oldest } = row as { count: number; oldest: string | null };
  if (count < mailsPerSender) return;
  const first = oldest === null ? now.getTime() : Date.parse(oldest);
  throw rateLimited(Math.max(1, Math.ceil((first + DAY - now.getTime()) / 1000)));
}
