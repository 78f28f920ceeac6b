import canonicalize from 'canonicalize';
import type { Actor, Caller } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import { column, db, insertSelect, sql, statement, statementPerList, table } from '../../database/sql.js';
import { unauthenticated } from '../../errors.js';
import type { AuditAction, AuditSubjectType } from '../../values/audit.js';
import { PersonalValue, seal } from './personal-values.js';

/** What an entry is about. */
export interface AuditSubject {
  type: AuditSubjectType;
  id: number | string;
  /** As it was at that time. */
  name: string | PersonalValue;
  /** What it belongs to: its history has this entry as well. */
  parent?: { type: AuditSubjectType; id: number | string };
}

/** A field before and after; absent where there was or is nothing. */
export interface FieldChange {
  before?: unknown;
  after?: unknown;
}

/** What has happened to a subject. */
export interface AuditFacts {
  action: AuditAction;
  at: Date;
  /** By field, in GraphQL's names; without any, nothing has happened. What is about a person as a `PersonalValue`. */
  changes?: Readonly<Record<string, FieldChange>>;
  /** Where one was asked for. */
  reason?: string | undefined;
}

/** The same with its subject, for the trail of an organization or that of a user's own affairs. */
export type AuditEvent = ({ organizationId: number } | { userId: string }) & AuditFacts & { subject: AuditSubject };

/**
 * Appends an entry in the transaction of what it records, so that both are stored or none. It locks the head of one trail
 * until the transaction ends: call it last but for `notify`, in the order of organizations where there are several.
 */
export async function record(tx: Queryable, actor: Actor | Caller, event: AuditEvent): Promise<void> {
  const { action, at, subject, changes, reason } = event;
  if (actor.kind === 'anonymous') throw unauthenticated();
  if (changes !== undefined && Object.keys(changes).length === 0) return;
  const values = {
    action,
    actor: actorOf(actor),
    at,
    subject: { ...subject, id: String(subject.id) },
    changes,
    reason,
  };
  const request = actor.kind === 'user' ? actor.origin?.requestId : undefined;
  const keys = await keysOf(tx, actor, values);
  const entry = canonicalize(written({ ...values, request }, keys)) as string;
  if ('userId' in event)
    await append(['user_id']).all(tx, { owner: event.userId, name: `user/${event.userId}`, entry });
  else {
    const { organizationId } = event;
    await append(['organization_id']).all(tx, { owner: organizationId, name: `organization/${organizationId}`, entry });
  }
}

/** The fields that differ; undefined in `after` is a field that was not given. */
export function changesBetween<Row extends object>(
  before: Row,
  after: Partial<Row>,
  fields = Object.keys(after) as (keyof Row & string)[],
): Record<string, FieldChange> {
  const changed = fields.filter((field) => after[field] !== undefined && !isEqual(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, { before: before[field], after: after[field] }]));
}

/** The same without the values of fields that are secret, or about people who are no users: they are shown as changed. */
export function withoutValues(
  changes: Record<string, FieldChange>,
  ...fields: readonly string[]
): Record<string, FieldChange> {
  const hidden = fields.filter((field) => field in changes).map((field) => [field, { after: 'changed' }]);
  return { ...changes, ...Object.fromEntries(hidden) };
}

const isEqual = (one: unknown, other: unknown) => canonicalize(one) === canonicalize(other);

function actorOf(actor: Actor) {
  if (actor.kind === 'system') return { type: 'SYSTEM', id: actor.name };
  const { userId: id, tokenId, origin } = actor;
  const address = origin?.address === undefined ? undefined : new PersonalValue(id, origin.address);
  return { type: 'USER', id, token: tokenId, address };
}

interface Appended {
  owner: number | string;
  /** What the chain begins with. */
  name: string;
  entry: string;
}

const l = table('audit_log', 'l');

/** One statement: the head moves on, and the entry takes its place and hash from it. */
const append = statementPerList<'organization_id' | 'user_id', Appended>()((p, [name = 'organization_id']) => {
  const owner = column('audit_log', name);
  const [position, hash] = [column('audit_log', 'position'), column('audit_log', 'hash')];
  const entry = sql`convert_to(${p('entry')}::text, 'UTF8')`;
  const added = insertSelect('audit_entry', {
    log_id: sql`head.id`,
    position: sql`head.position`,
    entry: p('entry'),
    hash: sql`head.hash`,
  });
  return sql`
    with head as (
      insert into ${l.table} (${owner}, ${position}, ${hash})
      values (${p('owner')}, 1, sha256(sha256(convert_to(${p('name')}::text, 'UTF8')) || ${entry}))
      on conflict (${owner}) do update set ${position} = ${l.position} + 1, ${hash} = sha256(${l.hash} || ${entry})
      returning ${l.id}, ${l.position}, ${l.hash})
    ${added} from head`;
});

type Keys = ReadonlyMap<string, Buffer | null>;

const personalKeys = statement<{ ids: readonly string[] }>()((p) =>
  db
    .selectFrom('app_user')
    .select(['id', 'personal_key as key'])
    .where('id', '=', ({ fn }) => fn.any(p('ids'))),
);

/** The actor's own key came with its token. */
async function keysOf(tx: Queryable, actor: Actor, values: object): Promise<Keys> {
  const keys = new Map<string, Buffer | null>();
  if (actor.kind === 'user') keys.set(actor.userId, actor.personalKey);
  const others = personsIn(values).filter((id) => !keys.has(id));
  if (others.length > 0) for (const { id, key } of await personalKeys.all(tx, { ids: others })) keys.set(id, key);
  return keys;
}

function personsIn(value: unknown): string[] {
  if (value instanceof PersonalValue) return [value.userId];
  if (value === null || typeof value !== 'object' || value instanceof Date) return [];
  return Object.values(value).flatMap(personsIn);
}

/** The value as JSON can have it, and PostgreSQL its text: instants as text, personal values sealed. */
function written(value: unknown, keys: Keys): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  if (value instanceof PersonalValue) return seal(value, keys.get(value.userId));
  if (Array.isArray(value)) return value.map((item) => written(item, keys));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, written(item, keys)]));
}
