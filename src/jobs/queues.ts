import type { Queue, QueuePolicy } from 'pg-boss';
import { LIMITS } from '../vocabulary/limits.js';

/** What each queue carries. */
export interface QueueData {
  mail: { mailId: string };
  recovery: { recoveryId: number };
  periodic: { name: string };
}
export type QueueName = keyof QueueData;

/** Seconds. */
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Where mails go that nobody could deliver; `pg-boss` or SQL can send them back. */
const DEAD_MAIL = 'mail-dead';

export interface QueuePlan {
  name: string;
  /** Fixed when the queue is made. */
  policy: QueuePolicy;
  /** Brought up to date by each start. */
  settings: Omit<Queue, 'name' | 'policy' | 'partition'>;
}

/** Every queue; the one that another names comes before it. */
export const QUEUES: readonly QueuePlan[] = [
  { name: DEAD_MAIL, policy: 'standard', settings: { retentionSeconds: 30 * DAY } },
  {
    name: 'mail',
    policy: 'standard',
    settings: {
      deadLetter: DEAD_MAIL,
      retryLimit: LIMITS.mail.attempts - 1,
      // Minutes at first, so that greylisting costs little, and never more than four hours.
      retryDelay: MINUTE,
      retryBackoff: true,
      retryDelayMax: 4 * HOUR,
      // After this a delivery is taken for crashed, and made by somebody else: beyond the mailer's own limit.
      expireInSeconds: 15 * MINUTE,
      deleteAfterSeconds: HOUR,
    },
  },
  {
    name: 'recovery',
    policy: 'standard',
    settings: {
      retryLimit: 5,
      retryDelay: MINUTE,
      retryBackoff: true,
      expireInSeconds: MINUTE,
      deleteAfterSeconds: HOUR,
    },
  },
  {
    name: 'periodic',
    // At most one of each name waits or runs, on however many instances.
    policy: 'exclusive',
    settings: {
      retryLimit: 2,
      retryDelay: MINUTE,
      retryBackoff: true,
      // Who has crashed gives no sign of life, and nobody waits until the time of the job is over.
      heartbeatSeconds: 30,
      expireInSeconds: 10 * MINUTE,
      deleteAfterSeconds: HOUR,
    },
  },
];
