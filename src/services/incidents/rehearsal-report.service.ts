import { Readable } from 'node:stream';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { Database } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import { markedAsSandbox } from '../../mail/mail-layout.js';
import { languageOf } from '../../messages/language.js';
import type { KeyBelow } from '../../messages/message-key.js';
import type { AuditAction } from '../../values/audit.js';
import { LIMITS } from '../../values/limits.js';
import { entryRecords } from '../audit/entry-records.js';
import type { ReadRecorder } from '../audit/read-recorder.js';
import { changesBetween } from '../audit/record.js';
import { incidentEvent, incidentFacts, type IncidentFacts, type IncidentKey } from './incidents.service.js';
import { reportName } from './notifications.js';
import { draftPdf } from './report-print.js';
import { isOwed, reportingClock, type IncidentStage } from './reporting-clock.js';
import type { ReportingRegimes } from './reporting-regimes.js';

type RehearsalText = KeyBelow<'drafts.rehearsal'>;

/** A report of a rehearsal. Instants are ISO 8601 in UTC. */
export interface RehearsalReport {
  incidentId: number;
  title: string;
  openedAt: string;
  closedAt: string | null;
  speed: number;
  firstNoteAt: string | null;
  stages: (Pick<
    IncidentStage,
    'regimeId' | 'regimeName' | 'stage' | 'number' | 'state' | 'dueAt' | 'sentAt' | 'sentBy'
  > & {
    /** Null if it was sent in time or is not due yet. */
    lateSeconds: number | null;
  })[];
  /** The first action of each person, earliest first. */
  reactions: { user: { username: string } | null; action: AuditAction; at: string; secondsAfterOpening: number }[];
}

const [e, l] = [table('audit_entry', 'e'), table('audit_log', 'l')];

interface Trail {
  organizationId: number;
  /** Such as `INCIDENT/7`. */
  subject: string;
  until: string;
}

/** The first entry about an incident of each person, and the first note. */
const firstEntries = statement<Trail>()(
  (p) => sql<{ entry: string; isNote: boolean }>`
    with own as (
      select ${e.position}, ${e.actor}, ${e.action}, ${e.entry} from ${e.table}
       where ${e.log_id} = (select ${l.id} from ${l.table} where ${l.organization_id} = ${p('organizationId')})
         and (${e.subject} = ${p('subject')} or ${e.parent} = ${p('subject')}) and ${e.at} <= ${p('until')}),
    first as (
      (select distinct on (actor) position from own where entry::json #>> '{actor,type}' in ('USER', 'SERVICE_ACCOUNT')
        order by actor, position)
      union select min(position) from own where action = 'NOTE_ADDED')
    select own.entry, own.action = 'NOTE_ADDED' as "isNote" from own join first on first.position = own.position
     order by own.position`,
);

const backgroundOf = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('organization')
    .select(['name', 'time_zone as timeZone', 'language'])
    .where('id', '=', p('organizationId')),
);

/** Points of a document: each is 10 ms of a processor (docs/limits.md). */
const POINTS = 10;

