import { DAY } from '../../common/time.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table, type Expression, type TableReference } from '../../database/sql.js';
import type { CustomColors } from '../../entities/organizations.js';
import type {
  DeviceFacts,
  OpenIncident,
  OverdueControl,
  Shortened,
  WeeklyReportFacts,
  WorkflowFact,
} from '../../mail/weekly-report-mail.js';
import { BRANDING_DEFAULTS } from '../../values/defaults.js';
import { incidentFacts, type IncidentFacts } from '../incidents/incidents.service.js';
import { dueReports, reportingClock, type ClockFacts } from '../incidents/reporting-clock.js';
import type { ReportingRegimes } from '../incidents/reporting-regimes.js';
import { organizationColumns } from '../shared/organization-columns.js';
import { controlOf } from '../workflows/catalog.js';
import type { ControlEvidenceService } from '../workflows/control-evidence.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import {
  dayOf,
  listsOf,
  progressOf,
  wantedWorkflows,
  type SeenWorkflow,
  type WorkflowLists,
  type WorkflowProgress,
} from '../workflows/progress.js';

/** Items of one list that are shown. */
const SHOWN = 10;
/** Open incidents that are read; the next deadline follows from their clocks. */
const LOOKED_AT = 500;

export interface ReportedOrganization {
  id: number;
  name: string;
  logo: string;
  customColors: CustomColors | null;
  timeZone: string;
}

const s = table('control_state', 's');
const i = table('incident', 'i');
const p = table('workflow_progress', 'p');

/** What an organization does not see, because it binds others only, is among them. */
const overdueOf = statement<{ ids: readonly number[]; today: string }>()((param) =>
  db
    .selectFrom('control_state as s')
    .select(['s.organization_id as organizationId', 's.workflow_id as workflowId', 's.control_id as controlId'])
    .select(sql<string>`${s.due_date}`.as('dueDate'))
    .where('s.organization_id', '=', sql<number>`any(${param('ids')})`)
    .where('s.due_date', '<', sql<string>`${param('today')}::date`)
    .where('s.status', 'in', ['TO_DO', 'IN_PROGRESS'])
    .orderBy('s.due_date')
    .orderBy('s.workflow_id')
    .orderBy('s.control_id'),
);

const openIncidents = statement<{ ids: readonly number[] }>()(
  (param) => sql<{ id: number; organizationId: number; total: number }>`
    select found.*
      from unnest(${param('ids')}::int[]) as wanted(id)
     cross join lateral (select ${i.id}, ${i.organization_id} as "organizationId", count(*) over () as total from ${i.table}
                          where ${i.organization_id} = wanted.id and ${i.status} <> 'CLOSED'
                          order by ${i.significant} desc, ${i.id} desc limit ${LOOKED_AT}) found`,
);

const edge = table('cloud_defender');
const blocker = table('threat_blocker');

const DEVICES = [
  { kind: 'Edge protection', count: countDevices(edge, edge.fqdn) },
  {
    kind: 'Threat blockers',
    count: countDevices(blocker, sql`coalesce(nullif(${blocker.device_id}, ''), ${blocker.endpoint})`),
  },
];

function countDevices(d: TableReference<'cloud_defender' | 'threat_blocker'>, name: Expression) {
  return statement<{ ids: readonly number[] }>()(
    (param) => sql<{ organizationId: number } & DeviceCounts>`
      select ${d.organization_id} as "organizationId",
             count(*) filter (where ${d.status} = 1) as healthy, count(*) filter (where ${d.status} = 2) as degraded,
             count(*) filter (where ${d.status} = 3) as down, count(*) filter (where ${d.status} not in (1, 2, 3)) as unknown,
             coalesce((array_agg(${name} order by ${d.status} desc, ${d.id}) filter (where ${d.status} in (2, 3)))[1:${SHOWN}], '{}')
               as troubled
        from ${d.table} where ${d.organization_id} = any(${param('ids')}) and ${d.deleted_at} is null
       group by ${d.organization_id}`,
  );
}

type DeviceCounts = Omit<DeviceFacts, 'kind'>;
const NO_DEVICES: DeviceCounts = { healthy: 0, degraded: 0, down: 0, unknown: 0, troubled: [] };

