import { randomUUID } from 'node:crypto';
import type { ScimCaller } from '../../auth/caller.js';
import { isUuid } from '../../common/formats.js';
import {
  absentResource,
  invalidValue,
  ScimError,
  uniqueness,
  type ScimGroupRecord,
  type ScimGroupValues,
  type ScimPage,
  type ScimPageRequest,
} from '../../common/scim-resources.js';
import type { Queryable } from '../../database/database.js';
import { LIMITS } from '../../values/limits.js';
import { changesBetween, record, type AuditFacts } from '../audit/record.js';
import type { Foundation } from '../foundation.js';
import { lockMembers } from '../members/members.service.js';
import { lockWebhooks } from '../webhooks/endpoint-records.js';
import * as statements from './group-statements.js';
import { applyRoles } from './roles.js';
import { requireState } from './scim-users.service.js';
import { reachOf, authorizeDirectory } from './settings-statements.js';

/** Whether the members of groups are selected. */
type Selected = readonly 'members'[];

interface GroupKey {
  id: string;
  versions: readonly string[] | undefined;
}

/** The groups of a directory: the settings map them to roles of their members. */
export class ScimGroupService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'now'>) {}

  async list(
    { organizationId }: ScimCaller,
    { filter, offset, limit }: ScimPageRequest,
    selected: Selected,
  ): Promise<ScimPage<ScimGroupRecord>> {
    const wanted = (name: string) => (filter?.attribute === name ? filter.value : null);
    const members = wanted('members');
    // An invalid id has no user.
    if (members !== null && !isUuid(members)) return { total: 0, items: [] };
    const displayName = wanted('displayName')?.toLowerCase() ?? null;
    const filtered = { organizationId, displayName, externalId: wanted('externalId'), members };
    const { database } = this.deps;
    const { total } = await statements.countGroups.one(database, filtered);
    return { total, items: await statements.groupsOf(selected).all(database, { ...filtered, offset, limit }) };
  }

  async read({ organizationId }: ScimCaller, id: string, selected: Selected): Promise<ScimGroupRecord> {
    return groupOf(this.deps.database, organizationId, id, selected);
  }

  async create(caller: ScimCaller, values: ScimGroupValues): Promise<ScimGroupRecord> {
    return this.change(caller, async (tx, now) => {
      const { organizationId } = caller;
      const key = { organizationId, displayName: null, externalId: null, members: null };
      const { total } = await statements.countGroups.one(tx, key);
      if (total >= LIMITS.scim.groups) throw new ScimError(403, `There are ${LIMITS.scim.groups} groups at most`);
      const { displayName, externalId, members } = values;
      await refuseTaken(tx, organizationId, displayName, null);
      await requireUsers(tx, organizationId, members);
      const id = randomUUID();
      await statements.insertGroup.all(tx, { ...writtenOf(id, values, now), organizationId, createdAt: now });
      if (members.size > 0) await statements.addMembers.all(tx, { id, users: [...members] });
      const changes = {
        ...changesBetween<object>({}, { displayName, externalId: externalId ?? undefined }),
        ...membersChanged([...members], []),
      };
      await recordGroup(tx, caller, { id, displayName }, { action: 'SCIM_GROUP_CREATED', at: now, changes });
      return { group: await groupOf(tx, organizationId, id, ['members']), affected: [...members] };
    });
  }

  /** `decide` computes the new state of a group from its present one, under the lock. */
  async update(
    caller: ScimCaller,
    { id, versions }: GroupKey,
    decide: (before: ScimGroupValues) => ScimGroupValues,
  ): Promise<ScimGroupRecord> {
    return this.change(caller, async (tx, now) => {
      const { organizationId } = caller;
      const row = await groupOf(tx, organizationId, id, ['members']);
      requireState(row, versions);
      const before = { ...row, members: new Set(row.members!.map(({ value }) => value)) };
      const values = decide(before);
      const added = [...values.members].filter((user) => !before.members.has(user));
      const removed = [...before.members].filter((user) => !values.members.has(user));
      const { displayName, externalId } = values;
      const named = changesBetween<object>(row, { displayName, externalId });
      if (Object.keys(named).length + added.length + removed.length === 0) return { group: row, affected: [] };
      if ('displayName' in named) await refuseTaken(tx, organizationId, displayName, id);
      await requireUsers(tx, organizationId, new Set(added));
      if (Object.keys(named).length > 0) await statements.writeGroup.all(tx, writtenOf(id, values, now));
      if (added.length > 0) await statements.addMembers.all(tx, { id, users: added });
      if (removed.length > 0) await statements.removeMembers.all(tx, { id, users: removed });
      const changes = { ...named, ...membersChanged(added, removed) };
      await recordGroup(tx, caller, { id, displayName }, { action: 'SCIM_GROUP_UPDATED', at: now, changes });
      const affected = 'displayName' in named ? [...before.members, ...added] : [...added, ...removed];
      return { group: await groupOf(tx, organizationId, id, ['members']), affected };
    });
  }

  async delete(caller: ScimCaller, { id, versions }: GroupKey): Promise<void> {
    await this.change(caller, async (tx, now) => {
      const { organizationId } = caller;
      const group = await groupOf(tx, organizationId, id, ['members']);
      requireState(group, versions);
      await statements.deleteGroup.all(tx, { id });
      const members = group.members!.map(({ value }) => value);
      const changes = { displayName: { before: group.displayName }, ...membersChanged([], members) };
      await recordGroup(tx, caller, group, { action: 'SCIM_GROUP_DELETED', at: now, changes });
      return { group, affected: members };
    });
  }

  /** Under the lock of the members; then sets the roles of affected ones. */
  private async change(
    caller: ScimCaller,
    work: (tx: Queryable, now: Date) => Promise<{ group: ScimGroupRecord; affected: readonly string[] }>,
  ): Promise<ScimGroupRecord> {
    const { organizationId } = caller;
    const { group, changed } = await this.deps.database.transaction(async (tx) => {
      await lockMembers(tx, organizationId);
      const at = this.deps.now();
      const settings = await authorizeDirectory(tx, caller, at);
      await lockWebhooks(tx, [organizationId]);
      const { group, affected: ids } = await work(tx, at);
      const recomputed = { organizationId, settings, reach: reachOf(settings), ids, at };
      return { group, changed: ids.length === 0 ? [] : await applyRoles(tx, caller, recomputed) };
    });
    for (const userId of changed) this.deps.access.cache.announced(`m:${userId}:${organizationId}`);
    return group;
  }
}