/** Reactions of members in a rehearsal, from its audit trail (docs/incidents.md). */
export class RehearsalReportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly deps: { regimes: ReportingRegimes; readings: ReadRecorder; now: () => Date },
  ) {}

  /** Up to its end, or now. Throws NOT_FOUND if the incident is no rehearsal, and FORBIDDEN without access to the trail. */
  async report(caller: Caller, key: IncidentKey): Promise<RehearsalReport> {
    await this.access.authorize(caller, 'READ_AUDIT_TRAIL', key.organizationId);
    return this.reportOf(await this.rehearsal(key));
  }

  /** The same as a PDF in the organization's language: deterministic once it is closed. The download is recorded. */
  async prepare(caller: Caller, key: IncidentKey): Promise<PreparedFile> {
    await this.access.authorize(caller, 'READ_AUDIT_TRAIL', key.organizationId);
    const incident = await this.rehearsal(key);
    const open = async () => {
      const content = await draftPdf(await this.printed(incident));
      const changes = changesBetween<object>({}, { format: 'pdf' });
      const facts = { action: 'REHEARSAL_REPORT_DOWNLOADED', at: this.deps.now(), changes } as const;
      await this.deps.readings.read(caller, incidentEvent(incident, facts));
      return Readable.from([content]);
    };
    return { name: `rehearsal-${incident.id}.pdf`, points: POINTS, open };
  }

  private async rehearsal({ organizationId, incidentId }: IncidentKey): Promise<IncidentFacts> {
    const [incident] = await incidentFacts(this.database, [incidentId]);
    if (incident?.organizationId !== organizationId || !incident.rehearsal) throw notFound();
    return incident;
  }

  private async reportOf(incident: IncidentFacts): Promise<RehearsalReport> {
    const { id, organizationId, title, createdAt: openedAt, closedAt } = incident;
    const until = closedAt ?? this.deps.now().toISOString();
    const found = await firstEntries.all(this.database, { organizationId, subject: `INCIDENT/${id}`, until });
    const entries = await entryRecords(this.database, found);
    const people = new Set<string>();
    const clock = reportingClock(this.deps.regimes.all, incident, new Date(until));
    return {
      ...{ incidentId: id, title, openedAt, closedAt, speed: LIMITS.incident.rehearsalSpeed },
      firstNoteAt: entries.find(({ isNote }) => isNote)?.at ?? null,
      stages: clock.stages
        .filter((stage) => isOwed(stage) || stage.state === 'SENT')
        .map(({ regimeId, regimeName, stage, number, state, dueAt, extendedTo, sentAt, sentBy }) => ({
          ...{ regimeId, regimeName, stage, number, state, dueAt, sentAt, sentBy },
          lateSeconds: secondsBetween(extendedTo ?? dueAt, sentAt ?? until),
        })),
      reactions: entries.flatMap(({ actor: { user, userId }, action, at }) => {
        if (userId === null || people.has(userId)) return [];
        people.add(userId);
        return [{ user, action, at, secondsAfterOpening: secondsBetween(openedAt, at) ?? 0 }];
      }),
    };
  }

  private async printed(incident: IncidentFacts) {
    const report = await this.reportOf(incident);
    const { organizationId } = incident;
    const { name, timeZone, language: tag } = await backgroundOf.one(this.database, { organizationId });
    const language = languageOf(tag);
    const text = (key: RehearsalText, values: Record<string, string | number> = {}) =>
      language.text(`drafts.rehearsal.${key}`, values);
    const instant = (at: string | null, none: RehearsalText) =>
      at === null ? text(none) : language.instant(at, timeZone);
    const line = (key: RehearsalText, value: string) => `${text(key)}: ${value}`;
    const fields = report.stages.map(({ regimeName: regime, stage, number, dueAt, sentAt, sentBy, lateSeconds }) => {
      const values = {
        ...{ due: instant(dueAt, 'noDeadline'), sent: instant(sentAt, 'none'), by: sentBy?.username ?? '' },
        minutes: Math.ceil((lateSeconds ?? 0) / 60),
      };
      const key = sentAt === null ? 'notSent' : lateSeconds === null ? 'inTime' : 'late';
      return {
        heading: reportName(language, { stage, number, regime }),
        text: text(key, values),
        known: sentAt !== null,
      };
    });
    const reactions = report.reactions.map(({ user, action, at, secondsAfterOpening }) =>
      text('reaction', {
        ...{ at: language.instant(at, timeZone), user: user?.username ?? language.text('notice.formerUser') },
        action: language.text(`enums.AuditAction.${action}`),
        minutes: Math.floor(secondsAfterOpening / 60),
      }),
    );
    return {
      title: markedAsSandbox(text('title', { title: report.title }), language),
      lines: [
        text('speed', { speed: report.speed }),
        line('organization', name),
        line('opened', instant(report.openedAt, 'none')),
        line('closed', instant(report.closedAt, 'open')),
        line('firstNote', instant(report.firstNoteAt, 'none')),
      ],
      fields: [...fields, { heading: text('reactions'), text: reactions.join('\n') || text('none'), known: true }],
      ...{ draftedAt: report.closedAt ?? this.deps.now().toISOString(), language: language.tag },
    };
  }
}

/** Null without an end after the beginning; fractions of a second are rounded up. */
function secondsBetween(from: string | null, to: string): number | null {
  const seconds = from === null ? 0 : Math.ceil((Date.parse(to) - Date.parse(from)) / 1000);
  return seconds > 0 ? seconds : null;
}
