import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { manages } from '../../auth/roles.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { Role } from '../../values/enums.js';
import type { Selection } from '../../common/selection.js';
import { changesBetween } from '../audit/record.js';
import { recordMember } from '../audit/subjects.js';
import { userIdOf, type MemberKey, keepAnOwner, lockMembers } from './ownership.js';
import type { MemberService } from './members.service.js';
import { NO_QUOTAS, refuseMoreOrganizations, type Quotas } from '../shared/quotas.js';

export interface MemberChange extends MemberKey {
  role?: Role | null;
  /** False takes all access to the organization away, true gives it back. */
  active?: boolean | null;
}

const membership = table('membership');
const m = table('membership', 'm');

interface MemberRow {
  userId: string;
  username: string;
  role: Role;
  active: boolean;
}

interface Key {
  organizationId: number;
  userId: string;
}

const set = statement<Key & { role: Role; active: boolean; now: Date }>()((p) =>
  db
    .updateTable('membership')
    .set({
      role: p('role'),
      deactivated_at: sql`case when ${p('active')} then null else coalesce(${membership.deactivated_at}, ${p('now')}) end`,
    })
    .where('organization_id', '=', p('organizationId'))
    .where('user_id', '=', p('userId')),
);

const remove = statement<Key>()((p) =>
  db.deleteFrom('membership').where('organization_id', '=', p('organizationId')).where('user_id', '=', p('userId')),
);

/** The member and who changes it. */
const both = statement<Key & { actorId: string | null }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select((eb) => [
      'u.id as userId',
      'u.username',
      'm.role',
      eb('m.deactivated_at', 'is', null).$castTo<boolean>().as('active'),
    ])
    .where('m.organization_id', '=', p('organizationId'))
    .where(sql<boolean>`${m.user_id} in (${p('userId')}, ${p('actorId')})`),
);

/**
 * Changes what others are in an organization. Who may do what is decided on what is true under the lock,
 * not on what was remembered: of two owners who demote each other at once, one is an owner no more when its turn comes.
 */
export class MemberChangeService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly members: MemberService,
    private readonly now: () => Date = () => new Date(),
    private readonly quotas: Quotas = NO_QUOTAS,
  ) {}

  /**
   * Throws NOT_FOUND, FORBIDDEN when the caller does not manage the member's old or new role, and CONFLICT for the last
   * owner. Returns the changed member; values it has already are no change and notify no member.
   */
  async update(caller: Caller, change: MemberChange, selection: Selection): Promise<object> {
    const { organizationId } = change;
    await this.access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    const userId = userIdOf(change);
    const updated = await this.database.transaction(async (tx) => {
      const { actor, member } = await this.memberships(tx, caller, organizationId, userId);
      const role = change.role ?? member.role;
      const active = change.active ?? member.active;
      if (!manages(actor, role)) this.access.refuse(caller, 'MANAGE_OWNERS', organizationId);
      if (role === member.role && active === member.active) {
        return this.members.one(organizationId, userId, selection, tx);
      }
      if (role === 'ORGANIZATION_OWNER' && role !== member.role) await refuseMoreOrganizations(tx, userId, this.quotas);
      await set.all(tx, { organizationId, userId, role, active, now: this.now() });
      if (member.role === 'ORGANIZATION_OWNER') await keepAnOwner(tx, organizationId);
      const changes = changesBetween<Partial<MemberRow>>(member, { role, active });
      await recordMember(
        tx,
        caller,
        { ...member, organizationId },
        { action: 'MEMBER_UPDATED', at: this.now(), changes },
      );
      return this.members.one(organizationId, userId, selection, tx);
    });
    this.forget(organizationId, userId);
    return updated;
  }

  /** Answers the member as it was; throws as `update` does. */
  async remove(caller: Caller, key: MemberKey, selection: Selection): Promise<object> {
    const { organizationId } = key;
    await this.access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    const userId = userIdOf(key);
    const removed = await this.database.transaction(async (tx) => {
      const { member } = await this.memberships(tx, caller, organizationId, userId);
      const before = await this.members.one(organizationId, userId, selection, tx);
      await remove.all(tx, { organizationId, userId });
      if (member.role === 'ORGANIZATION_OWNER') await keepAnOwner(tx, organizationId);
      const changes = { role: { before: member.role }, active: { before: member.active } };
      await recordMember(
        tx,
        caller,
        { ...member, organizationId },
        { action: 'MEMBER_REMOVED', at: this.now(), changes },
      );
      return before;
    });
    this.forget(organizationId, userId);
    return removed;
  }

  /** What the caller and the member are, under the lock. Throws when the caller does not manage the member. */
  private async memberships(
    tx: Queryable,
    caller: Caller,
    organizationId: number,
    userId: string,
  ): Promise<{ actor: Role; member: MemberRow }> {
    await lockMembers(tx, organizationId);
    const actorId = caller.kind === 'user' ? caller.userId : null;
    const rows = await both.all(tx, { organizationId, userId, actorId });
    const member = rows.find((row) => row.userId === userId);
    const actor = actorId === null ? SYSTEM : rows.find((row) => row.userId === actorId && row.active)?.role;
    if (actor === undefined || member === undefined) throw notFound();
    if (!manages(actor, member.role)) this.access.refuse(caller, 'MANAGE_OWNERS', organizationId);
    return { actor, member };
  }

  /** This instance need not wait for the database to announce it. */
  private forget(organizationId: number, userId: string): void {
    this.access.cache.announced(`m:${userId}:${organizationId}`);
  }
}

const SYSTEM: Role = 'ORGANIZATION_OWNER';
