import type { Caller, UserCaller } from '../../auth/caller.js';
import type { Privilege } from '../../auth/roles.js';
import { DAY } from '../../common/time.js';
import { isUuid } from '../../common/formats.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { visibleText } from '../../common/visible-text.js';
import type { PageRequest } from '../../database/cursor.js';
import type { Queryable } from '../../database/database.js';
import { filter, Listing, type ListQuery } from '../../database/list-query.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, found, inputError, invalidInput, notFound, requireVersion, unauthenticated } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { PersonalValue } from '../audit/personal-values.js';
import { changesBetween } from '../audit/record.js';
import { engagementEvent, recordEngagement } from '../audit/subjects.js';
import type { Foundation } from '../foundation.js';
import { lockMembers } from '../members/members.service.js';
import { engagementScope, type EngagementScope } from '../shared/engagement-scope.js';

export interface EngagementKey {
  organizationId: number;
  engagementId: number;
}

export interface NewEngagement {
  organizationId: number;
  name: string;
  workflowIds: readonly string[];
  from: Date;
  to: Date;
  until: Date;
}

/** Change of an engagement; absent values stay. The scope is never changed: what was signed off stays what was read. */
export interface EngagementChange extends EngagementKey {
  version?: number | null;
  name?: string | null;
  until?: Date | null;
}

/** An engagement that is found by its own id, where no organization is named beside it. */
type FoundEngagement = Partial<EngagementKey> & { engagementId: number };
type EngagementKeys = { id: number };

const e = table('engagement', 'e');
const o = table('organization', 'o');
const c = table('app_user', 'c');
const a = table('engagement_auditor', 'a');
const u = table('app_user', 'u');
const m = table('membership', 'm');
const w = table('organization_workflow', 'w');

const FROM = sql`${e.table} join ${o.table} on ${o.id} = ${e.organization_id} and ${o.deleted_at} is null
  left join ${c.table} on ${c.id} = ${e.created_by_id}`;

const OF_LIST = {
  from: FROM,
  id: { column: e.id, type: 'bigint' },
  sorts: { CREATED: { column: e.id, type: 'bigint' } },
  order: { field: 'CREATED', direction: 'DESC' },
} as const;
const ofOrganization = new Listing<ListQuery<'CREATED'>>({
  ...OF_LIST,
  parent: { column: e.organization_id, type: 'bigint' },
});
/** Without those that have ended. */
const ofAuditor = new Listing<ListQuery<'CREATED'>>({
  ...OF_LIST,
  from: sql`${FROM} join ${a.table} on ${a.engagement_id} = ${e.id}`,
  parent: { column: a.user_id, type: 'uuid' },
});
/** The decision of `Access.authorizeAuditor` for several at once. */
const isOpenTo = filter<{ now: Date; userId: string }>(
  (p) => sql`${e.until} > ${p('now')}::timestamptz and not exists (
    select from ${m.table} where ${m.organization_id} = ${e.organization_id} and ${m.user_id} = ${p('userId')}::uuid)`,
);
const isReached = filter<{ blockedIn: number[] }>((p) => sql`not (${o.id} = any(${p('blockedIn')}::bigint[]))`);
const isOf = filter<{ organizationId: number }>((p) => sql`${o.id} = ${p('organizationId')}::bigint`);
const byHeader = filter(() => sql`${o.query_token_allowed}`)({});

const projection = new Projection(
  'Engagement',
  {
    id: e.id,
    cursor: ofOrganization.place,
    organizationId: e.organization_id,
    organizationName: o.name,
    timeZone: o.time_zone,
    workflowIds: e.workflows,
    workflows: { needs: { workflowIds: e.workflows } },
    ...properties(e, 'name', 'until', 'created_at', 'version'),
    from: e.period_from,
    to: e.period_to,
    createdBy: person(c.username),
    auditors: sql`coalesce((select jsonb_agg(jsonb_build_object('userId', ${u.id}, 'username', ${u.username}) order by ${u.username})
    from ${a.table} join ${u.table} on ${u.id} = ${a.user_id} where ${a.engagement_id} = ${e.id}), '[]')`,
  },
  // The last two say as of when its parts are shown.
  ['id', 'organizationId', 'to', 'until'],
);

