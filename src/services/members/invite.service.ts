import type { Quotas } from '../../config.js';
import { DAY } from '../../common/time.js';
import type { Actor, Caller } from '../../auth/caller.js';
import { assign } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table, type Expression } from '../../database/sql.js';
import { conflict, found, rateLimited, requireVersion } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import { invitationMail } from '../../mail/platform-mails.js';
import { languageOf } from '../../messages/language.js';
import type { MailQueue } from '../../mail/mailer.js';
import { BRANDING_DEFAULTS, type Role } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { record, type AuditFacts } from '../audit/record.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import { refuseMoreMails, refuseMoreMembers, secondsLeft, textLock } from '../shared/quotas.js';
import { newSecret } from '../tokens/token-minting.js';
import { languageOfMailbox } from '../shared/reading-language.js';
import { refuseAuditor } from './join-engagement.js';
import { lockMembers, nameOf, requireManaged, roleNow } from './members.service.js';

export interface NewInvitation {
  organizationId: number;
  email: string;
  role: Role;
  /** The engagement that an auditor is invited to. */
  engagementId?: number | null;
}

export interface InvitationKey {
  organizationId: number;
  id: number;
}

/** An invitation, and the expected version; any version when null or absent. */
interface ChangedInvitation extends InvitationKey {
  version?: number | null;
}

/** Without an id if new; otherwise with the expiry of the link that is replaced. */
type Sendable = NewInvitation & { id: number | null; expiresAt?: string };

type InvitingDeps = Pick<Foundation, 'database' | 'access' | 'config' | 'now'> & { mails: MailQueue };

const { days, mails, mailsPerDay } = LIMITS.invitation;

const o = table('organization', 'o');
const u = table('app_user', 'u');
const m = table('membership', 'm');
const i = table('invitation', 'i');

interface Secret {
  digest: string;
  createdAt: Date;
  expiresAt: Date;
  invitedById: string | null;
}

const insert = statement<NewInvitation & Secret>()((p) =>
  db
    .insertInto('invitation')
    .values({
      ...assign('invitation', p, [
        'organizationId',
        'email',
        'role',
        'engagementId',
        'invitedById',
        'digest',
        'createdAt',
        'expiresAt',
      ]),
      sent_at: sql`array[${p('createdAt')}]::timestamptz[]`,
    })
    .returning('id'),
);

const renew = statement<Secret & { id: number }>()((p) =>
  db
    .updateTable('invitation as i')
    .set(assign('invitation', p, ['digest', 'expiresAt', 'invitedById']))
    .set({ sent_at: sql`${i.sent_at} || ${p('createdAt')}::timestamptz` })
    .where('i.id', '=', p('id')),
);

