import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { assign, defaultsOf, selectAll, type RowOf } from '../../database/columns.js';
import { db, statement } from '../../database/sql.js';
import type { Incident } from '../../entities/incidents.js';
import { conflict, inputError, refuseErrors, type FieldError } from '../../errors.js';
import type { IncidentStatus, Severity } from '../../values/enums.js';
import { visibleText } from '../../common/visible-text.js';
import { nameOf } from '../audit/personal-values.js';
import { changesBetween } from '../audit/record.js';
import {
  changeIncident,
  incidentFacts,
  recordIncident,
  refuseClosed,
  scheduleReports,
  type IncidentChangeDeps,
  type IncidentFacts,
  type ChangedIncidentKey,
} from './incidents.service.js';
import { factChanges, judgedBy } from './judgements.service.js';
import type { ClockFacts } from './applying-regimes.js';
import { contradictions } from './incident-errors.js';
import { isOwed, relaxes, reportingClock } from './reporting-clock.js';

/** The writable properties; each has a name among the messages. */
export const WRITTEN = [
  'title',
  'description',
  'severity',
  'status',
  'significant',
  'awareAt',
  'occurredAt',
  'classifiedAt',
  'handledAt',
  'suspectedMalicious',
  'crossBorder',
  'affectsTrustService',
  'affectsQualifiedTrustService',
  'personalDataConcerned',
  'exploitedVulnerability',
  'productConcerned',
  'fixAvailableAt',
  'intermediateReportDueAt',
  'category',
  'indicators',
  'impact',
  'rootCause',
  'mitigation',
] as const satisfies readonly (keyof Incident)[];

type Written = (typeof WRITTEN)[number];

type IncidentValues = { [Property in Written]?: Incident[Property] | null };

/** Absent and null take the defaults of the entity; `awareAt` is now. */
export interface NewIncident extends IncidentValues {
  organizationId: number;
  severity: Severity;
  /** In a sandbox: its periods are shorter. */
  rehearsal?: boolean | null;
}

/** Absent leaves a property as it is; null empties a text. */
export interface IncidentChange extends IncidentValues, ChangedIncidentKey {
  /** Why it is changed: required where a deadline is postponed or removed. */
  reason?: string | null;
}

export interface IncidentClosure extends ChangedIncidentKey {
  /** Why it is closed: required where reports were not sent. */
  reason?: string | null;
}

type Row = Pick<RowOf<'incident'>, Written>;

/** An incident with the facts that its permissions depend on. */
interface ManagedIncident extends ClockFacts {
  organizationId: number;
  status: IncidentStatus;
}

const insert = statement<Row & { organizationId: number; rehearsal: boolean; username: string; now: Date }>()((p) =>
  db
    .insertInto('incident')
    .values({
      ...assign('incident', p, WRITTEN),
      organization_id: p('organizationId'),
      rehearsal: p('rehearsal'),
      opened_by: p('username'),
      created_at: p('now'),
      updated_at: p('now'),
    })
    .returning(selectAll('incident')),
);

const update = statement<Row & { id: number; now: Date }>()((p) =>
  db
    .updateTable('incident')
    .set({ ...assign('incident', p, WRITTEN), updated_at: p('now') })
    .where('id', '=', p('id')),
);

const STATUS = ['status', 'closedAt', 'closedBy', 'updatedAt'] as const;

const setStatus = statement<Pick<RowOf<'incident'>, 'id' | (typeof STATUS)[number]>>()((p) =>
  db
    .updateTable('incident')
    .set(assign('incident', p, STATUS))
    .where('id', '=', p('id')),
);

const isSandbox = statement<{ organizationId: number }>()((p) =>
  db.selectFrom('organization').select('sandbox').where('id', '=', p('organizationId')),
);

/** Opening, changing, closing and reopening incidents (docs/adr/0011). */
export class IncidentUpdateService {
  constructor(
    private readonly access: Access,
    private readonly deps: IncidentChangeDeps,
  ) {}

