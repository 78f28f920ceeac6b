import type { Queryable } from '../database/database.js';
import { conflict, rateLimited } from '../errors.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Quotas } from './quotas.js';

/** Any number, so that no other use of such locks meets this one. */
const FLOOD_LOCK = 7_214_003;
const DAY = 24 * 60 * 60 * 1000;
const { days, mails, mailsPerDay } = LIMITS.invitation;

/**
 * Throws CONFLICT when as many invitations of the organization are open as may be; with `id`, that one is about to be
 * open again. Those that have expired stand in nobody's way. Call it under the lock of the members.
 */
export async function refuseOverfull(
  tx: Queryable,
  { organizationId, id }: { organizationId: number; id: number | null },
  { openInvitationsPerOrganization }: Quotas,
  now: Date,
): Promise<void> {
  const [counts] = await tx.rows<{ others: number }>(
    `select count(*) as others from invitation
      where organization_id = $1 and accepted_at is null and closed_at is null and expires_at > $2
        and id is distinct from $3::int`,
    [organizationId, now, id],
  );
  if ((counts as { others: number }).others >= openInvitationsPerOrganization) throw conflict('QUOTA_EXCEEDED');
}

/**
 * Throws RATE_LIMITED when the address has had its mails: cancelling and inviting anew, inviting from many
 * organizations, or sending once more must not become a way to fill a mailbox. An invitation that had a mail in these
 * seven days expires later than now, cancelled or not.
 */
export async function refuseFlood(tx: Queryable, organizationId: number, email: string, now: Date): Promise<void> {
  // Invitations to one address wait for each other, whichever organization they come from.
  await tx.rows('select pg_advisory_xact_lock(hashtextextended($1, $2))', [email, FLOOD_LOCK]);
  const [sums] = await tx.rows<{ here: number; today: number }>(
    `select count(*) filter (where organization_id = $1 and sent > $3) as here,
            count(*) filter (where sent > $4) as today
       from invitation cross join unnest(sent_at) as sent where email = $2 and expires_at > $5`,
    [organizationId, email, new Date(now.getTime() - days * DAY), new Date(now.getTime() - DAY), now],
  );
  const { here, today } = sums as { here: number; today: number };
  if (here >= mails || today >= mailsPerDay) throw rateLimited(DAY / 1000);
}
