import type { Actor, Caller, UserCaller } from '../../auth/caller.js';
import { traceparent } from '../../common/tracing.js';
import type { Queryable, Reads } from '../../database/database.js';
import { column, insertSelect, sql, statement, statementPerList, table, type Expression } from '../../database/sql.js';
import { unauthenticated } from '../../errors.js';
import type { AuditAction, AuditSubjectType } from '../../values/audit.js';
import { canonicalJson, networkOf, personsBy, PersonalValue, type PersonalKeys } from './personal-values.js';
import { logName, type TrailOwner } from './trails.js';

/** The object that an entry is about. */
export interface AuditSubject {
  type: AuditSubjectType;
  id: number | string;
  /** The name at that time. */
  name: string | PersonalValue;
  /** The object that contains it, whose history includes this entry. It has a name where notifications need it. */
  parent?: { type: AuditSubjectType; id: number | string; name?: string };
}

/** A field before and after; absent where there was or is nothing. */
export interface FieldChange {
  before?: unknown;
  after?: unknown;
}

/** Facts of an entry: the action and its subject. */
export interface AuditFacts {
  action: AuditAction;
  at: Date;
  /**
   * Changed fields, by their names in GraphQL; undefined for an action without fields. An empty object is not recorded.
   * Personal data is a `PersonalValue`.
   */
  changes?: Readonly<Record<string, FieldChange>>;
  /** The reason that the caller gave, or that is known of a change of status. */
  reason?: string | undefined;
  /**
   * Values of the subject's row after the change, beyond `changes`, by property: states of the past are made of both.
   */
  state?: Readonly<Record<string, unknown>>;
}

/** An entry for the trail of an organization or of a user. */
export type AuditEvent = TrailOwner & AuditFacts & { subject: AuditSubject };

/**
 * Appends an entry in the transaction of the change, so that both are stored or neither. Locks the head of one trail
 * until the end of the transaction: call it last, in the order of organizations. Consumers process it after COMMIT.
 */
export async function record(tx: Queryable, actor: Actor | Caller, event: AuditEvent): Promise<void> {
  if (actor.kind === 'anonymous') throw unauthenticated();
  if (event.changes !== undefined && Object.keys(event.changes).length === 0) return;
  await recordAt(tx, actor, event);
}

/** The same for data that refers to its entry: returns the position. */
export async function recordAt(tx: Queryable, actor: Actor, event: AuditEvent): Promise<number> {
  return place(tx, actor, event, await keysOf(tx, actor, event));
}

/** The same for several events, in their order: one statement reads the keys of all persons. */
export async function recordAll(tx: Queryable, actor: Actor, events: readonly AuditEvent[]): Promise<void> {
  const keys = await keysOf(tx, actor, events);
  for (const event of events) await place(tx, actor, event, keys);
}

async function place(tx: Queryable, actor: Actor, event: AuditEvent, keys: PersonalKeys): Promise<number> {
  const entry = canonicalJson(valuesOf(actor, event), keys);
  const at = event.at.toISOString();
  const name = logName(event);
  const appended =
    'userId' in event
      ? await append(['user_id']).one(tx, { owner: event.userId, name, entry, at })
      : await append(['organization_id']).one(tx, { owner: event.organizationId, name, entry, at });
  if (appended.isTaken) await takePlace(tx, event, { ...appended, entry });
  if ('organizationId' in event) tx.appended?.(appended.logId);
  return appended.position;
}

/** The fields that differ; undefined in `after` stands for a field that was not given. */
export function changesBetween<Row extends object>(
  before: Row,
  after: Partial<Row>,
  fields = Object.keys(after) as (keyof Row & string)[],
): Record<string, FieldChange> {
  const changed = fields.filter((field) => after[field] !== undefined && !isEqual(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, { before: before[field], after: after[field] }]));
}

/**
 * The same without the values of fields that are secret, or about persons who are not users: they are shown as
 * changed.
 */
export function withoutValues(
  changes: Record<string, FieldChange>,
  ...fields: readonly string[]
): Record<string, FieldChange> {
  const hidden = fields.filter((field) => field in changes).map((field) => [field, { after: 'changed' }]);
  return { ...changes, ...Object.fromEntries(hidden) };
}

