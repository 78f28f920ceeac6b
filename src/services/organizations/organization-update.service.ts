import { DateTime } from 'luxon';
import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import { roleHas, rolesWith, type Privilege } from '../../auth/roles.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import type { Selection } from '../../common/selection.js';
import { assign, selectAll, type RowOf } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, statementPerList, type Placeholders } from '../../database/sql.js';
import { inputError, invalidInput, notFound, requireVersion } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import type { SETTING_DEFAULTS } from '../../values/enums.js';
import { organizationChanges, recordOrganization } from '../audit/subjects.js';
import { authorizeNow } from '../members/members.service.js';
import { logoContent, removeLogo, requirePublicLogo, withLogo } from './logo.js';
import { ACTIVE_MEMBER, reachable, reachOf, restorableSince, type Reach } from '../shared/accessible-organizations.js';
import type { OrganizationReader } from '../shared/organization-reader.js';
import type { NewOrganization } from './organizations.service.js';

/** The organization to change. */
export interface OrganizationKey {
  id: number;
  /** The version that the caller read; any version when null or absent. */
  version?: number | null;
}

export interface OrganizationChange extends OrganizationKey {
  values: Partial<OrganizationValues>;
  /** Is stored as `logo`. */
  logoFile?: IncomingFile | null;
}

interface Restorer extends Reach {
  userId: string;
  since: Date;
}

/** Organizations of a user, without those that can no longer be restored. */
function organizationsOf(p: Placeholders<Restorer>) {
  return db
    .selectFrom('organization as o')
    .innerJoin('membership as m', 'm.organization_id', 'o.id')
    .where('m.user_id', '=', p('userId'))
    .where(ACTIVE_MEMBER)
    .where((eb) => eb.or([eb('o.deleted_at', 'is', null), eb('o.deleted_at', '>=', p('since'))]))
    .where(reachable(p));
}

/** Locks one of them with the membership, so that the role is the current one. */
const lockRestorable = statement<Restorer & { id: number }>()((p) =>
  organizationsOf(p)
    .select((eb) => ['o.id', 'o.name', 'm.role', eb('o.deleted_at', 'is not', null).as('deleted')])
    .where('o.id', '=', p('id'))
    .forNoKeyUpdate('o')
    .forShare('m'),
);

const restorable = statement<Restorer & { ids: readonly number[] }>()((p) =>
  organizationsOf(p)
    .select('o.id')
    .where('o.id', '=', ({ fn }) => fn.any(p('ids')))
    .where('o.deleted_at', 'is not', null)
    .where('m.role', 'in', rolesWith('RESTORE_ORGANIZATION')),
);

/** `isAbbreviation`: whether PostgreSQL interprets it as one fixed offset throughout the year. */
const zonesSpelledLike = statement<{ name: string }>()(
  (p) => sql<{ name: string; isAbbreviation: boolean }>`
    select name, exists (select from pg_timezone_abbrevs where abbrev = upper(name)) as "isAbbreviation"
      from pg_timezone_names where lower(name) = lower(${p('name')})`,
);

/**
 * A time zone in the spelling of the IANA database: names are case-insensitive. Aliases stay unchanged. BAD_USER_INPUT for
 * one that PostgreSQL does not know or interprets differently: days would differ from those of deadlines.
 */
async function zoneName(tx: Queryable, name: string): Promise<string> {
  const zone = await zonesSpelledLike.first(tx, { name });
  if (zone !== undefined && !(zone.isAbbreviation && hasSummerTime(name))) return zone.name;
  throw invalidInput([inputError('timeZone', 'must be an IANA time zone such as Europe/Rome')]);
}

function hasSummerTime(zone: string): boolean {
  const [winter, summer] = [1, 7].map((month) => DateTime.fromObject({ year: 2025, month }, { zone }).offset);
  return winter !== summer;
}

