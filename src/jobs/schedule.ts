import type { ReportingDevices } from '../demo/device-traffic.js';
import type { MailOutbox } from '../mail/mail-outbox.js';
import type { Services } from '../services/index.js';

/** A use case that runs periodically, on one instance at a time. */
export interface PeriodicJob {
  /** `<service>.<method>`. */
  name: string;
  /** When, as cron writes it, in UTC; a minute at least. What was missed while nothing ran is made up for once. */
  every: string;
  /** Idempotent, and short: it is taken for crashed after ten minutes. */
  run(): Promise<unknown>;
}

/** Reports of the demo's devices, which run first at the start. */
export const DEMO_REPORTS = 'demoDevices.report';

/** Every periodic job, one line each; reports of the demo's devices only while the demo is on. */
export function schedule(
  services: Services,
  mails: MailOutbox,
  demoDevices: ReportingDevices | undefined,
): PeriodicJob[] {
  const { cloudDefenders, threatBlockers } = services;
  const jobs: Record<string, [every: string, run: PeriodicJob['run']]> = {
    'incidentReminders.remind': ['* * * * *', () => services.incidentReminders.remind()],
    'controlReminders.remindOverdue': ['5 * * * *', () => services.controlReminders.remindOverdue()],
    'controlReminders.remindExpiring': ['35 * * * *', () => services.controlReminders.remindExpiring()],
    'weeklyReportPosting.enqueueDue': ['* * * * *', () => services.weeklyReportPosting.enqueueDue()],
    'mailDigests.postDue': ['*/5 * * * *', () => services.mailDigests.postDue()],
    'tokenWarnings.warnExpiring': ['5 * * * *', () => services.tokenWarnings.warnExpiring()],
    'idempotency.purgeOld': ['15 * * * *', () => services.idempotency.purgeOld()],
    'notificationRetention.purgeOld': ['10 3 * * *', () => services.notificationRetention.purgeOld()],
    'auditCheckpoints.createDue': ['25 3 * * *', () => services.auditCheckpoints.createDue()],
    'auditPruning.pruneDue': ['55 3 1 * *', () => services.auditPruning.pruneDue()],
    'recovery.purgeOld': ['15 * * * *', () => services.recovery.purgeOld()],
    'mails.purgeOld': ['20 3 * * *', () => mails.purgeOld()],
    'organizationPurge.purgeDeleted': ['40 3 * * *', () => services.organizationPurge.purgeDeleted()],
    'reportRetention.keepMonths': ['50 3 * * *', () => services.reportRetention.keepMonths()],
    'cloudDefenders.markSilent': ['* * * * *', () => cloudDefenders.watch.markSilent()],
    'cloudDefenders.purgeDeleted': ['30 3 * * *', () => cloudDefenders.watch.purgeDeleted()],
    'threatBlockers.markSilent': ['* * * * *', () => threatBlockers.watch.markSilent()],
    'threatBlockers.purgeDeleted': ['30 3 * * *', () => threatBlockers.watch.purgeDeleted()],
    ...(demoDevices && { [DEMO_REPORTS]: ['1 * * * *', () => demoDevices.report()] }),
  };
  return Object.entries(jobs).map(([name, [every, run]]) => ({ name, every, run }));
}
