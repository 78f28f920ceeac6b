import type { Access } from '../access/access.js';
import type { Caller, UserCaller } from '../access/caller.js';
import type { Privilege } from '../access/roles.js';
import type { Database, Queryable } from '../database/database.js';
import { badUserInput, conflict } from '../errors.js';
import type { IncidentStatus } from '../vocabulary/incident-statuses.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Severity } from '../vocabulary/severities.js';
import { visibleText } from '../vocabulary/visible-text.js';
import { incidentClock } from './incident-clock.js';
import {
  incidentHref,
  lockIncident,
  lockOpenIncident,
  type IncidentKey,
  type LockedIncident,
} from './locked-incident.js';
import { notify } from './notifier.js';
import { lineFaults, proseFaults } from './text-rules.js';

/** What an incident is told by. On opening, null means absent. */
export interface IncidentFacts {
  title?: string | null;
  description?: string | null;
  severity?: Severity | null;
  significant?: boolean | null;
  awareAt?: Date | null;
}

export interface NewIncident extends IncidentFacts {
  organizationId: number;
}

/** Absent leaves a field as it is; null empties the description, and is a fault of every other field. */
export interface IncidentChange extends IncidentFacts, IncidentKey {
  status?: IncidentStatus | null;
}

type Column = Exclude<keyof IncidentChange, keyof IncidentKey>;

/** In the order in which faults and changes are told. */
const COLUMNS: Readonly<Record<Column, { wire: string; words: string }>> = {
  title: { wire: 'title', words: 'title' },
  description: { wire: 'description', words: 'description' },
  severity: { wire: 'severity', words: 'severity' },
  status: { wire: 'status', words: 'status' },
  significant: { wire: 'significant', words: 'significance' },
  awareAt: { wire: 'aware_at', words: 'time of becoming aware' },
};

const INSERT = `
  insert into incident (organization_id, title, description, severity, significant, aware_at, opened_by, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id`;

const UPDATE = `
  update incident set title = $2, description = $3, severity = $4, status = $5, significant = $6, aware_at = $7, updated_at = $8
   where id = $1`;

const CLOSE = `update incident set status = 'CLOSED', closed_at = $2, closed_by = $3, updated_at = $2 where id = $1`;

const REOPEN = `update incident set status = 'OPEN', closed_at = null, closed_by = null, updated_at = $2 where id = $1`;

