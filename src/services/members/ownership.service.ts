import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, statement, sql } from '../../database/sql.js';
import type { Role } from '../../values/enums.js';
import { inputError, invalidInput, notFound, unauthenticated } from '../../errors.js';
import type { Selection } from '../../common/selection.js';
import { recordMember } from '../audit/subjects.js';
import { userIdOf, keepAnOwner, lockMembers } from './ownership.js';
import type { OrganizationReader } from '../shared/organization-columns.js';
import { refuseMoreOrganizations, type Quotas } from '../shared/quotas.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';

/** Members of the organization who can act, among two users. */
const activeMembers = statement<{ id: number; one: string; other: string }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(['u.id as userId', 'u.username', 'm.role'])
    .where('u.deactivated_at', 'is', null)
    .where('m.organization_id', '=', p('id'))
    .where('m.user_id', 'in', [p('one'), p('other')])
    .where(ACTIVE_MEMBER),
);

/** Of each organization: whether another member than this one can act, and whether another owner can. */
const others = statement<{ ids: readonly number[]; userId: string }>()((p) =>
  db
    .selectFrom('organization as o')
    .select((eb) => {
      const active = eb
        .selectFrom('membership as m')
        .innerJoin('app_user as u', 'u.id', 'm.user_id')
        .select('m.id')
        .whereRef('m.organization_id', '=', 'o.id')
        .where('m.user_id', '<>', p('userId'))
        .where('u.deactivated_at', 'is', null)
        .where(ACTIVE_MEMBER);
      const owners = active.where('m.role', '=', 'ORGANIZATION_OWNER');
      const isOne = (found: typeof active) => eb.exists(found).$castTo<boolean>();
      return ['o.id', isOne(active).as('member'), isOne(owners).as('owner')];
    })
    .where('o.id', '=', ({ fn }) => fn.any(p('ids'))),
);

const transfer = statement<{ id: number; owner: string; heir: string }>()((p) =>
  db
    .updateTable('membership')
    .set((eb) => ({
      role: eb
        .case()
        .when('user_id', '=', p('owner'))
        .then(sql.lit<Role>('ORGANIZATION_MANAGER'))
        .else(sql.lit<Role>('ORGANIZATION_OWNER'))
        .end(),
    }))
    .where('organization_id', '=', p('id'))
    .where('user_id', 'in', [p('owner'), p('heir')]),
);

const leave = statement<{ id: number; userId: string }>()((p) =>
  db.deleteFrom('membership').where('organization_id', '=', p('id')).where('user_id', '=', p('userId')),
);

/** What a member may do with its own role. */
export interface OwnershipPermissions {
  transferOwnership: boolean;
  leave: boolean;
}

/** One leaves, and the other takes over: what members do with their own role. */
export class OwnershipService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly organizations: OrganizationReader,
    private readonly now: () => Date,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Makes another member the owner and the caller an ORGANIZATION_MANAGER, decided under the lock; other owners stay.
   * Throws NOT_FOUND (for a non-member, too), FORBIDDEN, BAD_USER_INPUT for the caller itself, and CONFLICT for a
   * member who owns its maximum of organizations.
   */
  async transfer(caller: Caller, to: { id: number; userId: string }, selection: Selection): Promise<object> {
    const { id } = to;
    await this.access.authorize(caller, 'TRANSFER_ORGANIZATION', id);
    const user = person(caller);
    const userId = userIdOf(to);
    if (userId === user.userId) throw invalidInput([inputError('userId', 'must be another member')]);
    const record = await this.database.transaction(async (tx) => {
      const [owner, heir] = await this.memberships(tx, id, user.userId, userId);
      if (owner?.role !== 'ORGANIZATION_OWNER') this.access.refuse(caller, 'TRANSFER_ORGANIZATION', id);
      if (heir === undefined) throw notFound();
      if (heir.role !== 'ORGANIZATION_OWNER') await refuseMoreOrganizations(tx, userId, this.quotas);
      await transfer.all(tx, { id, owner: user.userId, heir: userId });
      const record = await this.organizations.byId(tx, id, selection);
      const at = this.now();
      const changes = {
        owner: { before: owner.userId, after: heir.userId },
        role: { before: heir.role, after: 'ORGANIZATION_OWNER' },
      };
      await recordMember(tx, user, { ...heir, organizationId: id }, { action: 'OWNERSHIP_TRANSFERRED', at, changes });
      return record;
    });
    this.forget(id, user.userId, userId);
    return record;
  }

  /** Takes the caller out of the organization and answers it. Throws NOT_FOUND, FORBIDDEN, and CONFLICT for the last owner. */
  async leave(caller: Caller, id: number, selection: Selection): Promise<object> {
    await this.access.authorize(caller, 'LEAVE_ORGANIZATION', id);
    const user = person(caller);
    const record = await this.database.transaction(async (tx) => {
      const [member] = await this.memberships(tx, id, user.userId, user.userId);
      if (member === undefined) throw notFound();
      await leave.all(tx, { id, userId: user.userId });
      if (member.role === 'ORGANIZATION_OWNER') await keepAnOwner(tx, id);
      const record = await this.organizations.byId(tx, id, selection);
      const at = this.now();
      const changes = { role: { before: member.role } };
      await recordMember(tx, user, { ...member, organizationId: id }, { action: 'MEMBER_LEFT', at, changes });
      return record;
    });
    this.forget(id, user.userId);
    return record;
  }

  /**
   * What `transfer` and `leave` would accept from the caller in each organization: one statement for those that it owns,
   * none for others.
   */
  async permissions(caller: Caller, ids: readonly number[]): Promise<Map<number, OwnershipPermissions>> {
    const { userId } = person(caller);
    const may = new Map(await Promise.all(ids.map(async (id) => [id, await this.access.granted(caller, id)] as const)));
    const owned = ids.filter((id) => may.get(id)?.('TRANSFER_ORGANIZATION'));
    const rows = owned.length === 0 ? [] : await others.all(this.database, { ids: owned, userId });
    const permissions = ids.map(
      (id) => [id, { transferOwnership: false, leave: may.get(id)?.('LEAVE_ORGANIZATION') === true }] as const,
    );
    return new Map([
      ...permissions,
      ...rows.map(({ id, member, owner }) => [id, { transferOwnership: member, leave: owner }] as const),
    ]);
  }

  /** What both are under the lock, each in its place. */
  private async memberships(tx: Queryable, id: number, one: string, other: string) {
    await lockMembers(tx, id);
    const rows = await activeMembers.all(tx, { id, one, other });
    return [one, other].map((userId) => rows.find((row) => row.userId === userId));
  }

  /** This instance need not wait for the database to announce it. */
  private forget(id: number, ...userIds: string[]): void {
    for (const userId of userIds) this.access.cache.announced(`m:${userId}:${id}`);
  }
}

/** The system is not a member. */
function person(caller: Caller): UserCaller {
  if (caller.kind !== 'user') throw unauthenticated();
  return caller;
}
