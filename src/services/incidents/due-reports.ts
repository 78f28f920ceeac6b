import { projected, Projection } from '../../database/projection.js';
import type { Queryable } from '../../database/database.js';
import type { Selection } from '../../common/selection.js';
import { sql, table } from '../../database/sql.js';
import { LIMITS } from '../../values/limits.js';
import { organizationColumns } from '../shared/organization-columns.js';
import { CLOCK_FACTS, INCIDENT_COLUMNS, type IncidentRef } from './incidents.service.js';
import { dueReports, reportingClock, type ClockFacts, type DueReport } from './reporting-clock.js';
import type { ReportingRegimes } from './reporting-regimes.js';

/** A report that is owed, with the incident that it is about. */
export interface ReportDeadline extends DueReport {
  incident: IncidentRef & { title: string };
}

type OpenIncident = ReportDeadline['incident'] & ClockFacts;

const i = table('incident', 'i');
const o = table('organization', 'o');

const openOf = projected<{ ids: readonly number[] }>()((p, { columns }) => {
  const read = new Map([...Object.entries(CLOCK_FACTS), ...columns]);
  return sql<OpenIncident>`
    select ${sql.join([...read].map(([name, column]) => column.as(name)))}
      from unnest(${p('ids')}::int[]) as wanted(id)
      join ${o.table} on ${o.id} = wanted.id
     cross join lateral (
       select * from ${i.table}
        where ${i.organization_id} = wanted.id and ${i.status} in ('OPEN', 'CONTAINED', 'RESOLVED')
        order by ${i.significant} desc, ${i.id} desc limit ${sql.lit(LIMITS.portfolio.incidents)}) as i`;
});

/** The reports that open incidents of organizations owe, without authorizing. */
export class DueReportService {
  private readonly projection: Projection;

  constructor(private readonly settings: { publicUrl: string; regimes: ReportingRegimes; now: () => Date }) {
    const organization = { object: organizationColumns(settings.publicUrl) };
    this.projection = new Projection(undefined, { ...INCIDENT_COLUMNS, organization }, [
      'id',
      'organizationId',
      'title',
    ]);
  }

  /** By organization, the first deadline first, in one statement; `selection` is what is read of the incidents. */
  async ofOrganizations(
    database: Queryable,
    organizationIds: readonly number[],
    selection: Selection,
  ): Promise<ReadonlyMap<number, ReportDeadline[]>> {
    const { regimes, now } = this.settings;
    const at = now();
    const rows = await openOf(this.projection.of(selection)).all(database, { ids: organizationIds });
    const due = rows.flatMap((row) => {
      const clock = reportingClock(regimes.all, row, at);
      const incident = Object.assign(row, { clock });
      return dueReports(clock).map((report) => Object.assign(report, { incident }));
    });
    const sorted = due.toSorted((one, other) => (one.dueAt < other.dueAt ? -1 : one.dueAt > other.dueAt ? 1 : 0));
    return Map.groupBy(sorted, ({ incident }) => incident.organizationId);
  }
}
