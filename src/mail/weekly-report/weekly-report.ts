import type { Brand } from '../mail-layout.js';

/** The facts of a weekly report. Days and instants are ISO 8601. */
export interface WeeklyReportFacts {
  brand: Brand;
  /** IANA name: the zone in which days and times are shown. */
  timeZone: string;
  /** ISO week, such as `2026-W47`. */
  week: string;
  /** When these were the facts, in UTC. */
  asOf: string;
  workflows: readonly WorkflowFact[];
  overdue: Shortened<OverdueControl>;
  incidents: Shortened<OpenIncident>;
  devices: readonly DeviceFacts[];
}

/** A list that may be longer than what is shown of it. */
export interface Shortened<Item> {
  total: number;
  /** The most urgent first. */
  items: readonly Item[];
}

export interface WorkflowFact {
  name: string;
  /** Controls that apply, how many of them are done, and how many are begun. */
  applicable: number;
  done: number;
  inProgress: number;
  /** Percent done now, and how many points more than a week ago; null when that is not known. */
  percent: number;
  change: number | null;
}

export interface OverdueControl {
  controlId: string;
  label: string;
  workflow: string;
  dueDate: string;
}

export interface OpenIncident {
  id: number;
  title: string;
  severity: string;
  status: string;
  /** The next report that is owed under NIS 2 Article 23(4); null when none is. */
  deadline: { stage: 'early warning' | 'notification' | 'final report'; dueAt: string; overdue: boolean } | null;
}

export interface DeviceFacts {
  kind: string;
  healthy: number;
  degraded: number;
  down: number;
  unknown: number;
  /** Names of some that are down or degraded. */
  troubled: readonly string[];
}

export interface WeeklyReportReader {
  /** Empty when the contact has none. */
  name: string;
  /** Where one click ends the reports (RFC 8058). */
  unsubscribeUrl: string;
}
