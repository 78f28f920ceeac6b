import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import { roleHas } from '../../auth/roles.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, statement, type Placeholders } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { Role } from '../../values/enums.js';
import type { Selection } from '../../common/selection.js';
import { type OrganizationKey, holdOrganization, writeOrganization } from './organization-update.service.js';
import type { OrganizationReader } from '../shared/organization-columns.js';

import { recordOrganization } from '../audit/subjects.js';
import { authorizeNow } from '../members/ownership.js';
import { ACTIVE_MEMBER, reachable, reachOf, type Reach } from '../shared/accessible-organizations.js';
import { restorableSince } from '../shared/restorable.js';

interface Restorer extends Reach {
  userId: string;
  since: Date;
}

/** Organizations that a user belongs to, those deleted too long ago excepted. */
function organizationsOf(p: Placeholders<Restorer>) {
  return db
    .selectFrom('organization as o')
    .innerJoin('membership as m', 'm.organization_id', 'o.id')
    .where('m.user_id', '=', p('userId'))
    .where(ACTIVE_MEMBER)
    .where((eb) => eb.or([eb('o.deleted_at', 'is', null), eb('o.deleted_at', '>=', p('since'))]))
    .where(reachable(p));
}

/** Locks one of them with the membership, whose role is the current one. */
const holdRestorable = statement<Restorer & { id: number }>()((p) =>
  organizationsOf(p)
    .select((eb) => ['o.name', 'm.role', eb('o.deleted_at', 'is not', null).$castTo<boolean>().as('deleted')])
    .where('o.id', '=', p('id'))
    .forNoKeyUpdate('o')
    .forShare('m'),
);

const deletedOnes = statement<Restorer & { ids: readonly number[] }>()((p) =>
  organizationsOf(p)
    .select(['o.id', 'm.role'])
    .where('o.id', '=', ({ fn }) => fn.any(p('ids')))
    .where('o.deleted_at', 'is not', null),
);

/** Deletes organizations softly and brings them back. Both are the owner's. */
export class OrganizationLifecycleService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly organizations: OrganizationReader,
    private readonly now: () => Date,
  ) {}

  /** Answers the organization as it was when it went. Throws NOT_FOUND, FORBIDDEN, CONFLICT. */
  async delete(caller: Caller, { id, version }: OrganizationKey, selection: Selection): Promise<object> {
    await this.access.authorize(caller, 'DELETE_ORGANIZATION', id);
    const record = await this.database.transaction(async (tx) => {
      await authorizeNow(tx, this.access, caller, 'DELETE_ORGANIZATION', id);
      const held = await holdOrganization(tx, id, version);
      // Members are not notified: notifications of a deleted organization are not shown until it is restored.
      const now = this.now();
      await writeOrganization(tx, id, { deletedAt: now }, now);
      await recordOrganization(tx, caller, held, { action: 'ORGANIZATION_DELETED', at: now });
      return this.organizations.byId(tx, id, selection);
    });
    this.access.cache.announced(`o:${id}`);
    return record;
  }

  /**
   * Restores an organization that was deleted in the last 30 days; restoring one that is not deleted changes nothing.
   * Throws NOT_FOUND for a deleted one unless the caller is its owner, and FORBIDDEN otherwise.
   */
  async restore(caller: Caller, id: number, selection: Selection): Promise<object> {
    const user = this.access.authorizeSelf(caller, 'write');
    const restored = await this.database.transaction((tx) => this.restoreDeleted(tx, user, id, selection));
    // Whether it was there or not may be remembered, and is not true any more.
    if (restored !== undefined) this.access.cache.announced(`o:${id}`);
    if (restored?.record) return restored.record;
    await this.access.authorize(caller, 'RESTORE_ORGANIZATION', id);
    return this.organizations.byId(this.database, id, selection);
  }

  /** Whether `delete` would accept the caller. */
  mayDelete(caller: Caller, id: number): Promise<boolean> {
    return this.access.allows(caller, 'DELETE_ORGANIZATION', id);
  }

  /** Which organizations `restore` would bring back for the caller; no statement where all are there. */
  async restorable(caller: Caller, ids: readonly number[]): Promise<Map<number, boolean>> {
    const none = new Map(ids.map((id) => [id, false]));
    if (caller.kind !== 'user' || !caller.scopes.has('write')) return none;
    const roles = await Promise.all(ids.map((id) => this.access.roleIn(caller, id)));
    const absent = ids.filter((_, index) => roles[index] === undefined);
    if (absent.length === 0) return none;
    const rows = await deletedOnes.all(this.database, { ids: absent, ...restorer(caller, this.now()) });
    return new Map([...none, ...rows.map((row) => [row.id, mayRestoreDeleted(row)] as const)]);
  }

  /** Undefined when there is none that the caller belongs to; without a record when it was not deleted. */
  private async restoreDeleted(tx: Queryable, user: UserCaller, id: number, selection: Selection) {
    const now = this.now();
    const held = await holdRestorable.first(tx, { id, ...restorer(user, now) });
    if (held === undefined) return undefined;
    if (!held.deleted) return {};
    if (!mayRestoreDeleted(held)) throw notFound();
    await writeOrganization(tx, id, { deletedAt: null, restoredAt: now }, now);
    await recordOrganization(tx, user, { id, name: held.name }, { action: 'ORGANIZATION_RESTORED', at: now });
    return { record: await this.organizations.byId(tx, id, selection) };
  }
}

function restorer(user: UserCaller, now: Date): Restorer {
  return { userId: user.userId, since: restorableSince(now), ...reachOf(user) };
}

function mayRestoreDeleted({ role }: { role: Role }): boolean {
  return roleHas(role, 'RESTORE_ORGANIZATION');
}