/** Changes an organization's row for all use cases, including soft deletion and restoration. */
export class OrganizationUpdateService {
  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'access' | 'catalogs' | 'content' | 'config' | 'now'>,
    private readonly organizations: OrganizationReader,
  ) {}

  /**
   * Writes the values and returns the organization. Throws NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED for another
   * version, and for a logo what `stageLogo` throws.
   */
  async apply(caller: Caller, privilege: Privilege, change: OrganizationChange, selection: Selection): Promise<object> {
    const { id, logoFile, values } = change;
    const { access, content, database } = this.deps;
    await access.authorize(caller, privilege, id);
    const write = async (tx: Queryable, given: Partial<OrganizationValues>) =>
      this.write(tx, caller, await lockOrganization(tx, access, caller, privilege, change), given, selection);
    const { record, replaced } = logoFile
      ? await withLogo(content, logoFile, async (tx, logo) => {
          const written = await write(tx, { ...values, ...logo });
          await content.refuseExcess(tx, id);
          return written;
        })
      : await database.transaction((tx) => write(tx, values));
    this.announce(id, values);
    if (replaced !== undefined) await removeLogo(content, replaced);
    return record;
  }

  /** Invalidates this instance's cache without waiting for the database's notification. */
  private announce(id: number, values: Partial<OrganizationValues>): void {
    if (values.queryTokenAllowed !== undefined) this.deps.access.cache.announced(`o:${id}`);
    if (values.timeZone !== undefined || values.complianceFrameworks !== undefined)
      this.deps.catalogs.announced(`c:${id}`);
  }

  /** Returns the organization as it was when it was deleted. Throws NOT_FOUND, FORBIDDEN, CONFLICT. */
  async delete(caller: Caller, key: OrganizationKey, selection: Selection): Promise<object> {
    const { id } = key;
    const { access, database, now } = this.deps;
    await access.authorize(caller, 'DELETE_ORGANIZATION', id);
    const record = await database.transaction(async (tx) => {
      const locked = await lockOrganization(tx, access, caller, 'DELETE_ORGANIZATION', key);
      // Members are not notified: notifications of a deleted organization are not shown until it is restored.
      const at = now();
      await writeOrganization(tx, id, { deletedAt: at }, at);
      await recordOrganization(tx, caller, locked, { action: 'ORGANIZATION_DELETED', at });
      return this.organizations.byId(tx, id, selection);
    });
    access.cache.announced(`o:${id}`);
    return record;
  }

  /**
   * Restores an organization that was deleted in the last 30 days; restoring one that is not deleted changes nothing.
   * Throws NOT_FOUND for a deleted one unless the caller is its owner, and FORBIDDEN otherwise.
   */
  async restore(caller: Caller, id: number, selection: Selection): Promise<object> {
    const { access, database, now } = this.deps;
    const user = access.authorizeSelf(caller, 'write');
    const restored = await database.transaction(async (tx) => {
      const at = now();
      const locked = await lockRestorable.first(tx, { id, ...restorer(user, at) });
      if (!locked?.deleted) return locked;
      if (!roleHas(locked.role, 'RESTORE_ORGANIZATION')) throw notFound();
      await writeOrganization(tx, id, { deletedAt: null, restoredAt: at }, at);
      await recordOrganization(tx, user, locked, { action: 'ORGANIZATION_RESTORED', at });
      return { record: await this.organizations.byId(tx, id, selection) };
    });
    // Its existence may be read concurrently into a cache, outdated by this change.
    if (restored !== undefined) access.cache.announced(`o:${id}`);
    if (restored !== undefined && 'record' in restored) {
      // Noted for repeating the answer as well. Before the change no member had it.
      user.rights?.add({ privilege: 'RESTORE_ORGANIZATION', organizationId: id });
      return restored.record;
    }
    await access.authorize(caller, 'RESTORE_ORGANIZATION', id);
    return this.organizations.byId(database, id, selection);
  }

  /** The organizations that the caller could `restore`; no statement if none is deleted. */
  async restorable(caller: Caller, ids: readonly number[]): Promise<Map<number, boolean>> {
    const { access, database, now } = this.deps;
    const found = new Map(ids.map((id) => [id, false]));
    if (caller.kind !== 'user' || !caller.scopes.has('write')) return found;
    const roles = await Promise.all(ids.map((id) => access.roleIn(caller, id)));
    const absent = ids.filter((_, index) => roles[index] === undefined);
    if (absent.length === 0) return found;
    for (const { id } of await restorable.all(database, { ids: absent, ...restorer(caller, now()) }))
      found.set(id, true);
    return found;
  }

  private async write(
    tx: Queryable,
    caller: Caller,
    locked: RowOf<'organization'>,
    given: Partial<OrganizationValues>,
    selection: Selection,
  ) {
    refuseContradiction(locked, given);
    const { timeZone } = given;
    const isOtherZone = timeZone !== undefined && timeZone !== locked.timeZone;
    const values = isOtherZone ? { ...given, timeZone: await zoneName(tx, timeZone) } : given;
    const { logo, ...others } = values;
    const replaced = logo === undefined || this.isShown(locked.logo, logo) ? undefined : locked.logo;
    // Stored values can be sent back; the path of a file was generated here.
    if (logo !== undefined && logo !== locked.logo && logoContent(logo) === undefined && replaced !== undefined)
      requirePublicLogo(logo, this.deps.config.publicUrl);
    // An external logo has no bytes here.
    const written = replaced === undefined ? others : { logoBytes: 0, ...values };
    const isOtherCalendar = values.timeZone !== undefined || values.reportWeekday !== undefined;
    const at = this.deps.now();
    const changes = organizationChanges(locked, replaced === undefined ? others : values);
    // Unchanged values do not increment the version.
    if (Object.keys(changes).length > 0)
      await writeOrganization(tx, locked.id, { ...written, ...(isOtherCalendar && { reportDueAt: null }) }, at);
    const record = await this.organizations.byId(tx, locked.id, selection);
    await recordOrganization(tx, caller, locked, { action: 'ORGANIZATION_UPDATED', at, changes });
    return { record, replaced };
  }

  /**
   * Whether this is the stored logo as it is read: a record that is sent back has not changed it. The address of
   * another organization's logo is treated as external.
   */
  private isShown(stored: string, logo: string): boolean {
    return logoContent(stored) !== undefined && logo === this.deps.config.publicUrl + stored;
  }
}

