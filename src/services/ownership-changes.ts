import type { Access } from '../access/access.js';
import type { Caller, UserCaller } from '../access/caller.js';
import type { Database, Queryable } from '../database/database.js';
import { badUserInput, forbidden, notFound, unauthenticated } from '../errors.js';
import type { Role } from '../vocabulary/roles.js';
import type { Selection } from '../vocabulary/selection.js';
import { userIdOf } from './member-key.js';
import { notify } from './notifier.js';
import type { OrganizationReader } from './organization-reader.js';
import { keepAnOwner, lockMembers } from './ownership.js';
import { refuseMoreOrganizations, type Quotas } from './quotas.js';
import { ACTIVE_MEMBER } from './reach.js';

interface Standing {
  userId: string;
  username: string;
  role: Role;
}

/** Members of the organization who can act, among two users. */
const STANDINGS = `
  select u.id as "userId", u.username, m.role
    from membership m join app_user u on u.id = m.user_id and u.deactivated_at is null
   where m.organization_id = $1 and m.user_id in ($2, $3) and ${ACTIVE_MEMBER}`;

/** One leaves, and the other takes over: what members do with their own role (decisions §2). */
export class OwnershipService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly organizations: OrganizationReader,
    private readonly now: () => Date,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Makes another member the owner, and the caller an ORGANIZATION_MANAGER; other owners stay what they are. Who the
   * caller is counts under the lock: of two transfers at once, the second finds an owner no more. Throws NOT_FOUND (for
   * a user who is no member, too), FORBIDDEN, BAD_USER_INPUT for the caller itself, and CONFLICT for a member who owns as
   * many organizations as it may.
   */
  async transfer(caller: Caller, to: { id: number; userId: string }, asked: Selection): Promise<object> {
    const { id } = to;
    await this.access.authorize(caller, 'TRANSFER_ORGANIZATION', id);
    const user = person(caller);
    const userId = userIdOf(to);
    if (userId === user.userId) throw badUserInput(['user_id must be another member']);
    const record = await this.database.transaction(async (tx) => {
      const [owner, heir] = await this.standings(tx, id, user.userId, userId);
      if (owner?.role !== 'ORGANIZATION_OWNER') throw forbidden();
      if (heir === undefined) throw notFound();
      if (heir.role !== 'ORGANIZATION_OWNER') await refuseMoreOrganizations(tx, userId, this.quotas);
      await tx.rows(
        `update membership set role = case when user_id = $2 then 'ORGANIZATION_MANAGER' else 'ORGANIZATION_OWNER' end
          where organization_id = $1 and user_id in ($2, $3)`,
        [id, user.userId, userId],
      );
      const record = await this.organizations.byId(tx, id, asked);
      await notify(tx, {
        ...about(id, user),
        at: this.now(),
        to: { privilege: 'READ_ORGANIZATION' },
        title: 'The ownership was transferred',
        message: `${heir.username} is Organization Owner now; ${owner.username} was before.`,
      });
      return record;
    });
    this.forget(id, user.userId, userId);
    return record;
  }

  /** Takes the caller out of the organization and answers it. Throws NOT_FOUND, FORBIDDEN, and CONFLICT for the last owner. */
  async leave(caller: Caller, id: number, asked: Selection): Promise<object> {
    await this.access.authorize(caller, 'LEAVE_ORGANIZATION', id);
    const user = person(caller);
    const record = await this.database.transaction(async (tx) => {
      const [member] = await this.standings(tx, id, user.userId, user.userId);
      if (member === undefined) throw notFound();
      await tx.rows('delete from membership where organization_id = $1 and user_id = $2', [id, user.userId]);
      if (member.role === 'ORGANIZATION_OWNER') await keepAnOwner(tx, id);
      const record = await this.organizations.byId(tx, id, asked);
      await notify(tx, {
        ...about(id, user),
        at: this.now(),
        to: { privilege: 'MANAGE_MEMBERS' },
        title: 'A member has left',
        message: `${member.username} does not belong to the organization any more.`,
      });
      return record;
    });
    this.forget(id, user.userId);
    return record;
  }

  /** What both are under the lock, each in its place. */
  private async standings(tx: Queryable, id: number, one: string, other: string): Promise<(Standing | undefined)[]> {
    await lockMembers(tx, id);
    const rows = await tx.rows<Standing & { [column: string]: unknown }>(STANDINGS, [id, one, other]);
    return [one, other].map((userId) => rows.find((row) => row.userId === userId));
  }

  /** This instance need not wait for the database to announce it. */
  private forget(id: number, ...userIds: string[]): void {
    for (const userId of userIds) this.access.cache.announced(`m:${userId}:${id}`);
  }
}

function about(organizationId: number, { userId }: UserCaller) {
  return { organizationId, type: 'MEMBER', href: `/organizations/${organizationId}/users`, except: userId } as const;
}

/** The gateway itself is nobody's member. */
function person(caller: Caller): UserCaller {
  if (caller.kind !== 'user') throw unauthenticated();
  return caller;
}
