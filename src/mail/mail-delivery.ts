import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../database/database.js';
import type { MailContent } from '../entities/outgoing-mail.js';
import { LIMITS } from '../vocabulary/limits.js';
import { MailFault } from './mail-fault.js';
import type { Mailer } from './mailer.js';

/** Milliseconds between the tries to write down that a mail has gone. */
const MARK_PAUSES = [100, 500, 2000];

// A mail that was given up is tried again when an operator sends its job back from the dead letters.
const BEGIN = `
  update outgoing_mail set attempts = attempts + 1, state = 'QUEUED'
   where id = $1 and state <> 'SENT' and content is not null
  returning recipient, content, attempts, created_at as "createdAt"`;

const MARK_SENT = `
  update outgoing_mail set state = 'SENT', sent_at = $2, content = null, last_error = null
   where id = $1 and state <> 'SENT'`;

const MARK_FAULT = `update outgoing_mail set last_error = $2, state = $3 where id = $1 and state <> 'SENT'`;

interface Begun {
  recipient: string;
  content: MailContent;
  attempts: number;
  createdAt: string;
}

/** Hands mails of the outbox to the mailer, each until it is taken or given up (docs/adr/0014). */
export class MailDelivery {
  /** Taken by the server, though the database could not be told. Only a crash before it can makes a second delivery. */
  private readonly unmarked = new Set<string>();

  constructor(
    private readonly database: Queryable,
    private readonly mailer: Mailer,
    private readonly now: () => Date,
  ) {}

  /** One try. Throws when the queue should try again, and after the last try, so that it becomes a dead letter. */
  async deliver(id: string, signal: AbortSignal): Promise<void> {
    if (this.unmarked.has(id)) return this.markSent(id);
    const [mail] = await this.database.rows<Begun>(BEGIN, [id]);
    if (mail === undefined) return;
    const { recipient: to, content, attempts, createdAt } = mail;
    try {
      await this.mailer.send({ id, to, date: new Date(createdAt), ...content }, signal);
    } catch (error) {
      if (!(error instanceof MailFault)) throw error;
      const over = error.permanent || attempts >= LIMITS.mail.attempts;
      await this.database.rows(MARK_FAULT, [id, error.message, over ? 'FAILED' : 'QUEUED']);
      if (error.permanent) return;
      throw error;
    }
    this.unmarked.add(id);
    await this.markSent(id);
  }

  private async markSent(id: string): Promise<void> {
    const at = this.now().toISOString();
    for (const pause of [...MARK_PAUSES, undefined]) {
      try {
        await this.database.rows(MARK_SENT, [id, at]);
        this.unmarked.delete(id);
        return;
      } catch (error) {
        if (pause === undefined) throw error;
        await sleep(pause);
      }
    }
  }
}
