import { defineEntity, type InferEntity } from '@mikro-orm/core';
import { changeTime, creationTime, instant, p, searchIndex, searchable, version } from './columns.js';
import type { IncidentReportStage, IncidentStatus, ReminderKind, ReportManner, Severity } from '../values/enums.js';
import { storedFile } from './documents.js';
import { Organization, type RegimeFacts } from './organizations.js';

/** A security incident with what its reports ask for (specification 2.4). */
export const Incident = defineEntity({
  name: 'Incident',
  properties: {
    id: p.bigint('number').primary(),
    organization: p.manyToOne(Organization).deleteRule('restrict'),
    title: p.text(),
    description: p.text().default(''),
    searchable: searchable(`title || chr(10) || description`),
    severity: p.text().$type<Severity>(),
    status: p.text().$type<IncidentStatus>().default('OPEN'),
    /** When the organization became aware: the clock starts here. */
    awareAt: instant(),
    /** When it occurred, which is not after awareness; null while that is not known. */
    occurredAt: instant().nullable(),
    /** The facts of the organization that it is judged by, and of when they are: of awareness, unless it was judged anew. */
    organizationFacts: p.json<RegimeFacts>().defaultRaw(`'{"version": 1, "values": {}}'`),
    factsAsOf: instant().defaultRaw('now()'),
    significant: p.boolean().default(false),
    /** When it was classified as major (Regulation (EU) 2022/2554, Article 18); null while it is not. */
    classifiedAt: instant().nullable(),
    /** When its handling ended; final reports are due after it. */
    handledAt: instant().nullable(),
    /** Null where it is not known yet, as for the facts below. */
    suspectedMalicious: p.boolean().nullable(),
    crossBorder: p.boolean().nullable(),
    affectsTrustService: p.boolean().nullable(),
    /** Whether that service is a qualified one (Regulation (EU) No 910/2014, Article 24(2)(fb)). */
    affectsQualifiedTrustService: p.boolean().nullable(),
    personalDataConcerned: p.boolean().nullable(),
    exploitedVulnerability: p.boolean().nullable(),
    productConcerned: p.boolean().nullable(),
    /** When a corrective or mitigating measure became available. */
    fixAvailableAt: instant().nullable(),
    /** The deadline that an authority gave with its last request for an intermediate report. */
    intermediateReportDueAt: instant().nullable(),
    /** A category of the regime that applies, such as IS-1. */
    category: p.text().default(''),
    indicators: p.text().default(''),
    impact: p.text().default(''),
    rootCause: p.text().default(''),
    mitigation: p.text().default(''),
    /** Whether it is rehearsed, in a sandbox: its periods are 60 times shorter. */
    rehearsal: p.boolean().default(false),
    /** When its reports have to be looked at for a reminder; null while nothing is due. */
    nextReminderAt: instant().nullable(),
    /** The first deadline of the reports that are owed, by until when they may be sent; null where none has one. */
    nextDeadlineAt: instant().nullable(),
    /** The user name of who opened it, as it was then. */
    openedBy: p.text().default(''),
    closedAt: instant().nullable(),
    closedBy: p.text().nullable(),
    version: version(),
    createdAt: creationTime(),
    updatedAt: changeTime(),
  },
  indexes: [
    searchIndex('incident'),
    { properties: ['organization', 'id'] },
    { properties: ['organization', 'createdAt', 'id'] },
    { properties: ['organization', 'updatedAt', 'id'] },
    { properties: ['organization', 'awareAt', 'id'] },
    { properties: ['organization', 'status', 'awareAt', 'id'] },
    { properties: ['organization', 'severity', 'awareAt', 'id'] },
    { properties: ['organization', 'significant', 'awareAt', 'id'] },
    {
      name: 'incident_severity_rank_index',
      expression: `create index "incident_severity_rank_index" on "incident" (organization_id, array_position('{LOW,MEDIUM,HIGH,CRITICAL}'::text[], severity), id)`,
    },
    {
      name: 'incident_deadline_index',
      properties: ['organization', 'nextDeadlineAt', 'id'],
      where: `status <> 'CLOSED'`,
    },
    { name: 'incident_reminder_index', properties: ['nextReminderAt'], where: 'next_reminder_at is not null' },
  ],
});
export type Incident = InferEntity<typeof Incident>;

