import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../database/database.js';
import { db, statement } from '../database/sql.js';
import type { MailContent } from '../entities/shared.js';
import type { MailState } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';
import { MailError, type Mailer } from './mailer.js';

/** Milliseconds between the tries to write down that a mail has gone; the last one stays. */
const MARK_PAUSES = [100, 500, 2000, 5000];

// A failed mail is tried again when an operator sends its job back from the dead letters.
const begin = statement<{ id: string }>()((p) =>
  db
    .updateTable('outgoing_mail')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), state: 'QUEUED' }))
    .where('id', '=', p('id'))
    .where('state', '<>', 'SENT')
    .where('content', 'is not', null)
    .returning(['recipient', 'content', 'attempts', 'created_at as createdAt']),
);

const markSent = statement<{ id: string; now: Date }>()((p) =>
  db
    .updateTable('outgoing_mail')
    .set({ state: 'SENT', sent_at: p('now'), content: null, last_error: null })
    .where('id', '=', p('id'))
    .where('state', '<>', 'SENT'),
);

const markError = statement<{ id: string; error: string; state: MailState }>()((p) =>
  db
    .updateTable('outgoing_mail')
    .set({ last_error: p('error'), state: p('state') })
    .where('id', '=', p('id'))
    .where('state', '<>', 'SENT'),
);

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
    const mail = await begin.first(this.database, { id });
    if (mail === undefined) return;
    const { recipient: to, content, attempts, createdAt } = mail;
    try {
      await this.mailer.send({ id, to, date: new Date(createdAt), ...(content as MailContent) }, signal);
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const over = error.permanent || attempts >= LIMITS.mail.attempts;
      await markError.all(this.database, { id, error: error.message, state: over ? 'FAILED' : 'QUEUED' });
      throw error;
    }
    this.unmarked.add(id);
    await this.markSent(id, signal);
  }

  /** No other instance delivers the mail while this one holds the job: giving up sooner would send it twice. */
  private async markSent(id: string, signal: AbortSignal): Promise<void> {
    const now = this.now();
    for (let failures = 0; ; failures += 1) {
      try {
        await markSent.all(this.database, { id, now });
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
