/** The reports of NIS 2 Article 23(4), in the order in which they are sent (decisions §7). */
export const INCIDENT_REPORT_STAGES = ['EARLY_WARNING', 'NOTIFICATION', 'FINAL_REPORT'] as const;

export type IncidentReportStage = (typeof INCIDENT_REPORT_STAGES)[number];

/** A reminder before a deadline, and the one at it. */
export type ReminderKind = 'AHEAD' | 'DUE';
