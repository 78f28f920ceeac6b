import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { MailState } from '../vocabulary/mail-states.js';

/** What a mail says; gone as soon as the mail is, because it may hold a secret of its reader. */
export interface MailContent {
  subject: string;
  html: string;
  text: string;
  headers: Readonly<Record<string, string>>;
}

/** A mail on its way, and afterwards the record that it went (docs/adr/0014). */
@Entity({ tableName: 'outgoing_mail' })
@Index({ properties: ['createdAt'] })
@Index({ name: 'outgoing_mail_unsent_index', properties: ['createdAt'], where: `state <> 'SENT'` })
@Check({ name: 'outgoing_mail_state_check', expression: `state in ('QUEUED', 'SENT', 'FAILED')` })
export class OutgoingMail {
  /** Also the first part of its Message-ID, so that a second delivery after a crash is the same message. */
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'text' })
  recipient!: string;

  @Property({ type: 'json', nullable: true })
  content?: MailContent | null;

  @Property({ type: 'text' })
  state: MailState = 'QUEUED';

  @Property({ type: 'integer', default: 0 })
  attempts: number = 0;

  /** A sentence of ours; never what a mail server said, which may hold addresses and names of machines. */
  @Property({ type: 'text', nullable: true })
  lastError?: string | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Date = new Date();

  @Property({ type: 'datetime', length: 3, nullable: true })
  sentAt?: Date | null;
}
