import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { manages } from '../access/roles.js';
import { digestToken, generateInvitationSecret } from '../access/token.js';
import type { Database, Queryable } from '../database/database.js';
import { conflict, forbidden, notFound } from '../errors.js';
import { invitationMail } from '../mail/invitation-mail.js';
import type { MailQueue } from '../mail/mail.js';
import { BRANDING_DEFAULTS } from '../vocabulary/branding-defaults.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Role } from '../vocabulary/roles.js';
import { refuseFlood, refuseOverfull } from './invitation-limits.js';
import { lockMembers, roleNow } from './ownership.js';
import { refuseMoreMails, refuseMoreMembers, type Quotas } from './quotas.js';
import { roleName } from './role-names.js';

export interface NewInvitation {
  organizationId: number;
  email: string;
  role: Role;
}

export interface InvitationKey {
  organizationId: number;
  id: number;
}

export interface InvitingDeps {
  mails: MailQueue;
  /** What the address in the mail begins with. */
  publicUrl: string;
  now: () => Date;
  quotas: Quotas;
}

interface PendingRow {
  email: string;
  role: Role;
  mailsSent: number;
  acceptedAt: string | null;
  closedAt: string | null;
}

interface Inviting {
  organization: string;
  primary: string;
  name: string | null;
  email: string | null;
}

const DAY = 24 * 60 * 60 * 1000;
const { days, mails } = LIMITS.invitation;

/**
 * Invites people to an organization by mail (decisions §1, §2). The secret is in the mail and nowhere else; each mail
 * has a new one, and the newest alone opens.
 */
