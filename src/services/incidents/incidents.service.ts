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

/** The key of every incident that is read, by which its files are loaded. */
export interface IncidentRef {
  id: number;
  organizationId: number;
}

type IncidentRow = QueryResultRow & ReportDeadline['incident'] & ClockFacts & { clock: IncidentClock };

const i = table('incident', 'i');
const o = table('organization', 'o');

// The planner drops a left join on a key when no column of the organization is selected.
const FROM = sql`${i.table} left join ${o.table} on ${o.id} = ${i.organization_id}`;

const listing = new Listing<IncidentQuery>({
  from: FROM,
  // PostgreSQL would read the reports of excluded incidents as well.
  detailsAfterOffset: sql`join ${i.table} on ${i.organization_id} = key.parent and ${i.id} = key.id join ${o.table} on ${o.id} = ${i.organization_id}`,
  id: { column: i.id, type: 'bigint' },
  parent: { column: i.organization_id, type: 'bigint' },
  sorts: {
    AWARE_AT: { column: i.aware_at, type: 'timestamptz' },
    CREATED_AT: { column: i.created_at, type: 'timestamptz' },
    // The expression of its index.
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

/** An outstanding report, with its incident. */
export interface ReportDeadline extends DueReport {
  incident: IncidentRef & {
    title: string;
    /** Open incidents of its organization with an overdue report. */
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
   * The outstanding reports of open incidents of organizations, the first deadline first, in one statement and without
   * authorizing; `selection` is that of the incidents.
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

/** Why the report `r` was not sent, as recorded: a correction has its own reason. */
const FIRST_REASON = sql`(
    select ${first.reason} from ${first.table}
     where ${isSame(first)} and ${first.id} > coalesce(
             (select max(${back.id}) from ${back.table} where ${isSame(back)} and ${back.sent_at} is null), 0)
     order by ${first.id} limit 1)`;

/** The last record of each report of the incident `i`, unless withdrawn. */
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

/** The selection of an incident `i` in any statement. */
export const INCIDENT_COLUMNS = {
  ...allColumns('incident', 'i'),
  openedBy: person(sql`nullif(${i.opened_by}, '')`),
  closedBy: person(i.closed_by),
  clock: { needs: CLOCK_FACTS },
  viewerCan: { needs: { ...CLOCK_FACTS, status: i.status } },
};

const late = table('incident', 'late');

/**
 * The first open incidents of each organization by next deadline, in the order of its partial index, each with the number
 * of all overdue incidents of its organization.
 */
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

/** An incident, and the expected version; any version when null or absent. */
export interface ChangedIncidentKey extends IncidentKey {
  version?: number | null;
}

/** An incident that is locked until the transaction ends. */
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

/** A separate statement: after waiting for a lock, it sees reports that were committed meanwhile. */
const facts = statement<{ ids: readonly number[] }>()((p) =>
  db
    .selectFrom('incident as i')
    .select(selectAll('incident', 'i'))
    .select(SENT.as('sent'))
    .where('i.id', '=', ({ fn }) => fn.any(p('ids')))
    .orderBy('i.id'),
);

/** Incidents with the columns of their clocks, by id. The caller was authorized. */
export function incidentFacts(database: Queryable, ids: readonly number[]): Promise<IncidentFacts[]> {
  return facts.all(database, { ids });
}

const schedule = statement<ReportTimes & { id: number }>()((p) =>
  db
    .updateTable('incident')
    .set(assign('incident', p, ['nextReminderAt', 'nextDeadlineAt']))
    .where('id', '=', p('id')),
);

/** When the reports of an incident have to be checked for a reminder, and their first deadline; null is never. */
type ReportTimes = Pick<LockedIncident, 'nextReminderAt' | 'nextDeadlineAt'>;

/** For an open incident; with a given instant, only reminders that are due after it count. */
export function reportTimes(clock: IncidentClock, after = ''): ReportTimes {
  const owed = clock.stages.filter(isOwed).flatMap((stage) => [stage.soonAt, stage.extendedTo ?? stage.dueAt]);
  const [first] = dueReports(clock);
  return {
    nextReminderAt: owed.filter((at): at is string => at !== null && at > after).toSorted()[0] ?? null,
    nextDeadlineAt: first ? endOf(first) : null,
  };
}

/** Stores both on the incident. */
export async function setReportTimes(tx: Queryable, { id, ...noted }: LockedIncident, times: ReportTimes) {
  const { nextReminderAt, nextDeadlineAt } = times;
  if (nextReminderAt !== noted.nextReminderAt || nextDeadlineAt !== noted.nextDeadlineAt)
    await schedule.all(tx, { id, nextReminderAt, nextDeadlineAt });
}

const NEVER: ReportTimes = { nextReminderAt: null, nextDeadlineAt: null };

/** Updates when the reports of an incident are due, after every change of its clock. */
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

/** Dependencies of changes of an incident. */
export interface IncidentChangeDeps {
  database: Database;
  regimes: ReportingRegimes;
  now: () => Date;
}

/**
 * Changes an incident under its lock. `work` returns the record of the change, or undefined without one.
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

/** Records an event of an incident in its organization's audit trail. */
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