const close = statement<{ id: number; now: Date }>()((p) =>
  db
    .updateTable('invitation')
    .set({ closed_at: p('now') })
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

/** Whether an address is that of a member, deactivated or not. */
export const ofMember = (organizationId: Expression, email: Expression) => sql<boolean>`exists (
  select from ${m.table} join ${u.table} on ${u.id} = ${m.user_id}
   where ${m.organization_id} = ${organizationId} and ${u.email} = ${email})`;

const lock = statement<InvitationKey>()((p) =>
  db
    .selectFrom('invitation as i')
    .select([
      'i.email',
      'i.role',
      'i.engagement_id as engagementId',
      'i.expires_at as expiresAt',
      'i.accepted_at as acceptedAt',
      'i.closed_at as closedAt',
      'i.version',
    ])
    .select(sql<number>`cardinality(${i.sent_at})`.as('mailsSent'))
    .select(ofMember(i.organization_id, i.email).as('isMember'))
    .where('i.organization_id', '=', p('organizationId'))
    .where('i.id', '=', p('id'))
    // The erasure of the invited person or address cancels it without the lock of the members.
    .forNoKeyUpdate('i'),
);

/** Whether an address is a member's, and whether it is invited. */
const known = statement<{ organizationId: number; email: string }>()(
  (p) => sql<{ isMember: boolean; isInvited: boolean }>`
    select ${ofMember(p('organizationId'), p('email'))} as "isMember", exists (
      select from ${i.table} where ${i.organization_id} = ${p('organizationId')} and ${i.email} = ${p('email')}
         and ${i.accepted_at} is null and ${i.closed_at} is null) as "isInvited"`,
);

/** Whether an address has a role already: as an active member, or by an open invitation. */
const hasRole = statement<Omit<NewInvitation, 'engagementId'> & { now: Date }>()(
  (p) => sql<{ isSo: boolean }>`
    select exists (select from ${m.table} join ${u.table} on ${u.id} = ${m.user_id} and ${u.deactivated_at} is null
                    where ${m.organization_id} = ${p('organizationId')} and ${u.email} = ${p('email')} and ${m.role} = ${p('role')}
                      and ${ACTIVE_MEMBER})
        or exists (select from ${i.table} where ${i.organization_id} = ${p('organizationId')} and ${i.email} = ${p('email')}
                      and ${i.role} = ${p('role')} and ${i.accepted_at} is null and ${i.closed_at} is null
                      and ${i.expires_at} > ${p('now')}) as "isSo"`,
);

const inviting = statement<{ organizationId: number; userId: string | null; email: string }>()(
  (p) => sql<{
    organization: string;
    sandbox: boolean;
    language: string;
    timeZone: string;
    primary: string;
    name: string | null;
    email: string | null;
  }>`
    select ${o.name} as organization, ${o.sandbox}, coalesce(${languageOfMailbox(p('email'))}, ${o.language}) as language, ${o.time_zone} as "timeZone", coalesce(${o.custom_colors}->>'primary', ${BRANDING_DEFAULTS.customColors.primary}) as primary,
           case ${u.kind} when 'PERSON' then ${u.email} end as email, ${nameOf(u)} as name
      from ${o.table} left join ${u.table} on ${u.id} = ${p('userId')} where ${o.id} = ${p('organizationId')}`,
);

/** Invites people by mail. The secret is only in the mail; each mail has a new one, and only the newest is valid. */
export class InviteService {
  constructor(private readonly deps: InvitingDeps) {}

  /**
   * Returns the invitation's id. Throws FORBIDDEN for a role that the caller does not manage, CONFLICT for members and
   * invited addresses and when a quota is reached, and RATE_LIMITED at the limit of mails of the address or the caller.
   */
  async invite(
    caller: Caller,
    { organizationId, email: address, role, engagementId = null }: NewInvitation,
  ): Promise<number> {
    const { access, database, now } = this.deps;
    await access.authorize(caller, engagementId === null ? 'MANAGE_MEMBERS' : 'MANAGE_ENGAGEMENTS', organizationId);
    const email = address.toLowerCase();
    return database.transaction(async (tx) => {
      await this.actAs(tx, caller, organizationId, role);
      const at = now();
      if (engagementId !== null) await refuseAuditor(tx, { organizationId, engagementId, email, now: at });
      // An expired invitation is replaced by a new one; an open one is not.
      await closeExpired.all(tx, { organizationId, email, now: at });
      const { isMember, isInvited } = await known.one(tx, { organizationId, email });
      if (isMember) throw conflict('ALREADY_MEMBER');
      if (isInvited) throw conflict('ALREADY_INVITED');
      return this.send(tx, caller, { organizationId, id: null, email, role, engagementId }, at);
    });
  }

  /** Whether the invitation would give the role that its address already has. */
  async isSo({ organizationId, email, role }: NewInvitation): Promise<boolean> {
    const { database, now } = this.deps;
    const key = { organizationId, email: email.toLowerCase(), role, now: now() };
    return (await hasRole.one(database, key)).isSo;
  }

  /**
   * Sends one more mail with a new secret, valid for seven days; its sender becomes the inviter. Throws CONFLICT when
   * it was accepted, cancelled or had its five mails, PRECONDITION_FAILED for another version, else as `invite` does.
   */
  async resend(caller: Caller, { version, ...key }: ChangedInvitation): Promise<void> {
    const { access, database, now } = this.deps;
    await access.authorize(caller, 'MANAGE_MEMBERS', key.organizationId);
    await database.transaction(async (tx) => {
      const locked = await this.locked(tx, caller, key, version);
      const { email, role, engagementId, expiresAt, mailsSent, acceptedAt, closedAt, isMember } = locked;
      if (acceptedAt !== null || closedAt !== null) throw conflict('INVITATION_CLOSED');
      if (isMember) throw conflict('ALREADY_MEMBER');
      if (mailsSent >= mails) throw conflict('MAIL_LIMIT');
      const at = now();
      if (engagementId !== null) await refuseAuditor(tx, { ...key, engagementId, email, now: at });
      await this.send(tx, caller, { ...key, email, role, engagementId, expiresAt }, at);
    });
  }

  /** Invalidates its secret; idempotent. Throws as `resend` does. */
  async cancel(caller: Caller, { version, ...key }: ChangedInvitation): Promise<void> {
    const { access, database, now } = this.deps;
    await access.authorize(caller, 'MANAGE_MEMBERS', key.organizationId);
    await database.transaction(async (tx) => {
      const { email, acceptedAt, closedAt } = await this.locked(tx, caller, key, version);
      if (acceptedAt !== null) throw conflict('INVITATION_CLOSED');
      if (closedAt !== null) return;
      const at = now();
      await close.all(tx, { id: key.id, now: at });
      await recordInvitation(tx, caller, { ...key, email }, { action: 'INVITATION_CANCELLED', at });
    });
  }

  /** Stores a new secret and mails it, within the limits of the organization, the sender and the address. Returns the id. */
  private async send(tx: Queryable, caller: Caller, invitation: Sendable, now: Date): Promise<number> {
    const { organizationId, id, email, role, engagementId = null } = invitation;
    const { publicUrl, quotas } = this.deps.config;
    await refuseOverfull(tx, invitation, quotas, now);
    if (id === null && engagementId === null) await refuseMoreMembers(tx, organizationId, quotas);
    if (caller.kind === 'user') await refuseMoreMails(tx, caller.userId, quotas, now);
    await refuseFlood(tx, organizationId, email, now);
    const { secret, ...stored } = newSecret('invitation', now, days * DAY);
    const { expiresAt } = stored;
    const written = { ...stored, invitedById: userIdOf(caller), createdAt: now };
    const sent = id ?? (await insert.one(tx, { organizationId, email, role, engagementId, ...written })).id;
    if (id !== null) await renew.all(tx, { id, ...written });
    const from = await inviting.one(tx, { organizationId, userId: userIdOf(caller), email });
    const { organization, sandbox, primary, timeZone } = from;
    const inviter = from.name === null || from.email === null ? null : { name: from.name, email: from.email };
    const language = languageOf(from.language);
    const facts = {
      language,
      to: email,
      organization,
      sandbox,
      primary,
      inviter,
      role,
      publicUrl,
      expiresAt,
      timeZone,
    };
    await this.deps.mails.post(tx, invitationMail({ ...facts, link: `${publicUrl}/invitation#${secret}` }));
    const action = id === null ? 'MEMBER_INVITED' : 'INVITATION_RESENT';
    const invited = { role: { after: role }, ...(engagementId !== null && { engagement: { after: engagementId } }) };
    const changes = { ...(id === null && invited), expiresAt: { before: invitation.expiresAt, after: expiresAt } };
    await recordInvitation(tx, caller, { organizationId, id: sent, email }, { action, at: now, changes });
    return sent;
  }

  /** Throws unless the caller manages the role at this moment, under the lock of the members. */
  private async actAs(tx: Queryable, caller: Caller, organizationId: number, role: Role): Promise<void> {
    const actor = found(await roleNow(tx, caller, organizationId));
    requireManaged(this.deps.access, caller, { actor, role, organizationId });
  }

  /** An invitation that the caller manages, under the lock of the members. */
  private async locked(tx: Queryable, caller: Caller, key: InvitationKey, version?: number | null) {
    await lockMembers(tx, key.organizationId);
    const row = found(await lock.first(tx, key));
    await this.actAs(tx, caller, key.organizationId, row.role);
    requireVersion(row, version);
    return row;
  }
}

/** The address has no user who could be erased: the trail has only as much of it as distinguishes invitations. */
export function recordInvitation(
  tx: Queryable,
  caller: Actor | Caller,
  { organizationId, id, email }: InvitationKey & { email: string },
  facts: AuditFacts,
): Promise<void> {
  const name = `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`;
  return record(tx, caller, { ...facts, organizationId, subject: { type: 'INVITATION', id, name } });
}

function userIdOf(caller: Caller): string | null {
  return caller.kind === 'user' ? caller.userId : null;
}

const countOpen = statement<{ organizationId: number; now: Date; id: number | null }>()(
  (p) => sql<{ others: number }>`
    select count(*) as others from ${i.table}
     where ${i.organization_id} = ${p('organizationId')} and ${i.accepted_at} is null and ${i.closed_at} is null
       and ${i.expires_at} > ${p('now')} and ${i.id} is distinct from ${p('id')}::bigint`,
);

const lockAddress = textLock(7_214_003);

const sentMails = statement<{ organizationId: number; email: string; now: Date; week: Date; day: Date }>()(
  (p) => sql<{ here: number; firstHere: string | null; today: number; firstToday: string | null }>`
    select count(sent) filter (where is_here) as here, min(sent) filter (where is_here) as "firstHere",
           count(sent) filter (where is_today) as today, min(sent) filter (where is_today) as "firstToday"
      from ${i.table} cross join unnest(${i.sent_at}) as sent
      cross join lateral (select ${i.organization_id} = ${p('organizationId')} and sent > ${p('week')} as is_here, sent > ${p('day')} as is_today) is_of
     where ${i.email} = ${p('email')} and ${i.expires_at} > ${p('now')}`,
);

/**
 * Throws CONFLICT when the organization has its maximum of open invitations; with `id`, that one is about to be
 * reopened. Expired ones do not count. Call it under the lock of the members.
 */
async function refuseOverfull(
  tx: Queryable,
  { organizationId, id }: { organizationId: number; id: number | null },
  { openInvitationsPerOrganization }: Quotas,
  now: Date,
): Promise<void> {
  const { others } = await countOpen.one(tx, { organizationId, id, now });
  if (others >= openInvitationsPerOrganization) throw conflict('INVITATION_LIMIT');
}

/**
 * Throws RATE_LIMITED at the limit of mails of an address, so that cancelling and inviting again, inviting from many
 * organizations, or resending cannot fill a mailbox. An invitation with a mail in these
 * seven days expires later than now, cancelled or not.
 */
async function refuseFlood(tx: Queryable, organizationId: number, email: string, now: Date): Promise<void> {
  // Invitations to one address, from any organization, are serialized.
  await lockAddress.all(tx, { text: email });
  const ago = (count: number) => new Date(now.getTime() - count * DAY);
  const since = { week: ago(days), day: ago(1) };
  const sent = await sentMails.one(tx, { organizationId, email, now, ...since });
  const waits = [
    ...(sent.here >= mails ? [secondsLeft(sent.firstHere, days * DAY, now)] : []),
    ...(sent.today >= mailsPerDay ? [secondsLeft(sent.firstToday, DAY, now)] : []),
  ];
  if (waits.length > 0) throw rateLimited(Math.max(...waits));
}
