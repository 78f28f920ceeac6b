import { DAY } from '../../common/time.js';
import type { Access } from '../../auth/access.js';
import type { Actor, Caller } from '../../auth/caller.js';
import { manages } from '../../auth/roles.js';
import { digestToken, generateToken } from '../../auth/token.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, notFound, rateLimited } from '../../errors.js';
import { invitationMail } from '../../mail/platform-mails.js';
import type { MailQueue } from '../../mail/mailer.js';
import { BRANDING_DEFAULTS, type Role } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { record, type AuditFacts } from '../audit/record.js';
import { refuseMoreMails, refuseMoreMembers, type Quotas } from '../shared/quotas.js';
import { roleName } from '../shared/privileges.js';
import { lockMembers, roleNow } from './ownership.js';

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

const { days, mails, mailsPerDay } = LIMITS.invitation;

const o = table('organization', 'o');
const u = table('app_user', 'u');
const invitation = table('invitation');

interface Secret {
  digest: string;
  now: Date;
  expiresAt: Date;
  invitedBy: string | null;
}

const insert = statement<NewInvitation & Secret>()((p) =>
  db
    .insertInto('invitation')
    .values({
      organization_id: p('organizationId'),
      email: p('email'),
      role: p('role'),
      invited_by_id: p('invitedBy'),
      digest: p('digest'),
      created_at: p('now'),
      expires_at: p('expiresAt'),
      sent_at: sql`array[${p('now')}]::timestamptz[]`,
    })
    .returning('id'),
);

const renew = statement<Secret & { id: number }>()((p) =>
  db
    .updateTable('invitation')
    .set({
      digest: p('digest'),
      expires_at: p('expiresAt'),
      invited_by_id: p('invitedBy'),
      sent_at: sql`${invitation.sent_at} || ${p('now')}::timestamptz`,
    })
    .where('id', '=', p('id')),
);

const close = statement<{ id: number; now: Date }>()((p) =>
  db
    .updateTable('invitation')
    .set(({ fn, ref }) => ({ closed_at: fn.coalesce(ref('closed_at'), p('now')) }))
    .where('id', '=', p('id')),
);

const pending = statement<InvitationKey>()((p) =>
  db
    .selectFrom('invitation')
    .select(['email', 'role', 'accepted_at as acceptedAt', 'closed_at as closedAt'])
    .select(sql<number>`cardinality(${invitation.sent_at})`.as('mailsSent'))
    .where('organization_id', '=', p('organizationId'))
    .where('id', '=', p('id')),
);

const closeExpired = statement<{ organizationId: number; email: string; now: Date }>()((p) =>
  db
    .updateTable('invitation')
    .set({ closed_at: p('now') })
    .where('organization_id', '=', p('organizationId'))
    .where('email', '=', p('email'))
    .where('accepted_at', 'is', null)
    .where('closed_at', 'is', null)
    .where('expires_at', '<=', p('now')),
);

const open = statement<{ organizationId: number; email: string }>()((p) =>
  db
    .selectFrom('invitation')
    .select('id')
    .where('organization_id', '=', p('organizationId'))
    .where('email', '=', p('email'))
    .where('accepted_at', 'is', null)
    .where('closed_at', 'is', null),
);

const inviting = statement<{ organizationId: number; userId: string | null }>()(
  (p) => sql<{ organization: string; primary: string; name: string | null; email: string | null }>`
    select ${o.name} as organization, coalesce(${o.custom_colors}->>'primary', ${BRANDING_DEFAULTS.customColors.primary}) as primary,
           ${u.email}, coalesce(nullif(trim(${u.first_name} || ' ' || ${u.last_name}), ''), ${u.username}) as name
      from ${o.table} left join ${u.table} on ${u.id} = ${p('userId')} where ${o.id} = ${p('organizationId')}`,
);

const memberOf = statement<{ organizationId: number; email: string }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select('m.id')
    .where('m.organization_id', '=', p('organizationId'))
    .where('u.email', '=', p('email')),
);

