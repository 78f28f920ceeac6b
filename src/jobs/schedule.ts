/** A use case that runs periodically, on one instance at a time. */
export interface PeriodicJob {
  /** `<service>.<method>`. */
  name: string;
  /** When, as cron writes it, in UTC; a minute at least. What was missed while nothing ran is made up for once. */
  every: string;
  /** Idempotent, and short: it is taken for crashed after ten minutes. */
  run(): Promise<unknown>;
}

/** Periodic work on devices of one kind (services/devices/device-monitor.ts). */
interface ScheduledDevices {
  watch: Record<'markSilent' | 'purgeDeleted', () => Promise<unknown>>;
}

/** The services that the schedule calls. */
interface ScheduledServices {
  recovery: { purgeOld(): Promise<unknown> };
  mails: { purgeOld(): Promise<unknown> };
  weeklyReportPosting: { enqueueDue(): Promise<unknown> };
  mailDigests: { postDue(): Promise<unknown> };
  incidentReminders: { remind(): Promise<unknown> };
  reportRetention: { keepMonths(): Promise<unknown> };
  cloudDefenders: ScheduledDevices;
  threatBlockers: ScheduledDevices;
  tokenWarnings: { warnExpiring(): Promise<unknown> };
  idempotency: { purgeOld(): Promise<unknown> };
  organizationPurge: { purgeDeleted(): Promise<unknown> };
  controlReminders: { remindOverdue(): Promise<unknown>; remindExpiring(): Promise<unknown> };
  auditCheckpoints: { createDue(): Promise<unknown> };
  auditPruning: { pruneDue(): Promise<unknown> };
  notificationRetention: { purgeOld(): Promise<unknown> };
  /** Only while the demo is on. */
  demoDevices?: { report(): Promise<unknown> } | undefined;
}

/** Reports of the demo's devices, which run first at the start. */
export const DEMO_REPORTS = 'demoDevices.report';

/** Every periodic job, one line each. */
export function schedule(services: ScheduledServices): PeriodicJob[] {
  return [
    { name: 'incidentReminders.remind', every: '* * * * *', run: () => services.incidentReminders.remind() },
    {
      name: 'controlReminders.remindOverdue',
      every: '5 * * * *',
      run: () => services.controlReminders.remindOverdue(),
    },
    {
      name: 'controlReminders.remindExpiring',
      every: '35 * * * *',
      run: () => services.controlReminders.remindExpiring(),
    },
    {
      name: 'weeklyReportPosting.enqueueDue',
      every: '* * * * *',
      run: () => services.weeklyReportPosting.enqueueDue(),
    },
    { name: 'mailDigests.postDue', every: '*/5 * * * *', run: () => services.mailDigests.postDue() },
    { name: 'tokenWarnings.warnExpiring', every: '5 * * * *', run: () => services.tokenWarnings.warnExpiring() },
    { name: 'idempotency.purgeOld', every: '15 * * * *', run: () => services.idempotency.purgeOld() },
    {
      name: 'notificationRetention.purgeOld',
      every: '10 3 * * *',
      run: () => services.notificationRetention.purgeOld(),
    },
    { name: 'auditCheckpoints.createDue', every: '25 3 * * *', run: () => services.auditCheckpoints.createDue() },
    { name: 'auditPruning.pruneDue', every: '55 3 1 * *', run: () => services.auditPruning.pruneDue() },
    { name: 'recovery.purgeOld', every: '15 * * * *', run: () => services.recovery.purgeOld() },
    { name: 'mails.purgeOld', every: '20 3 * * *', run: () => services.mails.purgeOld() },
    {
      name: 'organizationPurge.purgeDeleted',
      every: '40 3 * * *',
      run: () => services.organizationPurge.purgeDeleted(),
    },
    { name: 'reportRetention.keepMonths', every: '50 3 * * *', run: () => services.reportRetention.keepMonths() },
    ...ofDevices('cloudDefenders', services.cloudDefenders),
    ...ofDevices('threatBlockers', services.threatBlockers),
    ...ofDemo(services.demoDevices),
  ];
}

function ofDemo(devices: ScheduledServices['demoDevices']): PeriodicJob[] {
  return devices === undefined ? [] : [{ name: DEMO_REPORTS, every: '1 * * * *', run: () => devices.report() }];
}

function ofDevices(service: string, { watch }: ScheduledDevices): PeriodicJob[] {
  return [
    { name: `${service}.markSilent`, every: '* * * * *', run: () => watch.markSilent() },
    { name: `${service}.purgeDeleted`, every: '30 3 * * *', run: () => watch.purgeDeleted() },
  ];
}
