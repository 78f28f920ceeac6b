import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../database/database.js';
import type { MailContent } from '../entities/shared.js';
import { LIMITS } from '../values/limits.js';
import { MailError, type Mailer } from './mailer.js';

/** Milliseconds between the tries to write down that a mail has gone; the last one stays. */
const MARK_PAUSES = [100, 500, 2000, 5000];

// A mail that was given up is tried again when an operator sends its job back from the dead letters.
const BEGIN = `
  update outgoing_mail set attempts = attempts + 1, state = 'QUEUED'
   where id = $1 and state <> 'SENT' and content is not null
  returning recipient, content, attempts, created_at as "createdAt"`;

const MARK_SENT = `
  update outgoing_mail set state = 'SENT', sent_at = $2, content = null, last_error = null
   where id = $1 and state <> 'SENT'`;

const MARK_ERROR = `update outgoing_mail set last_error = $2, state = $3 where id = $1 and state <> 'SENT'`;

interface Begun {
  recipient: string;
  content: MailContent;
  attempts: number;
  createdAt: string;
}

/** Hands mails of the outbox to the mailer, each until it is taken or given up (docs/adr/0014). */
export class MailDelivery {
  /** The server took it, and the database could not be updated yet. Only a crash before that causes a second delivery. */
  private readonly unmarked = new Set<string>();

  constructor(
    private readonly database: Queryable,
    private readonly mailer: Mailer,
    private readonly now: () => Date,
    private readonly markPauses: readonly number[] = MARK_PAUSES,
  ) {}

  /** One try. Throws when the queue should try again, and when it was the last, so that it becomes a dead letter. */
  async deliver(id: string, signal: AbortSignal): Promise<void> {
    if (this.unmarked.has(id)) return this.markSent(id, signal);
    const [mail] = await this.database.rows<Begun>(BEGIN, [id]);
    if (mail === undefined) return;
    const { recipient: to, content, attempts, createdAt } = mail;
    try {
      await this.mailer.send({ id, to, date: new Date(createdAt), ...content }, signal);
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const over = error.permanent || attempts >= LIMITS.mail.attempts;
      await this.database.rows(MARK_ERROR, [id, error.message, over ? 'FAILED' : 'QUEUED']);
      throw error;
    }
    this.unmarked.add(id);
    await this.markSent(id, signal);
  }

  /** No other instance delivers the mail while this one holds the job: giving up sooner would send it twice. */
  private async markSent(id: string, signal: AbortSignal): Promise<void> {
    const at = this.now().toISOString();
    for (let failures = 0; ; failures += 1) {
      try {
        await this.database.rows(MARK_SENT, [id, at]);
        this.unmarked.delete(id);
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        const pause = this.markPauses[Math.min(failures, this.markPauses.length - 1)];
        await sleep(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
