import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { throwFailures } from '../../common/failures.js';
import { MINUTE } from '../../common/time.js';
import type { Config } from '../../config.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, insertSelect, sql, statement, table } from '../../database/sql.js';
import type { Logger } from '../../logger.js';
import { canonicalJson } from '../audit/personal-values.js';
import type { CheckpointKey } from '../audit/checkpoint-key.js';
import type { StoredEntry } from '../audit/entry-records.js';
import { recordOrganization } from '../audit/subjects.js';
import { headOf, logName } from '../audit/trails.js';
import { sealed, storedRows } from './recorded-rows.js';
import { apply, CHANGING } from './recorded-changes.js';
import {
  AT_ONCE,
  beginning,
  complete,
  incomplete,
  lacksState,
  storedWithOtherKey,
  origins,
  type FoundOrganization,
  type StoredState,
} from './state-beginnings.js';
import { RecordedState, recordedRows, type RecordedRows } from './recorded-state.js';

/**
 * Entries between two stored states, or as many as the state has rows if that is more: applying the entries then costs
 * about as much as reading the state, and states use no more space than the trail.
 */
const STORED_EVERY = 1_000;
/** Entries that one statement reads: other requests wait while they are applied. */
const BATCH = 500;
/** Limits of the cache of states: characters, and milliseconds. */
const REMEMBERED = { maxSize: 32 * 1024 * 1024, ttl: 5 * MINUTE };

const e = table('audit_entry', 'e');
const l = table('audit_log', 'l');
const o = table('organization', 'o');
const s = table('recorded_state', 's');

const stored = statement<{ organizationId: number; upTo: number }>()((p) =>
  db
    .selectFrom('recorded_state')
    .select(['position', 'rows', 'mac'])
    .where('organization_id', '=', p('organizationId'))
    .where('position', '<=', p('upTo'))
    .orderBy('position', 'desc')
    .limit(1),
);

const oldest = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('recorded_state')
    .select('position')
    .where('organization_id', '=', p('organizationId'))
    .orderBy('position')
    .limit(1),
);

const entries = statement<{ organizationId: number; after: number; upTo: number }>()(
  (p) => sql<{ position: number; entry: string }>`
    select ${e.position}, ${e.entry} from ${l.table} join ${e.table} on ${e.log_id} = ${l.id}
     where ${l.organization_id} = ${p('organizationId')} and ${e.position} > ${p('after')} and ${e.position} <= ${p('upTo')}
       and ${e.action} in (${sql.join(CHANGING.map((action) => sql.lit(action)))})
     order by ${e.position} limit ${BATCH}`,
);

const insertState = statement<{ organizationId: number; position: number; rows: string; mac: Buffer }>()(
  (p) => sql`
    ${insertSelect('recorded_state', {
      organization_id: sql`${p('organizationId')}::bigint`,
      position: sql`${p('position')}::bigint`,
      rows: p('rows'),
      mac: p('mac'),
    })} on conflict do nothing`,
);

const forgetBefore = statement<{ organizationId: number; position: number }>()((p) =>
  db
    .deleteFrom('recorded_state')
    .where('organization_id', '=', p('organizationId'))
    .where('position', '<', p('position')),
);

const due = statement<{ after: number }>()(
  (p) => sql<{ organizationId: number; position: number }>`
    select ${l.organization_id} as "organizationId", ${l.position} from ${l.table}
      join ${o.table} on ${o.id} = ${l.organization_id}
     where ${l.organization_id} > ${p('after')} and ${l.position} >= ${STORED_EVERY} +
           coalesce((select max(${s.position}) from ${s.table} where ${s.organization_id} = ${l.organization_id}), 0)
     order by ${l.organization_id} limit 1`,
);

const lockHead = statement<{ organizationId: number }>()((p) =>
  db.selectFrom('audit_log').select('position').where('organization_id', '=', p('organizationId')).forUpdate(),
);

const MISSING = { kind: 'system', name: 'recordedStates.recordMissing' } as const;
const ANEW = { kind: 'system', name: 'recordedStates.recordAnew' } as const;

const RECORDED_ANEW =
  'states of organizations were recorded anew: the earlier ones cannot be verified without the key that is lost';

type Owner = { organizationId: number };

