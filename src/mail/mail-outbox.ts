import { randomUUID } from 'node:crypto';
import { DAY } from '../common/time.js';
import { SpanKind, traced, traceparent } from '../common/tracing.js';
import { insertRows, jsonRows } from '../database/columns.js';
import type { Queryable } from '../database/database.js';
import { db, sql, statement, type Placeholders, type Statement } from '../database/sql.js';
import { untilFewer } from '../database/until-fewer.js';
import type { Logger } from '../logger.js';
import type { MailContent } from '../entities/shared.js';
import { type Mail, type MailQueue, MailError, type Mailer } from './mailer.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MailStatus } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';

/** Days for which the record of a mail is stored. */
const RETENTION_DAYS = 180;
/** Days after which a queued mail is given up: far beyond the last try, so its job was lost. */
const DAYS_UNDER_WAY = 7;
/** Days for which the content of a failed mail is stored, so that an operator can repair the cause and send it again. */
const DAYS_OF_CONTENT = 30;
/** Rows changed by one statement, which bounds the duration of its locks. */
const BATCH = 1000;

const insert = statement<{ rows: string }>()((p) =>
  insertRows('outgoing_mail', ['id', 'recipient', 'content', 'createdAt'], p('rows')),
);

const oldest = (p: Placeholders<{ before: Date }>) =>
  db.selectFrom('outgoing_mail').select('id').where('created_at', '<', p('before')).orderBy('created_at').limit(BATCH);

const giveUp = statement<{ before: Date }>()((p) =>
  db
    .updateTable('outgoing_mail')
    .set(({ fn, val }) => ({ state: 'FAILED', last_error: fn.coalesce('last_error', val('It was never tried.')) }))
    .where('id', 'in', oldest(p).where('state', '=', 'QUEUED'))
    .returning('id'),
);

const forgetContent = statement<{ before: Date }>()((p) =>
  db
    .updateTable('outgoing_mail')
    .set({ content: null })
    .where('id', 'in', oldest(p).where('state', '=', 'FAILED').where('content', 'is not', null))
    .returning('id'),
);

const ended = statement<{ before: Date }>()((p) => oldest(p).where('state', '<>', 'QUEUED'));

const purge = statement<{ ids: readonly string[] }>()((p) =>
  db
    .deleteFrom('outgoing_mail')
    .where('id', '=', ({ fn }) => fn.any(p('ids')))
    .where('state', '<>', 'QUEUED'),
);

/** Creation time set for a mail whose data are deleted, so that the next `purgeOld` in any case removes its file. */
export const LONG_AGO = sql<string>`timestamptz 'epoch'`;

/** Mails that wait for their delivery, stored in the transaction of the change that they report. */
export class MailOutbox implements MailQueue {
  constructor(
    private readonly database: Queryable,
    /** Puts the deliveries of these mails into the queue, in the same transaction. */
    private readonly enqueue: (tx: Queryable, mailIds: readonly string[]) => Promise<void>,
    private readonly now: () => Date,
    /** The directory of mails that became files, which are deleted with their records. */
    private readonly deleteFiles: (ids: readonly string[]) => Promise<void> = async () => undefined,
    private readonly log?: Pick<Logger, 'warn'>,
  ) {}

  async post(tx: Queryable, ...mails: readonly Mail[]): Promise<string[]> {
    const createdAt = this.now().toISOString();
    const trace = traceparent();
    const rows = mails.map(({ to: recipient, subject, html, text, headers: given = {} }) => {
      const headers = { ...given, ...(trace !== undefined && { traceparent: trace }) };
      return { id: randomUUID(), recipient, content: { subject, html, text, headers }, createdAt };
    });
    await insert.all(tx, { rows: jsonRows<'outgoing_mail'>(rows) });
    const ids = rows.map(({ id }) => id);
    await this.enqueue(tx, ids);
    return ids;
  }

  /** Deletes the content of failed mails and, later, their records; returns their number. Idempotent. */
  async purgeOld(): Promise<number> {
    const givenUp = await this.untilDone(giveUp, DAYS_UNDER_WAY);
    if (givenUp > 0) this.log?.warn({ mails: givenUp }, 'mails that no job has sent for a week count as failed');
    const emptied = await this.untilDone(forgetContent, DAYS_OF_CONTENT);
    // A file that is left by a crash in between would never be found without its record.
    const deleted = await this.untilDone(ended, RETENTION_DAYS, async (ids) => {
      await this.deleteFiles(ids);
      await purge.all(this.database, { ids });
    });
    return givenUp + emptied + deleted;
  }

  private untilDone(
    step: Statement<{ before: Date }, { id: string }>,
    days: number,
    after?: (ids: readonly string[]) => Promise<void>,
  ): Promise<number> {
    const before = new Date(this.now().getTime() - days * DAY);
    return untilFewer(BATCH, async () => {
      const ids = (await step.all(this.database, { before })).map(({ id }) => id);
      await after?.(ids);
      return ids.length;
    });
  }
}

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

const markError = statement<{ id: string; error: string; state: MailStatus }>()((p) =>
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
      const message = { id, to, date: new Date(createdAt), ...(content as MailContent) };
      await traced(
        () => ({ name: 'send mail', kind: SpanKind.CLIENT, causes: [message.headers['traceparent']] }),
        () => this.mailer.send(message, signal),
      );
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const over = error.permanent || attempts >= LIMITS.mail.attempts;
      await markError.all(this.database, { id, error: error.message, state: over ? 'FAILED' : 'QUEUED' });
      throw error;
    }
    this.unmarked.add(id);
    await this.markSent(id, signal);
  }

  /** No other instance delivers the mail while this one has the job: giving up sooner would send it twice. */
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
