import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { insertRows, jsonRows } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { RECORDED, RECORDED_TABLES, recordedProperties, type RecordedTable } from '../../database/recorded-tables.js';
import { db, sql, statement, table, type Statement } from '../../database/sql.js';
import { invalidInput } from '../../errors.js';
import { checkpointOf, checkpointsIn, logName, type SignedCheckpoint } from '../audit/trails.js';
import { opened } from './recorded-rows.js';
import type { RecordedRow } from './recorded-fields.js';
import type { RecordedRows } from './recorded-state.js';
import { completeUpTo } from './state-beginnings.js';
import type { RecordedStates } from './recorded-states.js';

/** A read about the past: an organization and an instant. */
export interface AsOfRequest {
  organizationId: number;
  at: Date;
}

/** The last entry of the audit trail that an answer is made from, with all entries before it. */
export interface AsOf {
  /** The requested instant. */
  at: Date;
  position: number;
  /** Of the entry, in lower-case hexadecimal. */
  hash: string;
  /** The first checkpoint that was signed at the entry or after it; null while there is none. */
  checkpoint: SignedCheckpoint | null;
  /** Fields that are not recorded, and are empty in the answer. */
  notRecorded: readonly string[];
}

/** Fields of GraphQL and REST that are empty in answers about the past. */
export const NOT_RECORDED = ['contacts', 'auditWitnessEmail', 'check', 'lastSeenAt', 'atbKey', 'plugin.config'];

const [e, l, later] = [table('audit_entry', 'e'), table('audit_log', 'l'), table('audit_entry', 'later')];

