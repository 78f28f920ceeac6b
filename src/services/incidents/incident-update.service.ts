import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import type { Privilege } from '../../auth/roles.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { conflict, inputError, invalidInput } from '../../errors.js';
import type { IncidentStatus, Severity } from '../../values/enums.js';

import { visibleText } from '../../common/visible-text.js';
import { incidentClock } from './reporting-clock.js';
import {
  incidentHref,
  lockIncident,
  lockOpenIncident,
  type IncidentKey,
  type LockedIncident,
} from './incident-lock.js';
import { notify } from '../notifications/notifier.js';

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
  severity: Severity;
}

/** Absent leaves a field as it is; null empties the description, and is a fault of every other field. */
export interface IncidentChange extends IncidentFacts, IncidentKey {
  status?: IncidentStatus | null;
}

type Column = Exclude<keyof IncidentChange, keyof IncidentKey>;

/** What each field is called in a notification. */
const COLUMNS: Readonly<Record<Column, string>> = {
  title: 'title',
  description: 'description',
  severity: 'severity',
  status: 'status',
  significant: 'significance',
  awareAt: 'time of becoming aware',
};

interface WrittenIncident {
  title: string;
  description: string;
  severity: Severity;
  significant: boolean;
  awareAt: Date | string;
  now: Date;
}

const insert = statement<WrittenIncident & { organizationId: number; username: string }>()((p) =>
  db
    .insertInto('incident')
    .values({
      organization_id: p('organizationId'),
      title: p('title'),
      description: p('description'),
      severity: p('severity'),
      significant: p('significant'),
      aware_at: p('awareAt'),
      opened_by: p('username'),
      created_at: p('now'),
      updated_at: p('now'),
    })
    .returning('id'),
);

const update = statement<WrittenIncident & { id: number; status: IncidentStatus }>()((p) =>
  db
    .updateTable('incident')
    .set({
      title: p('title'),
      description: p('description'),
      severity: p('severity'),
      status: p('status'),
      significant: p('significant'),
      aware_at: p('awareAt'),
      updated_at: p('now'),
    })
    .where('id', '=', p('id')),
);

const close = statement<{ id: number; now: Date; username: string }>()((p) =>
  db
    .updateTable('incident')
    .set({ status: 'CLOSED', closed_at: p('now'), closed_by: p('username'), updated_at: p('now') })
    .where('id', '=', p('id')),
);

const reopen = statement<{ id: number; now: Date }>()((p) =>
  db
    .updateTable('incident')
    .set({ status: 'OPEN', closed_at: null, closed_by: null, updated_at: p('now') })
    .where('id', '=', p('id')),
);

/** Opening, changing, closing and reopening incidents (docs/adr/0011). */
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
    refuseFuture(facts.awareAt, now);
    const { title, awareAt, description, severity, significant } = facts;
    return this.database.transaction(async (tx) => {
      const written = { title, description: description ?? '', severity, significant: significant ?? false, awareAt };
      const { id } = await insert.one(tx, { ...written, organizationId, username: user.username, now });
      await this.tell(tx, user, { id, organizationId }, 'Incident opened', `${user.username} has opened “${title}”.`);
      return id;
    });
  }

  /** Changes what is given. Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT, and CONFLICT for a closed incident. */
  async update(caller: Caller, { organizationId, incidentId, ...given }: IncidentChange): Promise<void> {
    const user = await this.authorize(caller, 'EDIT_INCIDENTS', organizationId);
    const now = this.now();
    const change = { ...given, ...(given.title != null && { title: visibleText(given.title).trim() }) };
    refuseFuture(change.awareAt, now);
    await this.database.transaction(async (tx) => {
      const before = await lockOpenIncident(tx, { organizationId, incidentId });
      const after = changed(before, change);
      const columns = (Object.keys(COLUMNS) as Column[]).filter((column) => after[column] !== before[column]);
      if (columns.length === 0) return;
      if (after.awareAt !== before.awareAt) refuseLateAwareness(after);
      await update.all(tx, { ...after, now });
      const words = columns.map((column) => COLUMNS[column]).join(', ');
      await this.tell(
        tx,
        user,
        after,
        'Incident updated',
        `${user.username} has changed of “${after.title}”: ${words}.`,
      );
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
      await close.all(tx, { id: incident.id, now, username: user.username });
      await this.tell(tx, user, incident, 'Incident closed', `${user.username} has closed “${incident.title}”.`);
    });
  }

  /** Opens a closed incident again; one that is not closed stays as it is. Throws NOT_FOUND and FORBIDDEN (rank 3). */
  async reopen(caller: Caller, key: IncidentKey): Promise<void> {
    const user = await this.authorize(caller, 'REOPEN_INCIDENTS', key.organizationId);
    await this.database.transaction(async (tx) => {
      const incident = await lockIncident(tx, key);
      if (incident.status !== 'CLOSED') return;
      await reopen.all(tx, { id: incident.id, now: this.now() });
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

function refuseFuture(awareAt: Date | null | undefined, now: Date): void {
  if (awareAt != null && awareAt > now) throw invalidInput([inputError('awareAt', 'must not be in the future')]);
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
    throw invalidInput([inputError('awareAt', 'must not be after the first report was sent')]);
  }
}

function owesReport(incident: LockedIncident, now: Date): boolean {
  const { applies, earlyWarning, notification, finalReport } = incidentClock(incident, now);
  return applies && [earlyWarning, notification, finalReport].some(({ state }) => state !== 'SENT');
}