function isEqual(one: unknown, other: unknown): boolean {
  // Without a key, both would be sealed as null and look equal.
  if (one instanceof PersonalValue && other instanceof PersonalValue) return one.value === other.value;
  return one === other || (one != null && other != null && canonicalJson(one) === canonicalJson(other));
}

function valuesOf(actor: Actor, { subject, ...facts }: AuditFacts & { subject: AuditSubject }) {
  const { action, at, changes, reason, state } = facts;
  return {
    action,
    actor: actorOf(actor),
    at,
    changes,
    reason,
    request: actor.origin?.requestId,
    state,
    subject: { ...subject, id: String(subject.id) },
    trace: traceparent(),
  };
}

/** The last property in canonical JSON; within a text, the quotes would be escaped. */
const TRACE = /"trace":"([0-9a-f-]{55})"\}$/;

/** The `traceparent` of the request that wrote an entry; undefined without telemetry. */
export function traceOf(entry: string): string | undefined {
  return TRACE.exec(entry)?.[1];
}

function actorOf(actor: Actor) {
  const from = actor.origin?.address;
  if (actor.kind === 'system') return { type: 'SYSTEM', id: actor.name, address: from && networkOf(from) };
  if (actor.kind === 'scim')
    return { type: 'SCIM', id: `scim:${actor.name}`, token: actor.tokenId, address: from && networkOf(from) };
  const { userId: id, tokenId, serviceOf } = actor;
  const address = from && new PersonalValue(id, from);
  const { via, client } = actor.origin ?? {};
  return { type: serviceOf === undefined ? 'USER' : 'SERVICE_ACCOUNT', id, token: tokenId, address, via, client };
}

interface Appended {
  owner: number | string;
  /** The first input of the chain. */
  name: string;
  entry: string;
  at: string;
}

const l = table('audit_log', 'l');

const utf8 = (text: Expression) => sql`convert_to(${text}, 'UTF8')`;

/** The entry at the head; both statements have its row. */
const insertEntry = (entry: Expression) =>
  insertSelect('audit_entry', { log_id: sql`head.id`, position: sql`head.position`, entry, hash: sql`head.hash` });

/** One statement moves the head and inserts the entry with its position and hash. */
const append = statementPerList<'organization_id' | 'user_id', Appended>()((p, [name = 'organization_id']) => {
  const owner = column('audit_log', name);
  const [position, hash] = [column('audit_log', 'position'), column('audit_log', 'hash')];
  const [latestAt, lateness] = [column('audit_log', 'latest_at'), column('audit_log', 'lateness')];
  const at = sql`${p('at')}::timestamptz`;
  const entry = utf8(sql`${p('entry')}::text`);
  return sql<{ logId: number; isTaken: boolean; position: number; hash: Buffer }>`
    with head as (
      insert into ${l.table} (${owner}, ${position}, ${hash}, ${latestAt})
      values (${p('owner')}, 1, sha256(sha256(${utf8(sql`${p('name')}::text`)}) || ${entry}), ${at})
      on conflict (${owner}) do update
        set ${position} = ${l.position} + 1, ${hash} = sha256(${l.hash} || ${entry}),
            ${latestAt} = greatest(${l.latest_at}, ${at}), ${lateness} = greatest(${l.lateness}, ${l.latest_at} - ${at})
      returning ${l.id}, ${l.position}, ${l.hash}),
    added as (${insertEntry(p('entry'))} from head on conflict do nothing returning ${column('audit_entry', 'log_id')} as id)
    select head.id as "logId", added.id is null as "isTaken", head.position, head.hash from head left join added on true`;
});

const setAside = statement<{ logId: number }>()(
  (p) => sql<{ position: number; sha256: string }>`
    select place as position, digest as sha256 from set_aside_audit_entries(${p('logId')})`,
);

interface Placed {
  logId: number;
  position: number;
  hash: Buffer;
  entry: string;
}

const insertAt = statement<Placed>()((p) =>
  insertSelect('audit_entry', {
    log_id: sql`${p('logId')}::bigint`,
    position: sql`${p('position')}::bigint`,
    entry: p('entry'),
    hash: p('hash'),
  }),
);

