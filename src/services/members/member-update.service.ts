import { userOf, type Caller } from '../../auth/caller.js';
import { roleHas } from '../../auth/roles.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table, type Expression } from '../../database/sql.js';
import { found, inputError, invalidInput, notFound, requireVersion } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import type { Role } from '../../values/enums.js';
import type { Selection } from '../../common/selection.js';
import { changesBetween } from '../audit/record.js';
import { recordMember } from '../audit/subjects.js';
import {
  activeAmong,
  requireRemainingOwner,
  lockedMembers,
  requireManaged,
  userIdOf,
  type MemberKey,
  type MemberService,
} from './members.service.js';
import { disableWebhooksOf, lockWebhooks } from '../webhooks/endpoint-records.js';
import { recordReleased, releaseControls } from '../workflows/released-controls.js';
import { recordInvitation } from './invite.service.js';
import { releaseServiceAccounts } from './service-accounts.service.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import { endSignIns } from '../shared/ended-sign-ins.js';
import type { OrganizationReader } from '../shared/organization-reader.js';
import { refuseMoreOrganizations } from '../shared/quotas.js';

/** A member, and the expected version; any version when null or absent. */
interface ChangedMemberKey extends MemberKey {
  version?: number | null;
}

export interface MemberChange extends ChangedMemberKey {
  role?: Role | null;
  /** False revokes all access to the organization, true restores it. */
  active?: boolean | null;
}

const m = table('membership', 'm');
const o = table('organization', 'o');
const u = table('app_user', 'u');
const s = table('scim_user', 's');

/** Access restored by hand sets the directory's user to active: it no longer counts as withdrawn by the directory. */
const set = statement<MemberKey & { role: Role; active: boolean; now: Date }>()((p) =>
  db
    .with('given', (eb) =>
      eb
        .updateTable('scim_user as s')
        .from('membership as m')
        .set({ active: true })
        .whereRef('m.id', '=', 's.membership_id')
        .where('s.organization_id', '=', p('organizationId'))
        .where('m.organization_id', '=', p('organizationId'))
        .where('m.user_id', '=', p('userId'))
        .where(sql<boolean>`${p('active')} and not ${s.active}`),
    )
    .updateTable('membership as m')
    .set({
      role: p('role'),
      deactivated_at: sql`case when ${p('active')} then null else coalesce(${m.deactivated_at}, ${p('now')}) end`,
    })
    .where('m.organization_id', '=', p('organizationId'))
    .where('m.user_id', '=', p('userId')),
);

const remove = statement<MemberKey>()((p) =>
  db.deleteFrom('membership').where('organization_id', '=', p('organizationId')).where('user_id', '=', p('userId')),
);

/** An invitation that the member never used, as it joined in another way: it would let the person join again. */
const cancelInvitations = statement<MemberKey & { now: Date }>()((p) =>
  db
    .updateTable('invitation as i')
    .from('app_user as u')
    .set({ closed_at: p('now') })
    .whereRef('i.email', '=', 'u.email')
    .where('u.id', '=', p('userId'))
    .where('i.organization_id', '=', p('organizationId'))
    .where('i.accepted_at', 'is', null)
    .where('i.closed_at', 'is', null)
    .where('i.expires_at', '>', p('now'))
    .returning(['i.id', 'i.email']),
);

/** For each organization: whether another active member exists, and whether another owner does. */
const others = statement<{ ids: readonly number[]; userId: string }>()((p) => {
  const isOne = (which: Expression) => sql`exists (
    select from ${m.table} join ${u.table} on ${u.id} = ${m.user_id} and ${u.deactivated_at} is null and ${u.kind} = 'PERSON'
     where ${m.organization_id} = ${o.id} and ${m.user_id} <> ${p('userId')} and ${ACTIVE_MEMBER} and ${which})`;
  return sql<{ id: number; member: boolean; owner: boolean }>`
    select ${o.id}, ${isOne(sql`true`)} as member, ${isOne(sql`${m.role} = 'ORGANIZATION_OWNER'`)} as owner
      from ${o.table} where ${o.id} = any(${p('ids')}::bigint[])`;
});

const transfer = statement<{ id: number; owner: string; heir: string }>()((p) =>
  db
    .updateTable('membership as m')
    .set({
      role: sql`case ${m.user_id} when ${p('owner')} then 'ORGANIZATION_MANAGER' else 'ORGANIZATION_OWNER' end`,
    })
    .where('m.organization_id', '=', p('id'))
    .where('m.user_id', 'in', [p('owner'), p('heir')]),
);

/**
 * Changes of members in an organization, of others and of oneself. Decisions use the state under the lock, not a
 * cached one: of two owners who demote each other concurrently, the second
 * is no owner any more.
 */