/** A file of an incident (specification 2.4). */
export const IncidentAttachment = defineEntity({
  name: 'IncidentAttachment',
  properties: {
    id: p.bigint('number').primary(),
    organization: p.manyToOne(Organization).deleteRule('restrict'),
    incident: p.manyToOne(Incident).deleteRule('restrict'),
    ...storedFile(),
  },
  indexes: [
    { properties: ['organization', 'incident', 'id'] },
    { properties: ['incident', 'id'] },
    { properties: ['sha256'] },
  ],
});

/** Columns of every record about an incident. */
const incidentRow = () => ({
  organization: p.manyToOne(Organization).deleteRule('restrict'),
  incident: p.manyToOne(Incident).deleteRule('cascade'),
});

/** Columns of every record about one of its reports. */
const reportRow = () => ({
  ...incidentRow(),
  regimeId: p.text(),
  stage: p.text().$type<IncidentReportStage>(),
  /** Counts the reports of one stage, from 1. */
  number: p.integer().default(1),
});

/** Judgement of a report by its regime when it was recorded; `applies` is false for one that was sent voluntarily. */
export interface ReportJudgement {
  applies: boolean;
  regimeName: string;
  source: string;
  reason: string;
  /** To whom the regime has it sent. */
  recipient: string;
  /** Until when it might be sent where its deadline was not on a working day. */
  extendedTo?: string | null;
}

/**
 * A record about a report: that it was sent, or a correction of the record before it. The last record of a regime, stage
 * and number holds.
 */
export const IncidentReport = defineEntity({
  name: 'IncidentReport',
  properties: {
    id: p.bigint('number').primary(),
    ...reportRow(),
    /** Null takes the report back: it was not sent after all. */
    sentAt: instant().nullable(),
    /** The user name of who sent it. */
    sentBy: p.text(),
    recipient: p.text().default(''),
    reference: p.text().default(''),
    /** The copy of what was sent. */
    attachment: p.manyToOne(IncidentAttachment).nullable().deleteRule('set null'),
    /** Its deadline and why it applied, as they were when it was recorded; the judgement is null until the upgrade gave it one. */
    dueAt: instant().nullable(),
    judgement: p.json<ReportJudgement>().nullable(),
    /** Whether it was sent, or an earlier report had said all that it would say. */
    manner: p.text().$type<ReportManner>().default('SENT'),
    /** Why it differs from what was recorded before, or had been provided already; else empty. */
    reason: p.text().default(''),
    recordedBy: p.text(),
    recordedAt: creationTime(),
  },
  indexes: [
    { properties: ['organization', 'incident', 'id'] },
    { properties: ['incident', 'id'] },
    { properties: ['attachment'] },
    { name: 'incident_report_unjudged_index', properties: ['incident'], where: 'judgement is null' },
  ],
});

/** A note on an incident. Only its author may change: to a pseudonym; a trigger refuses the rest. */
export const IncidentNote = defineEntity({
  name: 'IncidentNote',
  properties: {
    id: p.bigint('number').primary(),
    ...incidentRow(),
    text: p.text(),
    /** The user name of who wrote it, as it was then. */
    createdBy: p.text(),
    createdAt: creationTime(),
  },
  indexes: [{ properties: ['organization', 'incident', 'id'] }, { properties: ['incident', 'id'] }],
});

/** A reminder of a deadline that was sent, once. A deadline that moved is another one. */
export const IncidentReminder = defineEntity({
  name: 'IncidentReminder',
  properties: {
    id: p.bigint('number').primary(),
    ...reportRow(),
    kind: p.text().$type<ReminderKind>(),
    dueAt: instant(),
    createdAt: creationTime(),
  },
  uniques: [
    { properties: ['incident', 'regimeId', 'stage', 'number', 'kind', 'dueAt'], name: 'incident_reminder_once' },
  ],
  indexes: [{ properties: ['organization', 'id'] }],
});
