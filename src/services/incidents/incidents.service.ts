import type { QueryResultRow } from 'pg';
import type { Access } from '../../auth/access.js';
import type { Actor, Caller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { allColumns, selectAll, type RowOf } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import type { Page } from '../../database/cursor.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table, type Expression } from '../../database/sql.js';
import { conflict, notFound } from '../../errors.js';
import type { IncidentStatus, Severity } from '../../values/enums.js';
import { record, type AuditFacts } from '../audit/record.js';
import { NIS2_ENTITY, organizationColumns } from '../shared/organization-columns.js';
import {
  isOwed,
  reportingClock,
  type ClockFacts,
  type IncidentClock,
  type ReportingProfile,
  type SentReport,
} from './reporting-clock.js';
import type { ReportingRegimes } from './reporting-regimes.js';

export interface IncidentQuery extends ListQuery<'AWARE_AT' | 'CREATED_AT' | 'SEVERITY' | 'UPDATED_AT'> {
  status?: IncidentStatus | null;
  severity?: Severity | null;
  significant?: boolean | null;
}

/** What every incident that is read carries: its files are reached by it. */
export interface IncidentRef {
  id: number;
  organizationId: number;
}

type IncidentRow = QueryResultRow & IncidentRef & ClockFacts;

const i = table('incident', 'i');
const o = table('organization', 'o');

// A left join on a key is dropped by the planner where no column of the organization is selected.
const FROM = sql`${i.table} left join ${o.table} on ${o.id} = ${i.organization_id}`;

const listing = new Listing<IncidentQuery>({
  from: FROM,
  id: { column: i.id, type: 'int' },
  parent: { column: i.organization_id, type: 'int' },
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

/** Security incidents of organizations. */
export class IncidentService {
  private readonly projection: Projection;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly settings: { publicUrl: string; regimes: ReportingRegimes; now: () => Date },
  ) {
    this.projection = new Projection(
      'Incident',
      { ...INCIDENT_COLUMNS, organization: { object: organizationColumns(settings.publicUrl) } },
      ['id', 'organizationId'],
    );
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not list the incidents of the organization. */
  authorizeList(caller: Caller, organizationId: number): Promise<void> {
    return this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
  }

  /** Incidents of each organization, newest first unless ordered otherwise; throws for the first that the caller may not list. */
  async ofOrganizations(
    caller: Caller,
    organizationIds: readonly number[],
    query: IncidentQuery,
    selection: ListSelection,
  ): Promise<Map<number, Page<IncidentRef>>> {
    for (const id of organizationIds) await this.authorizeList(caller, id);
    const request = { ...query, ...this.projection.list(selection) };
    const pages = await listing.ofMany<IncidentRow, number>(this.database, organizationIds, request);
    for (const { rows } of pages.values()) this.complete(rows, selection.items);
    return pages;
  }

  /** One incident; an incident of another organization is NOT_FOUND, even when the caller is a member there. */
  async read(caller: Caller, organizationId: number, id: number, selection: Selection): Promise<IncidentRef> {
    await this.authorizeList(caller, organizationId);
    return this.record(organizationId, id, selection);
  }

  /** The same by its id alone: authorizes in the organization that has the incident. */
  async find(caller: Caller, id: number, selection: Selection): Promise<IncidentRef> {
    const incident = await this.record(null, id, selection);
    await this.authorizeList(caller, incident.organizationId);
    return incident;
  }

  /** Reads without authorizing: for the answer to a write. */
  async record(organizationId: number | null, id: number, selection: Selection): Promise<IncidentRef> {
    const incident = await one(this.projection.of(selection)).first(this.database, { id, organizationId });
    if (incident === undefined) throw notFound();
    this.complete([incident], selection);
    return incident;
  }

  private complete(incidents: readonly IncidentRow[], selection: Selection): void {
    if (!selection.has('clock')) return;
    const { regimes, now } = this.settings;
    const at = now();
    for (const incident of incidents) incident['clock'] = reportingClock(regimes.all, incident, at);
  }
}

/** What regimes ask about the organization `o`. */
const PROFILE = sql<ReportingProfile>`json_build_object(
  'timeZone', ${o.time_zone}, 'country', ${o.country}, 'sectors', ${o.sectors}, 'nis2Sector', ${o.nis2_sector},
  'trustServiceProvider', ${o.trust_service_provider},
  'entityType', ${NIS2_ENTITY})`;

const r = table('incident_report', 'r');
const instant = (column: Expression) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The last record of each report of the incident `i`, unless it was taken back. */
const SENT = sql<SentReport[]>`(
  select coalesce(json_agg(json_build_object(
           'regimeId', ${r.regime_id}, 'stage', ${r.stage}, 'number', ${r.number}, 'sentAt', ${instant(r.sent_at)},
           'sentBy', ${r.sent_by}, 'recipient', ${r.recipient}, 'reference', ${r.reference},
           'attachmentId', ${r.attachment_id}, 'dueAt', ${instant(r.due_at)}) order by ${r.id}), '[]')
    from (select distinct on (regime_id, stage, number) * from ${r.table}
           where ${r.organization_id} = ${i.organization_id} and ${r.incident_id} = ${i.id}
           order by regime_id, stage, number, id desc) as r
   where ${r.sent_at} is not null)`;

/** What the clock of the incident `i` of the organization `o` depends on. */
export const CLOCK_FACTS = {
  ...properties(i, 'aware_at', 'handled_at', 'fix_available_at', 'intermediate_report_due_at'),
  ...properties(i, 'significant', 'personal_data_concerned', 'affects_trust_service'),
  ...properties(i, 'exploited_vulnerability', 'product_concerned'),
  profile: PROFILE,
  sent: SENT,
};

/** How an incident `i` is read in any statement. */
export const INCIDENT_COLUMNS = {
  ...allColumns('incident', 'i'),
  openedBy: person(i.opened_by),
  closedBy: person(i.closed_by),
  clock: { needs: CLOCK_FACTS },
  viewerCan: { needs: { ...CLOCK_FACTS, status: i.status } },
};

const one = projected<{ id: number; organizationId: number | null }>()(
  (p, { select }) =>
    sql<IncidentRow>`select ${sql.join(select)} from ${FROM}
      where ${i.id} = ${p('id')}
        and (${p('organizationId')}::int is null or ${i.organization_id} = ${p('organizationId')})`,
);

export interface IncidentKey {
  organizationId: number;
  incidentId: number;
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
    .innerJoin('organization as o', 'o.id', 'i.organization_id')
    .select(selectAll('incident', 'i'))
    .select([PROFILE.as('profile'), SENT.as('sent')])
    .where('i.id', '=', ({ fn }) => fn.any(p('ids')))
    .orderBy('i.id'),
);

/** Incidents with what their clocks depend on, by id. Whether the caller may read them has been decided. */
export function incidentFacts(database: Queryable, ids: readonly number[]): Promise<IncidentFacts[]> {
  return facts.all(database, { ids });
}

/** The facts of an incident that is locked. */
export async function lockedFacts(tx: Queryable, { id }: LockedIncident): Promise<IncidentFacts> {
  return (await incidentFacts(tx, [id]))[0] as IncidentFacts;
}

const schedule = statement<{ id: number; at: string | null }>()((p) =>
  db
    .updateTable('incident')
    .set({ next_reminder_at: p('at') })
    .where('id', '=', p('id')),
);

/** Notes when the reports of an incident have to be looked at; null is never. */
export async function setReminder(tx: Queryable, { id, nextReminderAt }: LockedIncident, at: string | null) {
  if (at !== nextReminderAt) await schedule.all(tx, { id, at });
}

/** The same after whatever changes its clock. */
export async function scheduleReminder(tx: Queryable, id: number, regimes: ReportingRegimes, now: Date): Promise<void> {
  const [incident] = await incidentFacts(tx, [id]);
  if (incident === undefined) return;
  const clock = reportingClock(regimes.all, incident, now);
  await setReminder(tx, incident, incident.status === 'CLOSED' ? null : firstReminder(clock));
}

/** When the first reminder of the reports that are owed is due, of those after an instant where one is given. */
export function firstReminder({ stages }: IncidentClock, after = ''): string | null {
  const instants = stages.filter(isOwed).flatMap(({ soonAt, dueAt }) => [soonAt, dueAt]);
  return instants.filter((at): at is string => at !== null && at > after).toSorted()[0] ?? null;
}

/** Locks an incident against changes, not against new attachments. Throws NOT_FOUND. */
export async function lockIncident(tx: Queryable, key: IncidentKey): Promise<LockedIncident> {
  const incident = await lock.first(tx, key);
  if (incident === undefined) throw notFound();
  return incident;
}

/** Like `lockIncident`; a closed incident is CONFLICT: it has to be reopened before it is changed. */
export async function lockOpenIncident(tx: Queryable, key: IncidentKey): Promise<LockedIncident> {
  const incident = await lockIncident(tx, key);
  if (incident.status === 'CLOSED') throw conflict();
  return incident;
}

/** Records what has happened to an incident in its organization's audit trail. */
export function recordIncident(
  tx: Queryable,
  actor: Actor,
  { id, organizationId, title }: IncidentRef & { title: string },
  facts: AuditFacts,
): Promise<void> {
  return record(tx, actor, { ...facts, organizationId, subject: { type: 'INCIDENT', id, name: title } });
}
