import type { Batches, Cells } from '../../common/spreadsheets.js';
import { toSnakeCase } from '../../common/naming.js';
import { allColumns, selectAll, selectSome, type RowOf } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { CLOCK_FACTS, type LockedIncident } from './incidents.service.js';
import type { ClockFacts } from './applying-regimes.js';
import { reportingClock } from './reporting-clock.js';
import type { ReportingRegimes } from './reporting-regimes.js';

/** The organization and period of the incidents. */
interface IncidentPeriod {
  organizationId: number;
  from?: Date | null;
  to?: Date | null;
}

/** Cursor: the last row before the batch. */
type Batch = IncidentPeriod & { incidentId: number; id: number };
type IncidentRow = LockedIncident & ClockFacts;

/** Rows in memory at a time. */
const BATCH = 200;

const i = table('incident', 'i');
const n = table('incident_note', 'n');
const r = table('incident_report', 'r');
const a = table('incident_attachment', 'a');

const COPY = ['id', 'incidentId', 'originalName', 'contentType', 'size', 'sha256', 'createdAt'] as const;

/** A file of an incident that is the copy of a report to an authority. */
export type ReportCopy = Pick<RowOf<'incident_attachment'>, (typeof COPY)[number]>;

/** Incidents that were known, and not closed, at some time of the period. */
const incidents = statement<Batch>()(
  (p) => sql<IncidentRow>`
    select ${sql.join([...selectAll('incident', 'i'), CLOCK_FACTS.sent.as('sent')])}
      from ${i.table}
     where ${i.organization_id} = ${p('organizationId')} and ${i.id} > ${p('id')}
       and (${p('to')}::timestamptz is null or ${i.aware_at} < ${p('to')})
       and (${p('from')}::timestamptz is null or ${i.closed_at} is null or ${i.closed_at} >= ${p('from')})
     order by ${i.id} limit ${sql.lit(BATCH)}`,
);

/** Records written in the period, in the order of the index on the organization. */
const notes = statement<Batch>()(
  (p) => sql<{ id: number; incidentId: number; createdAt: string; createdBy: string; text: string }>`
    select ${n.id}, ${n.incident_id} as "incidentId", ${n.created_at} as "createdAt", ${n.created_by} as "createdBy", ${n.text}
      from ${n.table}
     where ${n.organization_id} = ${p('organizationId')} and (${n.incident_id}, ${n.id}) > (${p('incidentId')}, ${p('id')})
       and (${p('to')}::timestamptz is null or ${n.created_at} < ${p('to')})
       and (${p('from')}::timestamptz is null or ${n.created_at} >= ${p('from')})
     order by ${n.incident_id}, ${n.id} limit ${sql.lit(BATCH)}`,
);

/** Records of incidents that were known, and not closed, at some time of the period. */
const copies = statement<Required<IncidentPeriod>>()(
  (p) => sql<ReportCopy>`
    select distinct ${sql.join(selectSome('incident_attachment', 'a', COPY))}
      from ${r.table}
      join ${a.table} on ${a.id} = ${r.attachment_id}
      join ${i.table} on ${i.id} = ${r.incident_id}
     where ${r.organization_id} = ${p('organizationId')}
       and (${p('to')}::timestamptz is null or ${i.aware_at} < ${p('to')})
       and (${p('from')}::timestamptz is null or ${i.closed_at} is null or ${i.closed_at} >= ${p('from')})
     order by ${a.id}`,
);

/** Columns that no table of incidents has: the first two repeat others, the rest is internal or no text. */
const INTERNAL = ['organizationId', 'searchable', 'nextReminderAt', 'nextDeadlineAt', 'organizationFacts'] as const;
type Shown = Exclude<keyof LockedIncident & string, (typeof INTERNAL)[number]>;

/** Every column of an incident, as its entity declares them. */
const INCIDENT = Object.keys(allColumns('incident')).filter(
  (name): name is Shown => !(INTERNAL as readonly string[]).includes(name),
);
const REPORT = [
  ...([
    'regimeId',
    'stage',
    'number',
    'state',
    'dueAt',
    'extendedTo',
    'sentAt',
    'late',
    'recipient',
    'reference',
  ] as const),
  ...(['manner', 'mannerReason', 'reason', 'source'] as const),
];
const NOTE = ['incidentId', 'id', 'createdAt', 'createdBy', 'text'] as const;

/** Incidents of an organization as tables, read as they are consumed. The caller was authorized. */
export class IncidentTables {
  constructor(private readonly settings: { regimes: ReportingRegimes; now: () => Date }) {}

  /** Files that are copies of reports, of the same incidents; by id. */
  copies(reads: Queryable, { organizationId, from = null, to = null }: IncidentPeriod): Promise<ReportCopy[]> {
    return copies.all(reads, { organizationId, from, to });
  }

  /** By file name: incidents, their reports and expected reports, and notes. `pathOf` has the paths of copies. */
  of(
    reads: Queryable,
    period: IncidentPeriod,
    pathOf: (attachmentId: number) => string | undefined,
  ): [name: string, rows: () => Batches][] {
    const { regimes, now } = this.settings;
    const batch = ({ id }: Last) => incidents.all(reads, { ...period, id, incidentId: id });
    const reportsOf = (row: IncidentRow) =>
      reportingClock(regimes.all, row, now()).stages.map((stage) => [
        ...[row.id, ...cellsOf(stage, REPORT), stage.sentBy?.username ?? null],
        stage.attachmentId == null ? null : (pathOf(stage.attachmentId) ?? null),
      ]);
    const notesAfter = ({ id, incidentId = 0 }: Last) => notes.all(reads, { ...period, id, incidentId });
    return [
      ['incidents', () => tableOf(INCIDENT, batch, (row) => [cellsOf(row, INCIDENT)])],
      ['incident-reports', () => tableOf(['incidentId', ...REPORT, 'sentBy', 'copy'], batch, reportsOf)],
      ['incident-notes', () => tableOf(NOTE, notesAfter, (row) => [cellsOf(row, NOTE)])],
    ];
  }
}

type Last = { id: number; incidentId?: number };

async function* tableOf<Row extends Last>(
  names: readonly string[],
  read: (last: Last) => Promise<Row[]>,
  rowsOf: (row: Row) => Cells[],
): AsyncGenerator<Cells[]> {
  yield [names.map(toSnakeCase)];
  for (let last: Last | undefined = { id: 0 }; last !== undefined;) {
    const rows: Row[] = await read(last);
    yield rows.flatMap(rowsOf);
    last = rows.length < BATCH ? undefined : rows.at(-1);
  }
}

type Cell = string | number | boolean | null;

function cellsOf<Name extends string>(row: Record<Name, Cell>, names: readonly Name[]): Cells {
  return names.map<Cell>((name) => row[name]).map((cell) => (typeof cell === 'boolean' ? String(cell) : cell));
}
