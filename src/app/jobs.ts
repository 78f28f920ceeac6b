import { ReportingDevices } from '../database/demo/reporting-devices.js';
import { Jobs } from '../jobs/jobs.js';
import { schedule } from '../jobs/schedule.js';
import { MailDelivery } from '../mail/mail-delivery.js';
import { openMailer } from '../mail/mailer.js';
import type { Foundation } from './foundation.js';
import { createServices } from './services.js';

/** Delivers what is queued and runs what is periodic, with services whose statements may take longer than a request's. */
export function createJobs(foundation: Foundation): Jobs {
  const { config, queues, mails, log, now } = foundation;
  const database = foundation.database.forJobs();
  const services = createServices({ ...foundation, database });
  const delivery = new MailDelivery(database, openMailer(config), now);
  const { cloudDefenders, threatBlockers } = services;
  const takers = { cloudDefenders: cloudDefenders.reports, threatBlockers: threatBlockers.reports };
  const demoDevices = config.demo ? new ReportingDevices(database, takers, now) : undefined;
  const periodic = schedule({ ...services, mails, demoDevices });
  const handlers: ConstructorParameters<typeof Jobs>[2] = {
    mail: ({ mailId }, signal) => delivery.deliver(mailId, signal),
    recovery: ({ recoveryId }) => services.recovery.deliver(recoveryId),
  };
  return new Jobs(queues, periodic, handlers, log);
}
