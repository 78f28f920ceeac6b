import type { Caller, UserCaller } from '../../auth/caller.js';
import type { Privilege } from '../../auth/roles.js';
import { DAY } from '../../common/time.js';
import { isUuid } from '../../common/formats.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { visibleText } from '../../common/visible-text.js';
import type { PageRequest } from '../../database/cursor.js';
import type { Queryable } from '../../database/database.js';
import { conflict, found, inputError, notFound, refuseErrors, requireVersion, unauthenticated } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { PersonalValue } from '../audit/personal-values.js';
import { changesBetween } from '../audit/record.js';
import { engagementEvent, recordEngagement } from '../audit/subjects.js';
import type { Foundation } from '../foundation.js';
import { lockMembers } from '../members/members.service.js';
import { engagementScope, type EngagementScope } from '../shared/engagement-scope.js';
import * as records from './engagement-records.js';
import type { NewEngagement } from './engagement-records.js';

export interface EngagementKey {
  organizationId: number;
  engagementId: number;
}

/** Change of an engagement; absent values stay. The scope is immutable, so that auditors signed off what they read. */
export interface EngagementChange extends EngagementKey {
  version?: number | null;
  name?: string | null;
  until?: Date | null;
}

/** An engagement by its own id, without its organization. */
type FoundEngagement = Partial<EngagementKey> & { engagementId: number };

/** Fields of an engagement that an auditor may select without a recorded read. */
const UNREAD: ReadonlySet<string> = new Set([
  ...['id', 'databaseId', '__typename', 'asOf'],
  // Recorded separately.
  ...['controls', 'documents', 'incidents', 'auditTrail', 'requests', 'signOffs'],
]);

/** Part of an engagement that an auditor read, by its name in the trail. */
export type EngagementPart =
  'ENGAGEMENT' | 'CONTROLS' | 'DOCUMENTS' | 'INCIDENTS' | 'AUDIT_TRAIL' | 'REQUESTS' | 'SIGN_OFFS';

/**
 * Engagements of auditors (docs/auditors.md). An auditor is not a member: all other use cases treat it as a user without
 * organization, so that nothing is accessible unless it was written for auditors.
 */
