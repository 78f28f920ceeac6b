import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { toCamelCase } from '../../common/naming.js';
import { visibleText } from '../../common/visible-text.js';
import type { Database } from '../../database/database.js';
import { db, sql, statement } from '../../database/sql.js';
import { changesBetween, type AuditFacts, type FieldChange } from '../audit/record.js';
import {
  changeIncident,
  incidentFacts,
  lockIncident,
  refuseClosed,
  type IncidentChangeDeps,
  type ChangedIncidentKey,
  type IncidentFacts,
  type IncidentKey,
} from './incidents.service.js';
import { applyingRegimes, type ClockFacts, type ReportKey } from './applying-regimes.js';
import { judge } from './reporting-clock.js';
import type { ReportingRegimes } from './reporting-regimes.js';

export interface IncidentRejudgement extends ChangedIncidentKey {
  reason: string;
}

const takeFacts = statement<{ id: number; now: Date }>()((p) =>
  db
    .updateTable('incident')
    .set({
      organization_facts: sql`organization_facts_at(organization_id, ${p('now')}::timestamptz)`,
      facts_as_of: p('now'),
      updated_at: p('now'),
    })
    .where('id', '=', p('id')),
);

/** Incidents looked up in one statement. */
const BATCH = 200;

const unjudged = statement()(() =>
  db
    .selectFrom('incident_report')
    .select(['organization_id as organizationId', 'incident_id as incidentId'])
    .distinct()
    .where('judgement', 'is', null)
    .limit(BATCH),
);

const unjudgedOf = statement<{ incidentId: number }>()((p) =>
  db
    .selectFrom('incident_report')
    .select(['regime_id as regimeId', 'stage', 'number'])
    .distinct()
    .where('incident_id', '=', p('incidentId'))
    .where('judgement', 'is', null),
);

const fix = statement<ReportKey & { incidentId: number; dueAt: string | null; judgement: string }>()((p) =>
  db
    .updateTable('incident_report')
    .set({ due_at: p('dueAt'), judgement: p('judgement') })
    .where('incident_id', '=', p('incidentId'))
    .where('regime_id', '=', p('regimeId'))
    .where('stage', '=', p('stage'))
    .where('number', '=', p('number'))
    .where('judgement', 'is', null),
);

/** The facts that incidents are judged by, and the stored judgement of their reports (docs/adr/0011). */
export class IncidentJudgementService {
  constructor(
    private readonly access: Access,
    private readonly deps: IncidentChangeDeps,
  ) {}

  /**
   * Judges an incident by the present facts of its organization, for a reason; a later correction of awareness does not
   * change them. Recorded reports stay unchanged. Throws NOT_FOUND, FORBIDDEN (rank 3), and CONFLICT for
   * a closed incident.
   */
  async rejudge(caller: Caller, { reason, ...key }: IncidentRejudgement): Promise<void> {
    const user = await this.access.authorizeWrite(caller, 'CORRECT_REPORTS', key.organizationId);
    await changeIncident(this.deps, user, key, async (tx, before, now) => {
      refuseClosed(before);
      await takeFacts.all(tx, { id: before.id, now });
      const [after] = (await incidentFacts(tx, [before.id])) as [IncidentFacts];
      const changes = factChanges(before, after, this.deps.regimes);
      const asOf = { before: before.factsAsOf, after: after.factsAsOf };
      return {
        action: 'INCIDENT_REJUDGED',
        changes: { factsAsOf: asOf, ...changes },
        reason: visibleText(reason).trim(),
        state: judgedBy(after),
      };
    });
  }

  /**
   * Stores judgements of reports that were recorded before judgements were stored. Returns their number; idempotent, also with
   * several instances.
   */
  async judgeRecorded(): Promise<number> {
    const { database } = this.deps;
    let judged = 0;
    for (;;) {
      const incidents = await unjudged.all(database);
      for (const key of incidents) judged += await this.judgeReportsOf(database, key);
      if (incidents.length < BATCH) return judged;
    }
  }

  private judgeReportsOf(database: Database, key: IncidentKey): Promise<number> {
    const { regimes, now } = this.deps;
    return database.transaction(async (tx) => {
      const { id } = await lockIncident(tx, key);
      const [incident] = (await incidentFacts(tx, [id])) as [IncidentFacts];
      const reports = await unjudgedOf.all(tx, key);
      for (const report of reports) {
        const { dueAt, judgement } = judge(regimes.all, incident, report, now());
        await fix.all(tx, { ...report, dueAt, judgement: JSON.stringify(judgement), incidentId: id });
      }
      return reports.length;
    });
  }
}

/** The facts of its organization that an incident is judged by, from its row. */
export function judgedBy({ organizationFacts, factsAsOf }: IncidentFacts): AuditFacts['state'] {
  return { organizationFacts, factsAsOf };
}

/** The facts and regimes of an incident for the trail, if they changed. */
export function factChanges(
  before: ClockFacts,
  after: ClockFacts,
  { all }: ReportingRegimes,
): Record<string, FieldChange> {
  const shown = (facts: ClockFacts): Record<string, readonly string[]> => ({
    ...Object.fromEntries(
      Object.entries(facts.organizationFacts.values).map(([fact, values]) => [toCamelCase(fact), values]),
    ),
    regimes: applyingRegimes(all, facts).map(({ id }) => id),
  });
  return changesBetween(shown(before), shown(after));
}