async function groupOf(database: Queryable, organizationId: number, id: string, selected: Selected) {
  const row = isUuid(id) ? await statements.groupById(selected).first(database, { organizationId, id }) : undefined;
  if (row === undefined) throw absentResource();
  return row;
}

async function refuseTaken(tx: Queryable, organizationId: number, displayName: string, id: string | null) {
  const key = displayName.toLowerCase();
  if ((await statements.groupNamed.first(tx, { organizationId, key, id })) !== undefined)
    throw uniqueness('Another group has this displayName');
}

async function requireUsers(tx: Queryable, organizationId: number, ids: ReadonlySet<string>): Promise<void> {
  if (ids.size === 0) return;
  const known = [...ids].every(isUuid) ? await statements.knownUsers.all(tx, { organizationId, ids: [...ids] }) : [];
  if (known.length < ids.size) throw invalidValue('Each member must be a user of this directory, by its id');
}

function writtenOf(id: string, { displayName, externalId }: ScimGroupValues, updatedAt: Date) {
  return { id, displayName, displayNameKey: displayName.toLowerCase(), externalId, updatedAt };
}

/** By their ids in the directory. */
function membersChanged(added: readonly string[], removed: readonly string[]) {
  return {
    ...(added.length > 0 && { added: { after: added } }),
    ...(removed.length > 0 && { removed: { before: removed } }),
  };
}

function recordGroup(
  tx: Queryable,
  caller: ScimCaller,
  { id, displayName: name }: { id: string; displayName: string },
  facts: AuditFacts,
): Promise<void> {
  const subject = { type: 'SCIM_GROUP', id, name } as const;
  return record(tx, caller, { ...facts, organizationId: caller.organizationId, subject });
}
