import { DAY } from '../../common/time.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table, type Expression, type TableReference } from '../../database/sql.js';
import type {
  DeviceFacts,
  OpenIncident,
  OverdueControl,
  WeeklyReportFacts,
  WorkflowFact,
} from '../../mail/weekly-report.js';
import { BRANDING_DEFAULTS, type Severity } from '../../values/enums.js';
import { incidentFacts, type IncidentFacts } from '../incidents/incidents.service.js';
import { dueReports, endOf, reportingClock } from '../incidents/reporting-clock.js';
import type { ReportingRegimes } from '../incidents/reporting-regimes.js';
import { organizationColumns } from '../shared/organization-columns.js';
import type { ControlEvidenceService } from '../workflows/control-evidence.service.js';
import type { ControlService } from '../workflows/controls.service.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import {
  associatedWorkflows,
  todayOf,
  listsOf,
  progressOf,
  wantedWorkflows,
  type WorkflowLists,
  type WorkflowProgress,
} from '../workflows/progress.js';

/** Maximum number of items of a list. */
const SHOWN = 10;

interface ReportedOrganization {
  id: number;
  timeZone: string;
}

const i = table('incident', 'i');
const p = table('workflow_progress', 'p');
const o = table('organization', 'o');

/** The last counts of that day, or of the last earlier day with a change. */
const progressOn = statement<WorkflowLists & { at: Date }>()(
  (param) => sql<WorkflowProgress | { total: null }>`
    select past.*
      from ${wantedWorkflows(param)}
      join ${o.table} on ${o.id} = wanted.organization_id
      left join lateral (
        select ${p.total}, ${p.to_do} as "toDo", ${p.in_progress} as "inProgress", ${p.done},
               ${p.not_applicable} as "notApplicable"
          from ${p.table}
         where ${p.organization_id} = wanted.organization_id and ${p.workflow_id} = wanted.workflow_id
           and ${p.day} <= ${todayOf(param('at'))}
         order by ${p.day} desc limit 1) as past on true
     order by wanted.place`,
);

const openIncidents = statement<{ ids: readonly number[] }>()(
  (param) => sql<{ id: number; organizationId: number; total: number }>`
    select found.*
      from unnest(${param('ids')}::bigint[]) as wanted(id)
     cross join lateral (select ${i.id}, ${i.organization_id} as "organizationId", count(*) over () as total from ${i.table}
                          where ${i.organization_id} = wanted.id and ${i.status} <> 'CLOSED'
                          order by (${i.severity} = 'CRITICAL') desc, ${i.next_deadline_at}, ${i.id} limit ${SHOWN}) found`,
);

const edge = table('cloud_defender');
const blocker = table('threat_blocker');
/** Identifying property of each kind of devices, and prefix of their pages. */
const EDGE = 'CLOUD_DEFENDER';
const BLOCKER = 'THREAT_BLOCKER';
const PAGES = { [EDGE]: '/cloud-defender', [BLOCKER]: '/atb' } as const;

interface DeviceRow extends Omit<DeviceFacts, 'troubled'> {
  organizationId: number;
  troubled: readonly { id: number; name: string }[];
}

const devicesOf = statement<{ ids: readonly number[] }>()((param) => {
  const counts = (kind: string, d: TableReference<'cloud_defender' | 'threat_blocker'>, name: Expression) => sql`
      select ${d.organization_id} as "organizationId", ${kind} as kind,
             count(*) filter (where ${d.status} = 1) as healthy, count(*) filter (where ${d.status} = 2) as degraded,
             count(*) filter (where ${d.status} = 3) as down, count(*) filter (where ${d.status} not in (1, 2, 3)) as unknown,
             coalesce(to_jsonb((array_agg(jsonb_build_object('id', ${d.id}, 'name', ${name}) order by ${d.status} desc, ${d.id})
               filter (where ${d.status} in (2, 3)))[1:${SHOWN}]), '[]') as troubled
        from ${d.table} where ${d.organization_id} = any(${param('ids')}::bigint[]) and ${d.deleted_at} is null
       group by ${d.organization_id}`;
  return sql<DeviceRow>`${counts(EDGE, edge, edge.fqdn)} union all
    ${counts(BLOCKER, blocker, sql`coalesce(nullif(${blocker.device_id}, ''), ${blocker.endpoint})`)}`;
});

const NO_DEVICES = { healthy: 0, degraded: 0, down: 0, unknown: 0, troubled: [] };

/** Whether an incident comes before others, whatever its deadlines. */
const isCritical = ({ severity }: { severity: Severity }) => severity === 'CRITICAL';

const organizationsWith = (logo: Expression) =>
  statement<{ ids: readonly number[] }>()((param) =>
    db
      .selectFrom('organization as o')
      .select([
        'o.id',
        'o.name',
        'o.custom_colors as customColors',
        'o.time_zone as timeZone',
        'o.language',
        'o.sandbox',
      ])
      .select(logo.$castTo<string>().as('logo'))
      .where('o.id', '=', ({ fn }) => fn.any(param('ids')))
      .where('o.deleted_at', 'is', null),
  );

interface WeeklyReportFactsDeps {
  catalogs: OrganizationCatalogs;
  controls: Pick<ControlService, 'ofWorkflows'>;
  evidence: Pick<ControlEvidenceService, 'staleAmong'>;
  regimes: ReportingRegimes;
  publicUrl: string;
}

/** Gathers the content of weekly reports without authorizing: called by jobs and after authorization. */
export class WeeklyReportFactsService {
  private readonly organizationsOf;

  constructor(
    private readonly database: Queryable,
    private readonly deps: WeeklyReportFactsDeps,
  ) {
    this.organizationsOf = organizationsWith(organizationColumns(deps.publicUrl).logo);
  }