/** Positions that an entry lists; `audit_stray_entry` has all of them. */
const NAMED = 20;

/**
 * The position of an entry was occupied by one that the gateway has not written: that entry and all behind the head
 * are moved away and recorded, so that the organization can continue to work.
 */
async function takePlace(tx: Queryable, event: AuditEvent, placed: Placed): Promise<void> {
  const work = async (each: Queryable) => {
    const moved = await setAside.all(each, placed);
    await insertAt.all(each, placed);
    const owner = 'userId' in event ? { userId: event.userId } : { organizationId: event.organizationId };
    const name = logName(event);
    const [type, id] =
      'userId' in event ? (['USER', event.userId] as const) : (['ORGANIZATION', event.organizationId] as const);
    await record(each, SET_ASIDE, {
      ...{ ...owner, action: 'AUDIT_ENTRIES_SET_ASIDE', at: event.at, subject: { type, id, name } },
      changes: { count: { after: moved.length }, entries: { before: moved.slice(0, NAMED) } },
    });
  };
  const { transaction } = tx as Partial<Reads>;
  await (transaction === undefined ? work(tx) : transaction.call(tx, work));
}

const SET_ASIDE: Actor = { kind: 'system', name: 'auditTrail.setAside' };

/** The first entry of an organization's trail, before and after the id, which is not known yet. */
export interface FirstEntry {
  beforeId: string;
  afterId: string;
}

/** Parameters of a statement that inserts an organization with its first entry. */
export function firstEntry(user: UserCaller, name: string, facts: AuditFacts): FirstEntry {
  const values = valuesOf(user, { ...facts, subject: { type: 'ORGANIZATION', id: '', name } });
  const entry = canonicalJson(values, new Map([[user.userId, user.personalKey]]));
  // In canonical JSON no text follows the subject, and its id comes first; within a text, the quotes would be escaped.
  const place = entry.lastIndexOf(SUBJECT_ID) + SUBJECT_ID.length;
  return { beforeId: entry.slice(0, place), afterId: entry.slice(place) };
}

const SUBJECT_ID = '"subject":{"id":"';

/**
 * Table expressions that begin the trails of the organizations in the rows of `entry`, which must precede them: `id`,
 * `text` and `at`. Members are not notified of a new organization: the consumers that notify begin after its entry.
 */
export function beginTrails(): Expression {
  const head = insertSelect('audit_log', {
    organization_id: sql`entry.id`,
    position: sql`1`,
    hash: sql`sha256(sha256(${utf8(sql`'organization/' || entry.id`)}) || ${utf8(sql`entry.text`)})`,
    latest_at: sql`entry.at`,
  });
  const consumed = insertSelect('event_consumer', {
    consumer: sql.ref('consumer'),
    log_id: sql`head.id`,
    position: sql`head.position`,
  });
  const [id, owner] = [column('audit_log', 'id'), column('audit_log', 'organization_id')];
  return sql`
    head as (${head} from entry returning ${id}, ${owner}, ${column('audit_log', 'position')}, ${column('audit_log', 'hash')}),
    added as (${insertEntry(sql`entry.text`)} from head join entry on entry.id = head.organization_id),
    consumed as (${consumed} from head, unnest(${sql.lit(`{${NOTIFYING.join()}}`)}::text[]) as consumer)`;
}

/** The consumers that notify people. */
export const NOTIFYING = ['notifications', 'mails'] as const;

/** Consumers of recorded entries; their positions are stored by these names. */
export const CONSUMERS = ['events', ...NOTIFYING] as const;

/** The key of the actor comes from its token. */
async function keysOf(tx: Queryable, actor: Actor, events: AuditEvent | readonly AuditEvent[]): Promise<PersonalKeys> {
  const keys = new Map(actor.kind === 'user' ? [[actor.userId, actor.personalKey]] : []);
  const others = personsIn(events).filter((id) => !keys.has(id));
  if (others.length > 0) for (const { id, key } of await personsBy.all(tx, { ids: others })) keys.set(id, key);
  return keys;
}

function personsIn(value: unknown): string[] {
  if (value instanceof PersonalValue) return [value.userId];
  if (value === null || typeof value !== 'object' || value instanceof Date) return [];
  return Object.values(value).flatMap(personsIn);
}