/** A qualified provider of trust services is a provider of trust services. */
function refuseContradiction(locked: RowOf<'organization'>, given: Partial<OrganizationValues>): void {
  const after = { ...locked, ...given };
  if (!after.qualifiedTrustServiceProvider || after.trustServiceProvider) return;
  if (given.qualifiedTrustServiceProvider !== undefined)
    throw invalidInput([
      inputError('qualifiedTrustServiceProvider', 'must not be true unless {trustServiceProvider} is'),
    ]);
  if (given.trustServiceProvider !== undefined)
    throw invalidInput([inputError('trustServiceProvider', 'must be true where {qualifiedTrustServiceProvider} is')]);
}

function restorer(user: UserCaller, now: Date): Restorer {
  return { userId: user.userId, since: restorableSince(now), ...reachOf(user) };
}

/** Writable values of an organization's row; null for a part of its branding is the default (specification 4.9). */
export type OrganizationValues = Omit<NewOrganization, 'sandbox'> &
  Pick<RowOf<'organization'>, 'palette' | 'customColors' | 'logoBytes' | keyof typeof SETTING_DEFAULTS> & {
    reportDueAt: null;
    deletedAt: Date | null;
    restoredAt: Date;
  };

const lock = statement<{ id: number }>()((p) =>
  db.selectFrom('organization').select(selectAll('organization')).where('id', '=', p('id')).forNoKeyUpdate(),
);

/**
 * Locks an organization for the rest of the transaction: its row, its members and its owners change one at a time.
 * Reading does not wait. Throws NOT_FOUND, FORBIDDEN as things are now, and PRECONDITION_FAILED for another version.
 */
export async function lockOrganization(
  tx: Queryable,
  access: Access,
  caller: Caller,
  privilege: Privilege,
  { id, version }: OrganizationKey,
): Promise<RowOf<'organization'>> {
  await authorizeNow(tx, access, caller, privilege, id);
  const locked = await lock.one(tx, { id });
  requireVersion(locked, version);
  return locked;
}

/** Writes what is given and increments the version. The transaction has locked the organization. */
export async function writeOrganization(
  tx: Queryable,
  id: number,
  values: Partial<OrganizationValues>,
  now: Date,
): Promise<void> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined) as [Field, unknown][];
  const sent = given.map(([field, value]) => [
    field,
    JSON_FIELDS.has(field) && value !== null ? JSON.stringify(value) : value,
  ]);
  await write(given.map(([field]) => field)).all(tx, { ...Object.fromEntries(sent), id, now });
}

type Field = keyof OrganizationValues;

type Written = Record<Field, string> & { id: number; now: Date };

const write = statementPerList<Field, Written>()((p, fields) =>
  db
    .updateTable('organization')
    .set(assign('organization', p, fields) as object)
    .set((eb) => ({ version: eb('version', '+', 1), updated_at: p('now') }))
    .where('id', '=', p('id')),
);

const JSON_FIELDS: ReadonlySet<Field> = new Set(['complianceFrameworks', 'contacts', 'customColors']);
