import type { Queryable } from '../database/database.js';
import type { MailQueue } from '../mail/mail.js';
import { recoveredMail } from '../mail/recovery-mail.js';
import { LIMITS } from '../vocabulary/limits.js';
import { notify } from './notifier.js';
import { ACTIVE_MEMBER } from './reach.js';
import { issueToken } from './token-minting.js';

export interface RecoveredUser {
  id: string;
  username: string;
  email: string;
}

const DAY = 24 * 60 * 60 * 1000;

const ORGANIZATIONS = `
  select o.id from membership m join organization o on o.id = m.organization_id and o.deleted_at is null
   where m.user_id = $1 and ${ACTIVE_MEMBER} order by o.id`;

const OWNERS = `
  select distinct u.email from membership mine
    join organization o on o.id = mine.organization_id and o.deleted_at is null
    join membership m on m.organization_id = o.id and m.role = 'ORGANIZATION_OWNER' and ${ACTIVE_MEMBER}
    join app_user u on u.id = m.user_id and u.deactivated_at is null
   where mine.user_id = $1 and mine.deactivated_at is null and u.id <> $1
   order by u.email limit ${LIMITS.recovery.noticeMails}`;

/** Makes the one token of a recovery and notifies the owners of the user's organizations. The caller has decided. */
export async function issueRecoveredToken(
  tx: Queryable,
  user: RecoveredUser,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const expiresAt = new Date(now.getTime() + LIMITS.token.defaultDays * DAY);
  const scopes = ['read', 'write'] as const;
  const facts = { userId: user.id, name: 'Recovered token', scopes, createdAt: now, expiresAt };
  const { token } = await issueToken(tx, facts);
  for (const { id: organizationId } of await tx.rows<{ id: number }>(ORGANIZATIONS, [user.id])) {
    await notify(tx, {
      organizationId,
      type: 'TOKEN',
      at: now,
      title: 'A member has recovered access',
      message: `${user.username} (${user.email}) has made a new token by account recovery. If that was not the member, deactivate it or block the token.`,
      href: `/organizations/${organizationId}/users`,
      to: { privilege: 'BLOCK_TOKENS' },
    });
  }
  return { token, expiresAt };
}

/** Writes to the user and to owners of its organizations, so that a recovery by somebody else is seen. */
export async function mailRecovered(
  tx: Queryable,
  mails: MailQueue,
  user: RecoveredUser,
  publicUrl: string,
): Promise<void> {
  const owners = await tx.rows<{ email: string }>(OWNERS, [user.id]);
  for (const to of [user.email, ...owners.map(({ email }) => email)]) {
    await mails.post(tx, recoveredMail(to, user, publicUrl));
  }
}