export class EngagementService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'catalogs' | 'readings' | 'now'>) {}

  /** Throws NOT_FOUND, or FORBIDDEN below rank 2. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.deps.access.authorize(caller, 'READ_ENGAGEMENTS', organizationId);
  }

  async ofOrganizations(organizationIds: readonly number[], page: PageRequest, selection: ListSelection) {
    return records.ofOrganization.ofMany<object, number>(this.deps.database, organizationIds, {
      ...{ page, ...records.projection.list(selection) },
    });
  }

  /** The workflows in the scope of each, by name. The engagements were authorized. */
  async workflowsOf(engagements: readonly { organizationId: number; workflowIds: readonly string[] }[]) {
    const catalogs = await this.deps.catalogs.ofMany(engagements.map(({ organizationId }) => organizationId));
    return engagements.map(({ organizationId, workflowIds }) =>
      workflowIds.map((workflowId) => ({
        workflowId,
        name: catalogs.get(organizationId)?.find(workflowId)?.name ?? null,
      })),
    );
  }

  /** Those that the caller is an auditor of and that have not ended. */
  async ofCaller(caller: Caller, page: PageRequest, selection: ListSelection) {
    const user = this.deps.access.authorizeSelf(caller, 'read');
    const { form, signIn, blockedIn } = user;
    const conditions = [
      ...[
        records.isOpenTo({ now: this.deps.now(), userId: user.userId }),
        records.isReached({ blockedIn: [...blockedIn] }),
      ],
      ...(form === 'query' ? [records.byHeader] : []),
      ...(signIn === undefined ? [] : [records.isOf(signIn)]),
    ];
    const request = { page, conditions, ...records.projection.list(selection) };
    const own = await records.ofAuditor.of<{ id: number }>(this.deps.database, user.userId, request);
    if (isRead(selection.items))
      for (const { id } of own.rows)
        await this.recordRead(user, await this.scopeOf({ engagementId: id }), 'ENGAGEMENT');
    return own;
  }

  /** For its auditors until it ends, and for members from rank 2 on. Throws NOT_FOUND and FORBIDDEN. */
  async read(caller: Caller, key: FoundEngagement, selection: Selection): Promise<object> {
    const { auditor, scope } = await this.authorize(caller, key);
    if (auditor !== undefined && isRead(selection)) await this.recordRead(auditor, scope, 'ENGAGEMENT');
    return this.one(key.engagementId, selection);
  }

  /** Not authorized here: for the answer to a write. */
  async one(id: number, selection: Selection, tx: Queryable = this.deps.database): Promise<object> {
    return found(await records.one(records.projection.of(selection)).first(tx, { id }));
  }

  /** Engagements by id. The caller, a member, was authorized. */
  async byIds(ids: readonly number[], selection: Selection): Promise<Map<number, object>> {
    const rows = await records.some(records.projection.of(selection)).all(this.deps.database, { ids });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * The scope, for members with the privilege and for auditors; `auditor` is set for the latter, whose reads are recorded. A
   * user who is a member is authorized as a member.
   */
  async authorize(
    caller: Caller,
    key: FoundEngagement,
    privilege: Privilege = 'READ_ENGAGEMENTS',
  ): Promise<{ scope: EngagementScope; auditor?: UserCaller }> {
    const { access } = this.deps;
    if (caller.kind === 'anonymous') throw unauthenticated();
    const scope = await this.scopeOf(key);
    const { id, organizationId } = scope;
    if (caller.kind === 'user' && (await access.roleIn(caller, organizationId)) === undefined)
      return { scope, auditor: await access.authorizeAuditor(caller, 'read', id) };
    await access.authorize(caller, privilege, organizationId);
    return { scope };
  }

  /** Records what is about to be shown to an auditor; if that fails, nothing is shown. */
  recordRead(
    auditor: UserCaller,
    scope: EngagementScope,
    part: EngagementPart,
    shown: readonly (string | number)[] = [],
  ): Promise<void> {
    const changes = { part: { after: part }, ...(shown.length > 0 && { shown: { after: shown.join(' ') } }) };
    const event = engagementEvent(scope, { action: 'ENGAGEMENT_READ', at: this.deps.now(), changes });
    return this.deps.readings.read(auditor, event);
  }

  /** The scope, for an auditor who may write to it now. Throws NOT_FOUND for all others, members included. */
  async authorizeAuditor(caller: Caller, key: EngagementKey): Promise<{ user: UserCaller; scope: EngagementScope }> {
    const user = await this.deps.access.authorizeAuditor(caller, 'write', key.engagementId);
    return { user, scope: await this.scopeOf(key) };
  }

  /** Not authorized here. Throws NOT_FOUND for one of another organization. */
  async scopeOf({ organizationId, engagementId: id }: FoundEngagement, tx: Queryable = this.deps.database) {
    const scope = found(await engagementScope.first(tx, { id }));
    if (organizationId !== undefined && scope.organizationId !== organizationId) throw notFound();
    return scope;
  }

  /** Throws BAD_USER_INPUT, CONFLICT at the maximum of running engagements, NOT_FOUND and FORBIDDEN. */
  async create(caller: Caller, input: NewEngagement, selection: Selection): Promise<object> {
    const { access, database, now } = this.deps;
    const { organizationId } = input;
    await access.authorize(caller, 'MANAGE_ENGAGEMENTS', organizationId);
    const at = now();
    const values = { ...input, name: visibleText(input.name).trim(), workflowIds: [...new Set(input.workflowIds)] };
    const errors = [
      ...(input.from < input.to ? [] : [inputError('to', 'must be after {from}')]),
      ...(input.until > at ? untilErrors(input.until, at) : [inputError('until', 'must be in the future')]),
    ];
    return database.transaction(async (tx) => {
      await lockMembers(tx, organizationId);
      const known = await records.associated.all(tx, { organizationId, ids: values.workflowIds });
      const isOther = known.length < values.workflowIds.length;
      refuseErrors([
        ...errors,
        ...(isOther ? [inputError('workflowIds', 'must be associated with the organization')] : []),
      ]);
      await refuseMore(tx, organizationId, at);
      const createdById = caller.kind === 'user' ? caller.userId : null;
      const { id } = await records.insert.one(tx, { ...values, createdById, now: at });
      const { name, workflowIds: workflows, from, to, until } = values;
      const changes = changesBetween<object>({}, { name, workflows, from, to, until });
      await recordEngagement(tx, caller, { organizationId, id, name }, { action: 'ENGAGEMENT_CREATED', at, changes });
      return this.one(id, selection, tx);
    });
  }

  /** An end that is not in the future is now, unless the engagement has ended before. Throws as `create` does. */
  async update(
    caller: Caller,
    { name, until, version, ...key }: EngagementChange,
    selection: Selection,
  ): Promise<object> {
    const { access, database, now } = this.deps;
    await access.authorize(caller, 'MANAGE_ENGAGEMENTS', key.organizationId);
    if (until != null) refuseErrors(untilErrors(until, now()));
    return database.transaction(async (tx) => {
      await lockMembers(tx, key.organizationId);
      found(await records.lock.first(tx, key));
      const before = await this.scopeOf(key, tx);
      requireVersion(before, version);
      // Read after the lock, and so after an end, and after statements of auditors, for which it waited.
      const at = now();
      const isOver = Date.parse(before.until) <= at.getTime();
      const end = until == null || (isOver && until <= at) ? before.until : (until > at ? until : at).toISOString();
      const after = { name: name == null ? before.name : visibleText(name).trim(), until: end };
      const changes = changesBetween<{ name: string; until: string }>(before, after);
      if (Object.keys(changes).length > 0) {
        if (isOver && Date.parse(end) > at.getTime()) await refuseMore(tx, key.organizationId, at);
        await records.change.all(tx, { id: before.id, ...after });
        await recordEngagement(tx, caller, before, { action: 'ENGAGEMENT_UPDATED', at, changes });
      }
      return this.one(before.id, selection, tx);
    });
  }

  /** Removes an auditor. Throws NOT_FOUND for a user who is not an auditor of it. */
  async remove(caller: Caller, { userId, ...key }: EngagementKey & { userId: string }) {
    const { access, database, now } = this.deps;
    await access.authorize(caller, 'MANAGE_ENGAGEMENTS', key.organizationId);
    if (!isUuid(userId)) throw notFound();
    return database.transaction(async (tx) => {
      await lockMembers(tx, key.organizationId);
      const scope = await this.scopeOf(key, tx);
      const gone = found(await records.removeAuditor.first(tx, { id: scope.id, userId: userId.toLowerCase() }));
      const changes = { auditor: { before: new PersonalValue(gone.id, gone.username) } };
      await recordEngagement(tx, caller, scope, { action: 'AUDITOR_REMOVED', at: now(), changes });
      return { userId: gone.id, username: gone.username };
    });
  }
}

const { maxDays, perOrganization } = LIMITS.engagement;

/** Under the lock of the members. */
async function refuseMore(tx: Queryable, organizationId: number, now: Date): Promise<void> {
  const { engagements } = await records.running.one(tx, { organizationId, now });
  if (engagements >= perOrganization) throw conflict('ENGAGEMENT_LIMIT');
}

function isRead(selection: Selection): boolean {
  return [...selection.fields].some((field) => !UNREAD.has(field));
}

function untilErrors(until: Date, now: Date) {
  const isFar = until.getTime() > now.getTime() + maxDays * DAY;
  return isFar ? [inputError('until', `must not be more than ${maxDays} days away`)] : [];
}