  /**
   * Opens an incident and returns its id. Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT, and CONFLICT for a rehearsal in an
   * organization that is no sandbox.
   */
  async open(caller: Caller, { organizationId, rehearsal, ...given }: NewIncident): Promise<number> {
    const user = await this.access.authorizeWrite(caller, 'EDIT_INCIDENTS', organizationId);
    const now = this.deps.now();
    const present = Object.entries(given).filter(([, value]) => value != null);
    const row = rowOf({ ...defaultsOf('incident'), awareAt: now, ...Object.fromEntries(present) }) as Row;
    return this.deps.database.transaction(async (tx) => {
      const isRehearsal = rehearsal === true;
      if (isRehearsal && !(await isSandbox.one(tx, { organizationId })).sandbox) throw conflict('NOT_A_SANDBOX');
      const stored = { ...row, organizationId, rehearsal: isRehearsal, username: user.username, now };
      // It has no reports yet.
      const incident = { ...(await insert.one(tx, stored)), sent: [] };
      refuseErrors(besideFuture(futureIn(given, now), contradictions(incident, row, this.deps.regimes.all)));
      // A deadline after the last valid year is not stored; the error is reported instead.
      await scheduleReports(tx, incident, this.deps.regimes, now);
      const changes = changesBetween<object>({}, { ...row, ...(isRehearsal && { rehearsal }) });
      const state = { ...judgedBy(incident), openedBy: nameOf(user) };
      await recordIncident(tx, user, incident, { action: 'INCIDENT_OPENED', at: now, changes, state });
      return incident.id;
    });
  }

  /**
   * Changes the given values. Postponing or removing a deadline requires rank 3 and a reason. Throws NOT_FOUND,
   * FORBIDDEN, BAD_USER_INPUT, also for a reason without any value, and CONFLICT for a closed incident.
   */
  async update(
    caller: Caller,
    { organizationId, incidentId, version, reason, ...given }: IncidentChange,
  ): Promise<void> {
    const user = await this.access.authorizeWrite(caller, 'EDIT_INCIDENTS', organizationId);
    const sent = rowOf(given);
    if (reason != null && Object.keys(sent).length === 0) refuseErrors([REASON_ALONE]);
    const future = futureIn(given, this.deps.now());
    await changeIncident(this.deps, user, { organizationId, incidentId, version }, async (tx, before, now) => {
      // A closed one that is sent back unchanged is refused as closed, and not by its status.
      refuseClosed(before);
      if (sent.status === 'CLOSED') refuseErrors([CLOSING]);
      // Values sent back unchanged are not checked again: other facts may have changed since.
      const differing = WRITTEN.filter(
        (property) => sent[property] !== undefined && sent[property] !== before[property],
      );
      if (differing.length === 0) return undefined;
      const change: Partial<Row> = Object.fromEntries(differing.map((property) => [property, sent[property]]));
      await update.all(tx, { ...before, ...change, now });
      // Another time of awareness may have other facts of the organization.
      const [after] = (await incidentFacts(tx, [incidentId])) as [IncidentFacts];
      const isRelaxed =
        after.awareAt > before.awareAt ||
        (before.significant && !after.significant) ||
        relaxes(this.clock(before, now), this.clock(after, now), now);
      // A time in the future is an error, whatever its effect on deadlines.
      const isJudged = isRelaxed && future.length === 0;
      if (isJudged) await this.access.authorize(caller, 'CORRECT_REPORTS', organizationId);
      refuseErrors([
        ...besideFuture(future, contradictions(after, change, this.deps.regimes.all)),
        ...(isJudged ? reasonErrors(reason) : []),
      ]);
      const changes = { ...changesBetween(before, change), ...factChanges(before, after, this.deps.regimes) };
      return {
        action: 'INCIDENT_UPDATED',
        changes,
        reason: shownReason(reason),
        ...(after.factsAsOf !== before.factsAsOf && { state: judgedBy(after) }),
      };
    });
  }

  /**
   * Closes an incident; idempotent. While a significant incident has outstanding reports, that requires rank
   * 3 and a reason, because closed incidents have no reminders. Throws NOT_FOUND, FORBIDDEN and BAD_USER_INPUT.
   */
  async close(caller: Caller, { reason, ...key }: IncidentClosure): Promise<void> {
    const user = await this.access.authorizeWrite(caller, 'EDIT_INCIDENTS', key.organizationId);
    await changeIncident(this.deps, user, key, async (tx, incident, now) => {
      if (incident.status === 'CLOSED') return undefined;
      // Its reports may be later or missing from now on.
      if (this.owesReport(incident, now)) {
        await this.access.authorize(caller, 'CORRECT_REPORTS', key.organizationId);
        refuseErrors(reasonErrors(reason));
      }
      const at = now.toISOString();
      const closed = { status: 'CLOSED', closedAt: at, closedBy: user.username, updatedAt: at } as const;
      await setStatus.all(tx, { id: incident.id, ...closed });
      const changes = changesBetween(incident, { status: 'CLOSED' });
      const state = { closedBy: nameOf(user) };
      return { action: 'INCIDENT_CLOSED', changes, reason: shownReason(reason), state };
    });
  }