/** Fields of an engagement that an auditor may select without reading anything of it. */
const UNREAD: ReadonlySet<string> = new Set([
  ...['id', 'databaseId', '__typename', 'asOf'],
  // Recorded by themselves.
  ...['controls', 'documents', 'incidents', 'auditTrail', 'requests', 'signOffs'],
]);

const one = projected<{ id: number }>()(
  (p, { select }) => sql<object>`select ${sql.join(select)} from ${FROM} where ${e.id} = ${p('id')}`,
);

const some = projected<{ ids: readonly number[] }>()(
  (p, { select }) =>
    sql<EngagementKeys>`select ${sql.join(select)} from ${FROM} where ${e.id} = any(${p('ids')}::bigint[])`,
);

const running = statement<{ organizationId: number; now: Date }>()((p) =>
  db
    .selectFrom('engagement')
    .select((eb) => eb.fn.countAll<number>().as('engagements'))
    .where('organization_id', '=', p('organizationId'))
    .where('until', '>', p('now')),
);

const associated = statement<{ organizationId: number; ids: readonly string[] }>()((p) =>
  db
    .selectFrom('organization_workflow as w')
    .select('w.workflow_id as id')
    .where('w.organization_id', '=', p('organizationId'))
    .where(sql<boolean>`${w.workflow_id} = any(${p('ids')}::text[])`),
);

const insert = statement<NewEngagement & { createdById: string | null; now: Date }>()((p) =>
  db
    .insertInto('engagement')
    .values({
      ...{ organization_id: p('organizationId'), name: p('name'), workflows: p('workflowIds') },
      ...{ period_from: p('from'), period_to: p('to'), until: p('until') },
      ...{ created_by_id: p('createdById'), created_at: p('now') },
    })
    .returning('id'),
);

const change = statement<{ id: number; name: string; until: string }>()((p) =>
  db
    .updateTable('engagement')
    .set({ name: p('name'), until: p('until') })
    .where('id', '=', p('id')),
);

const removeAuditor = statement<{ id: number; userId: string }>()((p) =>
  db
    .deleteFrom('engagement_auditor as a')
    .using('app_user as u')
    .whereRef('u.id', '=', 'a.user_id')
    .where('a.engagement_id', '=', p('id'))
    .where('a.user_id', '=', p('userId'))
    .returning(['u.id', 'u.username']),
);

/** Part of an engagement that an auditor read, as the trail names it. */
export type EngagementPart =
  'ENGAGEMENT' | 'CONTROLS' | 'DOCUMENTS' | 'INCIDENTS' | 'AUDIT_TRAIL' | 'REQUESTS' | 'SIGN_OFFS';

/**
 * Engagements of auditors (docs/auditors.md). An auditor is no member: every other use case answers it as a person without
 * organization, so that what is not written for auditors is closed to them.
 */