const organizationsWith = (logo: Expression) =>
  statement<{ ids: readonly number[] }>()((param) =>
    db
      .selectFrom('organization as o')
      .select(['o.id', 'o.name', 'o.custom_colors as customColors', 'o.time_zone as timeZone'])
      .select(logo.$castTo<string>().as('logo'))
      .where('o.id', '=', sql<number>`any(${param('ids')})`)
      .where('o.deleted_at', 'is', null),
  );

/** Gathers the content of weekly reports, without authorizing: jobs call it after that was decided. */
export class WeeklyReportFactsService {
  private readonly organizationsOf;

  constructor(
    private readonly database: Queryable,
    private readonly catalogs: OrganizationCatalogs,
    private readonly regimes: ReportingRegimes,
    private readonly evidence: Pick<ControlEvidenceService, 'stale'>,
    publicUrl: string,
  ) {
    this.organizationsOf = organizationsWith(organizationColumns(publicUrl).logo);
  }

  /** In no order, without those that do not exist or were deleted. */
  organizations(ids: readonly number[]): Promise<ReportedOrganization[]> {
    return this.organizationsOf.all(this.database, { ids });
  }

  /** The content of each report, in their order, as of `now`; the number of statements does not depend on how many. */
  async gather(
    reports: readonly { organization: ReportedOrganization; week: string }[],
    now: Date,
  ): Promise<WeeklyReportFacts[]> {
    const ids = reports.map(({ organization }) => organization.id);
    const workflows = await reportedWorkflows(this.database, this.catalogs, this.evidence, ids, now);
    const overdue = Map.groupBy(await overdueOf.all(this.database, { ids, today: dayOf(now) }), organizationOf);
    const open = await openIncidents.all(this.database, { ids });
    const totals = new Map(open.map(({ organizationId, total }) => [organizationId, total]));
    const openIds = open.map((incident) => incident.id);
    const incidents = Map.groupBy(await incidentFacts(this.database, openIds), organizationOf);
    const devices = await Promise.all(
      DEVICES.map(async ({ kind, count }) => {
        const counts = new Map((await count.all(this.database, { ids })).map((row) => [organizationOf(row), row]));
        return { kind, of: (id: number) => counts.get(id) ?? NO_DEVICES };
      }),
    );
    return reports.map(({ organization: { id, name, logo, customColors, timeZone }, week }) => ({
      brand: { name, logo, primary: customColors?.primary ?? BRANDING_DEFAULTS.customColors.primary },
      timeZone,
      week,
      asOf: now.toISOString(),
      workflows: (workflows.get(id) ?? []).map(workflowFact),
      overdue: overdueControls(overdue.get(id) ?? [], workflows.get(id) ?? []),
      incidents: { total: totals.get(id) ?? 0, items: this.incidentsOf(incidents.get(id) ?? [], now) },
      devices: devices.map(({ kind, of }) => ({ kind, ...of(id) })),
    }));
  }

  private incidentsOf(incidents: readonly IncidentFacts[], now: Date): OpenIncident[] {
    const items = incidents.map(({ id, title, severity, status, ...facts }) => ({
      ...{ id, title, severity, status },
      deadline: this.nextDeadline(facts, now),
    }));
    return items.toSorted(byDeadline).slice(0, SHOWN);
  }

  private nextDeadline(facts: ClockFacts, now: Date): OpenIncident['deadline'] {
    const [next] = dueReports(reportingClock(this.regimes.all, facts, now));
    if (next === undefined) return null;
    const { stage, dueAt, regimeName, state } = next;
    const report = `${stage.toLowerCase().replaceAll('_', ' ')} (${regimeName})`;
    return { report, dueAt, overdue: state === 'OVERDUE' };
  }
}

const organizationOf = ({ organizationId }: { organizationId: number }) => organizationId;

