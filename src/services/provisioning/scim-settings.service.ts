import { userOf, type Caller } from '../../auth/caller.js';
import { found, inputError, invalidInput, requireVersion } from '../../errors.js';
import type { GroupRole } from '../../entities/identity.js';
import { ROLE_RANKS, type Role } from '../../values/enums.js';
import { changesBetween, record } from '../audit/record.js';
import { organizationEvent } from '../audit/subjects.js';
import type { Foundation } from '../foundation.js';
import { lockMembers, requireManaged, roleNow } from '../members/members.service.js';
import { lockWebhooks } from '../webhooks/endpoint-records.js';
import { applyRoles } from './roles.js';
import { nameAndZone } from '../shared/organization-columns.js';
import { reachOf, settingsOf, writeSettings, type Settings } from './settings-statements.js';

/** Change of the settings; absent and null values stay. */
export interface ScimSettingsChange {
  organizationId: number;
  version?: number | null;
  enabled?: boolean | null;
  defaultRole?: Role | null;
  groupRoles?: readonly GroupRole[] | null;
  linkMembers?: boolean | null;
}

const FIELDS = ['enabled', 'defaultRole', 'groupRoles', 'linkMembers'] as const;
const HIGHEST = ROLE_RANKS.ORGANIZATION_MANAGER;

/** Settings of SCIM in an organization (docs/scim.md). */
export class ScimSettingsService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'config' | 'now'>) {}

  async read(caller: Caller, organizationId: number) {
    await this.deps.access.authorize(caller, 'READ_SCIM', organizationId);
    return this.shown(organizationId, await settingsOf(this.deps.database, organizationId));
  }

  /**
   * Updates the roles of members whose groups have other roles now. Throws FORBIDDEN for a manager who changes settings of
   * the role of managers, or lets the directory link members; and BAD_USER_INPUT.
   */
  async update(caller: Caller, { organizationId, version, ...sent }: ScimSettingsChange) {
    const { access, database, now } = this.deps;
    await access.authorize(caller, 'MANAGE_SCIM', organizationId);
    // Names of groups are trimmed in a directory as well: one with surrounding white space would match none.
    const groupRoles = sent.groupRoles?.map(({ group, role }) => ({ group: group.trim(), role }));
    const given = { ...sent, groupRoles };
    check(given);
    const { settings, changed } = await database.transaction(async (tx) => {
      await lockMembers(tx, organizationId);
      await lockWebhooks(tx, [organizationId]);
      const before = await settingsOf(tx, organizationId);
      requireVersion(before, version);
      const after: Settings = { ...before };
      for (const field of FIELDS) if (given[field] != null) Object.assign(after, { [field]: given[field] });
      const changes = changesBetween<object>(before, after, FIELDS as never);
      if (Object.keys(changes).length === 0) return { settings: before, changed: [] };
      const role = found(await roleNow(tx, caller, organizationId));
      if (concernsOwners(before, after))
        requireManaged(access, caller, { actor: role, role: 'ORGANIZATION_MANAGER', organizationId });
      const at = now();
      const stored = { ...after, groupRoles: JSON.stringify(after.groupRoles) };
      await writeSettings.all(tx, { ...stored, organizationId, updatedAt: at, version: before.version + 1 });
      const { name } = await nameAndZone.one(tx, { organizationId });
      const facts = { action: 'SCIM_UPDATED', at, changes } as const;
      await record(tx, caller, organizationEvent({ id: organizationId, name }, facts));
      const settings = await settingsOf(tx, organizationId);
      if (!('defaultRole' in changes || 'groupRoles' in changes)) return { settings, changed: [] };
      const reach = Math.max(reachOf(before), reachOf(after));
      const recomputed = { organizationId, settings, reach, ids: null, at };
      return { settings, changed: await applyRoles(tx, userOf(caller), recomputed) };
    });
    // Invalidates this instance's cache without waiting for the database's notification.
    for (const userId of changed) access.cache.announced(`m:${userId}:${organizationId}`);
    return this.shown(organizationId, settings);
  }

  private shown(organizationId: number, settings: Settings) {
    return { ...settings, url: `${this.deps.config.publicUrl}/scim/v2/organizations/${organizationId}` };
  }
}

/** Whether only an owner may make a change: it affects who is a manager. */
function concernsOwners(before: Settings, after: Settings): boolean {
  const managed = ({ defaultRole, groupRoles, linkMembers }: Settings) => {
    const groups = groupRoles.filter(({ role }) => ROLE_RANKS[role] >= HIGHEST).map(({ group }) => group);
    return JSON.stringify([ROLE_RANKS[defaultRole] >= HIGHEST, groups.sort(), linkMembers]);
  };
  return managed(before) !== managed(after);
}

function check({ groupRoles }: Partial<ScimSettingsChange>): void {
  const groups = (groupRoles ?? []).map(({ group }) => group.toLowerCase());
  if (new Set(groups).size < groups.length) throw invalidInput([inputError('groupRoles', 'must name each group once')]);
}