export class MemberUpdateService {
  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'access' | 'catalogs' | 'config' | 'now'>,
    private readonly members: MemberService,
    private readonly organizations: OrganizationReader,
  ) {}

  /**
   * Throws NOT_FOUND, FORBIDDEN when the caller does not manage the member's old or new role, and CONFLICT for the last
   * owner. Returns the changed member; present values are no change and notify no member.
   */
  async update(caller: Caller, change: MemberChange, selection: Selection): Promise<object> {
    const { organizationId } = change;
    const { access, config, now } = this.deps;
    await access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    const userId = userIdOf(change);
    return this.change(organizationId, [userId], async (tx, ended) => {
      const { actor, member } = await this.managed(tx, caller, { ...change, userId });
      const role = change.role ?? member.role;
      const active = change.active ?? member.active;
      requireManaged(access, caller, { actor, role, organizationId });
      if (role !== member.role || active !== member.active) {
        if (role === 'ORGANIZATION_OWNER' && role !== member.role)
          await refuseMoreOrganizations(tx, userId, organizationId, config.quotas);
        const at = now();
        const mayWebhooks = active && roleHas(role, 'MANAGE_WEBHOOKS');
        if (!mayWebhooks) await lockWebhooks(tx, [organizationId]);
        await set.all(tx, { organizationId, userId, role, active, now: at });
        if (!active) ended.push(...(await endSignIns.all(tx, { organizationId, userId, now: at })));
        if (member.role === 'ORGANIZATION_OWNER') await requireRemainingOwner(tx, organizationId);
        const changes = changesBetween<object>(member, { role, active });
        await recordMember(tx, caller, member, { action: 'MEMBER_UPDATED', at, changes });
        if (!mayWebhooks) await disableWebhooksOf(tx, caller, { organizationId, userId, at });
      }
      return this.members.one(organizationId, userId, selection, tx);
    });
  }

  /** Returns the member as it was; throws as `update` does. */
  async remove(caller: Caller, key: ChangedMemberKey, selection: Selection): Promise<object> {
    const { organizationId } = key;
    await this.deps.access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    const userId = userIdOf(key);
    return this.change(organizationId, [userId], async (tx, ended) => {
      const { member } = await this.managed(tx, caller, { ...key, userId });
      const before = await this.members.one(organizationId, userId, selection, tx);
      const at = this.deps.now();
      const { tokens, controls, invitations } = await end(tx, member, at);
      ended.push(...tokens);
      const changes = { role: { before: member.role }, active: { before: member.active } };
      await recordReleased(tx, this.deps.catalogs, caller, { userId, at, controls });
      await recordCancelled(tx, caller, { organizationId, invitations, at });
      await recordMember(tx, caller, member, { action: 'MEMBER_REMOVED', at, changes });
      await releaseServiceAccounts(tx, caller, { organizationId, userId, at });
      await disableWebhooksOf(tx, caller, { organizationId, userId, at });
      return before;
    });
  }

  /**
   * Makes another member the owner and the caller an ORGANIZATION_MANAGER, decided under the lock; other owners stay.
   * Throws NOT_FOUND (for a non-member, too), FORBIDDEN, BAD_USER_INPUT for the caller itself, and CONFLICT for a
   * member who owns its maximum of organizations.
   */
  async transfer(caller: Caller, to: { id: number; userId: string }, selection: Selection): Promise<object> {
    const { id } = to;
    const { access, config, now } = this.deps;
    await access.authorize(caller, 'TRANSFER_ORGANIZATION', id);
    const user = userOf(caller);
    const userId = userIdOf(to);
    if (userId === user.userId) throw invalidInput([inputError('userId', 'must be another member')]);
    return this.change(id, [user.userId, userId], async (tx) => {
      const members = await lockedMembers(tx, id, [user.userId, userId]);
      const [owner, heir] = [activeAmong(members, user.userId), activeAmong(members, userId)];
      if (owner?.role !== 'ORGANIZATION_OWNER') this.deps.access.refuse(caller, 'TRANSFER_ORGANIZATION', id);
      if (!heir?.isPerson) throw notFound();
      if (heir.role !== 'ORGANIZATION_OWNER') await refuseMoreOrganizations(tx, userId, id, config.quotas);
      await transfer.all(tx, { id, owner: user.userId, heir: userId });
      const record = await this.organizations.byId(tx, id, selection);
      const changes = {
        owner: { before: owner.userId, after: heir.userId },
        ...changesBetween<object>({ role: heir.role }, { role: 'ORGANIZATION_OWNER' }),
      };
      const at = now();
      const steppedBack = { role: { before: owner.role, after: 'ORGANIZATION_MANAGER' } };
      await recordMember(tx, user, owner, { action: 'MEMBER_UPDATED', at, changes: steppedBack });
      await recordMember(tx, user, heir, { action: 'OWNERSHIP_TRANSFERRED', at, changes });
      return record;
    });
  }

  /** Removes the caller from the organization and returns it. Throws NOT_FOUND, FORBIDDEN, and CONFLICT for the last owner. */
  async leave(caller: Caller, id: number, selection: Selection): Promise<object> {
    await this.deps.access.authorize(caller, 'LEAVE_ORGANIZATION', id);
    const user = userOf(caller);
    const { userId } = user;
    return this.change(id, [userId], async (tx, ended) => {
      const member = found(activeAmong(await lockedMembers(tx, id, [userId]), userId));
      const at = this.deps.now();
      const { tokens, controls, invitations } = await end(tx, member, at);
      ended.push(...tokens);
      const record = await this.organizations.byId(tx, id, selection);
      const changes = { role: { before: member.role } };
      await recordReleased(tx, this.deps.catalogs, user, { userId, at, controls });
      await recordCancelled(tx, user, { organizationId: id, invitations, at });
      await recordMember(tx, user, member, { action: 'MEMBER_LEFT', at, changes });
      await releaseServiceAccounts(tx, user, { organizationId: id, userId, at });
      await disableWebhooksOf(tx, user, { organizationId: id, userId, at });
      return record;
    });
  }

  /**
   * Whether the caller may `transfer` and `leave` each organization: one statement for owned ones,
   * none for others.
   */
  async ownPermissions(caller: Caller, ids: readonly number[]) {
    const { access, database } = this.deps;
    const { userId } = userOf(caller);
    const granted = await Promise.all(ids.map((id) => access.granted(caller, id)));
    const owned = ids.filter((_, index) => granted[index]?.('TRANSFER_ORGANIZATION'));
    const rows = owned.length === 0 ? [] : await others.all(database, { ids: owned, userId });
    const permissions = new Map(
      ids.map((id, index) => [
        id,
        { transferOwnership: false, leave: granted[index]?.('LEAVE_ORGANIZATION') === true },
      ]),
    );
    for (const { id, member, owner } of rows) permissions.set(id, { transferOwnership: member, leave: owner });
    return permissions;
  }

  /**
   * Runs a change of these users' memberships and the tokens that end with them; this instance does not wait for the
   * database's notification of them.
   */
  private async change(
    organizationId: number,
    userIds: string[],
    work: (tx: Queryable, ended: { digest: string }[]) => Promise<object>,
  ) {
    const ended: { digest: string }[] = [];
    const { cache } = this.deps.access;
    const answer = await this.deps.database.transaction((tx) => work(tx, ended));
    for (const userId of userIds) cache.announced(`m:${userId}:${organizationId}`);
    for (const { digest } of ended) cache.announced(`t:${digest}`);
    return answer;
  }

  /** Locks and returns caller and member. Throws when the caller does not manage the member. */
  private async managed(tx: Queryable, caller: Caller, { organizationId, userId, version }: ChangedMemberKey) {
    const { userId: callerId } = userOf(caller);
    const members = await lockedMembers(tx, organizationId, [userId, callerId]);
    const [actor, member] = [activeAmong(members, callerId)?.role, members.get(userId)];
    if (actor === undefined || !member?.isPerson) throw notFound();
    requireManaged(this.deps.access, caller, { actor, role: member.role, organizationId });
    requireVersion(member, version);
    return { actor, member };
  }
}

/** Returns the tokens and the invitations that end with the membership, and the controls without an owner afterwards. */
async function end(tx: Queryable, { organizationId, userId, role }: MemberKey & { role: Role }, now: Date) {
  await lockWebhooks(tx, [organizationId]);
  const controls = await releaseControls(tx, { userId, organizationIds: [organizationId], at: now });
  await remove.all(tx, { organizationId, userId });
  const tokens = await endSignIns.all(tx, { organizationId, userId, now });
  const invitations = await cancelInvitations.all(tx, { organizationId, userId, now });
  if (role === 'ORGANIZATION_OWNER') await requireRemainingOwner(tx, organizationId);
  return { tokens, controls, invitations };
}

async function recordCancelled(
  tx: Queryable,
  actor: Caller,
  {
    organizationId,
    invitations,
    at,
  }: { organizationId: number; invitations: { id: number; email: string }[]; at: Date },
): Promise<void> {
  for (const invitation of invitations)
    await recordInvitation(tx, actor, { organizationId, ...invitation }, { action: 'INVITATION_CANCELLED', at });
}