export class InvitingService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly deps: InvitingDeps,
  ) {}

  /**
   * Throws FORBIDDEN for a role that the caller does not manage, CONFLICT for who is a member or invited already and
   * when as many invitations are open, or there are as many members, as may be, and RATE_LIMITED when the address has had
   * its mails or the caller has sent as many as it may. Answers the
   * invitation's id.
   */
  async invite(caller: Caller, { organizationId, email: address, role }: NewInvitation): Promise<number> {
    await this.access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    const email = address.toLowerCase();
    return this.database.transaction(async (tx) => {
      await this.actAs(tx, caller, organizationId, role);
      const now = this.deps.now();
      await this.refuseKnown(tx, organizationId, email, now);
      await refuseOverfull(tx, { organizationId, id: null }, this.deps.quotas, now);
      await refuseMoreMembers(tx, organizationId, this.deps.quotas);
      await this.refuseSender(tx, caller, now);
      await refuseFlood(tx, organizationId, email, now);
      const { secret, digest, expiresAt } = newSecret(now);
      const [row] = await tx.rows<{ id: number }>(
        `insert into invitation (organization_id, email, role, invited_by_id, digest, created_at, expires_at, sent_at)
         values ($1, $2, $3, $4, $5, $6, $7, array[$6]::timestamptz[]) returning id`,
        [organizationId, email, role, userIdOf(caller), digest, now, expiresAt],
      );
      await this.mail(tx, caller, { organizationId, email, role, secret, expiresAt });
      return (row as { id: number }).id;
    });
  }

  /**
   * Sends one more mail with a new secret, and begins the seven days anew; whoever sends it answers for the invitation
   * from now on. Throws CONFLICT when it was accepted, cancelled or had its five mails, else as `invite` does.
   */
  async resend(caller: Caller, { organizationId, id }: InvitationKey): Promise<void> {
    await this.access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    await this.database.transaction(async (tx) => {
      const { email, role, mailsSent } = await this.pending(tx, caller, { organizationId, id });
      if (mailsSent >= mails) throw conflict();
      const now = this.deps.now();
      await refuseOverfull(tx, { organizationId, id }, this.deps.quotas, now);
      await this.refuseSender(tx, caller, now);
      await refuseFlood(tx, organizationId, email, now);
      const { secret, digest, expiresAt } = newSecret(now);
      await tx.rows(
        `update invitation set digest = $2, expires_at = $3, invited_by_id = $4, sent_at = sent_at || $5::timestamptz
          where id = $1`,
        [id, digest, expiresAt, userIdOf(caller), now],
      );
      await this.mail(tx, caller, { organizationId, email, role, secret, expiresAt });
    });
  }

  /** From now on its secret opens nothing. Cancelling it again changes nothing; CONFLICT when it was accepted. */
  async cancel(caller: Caller, { organizationId, id }: InvitationKey): Promise<void> {
    await this.access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    await this.database.transaction(async (tx) => {
      const { role, acceptedAt } = await this.locked(tx, { organizationId, id });
      await this.actAs(tx, caller, organizationId, role);
      if (acceptedAt !== null) throw conflict();
      await tx.rows('update invitation set closed_at = coalesce(closed_at, $2) where id = $1', [id, this.deps.now()]);
    });
  }

  private async refuseSender(tx: Queryable, caller: Caller, now: Date): Promise<void> {
    if (caller.kind === 'user') await refuseMoreMails(tx, caller.userId, this.deps.quotas, now);
  }

  /** Throws unless the caller manages the role at this moment, under the lock of the members. */
  private async actAs(tx: Queryable, caller: Caller, organizationId: number, role: Role): Promise<void> {
    const actor = await roleNow(tx, caller, organizationId);
    if (actor === undefined) throw notFound();
    if (!manages(actor, role)) throw forbidden();
  }

  private async locked(tx: Queryable, { organizationId, id }: InvitationKey): Promise<PendingRow> {
    await lockMembers(tx, organizationId);
    const [row] = await tx.rows<PendingRow>(
      `select email, role, cardinality(sent_at) as "mailsSent", accepted_at as "acceptedAt", closed_at as "closedAt"
         from invitation where organization_id = $1 and id = $2`,
      [organizationId, id],
    );
    if (row === undefined) throw notFound();
    return row;
  }

  private async pending(tx: Queryable, caller: Caller, key: InvitationKey): Promise<PendingRow> {
    const row = await this.locked(tx, key);
    await this.actAs(tx, caller, key.organizationId, row.role);
    if (row.acceptedAt !== null || row.closedAt !== null) throw conflict();
    if (await isMember(tx, key.organizationId, row.email)) throw conflict();
    return row;
  }

  /** An expired invitation makes way for a new one; one that is open does not. */
  private async refuseKnown(tx: Queryable, organizationId: number, email: string, now: Date): Promise<void> {
    if (await isMember(tx, organizationId, email)) throw conflict();
    await tx.rows(
      `update invitation set closed_at = $3
        where organization_id = $1 and email = $2 and accepted_at is null and closed_at is null and expires_at <= $3`,
      [organizationId, email, now],
    );
    const same = await tx.rows(
      'select 1 from invitation where organization_id = $1 and email = $2 and accepted_at is null and closed_at is null',
      [organizationId, email],
    );
    if (same.length > 0) throw conflict();
  }

  private async mail(
    tx: Queryable,
    caller: Caller,
    facts: { organizationId: number; email: string; role: Role; secret: string; expiresAt: Date },
  ): Promise<void> {
    const [row] = await tx.rows<Inviting>(
      `select o.name as organization, coalesce(o.custom_colors->>'primary', $3) as primary, u.email,
              coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.username) as name
         from organization o left join app_user u on u.id = $2 where o.id = $1`,
      [facts.organizationId, userIdOf(caller), BRANDING_DEFAULTS.customColors.primary],
    );
    const { organization, primary, name, email } = row as Inviting;
    const inviter = name === null || email === null ? null : { name, email };
    const { publicUrl, mails: queue } = this.deps;
    const link = `${publicUrl}/invitation#${facts.secret}`;
    const { email: to, expiresAt } = facts;
    const role = roleName(facts.role);
    const mail = invitationMail({ to, organization, primary, inviter, role, publicUrl, link, expiresAt });
    await queue.post(tx, mail);
  }
}

function newSecret(now: Date): { secret: string; digest: string; expiresAt: Date } {
  const secret = generateInvitationSecret();
  return { secret, digest: digestToken(secret), expiresAt: new Date(now.getTime() + days * DAY) };
}

function userIdOf(caller: Caller): string | null {
  return caller.kind === 'user' ? caller.userId : null;
}

async function isMember(tx: Queryable, organizationId: number, email: string): Promise<boolean> {
  const rows = await tx.rows(
    'select 1 from membership m join app_user u on u.id = m.user_id where m.organization_id = $1 and u.email = $2',
    [organizationId, email],
  );
  return rows.length > 0;
}
