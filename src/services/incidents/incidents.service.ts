import type { QueryResultRow } from 'pg';
import type { Access } from '../../auth/access.js';
import type { Actor, UserCaller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import { allColumns, assign, selectAll, type RowOf } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table, type Expression } from '../../database/sql.js';
import { conflict, found, requireVersion } from '../../errors.js';
import type { IncidentStatus, Severity } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { record, type AuditEvent, type AuditFacts } from '../audit/record.js';
import { organizationColumns } from '../shared/organization-columns.js';
import { OrganizationLists } from '../shared/organization-records.js';
import type { ClockFacts, SentReport } from './applying-regimes.js';
import {
  byDeadline,
  dueReports,
  endOf,
  isOwed,
  reportingClock,
  type DueReport,
  type IncidentClock,
} from './reporting-clock.js';
import type { ReportingRegimes } from './reporting-regimes.js';

export interface IncidentQuery extends ListQuery<'AWARE_AT' | 'CREATED_AT' | 'SEVERITY' | 'UPDATED_AT'> {
  status?: IncidentStatus | null;
  severity?: Severity | null;
  significant?: boolean | null;
}

/** The key that every incident that is read carries: its files are reached by it. */
export interface IncidentRef {
  id: number;
  organizationId: number;
}

type IncidentRow = QueryResultRow & ReportDeadline['incident'] & ClockFacts & { clock: IncidentClock };

const i = table('incident', 'i');
const o = table('organization', 'o');

// A left join on a key is dropped by the planner where no column of the organization is selected.
const FROM = sql`${i.table} left join ${o.table} on ${o.id} = ${i.organization_id}`;

const listing = new Listing<IncidentQuery>({
  from: FROM,
  // PostgreSQL would read the reports of incidents that are left out as well.
  detailsAfterOffset: sql`join ${i.table} on ${i.organization_id} = key.parent and ${i.id} = key.id join ${o.table} on ${o.id} = ${i.organization_id}`,
  id: { column: i.id, type: 'bigint' },
  parent: { column: i.organization_id, type: 'bigint' },
  sorts: {
    AWARE_AT: { column: i.aware_at, type: 'timestamptz' },
    CREATED_AT: { column: i.created_at, type: 'timestamptz' },
    // In the words of the index on it.
    SEVERITY: { column: sql`array_position('{LOW,MEDIUM,HIGH,CRITICAL}'::text[], ${i.severity})`, type: 'int' },
    UPDATED_AT: { column: i.updated_at, type: 'timestamptz' },
  },
  order: { field: 'CREATED_AT', direction: 'DESC' },
  filters: {
    status: (status) => sql`${i.status} = ${status}`,
    severity: (severity) => sql`${i.severity} = ${severity}`,
    significant: (significant) => sql`${i.significant} = ${significant}`,
  },
});

/** A report that is owed, with the incident that it is about. */
export interface ReportDeadline extends DueReport {
  incident: IncidentRef & {
    title: string;
    /** Open incidents of its organization that have a report that is overdue. */
    $overdue: number;
  };
}

/** Security incidents of organizations. */
export class IncidentService extends OrganizationLists<IncidentRow, IncidentQuery> {
  constructor(
    database: Database,
    access: Access,
    private readonly settings: { publicUrl: string; regimes: ReportingRegimes; now: () => Date },
  ) {
    const organization = { object: organizationColumns(settings.publicUrl) };
    const projection = new Projection('Incident', { ...INCIDENT_COLUMNS, organization, cursor: listing.place }, [
      'id',
      'organizationId',
    ]);
    const parents = { organizationId: i.organization_id };
    super(database, access, { from: FROM, id: i.id, parents, projection, privilege: 'READ_INCIDENTS' }, listing);
  }

  /**
   * The reports that open incidents of organizations owe, the first deadline first, in one statement and without
   * authorizing; `selection` is what is read of the incidents.
   */
  async dueReports(
    database: Queryable,
    organizationIds: readonly number[],
    selection: Selection,
  ): Promise<ReadonlyMap<number, ReportDeadline[]>> {
    const rows = await openOf(this.spec.projection.of(selection)).all(database, {
      ids: organizationIds,
      now: this.settings.now(),
    });
    this.addClocks(rows);
    const due = rows.flatMap((incident) =>
      dueReports(incident.clock).map((report) => Object.assign(report, { incident })),
    );
    return Map.groupBy(due.toSorted(byDeadline), ({ incident }) => incident.organizationId);
  }

  protected override complete(incidents: IncidentRow[], selection: Selection): void {
    if (selection.has('clock')) this.addClocks(incidents);
  }