/** Opening, changing, closing and reopening incidents (decisions §7; docs/adr/0011). */
export class IncidentHandlingService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly now: () => Date,
  ) {}

  /** Opens an incident and returns its id. Throws NOT_FOUND, FORBIDDEN and BAD_USER_INPUT. */
  async open(caller: Caller, { organizationId, ...given }: NewIncident): Promise<number> {
    const user = await this.authorize(caller, 'EDIT_INCIDENTS', organizationId);
    const now = this.now();
    const facts = { ...given, title: visibleText(given.title ?? '').trim(), awareAt: given.awareAt ?? now };
    const faults = factFaults(facts, now);
    if (facts.severity == null) faults.push('severity is required');
    if (faults.length > 0) throw badUserInput(faults);
    const { title, awareAt, description, severity, significant } = facts;
    return this.database.transaction(async (tx) => {
      const [row] = await tx.rows<{ id: number }>(INSERT, [
        ...[organizationId, title, description ?? '', severity, significant ?? false],
        ...[awareAt, user.username, now],
      ]);
      const { id } = row as { id: number };
      await this.tell(tx, user, { id, organizationId }, 'Incident opened', `${user.username} has opened “${title}”.`);
      return id;
    });
  }

  /** Changes what is given. Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT, and CONFLICT for a closed incident. */
  async update(caller: Caller, { organizationId, incidentId, ...given }: IncidentChange): Promise<void> {
    const user = await this.authorize(caller, 'EDIT_INCIDENTS', organizationId);
    const now = this.now();
    const change = { ...given, ...(given.title != null && { title: visibleText(given.title).trim() }) };
    const faults = [...changeFaults(change), ...factFaults(change, now)];
    if (faults.length > 0) throw badUserInput(faults);
    await this.database.transaction(async (tx) => {
      const before = await lockOpenIncident(tx, { organizationId, incidentId });
      const after = changed(before, change);
      const columns = (Object.keys(COLUMNS) as Column[]).filter((column) => after[column] !== before[column]);
      if (columns.length === 0) return;
      if (after.awareAt !== before.awareAt) refuseLateAwareness(after);
      const { title, description, severity, status, significant, awareAt } = after;
      await tx.rows(UPDATE, [incidentId, title, description, severity, status, significant, awareAt, now]);
      const words = columns.map((column) => COLUMNS[column].words).join(', ');
      await this.tell(tx, user, after, 'Incident updated', `${user.username} has changed of “${title}”: ${words}.`);
    });
  }

  /**
   * Closes an incident; closing it again changes nothing. Throws NOT_FOUND and FORBIDDEN, and CONFLICT while a
   * significant incident owes a report: nobody would be reminded of it any more.
   */
  async close(caller: Caller, key: IncidentKey): Promise<void> {
    const user = await this.authorize(caller, 'EDIT_INCIDENTS', key.organizationId);
    await this.database.transaction(async (tx) => {
      const incident = await lockIncident(tx, key);
      if (incident.status === 'CLOSED') return;
      const now = this.now();
      if (owesReport(incident, now)) throw conflict();
      await tx.rows(CLOSE, [incident.id, now, user.username]);
      await this.tell(tx, user, incident, 'Incident closed', `${user.username} has closed “${incident.title}”.`);
    });
  }

  /** Opens a closed incident again; one that is not closed stays as it is. Throws NOT_FOUND and FORBIDDEN (rank 3). */
  async reopen(caller: Caller, key: IncidentKey): Promise<void> {
    const user = await this.authorize(caller, 'REOPEN_INCIDENTS', key.organizationId);
    await this.database.transaction(async (tx) => {
      const incident = await lockIncident(tx, key);
      if (incident.status !== 'CLOSED') return;
      await tx.rows(REOPEN, [incident.id, this.now()]);
      const message = `${user.username} has opened “${incident.title}” again.`;
      await this.tell(tx, user, incident, 'Incident reopened', message);
    });
  }

  private async authorize(caller: Caller, privilege: Privilege, organizationId: number): Promise<UserCaller> {
    await this.access.authorize(caller, privilege, organizationId);
    return this.access.authorizeSelf(caller, 'write');
  }

  private tell(
    tx: Queryable,
    { userId }: UserCaller,
    incident: Pick<LockedIncident, 'id' | 'organizationId'>,
    title: string,
    message: string,
  ): Promise<void> {
    const { organizationId } = incident;
    const to = { privilege: 'READ_INCIDENTS' } as const;
    const href = incidentHref(incident);
    const event = { organizationId, type: 'INCIDENT', title, message, at: this.now(), href, to } as const;
    return notify(tx, { ...event, alerts: 'v_ciso', except: userId });
  }
}

function factFaults({ title, description, awareAt }: IncidentFacts, now: Date): string[] {
  const faults: string[] = [];
  if (title != null) faults.push(...lineFaults('title', title, LIMITS.incident.titleCharacters));
  if (description != null) {
    faults.push(...proseFaults('description', description, LIMITS.incident.descriptionCharacters));
  }
  if (awareAt != null && awareAt > now) faults.push('aware_at must not be in the future');
  return faults;
}

function changeFaults(change: Pick<IncidentChange, Column>): string[] {
  const faults: string[] = [];
  for (const [column, { wire }] of Object.entries(COLUMNS)) {
    if (change[column as Column] === null && column !== 'description') faults.push(`${wire} must not be null`);
  }
  // What closing and reopening ask for must not be gone round.
  if (change.status === 'CLOSED') faults.push('status must be one of OPEN, CONTAINED, RESOLVED');
  return faults;
}

/** The incident as it is to be; instants as ISO 8601, so that the same instant is the same text. */
function changed(before: LockedIncident, { awareAt, description, ...rest }: Pick<IncidentChange, Column>) {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    ...before,
    ...(given as Partial<LockedIncident>),
    description: description === undefined ? before.description : (description ?? ''),
    awareAt: awareAt == null ? before.awareAt : awareAt.toISOString(),
  };
}

/** Nobody reports what they are not aware of. Reports follow each other, so the first one that was sent decides. */
function refuseLateAwareness(incident: LockedIncident): void {
  const { awareAt, earlyWarningSentAt, notificationSentAt, finalReportSentAt } = incident;
  const firstSent = earlyWarningSentAt ?? notificationSentAt ?? finalReportSentAt;
  if (firstSent !== null && Date.parse(awareAt) > Date.parse(firstSent)) {
    throw badUserInput(['aware_at must not be after the first report was sent']);
  }
}

function owesReport(incident: LockedIncident, now: Date): boolean {
  const { applies, earlyWarning, notification, finalReport } = incidentClock(incident, now);
  return applies && [earlyWarning, notification, finalReport].some(({ state }) => state !== 'SENT');
}