interface Recording {
  job: typeof MISSING | typeof ANEW;
  /** Undefined unless there is a state to continue from. */
  known: (tx: Queryable, owner: Owner, head: number) => Promise<unknown>;
}

interface RecordedPlace {
  organizationId: number;
  position: number;
}

type Pass = (position: number, state: RecordedState) => Promise<void>;

/** States of organizations after entries of their trails, made of stored states and the entries after them. */
export class RecordedStates {
  /** Concurrent requests for the same state share one read. */
  private readonly known = new LRUCache<string, { rows: RecordedRows; size: number }, RecordedPlace>({
    ...REMEMBERED,
    sizeCalculation: ({ size }) => size,
    fetchMethod: async (_key, _stale, { context }) => {
      const rows = await this.rowsAt(context);
      return rows && { rows, size: JSON.stringify(rows).length };
    },
  });

  constructor(
    private readonly database: Database,
    private readonly key: CheckpointKey,
    private readonly now: () => Date,
    private readonly deps: { config: Pick<Config, 'isEarlierKeyLost'>; log: Logger },
  ) {}

  /** The rows after an entry, with sealed values; undefined where the trail is incomplete. */
  async at(organizationId: number, position: number): Promise<RecordedRows | undefined> {
    const place = { organizationId, position };
    // The request may be rolled back, and another entry take the position.
    if (this.database.seesUncommitted()) return this.rowsAt(place);
    return (await this.known.fetch(`${organizationId}/${position}`, { context: place }))?.rows;
  }

  private async rowsAt({ organizationId, position }: RecordedPlace): Promise<RecordedRows | undefined> {
    return (await this.read(this.database, organizationId, position))?.recorded();
  }

  /** The position of the first entry with a known state; undefined while there is none. */
  async first(organizationId: number): Promise<number | undefined> {
    if ((await beginning.first(this.database, { organizationId }))?.isWhole === true) return 1;
    return (await oldest.first(this.database, { organizationId }))?.position;
  }

  /**
   * The state from which the entries up to a position continue, for a trail that is not complete from its first entry
   * on. One of its entries has the SHA-256 of the state.
   */
  async beginning(organizationId: number, upTo: number): Promise<{ position: number; rows: string } | undefined> {
    if ((await beginning.first(this.database, { organizationId }))?.isWhole === true) return undefined;
    const found = await origins.all(this.database, { organizationId, upTo });
    return found.find((state) => this.isUnchanged(organizationId, state));
  }

  /**
   * Records the state of organizations with incomplete trails: those older than this version, and those whose data
   * was not written by requests. With a key that the operator declares lost, also those whose state has that key.
   * Errors are thrown at the end.
   */
  async recordMissing(): Promise<void> {
    const failures = new Map<number, unknown>();
    const missing = (after: number) => incomplete.all(this.database, { after });
    await this.recordEach(missing, { job: MISSING, known: (tx, owner) => complete.first(tx, owner) }, failures);
    const { config, log } = this.deps;
    if (config.isEarlierKeyLost) {
      const unusable = (after: number) => storedWithOtherKey.all(this.database, { after, keyIds: this.key.ids });
      const known = (tx: Queryable, { organizationId }: Owner, head: number) => this.begin(tx, organizationId, head);
      const organizations = await this.recordEach(unusable, { job: ANEW, known }, failures);
      if (organizations > 0) log.warn({ organizations }, RECORDED_ANEW);
    }
    throwFailures(failures, 'not recorded as they are');
  }

  /** Returns how many were recorded. */
  private async recordEach(
    find: (after: number) => Promise<FoundOrganization[]>,
    recording: Recording,
    failures: Map<number, unknown>,
  ): Promise<number> {
    let recorded = 0;
    for (let after = 0; ;) {
      const organizations = await find(after);
      for (const organization of organizations) {
        after = organization.id;
        try {
          if (await this.database.transaction((tx) => this.recordWhole(tx, organization, recording))) recorded += 1;
        } catch (error) {
          failures.set(after, error);
        }
      }
      if (organizations.length < AT_ONCE) return recorded;
    }
  }

