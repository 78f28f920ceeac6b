import { randomUUID } from 'node:crypto';
import type { Queryable } from '../database/database.js';
import { untilFewer } from '../database/until-fewer.js';
import type { MailContent } from '../entities/shared.js';
import type { Mail, MailQueue } from './mailer.js';

/** Days that the record of a mail is kept, whatever became of it. */
const DAYS_KEPT = 180;
/** Days after which a mail that is still under way is given up: far beyond the last try, so its job was lost. */
const DAYS_UNDER_WAY = 7;
/** Days that what a failed mail said is kept, so that an operator can set its cause right and send it again. */
const DAYS_OF_CONTENT = 30;
/** Rows changed by one statement, so that none holds locks for long. */
const BATCH = 1000;

const POST = `insert into outgoing_mail (id, recipient, content, created_at) values ($1, $2, $3, $4)`;

const GIVE_UP = `
  update outgoing_mail set state = 'FAILED', last_error = coalesce(last_error, 'It was never tried.')
   where id in (select id from outgoing_mail where state = 'QUEUED' and created_at < $1 order by created_at limit ${BATCH})
  returning 1`;

const FORGET_CONTENT = `
  update outgoing_mail set content = null
   where id in (select id from outgoing_mail where state = 'FAILED' and content is not null and created_at < $1
                 order by created_at limit ${BATCH})
  returning 1`;

const PURGE = `
  delete from outgoing_mail
   where id in (select id from outgoing_mail where created_at < $1 and state <> 'QUEUED' order by created_at limit ${BATCH})
  returning 1`;

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
    await tx.rows(POST, [id, to, JSON.stringify(content), this.now().toISOString()]);
    await this.enqueue(tx, id);
    return id;
  }

  /** Forgets what failed mails said and, later, that there were mails. Repeats what it is in doubt about. */
  async purgeOld(): Promise<void> {
    await this.purge(GIVE_UP, DAYS_UNDER_WAY);
    await this.purge(FORGET_CONTENT, DAYS_OF_CONTENT);
    await this.purge(PURGE, DAYS_KEPT);
  }

  private async purge(text: string, days: number): Promise<void> {
    const before = new Date(this.now().getTime() - days * DAY).toISOString();
    await untilFewer(BATCH, async () => (await this.database.rows(text, [before])).length);
  }
}
