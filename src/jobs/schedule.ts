/** A use-case that nobody asks for: it comes round, on one instance at a time. */
export interface PeriodicJob {
  /** `<service>.<method>`. */
  name: string;
  /** When, as cron writes it, in UTC; a minute at least. What was missed while nothing ran is made up for once. */
  every: string;
  /** Idempotent, and short: it is taken for crashed after ten minutes. */
  run(): Promise<unknown>;
}

/** The services that the schedule calls. */
export interface ScheduledServices {
  mails: { purgeOld(): Promise<unknown> };
  incidentReminders: { remind(): Promise<unknown> };
}

/** Every periodic job, one line each. */
export function schedule({ mails, incidentReminders }: ScheduledServices): PeriodicJob[] {
  return [
    { name: 'mails.purgeOld', every: '20 3 * * *', run: () => mails.purgeOld() },
    { name: 'incidentReminders.remind', every: '* * * * *', run: () => incidentReminders.remind() },
  ];
}