  private addClocks(incidents: readonly IncidentRow[]): void {
    const { regimes, now } = this.settings;
    const at = now();
    for (const incident of incidents) incident.clock = reportingClock(regimes.all, incident, at);
  }
}

const r = table('incident_report', 'r');
const instant = (column: Expression) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const first = table('incident_report', 'first');
const back = table('incident_report', 'back');
const isSame = (
  other: typeof r,
) => sql`${other.organization_id} = ${r.organization_id} and ${other.incident_id} = ${r.incident_id}
              and ${other.regime_id} = ${r.regime_id} and ${other.stage} = ${r.stage} and ${other.number} = ${r.number}`;

/** Why the report `r` was not sent, as it was recorded: a correction has a reason of its own. */
const FIRST_REASON = sql`(
    select ${first.reason} from ${first.table}
     where ${isSame(first)} and ${first.id} > coalesce(
             (select max(${back.id}) from ${back.table} where ${isSame(back)} and ${back.sent_at} is null), 0)
     order by ${first.id} limit 1)`;

/** The last record of each report of the incident `i`, unless it was taken back. */
const SENT = sql<SentReport[]>`(
  select coalesce(json_agg(json_build_object(
           'regimeId', ${r.regime_id}, 'stage', ${r.stage}, 'number', ${r.number}, 'sentAt', ${instant(r.sent_at)},
           'sentBy', ${r.sent_by}, 'recipient', ${r.recipient}, 'reference', ${r.reference},
           'attachmentId', ${r.attachment_id}, 'manner', ${r.manner}, 'dueAt', ${instant(r.due_at)},
           'judgement', ${r.judgement}, 'reason', case ${r.manner} when 'SENT' then ${r.reason} else ${FIRST_REASON} end)
           order by ${r.id}), '[]')
    from (select distinct on (regime_id, stage, number) * from ${r.table}
           where ${r.organization_id} = ${i.organization_id} and ${r.incident_id} = ${i.id}
           order by regime_id, stage, number, id desc) as r
   where ${r.sent_at} is not null)`;

/** The columns that the clock of the incident `i` depends on. */
export const CLOCK_FACTS = {
  ...properties(i, 'aware_at', 'occurred_at', 'classified_at', 'handled_at', 'fix_available_at'),
  ...properties(i, 'intermediate_report_due_at'),
  ...properties(i, 'significant', 'personal_data_concerned', 'affects_trust_service'),
  ...properties(i, 'affects_qualified_trust_service', 'exploited_vulnerability', 'product_concerned'),
  ...properties(i, 'organization_facts', 'facts_as_of', 'rehearsal'),
  sent: SENT,
};

/** How an incident `i` is read in any statement. */
export const INCIDENT_COLUMNS = {
  ...allColumns('incident', 'i'),
  openedBy: person(sql`nullif(${i.opened_by}, '')`),
  closedBy: person(i.closed_by),
  clock: { needs: CLOCK_FACTS },
  viewerCan: { needs: { ...CLOCK_FACTS, status: i.status } },
};

const late = table('incident', 'late');

/** Those whose reports are due first, in the order of the partial index on that, each with how many are overdue. */
const openOf = projected<{ ids: readonly number[]; now: Date }>()((p, { columns }) => {
  const read = new Map([...Object.entries(CLOCK_FACTS), ['title', i.title], ...columns]);
  return sql<IncidentRow>`
    select ${sql.join([...read].map(([name, column]) => column.as(name)))}, overdue.count as "$overdue"
      from unnest(${p('ids')}::bigint[]) as wanted(id)
      join ${o.table} on ${o.id} = wanted.id
     cross join lateral (
       select * from ${i.table}
        where ${i.organization_id} = wanted.id and ${i.status} <> 'CLOSED'
        order by ${i.next_deadline_at}, ${i.id} limit ${sql.lit(LIMITS.portfolio.incidents)}) as i
     cross join lateral (
       select count(*) from ${late.table}
        where ${late.organization_id} = wanted.id and ${late.status} <> 'CLOSED' and ${late.next_deadline_at} < ${p('now')}) overdue`;
});

export interface IncidentKey {
  organizationId: number;
  incidentId: number;
}

/** An incident, and the version that a change is made to; any version when null or absent. */
export interface ChangedIncidentKey extends IncidentKey {
  version?: number | null;
}

/** An incident that does not change until the transaction ends. */
export type LockedIncident = RowOf<'incident'>;

/** The same with what its clock depends on. */
export type IncidentFacts = LockedIncident & ClockFacts;

const lock = statement<IncidentKey>()((p) =>
  db
    .selectFrom('incident as i')
    .select(selectAll('incident', 'i'))
    .where('i.id', '=', p('incidentId'))
    .where('i.organization_id', '=', p('organizationId'))
    .forNoKeyUpdate(),
);

