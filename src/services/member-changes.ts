import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { manages } from '../access/roles.js';
import type { Database, Queryable } from '../database/database.js';
import { forbidden, notFound } from '../errors.js';
import type { Role } from '../vocabulary/roles.js';
import type { Selection } from '../vocabulary/selection.js';
import { userIdOf, type MemberKey } from './member-key.js';
import type { MemberService } from './members.js';
import { notify } from './notifier.js';
import { keepAnOwner, lockMembers } from './ownership.js';
import { NO_QUOTAS, refuseMoreOrganizations, type Quotas } from './quotas.js';
import { roleName } from './role-names.js';

export interface MemberChange extends MemberKey {
  role?: Role | null;
  /** False takes all access to the organization away, true gives it back. */
  active?: boolean | null;
}

interface MemberRow {
  userId: string;
  username: string;
  role: Role;
  active: boolean;
}

/**
 * Changes what others are in an organization (decisions §2). Who may do what is decided on what is true under the lock,
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
   * Throws NOT_FOUND, FORBIDDEN when the caller does not manage the member as it is or as it would be, and CONFLICT for
   * the last owner. Answers the member as it is then; what is that way already is no change and told to nobody.
   */
  async update(caller: Caller, change: MemberChange, asked: Selection): Promise<object> {
    const { organizationId } = change;
    await this.access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    const userId = userIdOf(change);
    const updated = await this.database.transaction(async (tx) => {
      const { actor, member } = await this.standings(tx, caller, organizationId, userId);
      const role = change.role ?? member.role;
      const active = change.active ?? member.active;
      if (!manages(actor, role)) throw forbidden();
      if (role === member.role && active === member.active) {
        return this.members.one(organizationId, userId, asked, tx);
      }
      if (role === 'ORGANIZATION_OWNER' && role !== member.role) await refuseMoreOrganizations(tx, userId, this.quotas);
      await tx.rows(
        `update membership set role = $3, deactivated_at = case when $4 then null else coalesce(deactivated_at, $5) end
          where organization_id = $1 and user_id = $2`,
        [organizationId, userId, role, active, this.now()],
      );
      if (member.role === 'ORGANIZATION_OWNER') await keepAnOwner(tx, organizationId);
      await this.tellOfChange(tx, caller, organizationId, member, { role, active });
      return this.members.one(organizationId, userId, asked, tx);
    });
    this.forget(organizationId, userId);
    return updated;
  }

  /** Answers the member as it was; throws as `update` does. */
  async remove(caller: Caller, key: MemberKey, asked: Selection): Promise<object> {
    const { organizationId } = key;
    await this.access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    const userId = userIdOf(key);
    const removed = await this.database.transaction(async (tx) => {
      const { member } = await this.standings(tx, caller, organizationId, userId);
      const before = await this.members.one(organizationId, userId, asked, tx);
      await tx.rows('delete from membership where organization_id = $1 and user_id = $2', [organizationId, userId]);
      if (member.role === 'ORGANIZATION_OWNER') await keepAnOwner(tx, organizationId);
      await notify(tx, {
        ...managersOf(organizationId, caller),
        at: this.now(),
        title: 'A member was removed',
        message: `${member.username} does not belong to the organization any more.`,
      });
      return before;
    });
    this.forget(organizationId, userId);
    return removed;
  }

  /** What the caller and the member are, under the lock. Throws when the caller does not manage the member. */
  private async standings(
    tx: Queryable,
    caller: Caller,
    organizationId: number,
    userId: string,
  ): Promise<{ actor: Role; member: MemberRow }> {
    await lockMembers(tx, organizationId);
    const actorId = caller.kind === 'user' ? caller.userId : null;
    const rows = await tx.rows<MemberRow>(
      `select u.id as "userId", u.username, m.role, m.deactivated_at is null as active
         from membership m join app_user u on u.id = m.user_id
        where m.organization_id = $1 and m.user_id in ($2, $3)`,
      [organizationId, userId, actorId],
    );
    const member = rows.find((row) => row.userId === userId);
    const actor = actorId === null ? SYSTEM : rows.find((row) => row.userId === actorId && row.active)?.role;
    if (actor === undefined || member === undefined) throw notFound();
    if (!manages(actor, member.role)) throw forbidden();
    return { actor, member };
  }

  /** The member hears of its new role, the managers of who comes and goes. */
  private async tellOfChange(
    tx: Queryable,
    caller: Caller,
    organizationId: number,
    member: MemberRow,
    { role, active }: { role: Role; active: boolean },
  ): Promise<void> {
    if (active !== member.active) {
      await notify(tx, {
        ...managersOf(organizationId, caller),
        at: this.now(),
        title: active ? 'A member was reactivated' : 'A member was deactivated',
        message: `${member.username} ${active ? 'has access to the organization again' : 'has no access to the organization any more'}.`,
      });
    }
    if (role !== member.role && active) {
      await notify(tx, {
        ...managersOf(organizationId, caller),
        at: this.now(),
        to: { users: [member.userId] },
        title: 'Your role was changed',
        message: `You are ${roleName(role)} of the organization now; you were ${roleName(member.role)}.`,
      });
    }
  }

  /** This instance need not wait for the database to announce it. */
  private forget(organizationId: number, userId: string): void {
    this.access.cache.announced(`m:${userId}:${organizationId}`);
  }
}

/** Whoever manages members hears of it, but not who did it. */
function managersOf(organizationId: number, caller: Caller) {
  return {
    organizationId,
    type: 'MEMBER',
    to: { privilege: 'MANAGE_MEMBERS' },
    href: `/organizations/${organizationId}/users`,
    except: caller.kind === 'user' ? caller.userId : undefined,
  } as const;
}

const SYSTEM: Role = 'ORGANIZATION_OWNER';
