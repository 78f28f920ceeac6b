import type { Queryable } from '../../database/database.js';
import type { AuditAction, AuditActorType, AuditSubjectType, AuditVia } from '../../values/audit.js';
import { isSealed, personsBy, unseal, type SealedValue } from './personal-values.js';
import type { FieldChange } from './record.js';

/** A stored entry: JSON that `record` has written. */
export interface StoredEntry {
  action: AuditAction;
  actor: {
    type: AuditActorType;
    id: string;
    token?: number;
    address?: SealedValue | string;
    via?: AuditVia;
    client?: string;
  };
  at: string;
  changes?: Readonly<Record<string, FieldChange>>;
  reason?: string;
  request?: string;
  state?: Readonly<Record<string, unknown>>;
  subject: SubjectKey & { name: string | SealedValue; parent?: SubjectKey & { name?: string } };
}

interface SubjectKey {
  type: AuditSubjectType;
  id: string;
}

/** A readable entry. Personal data of erased persons is null. */
export interface EntryRecord {
  action: AuditAction;
  at: string;
  actor: {
    type: AuditActorType;
    user: { username: string } | null;
    userId: string | null;
    job: string | null;
    tokenId: number | null;
    /** Organization of the trail, where readers may select the token itself. */
    organizationId?: number | null;
    address: string | null;
    via: AuditVia | null;
    client: string | null;
  };
  requestId: string | null;
  subject: SubjectReference & { name: string | null; parent: (SubjectReference & { name?: string }) | null };
  changes: { field: string; before: unknown; after: unknown }[];
  reason: string | null;
}

interface SubjectReference {
  type: AuditSubjectType;
  databaseId: string;
}

interface NamedPerson {
  username: string;
  key: Buffer | null;
}

/** Rows with the contents of their entries: one statement reads the keys of all persons. */
export async function entryRecords<Row extends { entry: string }>(
  database: Queryable,
  rows: readonly Row[],
): Promise<(Row & EntryRecord)[]> {
  const entries = rows.map(({ entry }) => JSON.parse(entry) as StoredEntry);
  const ids = new Set(entries.flatMap(personsOf));
  const found = ids.size === 0 ? [] : await personsBy.all(database, { ids: [...ids] });
  const persons = new Map(found.map((person) => [person.id, person]));
  return entries.map((entry, index) => ({ ...(rows[index] as Row), ...recordOf(entry, persons) }));
}

function personsOf(entry: StoredEntry): string[] {
  const { type, id } = entry.actor;
  return [...(isUserType(type) ? [id] : []), ...sealedFor(entry)];
}

function isUserType(type: AuditActorType): boolean {
  return type === 'USER' || type === 'SERVICE_ACCOUNT';
}

function sealedFor(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return isSealed(value) ? [value.person] : Object.values(value).flatMap(sealedFor);
}

function recordOf(entry: StoredEntry, persons: ReadonlyMap<string, NamedPerson>): EntryRecord {
  const opened = open(entry, persons) as Opened<StoredEntry>;
  const { action, at, actor, subject, changes, reason = null, request = null } = opened;
  const isUser = isUserType(actor.type);
  const person = isUser ? persons.get(actor.id) : undefined;
  return {
    action,
    at,
    actor: {
      type: actor.type,
      // A user without a key was erased: the rest of the account names no person.
      user: person === undefined || person.key === null ? null : { username: person.username },
      userId: isUser ? actor.id : null,
      job: isUser ? null : actor.id,
      tokenId: actor.token ?? null,
      address: actor.address ?? null,
      via: actor.via ?? null,
      client: actor.client ?? null,
    },
    requestId: request,
    subject: {
      ...referenceOf(subject),
      name: subject.name,
      parent: subject.parent === undefined ? null : { ...referenceOf(subject.parent), name: subject.parent.name },
    },
    changes: Object.entries(changes ?? {}).map(([field, { before = null, after = null }]) => ({
      field,
      before,
      after,
    })),
    reason,
  };
}

/** The same with personal values as texts, or null. */
type Opened<Value> = Value extends SealedValue
  ? string | null
  : Value extends object
    ? { [Name in keyof Value]: Opened<Value[Name]> }
    : Value;

function open(value: unknown, persons: ReadonlyMap<string, NamedPerson>): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (isSealed(value)) return unseal(value, persons.get(value.person)?.key) ?? null;
  if (Array.isArray(value)) return value.map((item) => open(item, persons));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, open(item, persons)]));
}

function referenceOf({ type, id }: SubjectKey): SubjectReference {
  return { type, databaseId: id };
}
