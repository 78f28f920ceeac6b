import type { Access } from '../access/access.js';
import type { Caller, UserCaller } from '../access/caller.js';
import type { Database, Queryable } from '../database/database.js';
import { notFound } from '../errors.js';
import type { Role } from '../vocabulary/roles.js';
import type { Selection } from '../vocabulary/selection.js';
import { notify } from './notifier.js';
import type { OrganizationKey } from './organization-changes.js';
import type { OrganizationReader } from './organization-reader.js';
import { holdOrganization, writeOrganization } from './organization-row.js';
import { authorizeNow } from './ownership.js';
import { ACTIVE_MEMBER, reachable, reachValues } from './reach.js';
import { restorableSince } from './restorable.js';

/**
 * Holds an organization that the caller belongs to, unless it was deleted too long ago; and the membership, whose role is
 * then the one of this moment and not of the moment when the waiting began.
 */
const HOLD_RESTORABLE = `
  select o.name, m.role, o.deleted_at is not null as deleted
    from organization o join membership m on m.organization_id = o.id and m.user_id = $2 and ${ACTIVE_MEMBER}
   where o.id = $1 and (o.deleted_at is null or o.deleted_at >= $3) and ${reachable('$4', '$5')}
     for no key update of o for share of m`;

/** Deletes organizations softly and brings them back (decisions §5). Both are the owner's. */
export class OrganizationLifecycleService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly organizations: OrganizationReader,
    private readonly now: () => Date,
  ) {}

  /** Answers the organization as it was when it went. Throws NOT_FOUND, FORBIDDEN, CONFLICT. */
  async delete(caller: Caller, { id, version }: OrganizationKey, asked: Selection): Promise<object> {
    await this.access.authorize(caller, 'DELETE_ORGANIZATION', id);
    const record = await this.database.transaction(async (tx) => {
      await authorizeNow(tx, caller, 'DELETE_ORGANIZATION', id);
      await holdOrganization(tx, id, version);
      // No member is told: notifications of a deleted organization are shown to nobody until it is there again.
      await writeOrganization(tx, id, { deletedAt: this.now() }, this.now());
      return this.organizations.byId(tx, id, asked);
    });
    this.access.cache.announced(`o:${id}`);
    return record;
  }

  /**
   * Brings back an organization that was deleted in the last 30 days; one that is not deleted stays as it is, so that
   * who asks again is not told off. Deleted, it looks absent to everybody but its owners: throws NOT_FOUND. Throws
   * FORBIDDEN for who is no owner of one that is not deleted.
   */
  async restore(caller: Caller, id: number, asked: Selection): Promise<object> {
    const user = this.access.authorizeSelf(caller, 'write');
    const restored = await this.database.transaction((tx) => this.restoreDeleted(tx, user, id, asked));
    // Whether it was there or not may be remembered, and is not true any more.
    if (restored !== undefined) this.access.cache.announced(`o:${id}`);
    if (restored?.record) return restored.record;
    await this.access.authorize(caller, 'RESTORE_ORGANIZATION', id);
    return this.organizations.byId(this.database, id, asked);
  }

  /** Undefined when there is none that the caller belongs to; without a record when it was not deleted. */
  private async restoreDeleted(tx: Queryable, user: UserCaller, id: number, asked: Selection) {
    const now = this.now();
    const values = [id, user.userId, restorableSince(now), ...reachValues(user)];
    const [held] = await tx.rows<{ name: string; role: Role; deleted: boolean }>(HOLD_RESTORABLE, values);
    if (held === undefined) return undefined;
    if (!held.deleted) return {};
    if (held.role !== 'ORGANIZATION_OWNER') throw notFound();
    await writeOrganization(tx, id, { deletedAt: null, restoredAt: now }, now);
    await notify(tx, {
      ...toMembers(id, user),
      at: now,
      title: 'The organization was restored',
      message: `${held.name} is there again, with all that belongs to it.`,
      href: `/organizations/${id}`,
    });
    return { record: await this.organizations.byId(tx, id, asked) };
  }
}

function toMembers(organizationId: number, caller: Caller) {
  return {
    organizationId,
    type: 'SYSTEM',
    to: { privilege: 'READ_ORGANIZATION' },
    except: caller.kind === 'user' ? caller.userId : undefined,
  } as const;
}
