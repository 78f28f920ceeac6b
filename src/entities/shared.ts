import { type Opt, PrimaryKeyProp, type Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, Property, Check, PrimaryKey } from '@mikro-orm/decorators/legacy';
import type { MailState } from '../values/enums.js';
import { ApiToken } from './tokens.js';

/** The answer to a request that named an `Idempotency-Key`, kept for the same request of the same token. */
@Entity({ tableName: 'idempotent_answer' })
export class IdempotentAnswer {
  [PrimaryKeyProp]?: ['token', 'keyDigest'];

  @ManyToOne(() => ApiToken, { primary: true, deleteRule: 'cascade' })
  token!: Rel<ApiToken>;

  /** Lower-case hexadecimal SHA-256 of the key. */
  @Property({ type: 'string', length: 64, primary: true })
  keyDigest!: string;

  /** Request and answer, encrypted under a key that only the token's holder has (services/shared/idempotent-answers.ts). */
  @Property({ type: 'blob' })
  sealed!: Buffer;

  @Property({ type: 'datetime', length: 3 })
  @Index()
  createdAt!: Date;
}

/** Content of a mail; removed once it was sent, because it may contain a secret of its recipient. */
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
  state: Opt<MailState> = 'QUEUED';

  @Property({ type: 'integer', default: 0 })
  attempts: Opt<number> = 0;

  /** A sentence of ours, never a mail server's, which may contain addresses and names of machines. */
  @Property({ type: 'text', nullable: true })
  lastError?: string | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();

  @Property({ type: 'datetime', length: 3, nullable: true })
  sentAt?: Date | null;
}