/** Invites people by mail. The secret is in the mail and nowhere else; each has a new one, and the newest alone opens. */
export class InvitingService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly deps: InvitingDeps,
  ) {}

  /**
   * Returns the invitation's id. Throws FORBIDDEN for a role that the caller does not manage, CONFLICT for members and
   * invited addresses and when a quota is reached, and RATE_LIMITED when the address or the caller has had its mails.
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
      const invitedBy = userIdOf(caller);
      const { id } = await insert.one(tx, { organizationId, email, role, invitedBy, digest, now, expiresAt });
      await this.mail(tx, caller, { organizationId, email, role, secret, expiresAt });
      await recordInvitation(
        tx,
        caller,
        { organizationId, id, email },
        {
          ...{ action: 'MEMBER_INVITED', at: now },
          changes: { role: { after: role }, expiresAt: { after: expiresAt } },
        },
      );
      return id;
    });
  }

  /**
   * Sends one more mail with a new secret, valid for seven days; its sender becomes the inviter. Throws CONFLICT when
   * it was accepted, cancelled or had its five mails, else as `invite` does.
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
      await renew.all(tx, { id, digest, expiresAt, invitedBy: userIdOf(caller), now });
      await this.mail(tx, caller, { organizationId, email, role, secret, expiresAt });
      const changes = { expiresAt: { after: expiresAt } };
      await recordInvitation(
        tx,
        caller,
        { organizationId, id, email },
        { action: 'INVITATION_RESENT', at: now, changes },
      );
    });
  }

  /** From now on its secret opens nothing. Cancelling it again changes nothing; CONFLICT when it was accepted. */
  async cancel(caller: Caller, { organizationId, id }: InvitationKey): Promise<void> {
    await this.access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    await this.database.transaction(async (tx) => {
      const { email, role, acceptedAt, closedAt } = await this.locked(tx, { organizationId, id });
      await this.actAs(tx, caller, organizationId, role);
      if (acceptedAt !== null) throw conflict();
      if (closedAt !== null) return;
      const at = this.deps.now();
      await close.all(tx, { id, now: at });
      await recordInvitation(tx, caller, { organizationId, id, email }, { action: 'INVITATION_CANCELLED', at });
    });
  }

  private async refuseSender(tx: Queryable, caller: Caller, now: Date): Promise<void> {
    if (caller.kind === 'user') await refuseMoreMails(tx, caller.userId, this.deps.quotas, now);
  }

  /** Throws unless the caller manages the role at this moment, under the lock of the members. */
  private async actAs(tx: Queryable, caller: Caller, organizationId: number, role: Role): Promise<void> {
    const actor = await roleNow(tx, caller, organizationId);
    if (actor === undefined) throw notFound();
    if (!manages(actor, role)) this.access.refuse(caller, 'MANAGE_OWNERS', organizationId);
  }

  private async locked(tx: Queryable, { organizationId, id }: InvitationKey): Promise<PendingRow> {
    await lockMembers(tx, organizationId);
    const row = await pending.first(tx, { organizationId, id });
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
    await closeExpired.all(tx, { organizationId, email, now });
    if ((await open.first(tx, { organizationId, email })) !== undefined) throw conflict();
  }

  private async mail(
    tx: Queryable,
    caller: Caller,
    facts: { organizationId: number; email: string; role: Role; secret: string; expiresAt: Date },
  ): Promise<void> {
    const { organization, primary, name, email } = await inviting.one(tx, {
      organizationId: facts.organizationId,
      userId: userIdOf(caller),
    });
    const inviter = name === null || email === null ? null : { name, email };
    const { publicUrl, mails: queue } = this.deps;
    const link = `${publicUrl}/invitation#${facts.secret}`;
    const { email: to, expiresAt } = facts;
    const role = roleName(facts.role);
    const mail = invitationMail({ to, organization, primary, inviter, role, publicUrl, link, expiresAt });
    await queue.post(tx, mail);
  }
}

/** The address is not yet that of a user, who could be erased: the trail has as much of it as tells invitations apart. */
export function recordInvitation(
  tx: Queryable,
  caller: Actor | Caller,
  { organizationId, id, email }: InvitationKey & { email: string },
  facts: AuditFacts,
): Promise<void> {
  const name = `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`;
  return record(tx, caller, { ...facts, organizationId, subject: { type: 'INVITATION', id, name } });
}

function newSecret(now: Date): { secret: string; digest: string; expiresAt: Date } {
  const secret = generateToken('invitation');
  return { secret, digest: digestToken(secret), expiresAt: new Date(now.getTime() + days * DAY) };
}

function userIdOf(caller: Caller): string | null {
  return caller.kind === 'user' ? caller.userId : null;
}

async function isMember(tx: Queryable, organizationId: number, email: string): Promise<boolean> {
  return (await memberOf.first(tx, { organizationId, email })) !== undefined;
}

/** Any number, so that no other use of such locks meets this one. */
const FLOOD_LOCK = 7_214_003;

const countOpen = statement<{ organizationId: number; now: Date; id: number | null }>()((p) =>
  db
    .selectFrom('invitation')
    .select((eb) => eb.fn.countAll<number>().as('others'))
    .where('organization_id', '=', p('organizationId'))
    .where('accepted_at', 'is', null)
    .where('closed_at', 'is', null)
    .where('expires_at', '>', p('now'))
    .where(sql<boolean>`${invitation.id} is distinct from ${p('id')}::int`),
);

const lockAddress = statement<{ email: string }>()(
  (p) => sql`select pg_advisory_xact_lock(hashtextextended(${p('email')}, ${FLOOD_LOCK}))`,
);

const sentMails = statement<{ organizationId: number; email: string; now: Date; week: Date; day: Date }>()(
  (p) => sql<{ here: number; today: number }>`
    select count(*) filter (where ${invitation.organization_id} = ${p('organizationId')} and sent > ${p('week')}) as here,
           count(*) filter (where sent > ${p('day')}) as today
      from ${invitation.table} cross join unnest(${invitation.sent_at}) as sent
     where ${invitation.email} = ${p('email')} and ${invitation.expires_at} > ${p('now')}`,
);

/**
 * Throws CONFLICT when the organization has its maximum of open invitations; with `id`, that one is about to be
 * reopened. Expired ones do not count. Call it under the lock of the members.
 */
export async function refuseOverfull(
  tx: Queryable,
  { organizationId, id }: { organizationId: number; id: number | null },
  { openInvitationsPerOrganization }: Quotas,
  now: Date,
): Promise<void> {
  const { others } = await countOpen.one(tx, { organizationId, id, now });
  if (others >= openInvitationsPerOrganization) throw conflict('QUOTA_EXCEEDED');
}

/**
 * Throws RATE_LIMITED when the address has had its mails: cancelling and inviting anew, inviting from many
 * organizations, or sending once more must not become a way to fill a mailbox. An invitation that had a mail in these
 * seven days expires later than now, cancelled or not.
 */
export async function refuseFlood(tx: Queryable, organizationId: number, email: string, now: Date): Promise<void> {
  // Invitations to one address, from any organization, wait for each other.
  await lockAddress.all(tx, { email });
  const ago = (count: number) => new Date(now.getTime() - count * DAY);
  const since = { week: ago(days), day: ago(1) };
  const { here, today } = await sentMails.one(tx, { organizationId, email, now, ...since });
  if (here >= mails || today >= mailsPerDay) throw rateLimited(DAY / 1000);
}