const asText = (instant: ReturnType<typeof sql>) => sql`to_char(${instant}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The entry before the first one, by position, that is later than an instant. The time of that one is at most the
 * lateness of the trail after the earliest later time. The sum prevents the planner from scanning from the beginning.
 */
const entryAt = statement<{ organizationId: number; at: Date }>()(
  (p) => sql<{ logId: number; position: number; hash: string | null; last: string }>`
    with place as (
      select ${l.id}, ${l.latest_at}, coalesce((
               select min(${later.position} + 0) - 1 from ${later.table}
                where ${later.log_id} = ${l.id} and ${later.at} > ${asText(sql`${p('at')}::timestamptz`)}
                  and ${later.at} <= ${asText(sql`first.at::timestamptz + ${l.lateness}`)}), ${l.position}) as position
        from ${l.table}
        left join lateral (
          select ${e.at} from ${e.table}
           where ${e.log_id} = ${l.id} and ${e.at} > ${asText(sql`${p('at')}::timestamptz`)}
           order by ${e.at}, ${e.position} limit 1) first on true
       where ${l.organization_id} = ${p('organizationId')})
    select place.id as "logId", place.position, encode(${e.hash}, 'hex') as hash, place.latest_at as last
      from place left join ${e.table} on ${e.log_id} = place.id and ${e.position} = place.position`,
);

const timeOf = statement<{ organizationId: number; position: number }>()((p) =>
  db
    .selectFrom('audit_entry as e')
    .innerJoin('audit_log as l', 'l.id', 'e.log_id')
    .select('e.at')
    .where('l.organization_id', '=', p('organizationId'))
    .where('e.position', '>=', p('position'))
    .orderBy('e.position')
    .limit(1),
);

const checkpointAfter = statement<{ logId: number; position: number }>()((p) =>
  checkpointsIn(p).where('position', '>=', p('position')).orderBy('position').limit(1),
);

/** Sets the trail, and its last entry, that the views of the schema `history` show. */
const showTrail = statement<{ logId: number; position: number }>()(
  (p) => sql`select set_config('history.log', (${p('logId')}::bigint)::text, true),
                    set_config('history.position', (${p('position')}::bigint)::text, true)`,
);
const NO_TRAIL = { logId: -1, position: 0 };

/** Reads the state of an organization at an instant, from its audit trail (docs/adr/0037). */
export class AsOfService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly states: RecordedStates,
    /** The clock of the present. */
    private readonly now: () => Date,
  ) {}

  /**
   * Runs `answer`, whose statements read the past state of the organization. Non-members see no rows. Throws
   * BAD_USER_INPUT with the first statement where the state is not recorded.
   */
  async answer<Result>(caller: Caller, request: AsOfRequest, answer: () => Promise<Result>): Promise<Result> {
    if (await this.access.allows(caller, 'READ_ORGANIZATION', request.organizationId))
      return this.during(request, answer);
    const fill = async (tx: Queryable) => void (await showTrail.all(tx, NO_TRAIL));
    return this.database.past.read({ at: request.at, fill }, answer);
  }

  /** As `answer`, without authorization: the caller must already be authorized. */
  during<Result>(request: AsOfRequest, answer: () => Promise<Result>): Promise<Result> {
    return this.database.past.read({ at: request.at, fill: (tx) => this.fill(tx, request) }, answer);
  }

  /** Whether the state at an instant is recorded. */
  async canAnswer({ organizationId, at }: AsOfRequest): Promise<boolean> {
    if (at > this.now()) return false;
    const found = await entryAt.first(this.database, { organizationId, at });
    if (found?.hash == null) return false;
    const first = await this.states.first(organizationId);
    if (first === undefined || first > found.position) return false;
    return (await completeUpTo.first(this.database, { organizationId, position: found.position }))?.isComplete ?? false;
  }

  /** The state that the current request reads; null for the present. */
  async current(organizationId: number): Promise<AsOf | null> {
    const { at } = this.database.past;
    return at === undefined ? null : this.database.past.present(() => this.of({ organizationId, at }));
  }

  /** The state of an answer. The caller must already be authorized. */
  async of(request: AsOfRequest): Promise<AsOf> {
    const { logId, position, hash } = await this.entryAt(request);
    const checkpoint = await checkpointAfter.first(this.database, { logId, position });
    const signed = checkpoint === undefined ? null : checkpointOf(logName(request), checkpoint);
    return { at: request.at, position, hash, checkpoint: signed, notRecorded: NOT_RECORDED };
  }

  private async fill(tx: Queryable, request: AsOfRequest): Promise<void> {
    const { logId, position, rows } = await this.database.past.present(async () => {
      const recorded = await this.recorded(request);
      return { ...recorded, rows: await opened(this.database, recorded.rows) };
    });
    await showTrail.all(tx, { logId, position });
    for (const name of RECORDED_TABLES) {
      const filled = rows[name].map((row, index) => ({ ...SUBSTITUTES[name], ...row, ...numbered(name, index + 1) }));
      if (filled.length > 0) await inserts[name].all(tx, { rows: jsonRows<never>(filled as never[]) });
    }
  }

  /**
   * The last entry at an instant and the rows after it, with sealed values. Throws BAD_USER_INPUT where they are not
   * recorded.
   */
  async recorded(request: AsOfRequest): Promise<{ logId: number; position: number; hash: string; rows: RecordedRows }> {
    const entry = await this.entryAt(request);
    const rows = await this.states.at(request.organizationId, entry.position);
    if (rows !== undefined) return { ...entry, rows };
    const first = await this.states.first(request.organizationId);
    throw refused(first && first <= entry.position ? UNUSABLE : await this.tooEarly(request.organizationId));
  }

  /**
   * The last entry at an instant. Throws BAD_USER_INPUT, for `argument`, for an instant in the future or before the
   * first recorded state.
   */
  async entryAt(
    request: AsOfRequest,
    argument = 'asOf',
    first = (id: number) => this.states.first(id),
  ): Promise<{ logId: number; position: number; hash: string }> {
    if (request.at > this.now()) throw refused('must not be in the future', argument);
    const found = await entryAt.first(this.database, request);
    if (found?.hash == null) throw refused(await this.tooEarly(request.organizationId, first), argument);
    return { ...found, hash: found.hash };
  }

  private async tooEarly(organizationId: number, firstOf = (id: number) => this.states.first(id)): Promise<string> {
    const position = await firstOf(organizationId);
    const first = position && (await timeOf.first(this.database, { organizationId, position }));
    return first
      ? `must not be before ${first.at}, the time from which the audit trail records the state`
      : NOT_YET_RECORDED;
  }
}

const NOT_YET_RECORDED = 'cannot be answered: the audit trail of the organization does not record its state yet';
const UNUSABLE =
  'cannot be answered: the state that the audit trail goes on from was changed, or stored with a key that the gateway does not have, or an entry of an earlier version of the gateway does not record all of it';

const refused = (sentence: string, argument = 'asOf') => invalidInput([{ path: [argument], sentence }]);

/** Values of columns that are not recorded and may not be null. */
const SUBSTITUTES: Readonly<Record<RecordedTable, RecordedRow>> = {
  ...(Object.fromEntries(RECORDED_TABLES.map((name) => [name, {}])) as Record<RecordedTable, RecordedRow>),
  organization: { logoBytes: 0, contacts: [] },
  cloud_defender: { status: 0 },
  threat_blocker: { status: 0, atbKey: '00000000-0000-0000-0000-000000000000', pluginConfig: {} },
};

/** Row numbers, which trails do not record. */
function numbered(name: RecordedTable, id: number): RecordedRow {
  return (RECORDED[name] as readonly string[]).includes('id') ? { id } : {};
}

const inserts = Object.fromEntries(RECORDED_TABLES.map((name) => [name, insertOf(name)])) as Record<
  RecordedTable,
  Statement<{ rows: string }, unknown>
>;

function insertOf(name: RecordedTable) {
  const substituted = [...Object.keys(SUBSTITUTES[name]), ...Object.keys(numbered(name, 1))];
  const properties = [...substituted, ...recordedProperties(name)];
  return statement<{ rows: string }>()((p) => insertRows(name, properties as never[], p('rows')));
}