export class EngagementService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'catalogs' | 'readings' | 'now'>) {}

  /** Throws NOT_FOUND, or FORBIDDEN below rank 2. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.deps.access.authorize(caller, 'READ_ENGAGEMENTS', organizationId);
  }

  async ofOrganizations(organizationIds: readonly number[], page: PageRequest, selection: ListSelection) {
    return ofOrganization.ofMany<object, number>(this.deps.database, organizationIds, {
      ...{ page, ...projection.list(selection) },
    });
  }

  /** The workflows in the scope of each, by name. Who has an engagement in hand was allowed to read it. */
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
      ...[isOpenTo({ now: this.deps.now(), userId: user.userId }), isReached({ blockedIn: [...blockedIn] })],
      ...(form === 'query' ? [byHeader] : []),
      ...(signIn === undefined ? [] : [isOf(signIn)]),
    ];
    const request = { page, conditions, ...projection.list(selection) };
    const own = await ofAuditor.of<EngagementKeys>(this.deps.database, user.userId, request);
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

  /** Decides nothing: for the answer to a write. */
  async one(id: number, selection: Selection, tx: Queryable = this.deps.database): Promise<object> {
    return found(await one(projection.of(selection)).first(tx, { id }));
  }

  /** Those with these ids. Whether the caller, a member, may read them has been decided. */
  async byIds(ids: readonly number[], selection: Selection): Promise<Map<number, object>> {
    const rows = await some(projection.of(selection)).all(this.deps.database, { ids });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * The scope, for members with the privilege and for auditors; `auditor` is given for these, whose reads are recorded. A person
   * who is a member is judged as one.
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

  /** Records what an auditor is about to be shown: without the entry there is no answer. */
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

  /** Decides nothing. Throws NOT_FOUND for one of another organization. */
  async scopeOf({ organizationId, engagementId: id }: FoundEngagement, tx: Queryable = this.deps.database) {
    const scope = found(await engagementScope.first(tx, { id }));
    if (organizationId !== undefined && scope.organizationId !== organizationId) throw notFound();
    return scope;
  }

  /** Throws BAD_USER_INPUT, CONFLICT when as many are running as there may be, NOT_FOUND and FORBIDDEN. */
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
    if (errors.length > 0) throw invalidInput(errors);
    return database.transaction(async (tx) => {
      await lockMembers(tx, organizationId);
      const known = await associated.all(tx, { organizationId, ids: values.workflowIds });
      if (known.length < values.workflowIds.length)
        throw invalidInput([inputError('workflowIds', 'must be associated with the organization')]);
      await refuseMore(tx, organizationId, at);
      const createdById = caller.kind === 'user' ? caller.userId : null;
      const { id } = await insert.one(tx, { ...values, createdById, now: at });
      const { name, workflowIds: workflows, from, to, until } = values;
      const changes = changesBetween<object>({}, { name, workflows, from, to, until });
      await recordEngagement(tx, caller, { organizationId, id, name }, { action: 'ENGAGEMENT_CREATED', at, changes });
      return this.one(id, selection, tx);
    });
  }

  /** An end that is not in the future is now. Throws as `create` does. */
  async update(
    caller: Caller,
    { name, until, version, ...key }: EngagementChange,
    selection: Selection,
  ): Promise<object> {
    const { access, database, now } = this.deps;
    await access.authorize(caller, 'MANAGE_ENGAGEMENTS', key.organizationId);
    const at = now();
    if (until != null && until > at) refuse(untilErrors(until, at));
    return database.transaction(async (tx) => {
      await lockMembers(tx, key.organizationId);
      const before = await this.scopeOf(key, tx);
      requireVersion(before, version);
      const end = until == null ? before.until : (until > at ? until : at).toISOString();
      const after = { name: name == null ? before.name : visibleText(name).trim(), until: end };
      const changes = changesBetween<{ name: string; until: string }>(before, after);
      if (Object.keys(changes).length > 0) {
        const isOver = Date.parse(before.until) <= at.getTime();
        if (isOver && Date.parse(end) > at.getTime()) await refuseMore(tx, key.organizationId, at);
        await change.all(tx, { id: before.id, ...after });
        await recordEngagement(tx, caller, before, { action: 'ENGAGEMENT_UPDATED', at, changes });
      }
      return this.one(before.id, selection, tx);
    });
  }

  /** From now on the user finds nothing of it. Throws NOT_FOUND for who is no auditor of it. */
  async remove(caller: Caller, { userId, ...key }: EngagementKey & { userId: string }) {
    const { access, database, now } = this.deps;
    await access.authorize(caller, 'MANAGE_ENGAGEMENTS', key.organizationId);
    if (!isUuid(userId)) throw notFound();
    return database.transaction(async (tx) => {
      await lockMembers(tx, key.organizationId);
      const scope = await this.scopeOf(key, tx);
      const gone = found(await removeAuditor.first(tx, { id: scope.id, userId: userId.toLowerCase() }));
      const changes = { auditor: { before: new PersonalValue(gone.id, gone.username) } };
      await recordEngagement(tx, caller, scope, { action: 'AUDITOR_REMOVED', at: now(), changes });
      return { userId: gone.id, username: gone.username };
    });
  }
}

const { maxDays, perOrganization } = LIMITS.engagement;

/** Under the lock of the members. */
async function refuseMore(tx: Queryable, organizationId: number, now: Date): Promise<void> {
  const { engagements } = await running.one(tx, { organizationId, now });
  if (engagements >= perOrganization) throw conflict('ENGAGEMENT_LIMIT');
}

function isRead(selection: Selection): boolean {
  return [...selection.fields].some((field) => !UNREAD.has(field));
}

function untilErrors(until: Date, now: Date) {
  const isFar = until.getTime() > now.getTime() + maxDays * DAY;
  return isFar ? [inputError('until', `must not be more than ${maxDays} days away`)] : [];
}

function refuse(errors: ReturnType<typeof untilErrors>): void {
  if (errors.length > 0) throw invalidInput(errors);
}