  /**
   * The content of a report as of `now` by organization, without missing or deleted ones; the number of
   * statements is constant. `weekOf` returns the week of a report.
   */
  async gather(
    all: readonly number[],
    weekOf: (organization: ReportedOrganization) => string,
    now: Date,
  ): Promise<Map<number, WeeklyReportFacts>> {
    const organizations = await this.organizationsOf.all(this.database, { ids: all });
    const ids = organizations.map(({ id }) => id);
    const workflows = Map.groupBy(await this.workflows(ids, now), organizationOf);
    const open = await openIncidents.all(this.database, { ids });
    const totals = new Map(open.map(({ organizationId, total }) => [organizationId, total]));
    const facts = await incidentFacts(
      this.database,
      open.map(({ id }) => id),
    );
    const incidents = Map.groupBy(facts, organizationOf);
    const devices = Map.groupBy(await devicesOf.all(this.database, { ids }), organizationOf);
    const reports = organizations.map(
      ({ id, name, logo, customColors, timeZone, language, sandbox }): [number, WeeklyReportFacts] => {
        const own = workflows.get(id) ?? [];
        const overdue = own.flatMap((workflow) => workflow.overdue).toSorted(by(({ dueDate }) => dueDate));
        // Instants in one spelling sort as texts; incidents without expected reports are last.
        const owed = (incidents.get(id) ?? [])
          .map((incident) => this.openIncident(incident, now))
          .toSorted(by((incident) => `${isCritical(incident) ? 0 : 1} ${incident.owed.items[0]?.dueAt ?? '9999'}`));
        const deviceFacts = (kind: DeviceFacts['kind']): DeviceFacts => {
          const { troubled, ...row } = devices.get(id)?.find((each) => each.kind === kind) ?? { kind, ...NO_DEVICES };
          return {
            ...row,
            troubled: troubled.map((device) => ({ name: device.name, href: `${PAGES[kind]}/${device.id}` })),
          };
        };
        const facts = {
          brand: { name, logo, primary: customColors?.primary ?? BRANDING_DEFAULTS.customColors.primary },
          ...{ language, timeZone, sandbox, week: weekOf({ id, timeZone }), asOf: now.toISOString() },
          workflows: own.map(({ fact }) => fact),
          overdue: { total: overdue.length, items: overdue.slice(0, SHOWN) },
          incidents: { total: totals.get(id) ?? 0, items: owed },
          devices: ([EDGE, BLOCKER] as const).map(deviceFacts),
        };
        return [id, facts];
      },
    );
    return new Map(reports);
  }

  /** The workflows of organizations as they see them, by id. */
  private async workflows(ids: readonly number[], now: Date): Promise<ReportedWorkflow[]> {
    const { catalogs, controls, evidence } = this.deps;
    const seen = await associatedWorkflows(this.database, catalogs, ids);
    const keys = seen.map(({ key }) => key);
    // The state at the end of the day before the last report: later changes of that day belong to this report.
    const at = new Date(now.getTime() - 8 * DAY);
    const [views, progress, before] = await Promise.all([
      controls.ofWorkflows(keys),
      progressOf(this.database, seen, now),
      progressOn.all(this.database, { ...listsOf(keys), at }),
    ]);
    const stale = await evidence.staleAmong(views);
    return seen.map(({ key, workflow: { name } }, index) => {
      const href = `/organizations/${key.organizationId}/workflows/${key.workflowId}`;
      const overdue = views[index]!.filter((control) => control.overdue).map(({ controlId, label, dueDate }) => ({
        ...{ controlId, label, workflow: name, dueDate: dueDate! },
        href: `${href}/controls/${encodeURIComponent(controlId)}`,
      }));
      return {
        ...key,
        fact: { name, href, ...workflowFact(progress[index]!, before[index]!), stale: stale[index]! },
        overdue: overdue.toSorted(by(({ controlId }) => controlId)),
      };
    });
  }

  private openIncident(incidentFact: IncidentFacts, now: Date): OpenIncident {
    const { id, organizationId, title, severity, status } = incidentFact;
    const due = dueReports(reportingClock(this.deps.regimes.all, incidentFact, now));
    const items = due.slice(0, 1).map((report) => {
      const { stage, number, regimeName: regime, state } = report;
      return { stage, number, regime, dueAt: endOf(report), overdue: state === 'OVERDUE' };
    });
    const href = `/organizations/${organizationId}/incidents/${id}`;
    return { id, title, severity, status, href, owed: { total: due.length, items } };
  }
}

const organizationOf = ({ organizationId }: { organizationId: number }) => organizationId;

/** Stable order by a text. */
function by<Item>(textOf: (item: Item) => string): (one: Item, other: Item) => number {
  return (one, other) => Number(textOf(one) > textOf(other)) - Number(textOf(one) < textOf(other));
}

interface ReportedWorkflow {
  organizationId: number;
  fact: WorkflowFact;
  overdue: OverdueControl[];
}

/** `before` is the progress of a week ago; without a total if the workflow was not associated then. */
function workflowFact(progress: WorkflowProgress, before: WorkflowProgress | { total: null }) {
  const { total, notApplicable, done, inProgress } = progress;
  const percent = percentOf(progress);
  const change = before.total === null ? null : percent - percentOf(before);
  return { applicable: total - notApplicable, done, inProgress, percent, change };
}

/** Of applicable controls; nothing is open if there are none. */
function percentOf({ total, notApplicable, done }: WorkflowProgress): number {
  const applicable = total - notApplicable;
  return applicable === 0 ? 100 : Math.floor((100 * done) / applicable);
}
