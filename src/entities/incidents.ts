import { defineEntity, type InferEntity } from '@mikro-orm/core';
import { changeTime, creationTime, instant, p, searchIndex, searchable, version } from './columns.js';
import type { IncidentReportStage, IncidentStatus, ReminderKind, ReportManner, Severity } from '../values/enums.js';
import { storedFile } from './documents.js';
import { Organization, type RegimeFacts } from './organizations.js';

/** A security incident with the facts that its reports require (specification 2.4). */
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
    /** When the organization became aware: deadlines count from here. */
    awareAt: instant(),
    /** When it occurred, not after awareness; null if unknown. */
    occurredAt: instant().nullable(),
    /** The facts of the organization used for its judgement and their instant: that of awareness, or of a later judgement. */
    organizationFacts: p.json<RegimeFacts>().defaultRaw(`'{"version": 1, "values": {}}'`),
    factsAsOf: instant().defaultRaw('now()'),
    significant: p.boolean().default(false),
    /** When it was classified as major (Regulation (EU) 2022/2554, Article 18); else null. */
    classifiedAt: instant().nullable(),
    /** When handling ended; final reports are due after it. */
    handledAt: instant().nullable(),
    /** Null if not known yet, as the facts below. */
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
    /** Whether it is an exercise, in a sandbox: its periods are 60 times shorter. */
    rehearsal: p.boolean().default(false),
    /** When its reports have to be checked for a reminder; null while none is due. */
    nextReminderAt: instant().nullable(),
    /** The earliest deadline of its expected reports, with the extension to a working day; null where none has one. */
    nextDeadlineAt: instant().nullable(),
    /** User name of the author at the time. */
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

/** Judgement of a report by its regime at the time of recording; `applies` is false for a voluntary report. */
export interface ReportJudgement {
  applies: boolean;
  regimeName: string;
  source: string;
  reason: string;
  /** The recipient by the regime. */
  recipient: string;
  /** The deadline as extended to a working day, if it was. */
  extendedTo?: string | null;
}

/**
 * A record that a report was sent, or a correction of the previous record. The last record of a regime, stage
 * and number is the valid one.
 */
export const IncidentReport = defineEntity({
  name: 'IncidentReport',
  properties: {
    id: p.bigint('number').primary(),
    ...reportRow(),
    /** Null withdraws the report: it was not sent. */
    sentAt: instant().nullable(),
    /** User name of the sender. */
    sentBy: p.text(),
    recipient: p.text().default(''),
    reference: p.text().default(''),
    /** Copy of the sent report. */
    attachment: p.manyToOne(IncidentAttachment).nullable().deleteRule('set null'),
    /** Its deadline and why it applied, as of recording; the judgement is null until the upgrade has computed it. */
    dueAt: instant().nullable(),
    judgement: p.json<ReportJudgement>().nullable(),
    /** Whether it was sent, or an earlier report already contained everything. */
    manner: p.text().$type<ReportManner>().default('SENT'),
    /** Why it differs from the previous record or was already provided; else empty. */
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

/** A note on an incident. Only its author may change, to a pseudonym: a trigger refuses other changes. */
export const IncidentNote = defineEntity({
  name: 'IncidentNote',
  properties: {
    id: p.bigint('number').primary(),
    ...incidentRow(),
    text: p.text(),
    /** User name of the author at the time. */
    createdBy: p.text(),
    createdAt: creationTime(),
  },
  indexes: [{ properties: ['organization', 'incident', 'id'] }, { properties: ['incident', 'id'] }],
});

/** A reminder of a deadline, sent once. A changed deadline is another one. */
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
