import type { Language } from '../messages/language.js';
import type { IncidentReportStage, IncidentStatus, Severity } from '../values/enums.js';
import { PLATFORM, shortened, type Brand } from './mail-layout.js';

/** The facts of a weekly report. Days and instants are ISO 8601. */
export interface WeeklyReportFacts {
  /** Tag of the organization's language. */
  language: string;
  brand: Brand;
  /** Whether the organization is a sandbox: of one there are previews alone. */
  sandbox: boolean;
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

/** A list that may be longer than its shown part. */
export interface Shortened<Item> {
  total: number;
  /** The most urgent first. */
  items: readonly Item[];
}

/** A name in the report, with the path of its page. */
export interface Linked {
  href: string;
}

export interface WorkflowFact extends Linked {
  name: string;
  /** Controls that apply, how many of them are done, and how many are begun. */
  applicable: number;
  done: number;
  inProgress: number;
  /** Of those done, how many rest on stale evidence. */
  stale: number;
  /** Percent done now, and how many points more than a week ago; null when that is not known. */
  percent: number;
  change: number | null;
}

export interface OverdueControl extends Linked {
  controlId: string;
  label: string;
  workflow: string;
  dueDate: string;
}

export interface OpenIncident extends Linked {
  id: number;
  title: string;
  severity: Severity;
  status: IncidentStatus;
  /** The reports that are owed: the next one, and how many there are. */
  owed: Shortened<OwedReport>;
}

interface OwedReport {
  stage: IncidentReportStage;
  number: number;
  regime: string;
  dueAt: string;
  overdue: boolean;
}

export interface DeviceFacts {
  kind: 'CLOUD_DEFENDER' | 'THREAT_BLOCKER';
  healthy: number;
  degraded: number;
  down: number;
  unknown: number;
  /** Some that are down or degraded. */
  troubled: readonly (Linked & { name: string })[];
}

export interface WeeklyReportReader {
  language: Language;
  /** Where links lead. */
  appUrl: string;
  /** Empty when the contact has none. */
  name: string;
  /** Where one click ends the reports (RFC 8058). */
  unsubscribeUrl: string;
}

/** A report in the words of its reader. */
export class WeeklyReport {
  readonly language: Language;
  readonly subject: string;
  readonly greeting: string;
  /** Why the reader gets the report, and from whom. */
  readonly reason: string;
  /** The report in one line. */
  readonly summary: string;
  readonly none: string;
  private readonly week: { week: number; year: string };

  constructor(
    readonly facts: WeeklyReportFacts,
    readonly reader: WeeklyReportReader,
  ) {
    const { language } = reader;
    const { brand, overdue, incidents, devices } = facts;
    const [year = '', week = ''] = facts.week.split('-W');
    const organization = shortened(brand.name);
    this.language = language;
    this.week = { week: Number(week), year };
    this.subject = language.text('report.subject', { organization, ...this.week });
    this.greeting = language.text('report.greeting', { name: reader.name, known: reader.name === '' ? 'no' : 'yes' });
    this.reason = language.text('report.reason', { organization, gateway: PLATFORM.name });
    const down = devices.reduce((sum, each) => sum + each.down, 0);
    const counts = { overdueCount: overdue.total, incidentCount: incidents.total, downCount: down };
    const found = (Object.entries(counts) as [keyof typeof counts, number][]).filter(([, count]) => count > 0);
    const sentences = found.map(([key, count]) => language.text(`report.${key}`, { count }));
    this.summary = sentences.length === 0 ? language.text('report.nothing') : `${sentences.join(', ')}.`;
    this.none = language.text('report.none');
  }

  get opening(): string {
    const organization = shortened(this.facts.brand.name);
    return this.language.text('report.opening', { organization, ...this.week, asOf: this.asOf });
  }

  get title(): string {
    return this.language.text('report.title', this.week);
  }

  get asOf(): string {
    return this.language.instant(this.facts.asOf, this.facts.timeZone);
  }

  url({ href }: Linked): string {
    return `${this.reader.appUrl}${href}`;
  }

  /** `12 of 93 controls done (2 on stale evidence), 8 begun` */
  counts({ done, applicable, inProgress, stale }: WorkflowFact): string {
    return this.language.text('report.counts', { done, applicable, inProgress, stale });
  }

  /** `+4 points since last week` */
  change({ change }: WorkflowFact): string {
    if (change === null) return this.language.text('report.noChangeKnown');
    if (change === 0) return this.language.text('report.sameAsLastWeek');
    return this.language.text('report.change', { points: Math.abs(change), direction: change > 0 ? 'up' : 'down' });
  }

  /** A name or label of a shipped catalogue. */
  shipped(text: string): string {
    return this.language.translated(text);
  }

  due({ dueDate }: OverdueControl): string {
    return this.language.text('report.controlDue', { day: this.language.day(dueDate) });
  }

  /** `Critical, Open` */
  states({ severity, status }: OpenIncident): string {
    const { language } = this;
    const labels = [
      language.text(`enums.IncidentSeverity.${severity}`),
      language.text(`enums.IncidentStatus.${status}`),
    ];
    return labels.join(', ');
  }

  /** The next report that an incident owes, and when by the clocks of the organization's zone; how many there are beside it. */
  deadline({ owed }: OpenIncident): string {
    const [next] = owed.items;
    if (next === undefined) return this.language.text('report.nothingOwed');
    const { stage, number, regime, dueAt, overdue } = next;
    const report = this.language.text(`incident-words.report.${stage}`, {
      number,
      regime: this.language.translated(regime),
    });
    const when = this.language.instant(dueAt, this.facts.timeZone);
    const text = this.language.text(overdue ? 'report.reportOverdue' : 'report.reportDue', { report, when });
    const count = owed.total - owed.items.length;
    return count === 0 ? text : `${text}, ${this.language.text('report.moreReports', { count })}`;
  }

  /** `3 healthy, 1 down` */
  health({ healthy, degraded, down, unknown }: DeviceFacts): string {
    const states = { healthy, degraded, down, unknown };
    const counts = (Object.entries(states) as [keyof typeof states, number][]).filter(([, count]) => count > 0);
    if (counts.length === 0) return this.language.text('report.noDevices');
    return counts.map(([state, count]) => this.language.text(`report.devices.${state}`, { count })).join(', ');
  }

  kind({ kind }: DeviceFacts): string {
    return this.language.text(`device-words.kind.${kind}`);
  }

  /** How many more devices need attention than are named, or nothing. */
  unnamed({ degraded, down, troubled }: DeviceFacts): string {
    return this.rest({ total: degraded + down, items: troubled });
  }

  /** `and 12 more`, or nothing. */
  rest({ total, items }: Shortened<unknown>): string {
    return total > items.length ? this.language.text('report.rest', { count: total - items.length }) : '';
  }
}