  /** The lock of the head separates what was committed before from what follows. */
  private async recordWhole(
    tx: Queryable,
    { id, name }: FoundOrganization,
    { job, known }: Recording,
  ): Promise<boolean> {
    const owner = { organizationId: id };
    const head = await lockHead.first(tx, owner);
    if (head === undefined || (await known(tx, owner, head.position)) !== undefined) return false;
    const rows = await sealed(tx, await storedRows(tx, id));
    const digest = hash('sha256', canonicalJson(rows), 'hex');
    const changes = { sha256: { after: digest }, keyId: { after: this.key.ids[0] } };
    await recordOrganization(tx, job, { id, name }, { action: 'STATE_RECORDED', at: this.now(), changes });
    await this.store(tx, id, (await headOf(tx, owner)).position, rows);
    return true;
  }

  /**
   * Stores states of trails that have grown since the last one, also at positions before their heads. Errors are
   * thrown at the end.
   */
  async keepDue(): Promise<void> {
    const failures = new Map<number, unknown>();
    for (let after = 0; ;) {
      const trail = await due.first(this.database, { after });
      if (trail === undefined) return throwFailures(failures, 'no state of theirs was stored');
      const { organizationId, position } = trail;
      after = organizationId;
      await this.storeAt(this.database, organizationId, position, (passed, state) =>
        this.store(this.database, organizationId, passed, state.recorded()),
      ).catch((error: unknown) => failures.set(organizationId, error));
    }
  }

  /**
   * Before entries up to a position are removed: stores the state after them and deletes earlier ones. Returns the
   * SHA-256 of the state.
   */
  async prune(tx: Queryable, organizationId: number, position: number): Promise<string | undefined> {
    const rows = await this.storeAt(tx, organizationId, position);
    await forgetBefore.all(tx, { organizationId, position });
    return rows && hash('sha256', canonicalJson(rows), 'hex');
  }

  /** Stores the rows after an entry. */
  async store(tx: Queryable, organizationId: number, position: number, rows: RecordedRows): Promise<void> {
    const text = canonicalJson(rows);
    await insertState.all(tx, {
      organizationId,
      position,
      rows: text,
      mac: this.macOf(organizationId, position, text),
    });
  }

  private async storeAt(
    database: Queryable,
    organizationId: number,
    position: number,
    onWay?: Pass,
  ): Promise<RecordedRows | undefined> {
    const rows = (await this.read(database, organizationId, position, onWay))?.recorded();
    if (rows !== undefined) await this.store(database, organizationId, position, rows);
    return rows;
  }

  /** Calls `pass` at the positions at which a state is to be stored. */
  private async read(
    database: Queryable,
    organizationId: number,
    upTo: number,
    pass?: Pass,
  ): Promise<RecordedState | undefined> {
    const from = await this.begin(database, organizationId, upTo);
    if (from === undefined) return undefined;
    const { state } = from;
    let storedAt = from.position;
    for (let after = from.position; ;) {
      const rows = await entries.all(database, { organizationId, after, upTo });
      for (const { entry, position } of rows) {
        const parsed = JSON.parse(entry) as StoredEntry;
        if (lacksState(parsed)) return undefined;
        apply(state, parsed, position);
        if (pass === undefined || position - storedAt < Math.max(STORED_EVERY, state.size)) continue;
        storedAt = position;
        await pass(position, state);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < BATCH) return state;
      after = last.position;
    }
  }

  /** The newest stored state that is unchanged and has every table, or the beginning of the trail. */
  private async begin(database: Queryable, organizationId: number, upTo: number) {
    for (let limit = upTo; ;) {
      const found = await stored.first(database, { organizationId, upTo: limit });
      if (found === undefined) break;
      const { position, rows } = found;
      const recorded = this.isUnchanged(organizationId, found) && recordedRows(rows);
      if (recorded) return { position, state: new RecordedState(organizationId, recorded) };
      limit = position - 1;
    }
    const first = await beginning.first(database, { organizationId });
    return first?.isWhole === true ? { position: 0, state: new RecordedState(organizationId) } : undefined;
  }

  private isUnchanged(organizationId: number, { position, rows, mac }: StoredState): boolean {
    return this.key.isMac(this.textOf(organizationId, position, rows), mac);
  }

  private macOf(organizationId: number, position: number, rows: string): Buffer {
    return this.key.macOfText(this.textOf(organizationId, position, rows));
  }

  private textOf(organizationId: number, position: number, rows: string): string {
    return JSON.stringify([`${logName({ organizationId })}/state`, position, hash('sha256', rows, 'hex')]);
  }
}
