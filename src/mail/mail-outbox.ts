import { randomUUID } from 'node:crypto';
import type { Queryable } from '../database/database.js';
import { db, statement, type Placeholders, type Statement } from '../database/sql.js';
import { untilFewer } from '../database/until-fewer.js';
import type { MailContent } from '../entities/shared.js';
import type { Mail, MailQueue } from './mailer.js';

/** Days that the record of a mail is kept. */
const DAYS_KEPT = 180;
/** Days after which a queued mail is given up: far beyond the last try, so its job was lost. */
const DAYS_UNDER_WAY = 7;
/** Days that the content of a failed mail is kept, so that an operator can repair the cause and send it again. */
const DAYS_OF_CONTENT = 30;
/** Rows changed by one statement, so that none holds locks for long. */
const BATCH = 1000;

const insert = statement<{ id: string; recipient: string; content: string; now: Date }>()((p) =>
  db
    .insertInto('outgoing_mail')
    .values({ id: p('id'), recipient: p('recipient'), content: p('content'), created_at: p('now') }),
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

const purge = statement<{ before: Date }>()((p) =>
  db
    .deleteFrom('outgoing_mail')
    .where('id', 'in', oldest(p).where('state', '<>', 'QUEUED'))
    .returning('id'),
);

const DAY = 24 * 60 * 60 * 1000;

/** Mails that wait for their delivery, stored in the transaction of the change that they report. */
export class MailOutbox implements MailQueue {
  constructor(
    private readonly database: Queryable,
    /** Puts the delivery of this mail into the queue, in the same transaction. */
    private readonly enqueue: (tx: Queryable, mailId: string) => Promise<void>,
    private readonly now: () => Date,
  ) {}

  async post(tx: Queryable, { to, subject, html, text, headers = {} }: Mail): Promise<string> {
    const id = randomUUID();
    const content: MailContent = { subject, html, text, headers };
    await insert.all(tx, { id, recipient: to, content: JSON.stringify(content), now: this.now() });
    await this.enqueue(tx, id);
    return id;
  }

  /** Deletes what failed mails said and, later, their records. Safe to repeat. */
  async purgeOld(): Promise<void> {
    await this.untilDone(giveUp, DAYS_UNDER_WAY);
    await this.untilDone(forgetContent, DAYS_OF_CONTENT);
    await this.untilDone(purge, DAYS_KEPT);
  }

  private async untilDone(step: Statement<{ before: Date }, unknown>, days: number): Promise<void> {
    const before = new Date(this.now().getTime() - days * DAY);
    await untilFewer(BATCH, async () => (await step.all(this.database, { before })).length);
  }
}