function overdueControls(
  rows: readonly { workflowId: string; controlId: string; dueDate: string }[],
  workflows: readonly ReportedWorkflow[],
): Shortened<OverdueControl> {
  const known = new Map(workflows.map(({ seen }) => [seen.key.workflowId, seen.workflow]));
  const items = rows.flatMap(({ workflowId, controlId, dueDate }) => {
    const workflow = known.get(workflowId);
    const control = workflow && controlOf(workflow, controlId);
    return control === undefined ? [] : [{ controlId, label: control.label, workflow: workflow!.name, dueDate }];
  });
  return { total: items.length, items: items.slice(0, SHOWN) };
}

function workflowFact({ seen, progress, before, stale }: ReportedWorkflow): WorkflowFact {
  const { total, notApplicable, done, inProgress } = progress;
  const percent = percentOf(progress);
  return {
    name: seen.workflow.name,
    applicable: total - notApplicable,
    done,
    inProgress,
    stale,
    percent,
    change: before === undefined ? null : percent - percentOf(before),
  };
}

/** Of what applies; where nothing does, nothing is left to be done. */
function percentOf({ total, notApplicable, done }: WorkflowProgress): number {
  const applicable = total - notApplicable;
  return applicable === 0 ? 100 : Math.floor((100 * done) / applicable);
}

/** Instants in one spelling sort as texts; who owes nothing comes last. */
function byDeadline(a: OpenIncident, b: OpenIncident): number {
  const [first, second] = [a, b].map(({ deadline }) => deadline?.dueAt ?? '9999');
  if (first === second) return a.id - b.id;
  return first! < second! ? -1 : 1;
}

const workflowsOf = statement<{ ids: readonly number[] }>()((param) =>
  db
    .selectFrom('organization_workflow')
    .select(['organization_id as organizationId', 'workflow_id as workflowId'])
    .where('organization_id', '=', sql<number>`any(${param('ids')})`)
    .orderBy('organization_id')
    .orderBy('workflow_id'),
);

/** The last counts of that day, or of the last one before it on which something changed. */
const progressOn = statement<WorkflowLists & { day: string }>()(
  (param) => sql<WorkflowProgress | Nothing>`
    select past.*
      from ${wantedWorkflows(param)}
      left join lateral (
        select ${p.total}, ${p.to_do} as "toDo", ${p.in_progress} as "inProgress", ${p.done},
               ${p.not_applicable} as "notApplicable"
          from ${p.table}
         where ${p.organization_id} = wanted.organization_id and ${p.workflow_id} = wanted.workflow_id
           and ${p.day} <= ${param('day')}::date
         order by ${p.day} desc limit 1) as past on true
     order by wanted.place`,
);

interface ReportedWorkflow {
  seen: SeenWorkflow;
  progress: WorkflowProgress;
  /** Progress a week before; undefined when the workflow was not associated then. */
  before: WorkflowProgress | undefined;
  /** Controls that are done on stale evidence. */
  stale: number;
}

/** The workflows of each organization as it sees them, by id, with how far they are and how far they were a week before. */
async function reportedWorkflows(
  database: Queryable,
  catalogs: OrganizationCatalogs,
  evidence: Pick<ControlEvidenceService, 'stale'>,
  ids: readonly number[],
  now: Date,
): Promise<Map<number, ReportedWorkflow[]>> {
  const catalog = await catalogs.ofMany(ids);
  const seen = (await workflowsOf.all(database, { ids })).flatMap((key) => {
    const workflow = catalog.get(key.organizationId)?.find(key.workflowId);
    return workflow === undefined ? [] : [{ key, workflow }];
  });
  const [progress, stale, before] = await Promise.all([
    progressOf(database, seen, now),
    evidence.stale(seen.map(({ key }) => key)),
    progressOn.all(database, {
      ...listsOf(seen.map(({ key }) => key)),
      // The state at the end of the day before the last report: later changes of its own day belong to this one.
      day: dayOf(new Date(now.getTime() - 8 * DAY)),
    }),
  ]);
  const reported = seen.map((one, index) => {
    const past = before[index];
    return {
      seen: one,
      progress: progress[index]!,
      before: past === undefined || past.total === null ? undefined : past,
      stale: stale[index]!,
    };
  });
  return Map.groupBy(reported, ({ seen: { key } }) => key.organizationId);
}

/** A row of the join that found nothing. */
interface Nothing {
  total: null;
}