/** A statement of its own: one that waits for a lock sees the reports of before it waited. */
const facts = statement<{ ids: readonly number[] }>()((p) =>
  db
    .selectFrom('incident as i')
    .select(selectAll('incident', 'i'))
    .select(SENT.as('sent'))
    .where('i.id', '=', ({ fn }) => fn.any(p('ids')))
    .orderBy('i.id'),
);

/** Incidents with what their clocks depend on, by id. Whether the caller may read them has been decided. */
export function incidentFacts(database: Queryable, ids: readonly number[]): Promise<IncidentFacts[]> {
  return facts.all(database, { ids });
}

const schedule = statement<ReportTimes & { id: number }>()((p) =>
  db
    .updateTable('incident')
    .set(assign('incident', p, ['nextReminderAt', 'nextDeadlineAt']))
    .where('id', '=', p('id')),
);

/** When the reports of an incident have to be looked at for a reminder, and the first of their deadlines; null is never. */
type ReportTimes = Pick<LockedIncident, 'nextReminderAt' | 'nextDeadlineAt'>;

/** Of an incident that is not closed; reminders count that are due after an instant where one is given. */
export function reportTimes(clock: IncidentClock, after = ''): ReportTimes {
  const owed = clock.stages.filter(isOwed).flatMap((stage) => [stage.soonAt, stage.extendedTo ?? stage.dueAt]);
  const [first] = dueReports(clock);
  return {
    nextReminderAt: owed.filter((at): at is string => at !== null && at > after).toSorted()[0] ?? null,
    nextDeadlineAt: first ? endOf(first) : null,
  };
}

/** Notes both on the incident. */
export async function setReportTimes(tx: Queryable, { id, ...noted }: LockedIncident, times: ReportTimes) {
  const { nextReminderAt, nextDeadlineAt } = times;
  if (nextReminderAt !== noted.nextReminderAt || nextDeadlineAt !== noted.nextDeadlineAt)
    await schedule.all(tx, { id, nextReminderAt, nextDeadlineAt });
}

const NEVER: ReportTimes = { nextReminderAt: null, nextDeadlineAt: null };

/** Notes when the reports of an incident are due, after whatever changes its clock. */
export async function scheduleReports(tx: Queryable, incident: IncidentFacts, regimes: ReportingRegimes, now: Date) {
  const times = incident.status === 'CLOSED' ? NEVER : reportTimes(reportingClock(regimes.all, incident, now));
  await setReportTimes(tx, incident, times);
}

/** Locks an incident against changes, not against new attachments. Throws NOT_FOUND. */
export async function lockIncident(tx: Queryable, key: IncidentKey): Promise<LockedIncident> {
  return found(await lock.first(tx, key));
}

/** A closed incident is CONFLICT: it has to be reopened before it is changed. */
export function refuseClosed({ status }: LockedIncident): void {
  if (status === 'CLOSED') throw conflict('INCIDENT_CLOSED');
}

/** The parts that the changes of an incident need. */
export interface IncidentChangeDeps {
  database: Database;
  regimes: ReportingRegimes;
  now: () => Date;
}

/**
 * Changes an incident under its lock, and what follows from it. `work` answers what to record; nothing changed without it.
 * Throws PRECONDITION_FAILED for another version.
 */
export function changeIncident(
  { database, regimes, now }: IncidentChangeDeps,
  user: UserCaller,
  { version, ...key }: ChangedIncidentKey,
  work: (tx: Queryable, incident: IncidentFacts, at: Date) => Promise<Omit<AuditFacts, 'at'> | undefined>,
): Promise<void> {
  return database.transaction(async (tx) => {
    const locked = await lockIncident(tx, key);
    requireVersion(locked, version);
    const { id } = locked;
    const [incident] = (await incidentFacts(tx, [id])) as [IncidentFacts];
    const at = now();
    const facts = await work(tx, incident, at);
    if (facts === undefined) return;
    const [changed] = (await incidentFacts(tx, [id])) as [IncidentFacts];
    await scheduleReports(tx, changed, regimes, at);
    await recordIncident(tx, user, changed, { ...facts, at, state: { ...facts.state, version: changed.version } });
  });
}

/** Records what has happened to an incident in its organization's audit trail. */
export function recordIncident(
  tx: Queryable,
  actor: Actor,
  incident: IncidentRef & { title: string },
  facts: AuditFacts,
): Promise<void> {
  return record(tx, actor, incidentEvent(incident, facts));
}

export function incidentEvent(
  { id, organizationId, title }: IncidentRef & { title: string },
  facts: AuditFacts,
): AuditEvent {
  return { ...facts, organizationId, subject: { type: 'INCIDENT', id, name: title } };
}