  /** Reopens a closed incident; others stay unchanged. Throws NOT_FOUND and FORBIDDEN (rank 3). */
  async reopen(caller: Caller, key: ChangedIncidentKey): Promise<void> {
    const user = await this.access.authorizeWrite(caller, 'REOPEN_INCIDENTS', key.organizationId);
    await changeIncident(this.deps, user, key, async (tx, incident, now) => {
      if (incident.status !== 'CLOSED') return undefined;
      const opened = { status: 'OPEN', closedAt: null, closedBy: null, updatedAt: now.toISOString() } as const;
      await setStatus.all(tx, { id: incident.id, ...opened });
      return { action: 'INCIDENT_REOPENED', changes: changesBetween(incident, { status: 'OPEN' }) };
    });
  }

  /** Whether the use cases of incidents would accept this caller and have an effect. */
  async permissions(caller: Caller, incident: ManagedIncident) {
    const may = await this.access.granted(caller, incident.organizationId);
    const edits = incident.status !== 'CLOSED' && may('EDIT_INCIDENTS');
    const corrects = incident.status !== 'CLOSED' && may('CORRECT_REPORTS');
    return {
      update: edits,
      close: edits && (may('CORRECT_REPORTS') || !this.owesReport(incident, this.deps.now())),
      reopen: incident.status === 'CLOSED' && may('REOPEN_INCIDENTS'),
      attachFiles: may('ATTACH_FILES'),
      rejudge: corrects,
      addNotes: may('EDIT_INCIDENTS'),
      recordReports: edits,
      correctReports: corrects && incident.sent.length > 0,
    };
  }

  private clock(incident: ClockFacts, now: Date) {
    return reportingClock(this.deps.regimes.all, incident, now);
  }

  private owesReport(incident: ClockFacts, now: Date): boolean {
    return this.clock(incident, now).stages.some(isOwed);
  }
}

/** Closing is a separate mutation. */
const CLOSING = inputError('status', 'must be one of OPEN, CONTAINED, RESOLVED');

/** Nothing would have it. */
const REASON_ALONE = inputError('reason', 'must be given together with a change');

function reasonErrors(reason: string | null | undefined): FieldError[] {
  const sentence = 'is required where a report may then be sent later or not at all';
  return reason == null ? [inputError('reason', sentence)] : [];
}

/** For the trail, also where no reason was required. */
function shownReason(reason: string | null | undefined): string | undefined {
  return reason == null ? undefined : visibleText(reason).trim();
}

const DEFAULTS: Partial<Record<string, unknown>> = defaultsOf('incident');
const PAST = ['awareAt', 'occurredAt', 'classifiedAt', 'handledAt', 'fixAvailableAt'] as const;

/** Given times that are in the future. */
function futureIn(given: IncidentValues, now: Date): readonly string[] {
  return PAST.filter((property) => (given[property] ?? now) > now);
}

/** Errors of those times, with the others except for consequential ones. */
function besideFuture(future: readonly string[], errors: readonly FieldError[]): FieldError[] {
  const follows = ({ path, sentence }: FieldError) =>
    future.some((property) => path.includes(property) || sentence.includes(`{${property}}`));
  return [
    ...future.map((property) => inputError(property, 'must not be in the future')),
    ...errors.filter((error) => !follows(error)),
  ];
}

/** The given values as stored: an instant as ISO 8601, null as the default of a column that has one. */
function rowOf(given: IncidentValues): Partial<Row> {
  const present = WRITTEN.filter((property) => given[property] !== undefined);
  const row: Partial<Row> = Object.fromEntries(
    present.map((property) => [property, stored(property, given[property])]),
  );
  return row.title === undefined ? row : { ...row, title: visibleText(row.title).trim() };
}

function stored(property: Written, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return value === null ? (DEFAULTS[property] ?? null) : value;
}
