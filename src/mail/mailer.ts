import { join } from 'node:path';
import type { MailContent } from '../entities/outgoing-mail.js';
import { FileMailer } from './file-mailer.js';
import type { Sender } from './sender.js';
import { SmtpMailer } from './smtp-mailer.js';

/** A mail as it leaves. */
export interface Message extends MailContent {
  /** The same for each attempt: `<id@domain>` becomes its Message-ID. */
  id: string;
  to: string;
  date: Date;
}

/** The way out. */
export interface Mailer {
  /** Resolves when somebody else has taken the message into care. Throws MailFault. */
  send(message: Message, signal: AbortSignal): Promise<void>;
}

/** Over SMTP where there is an address, else as files under DATA_DIR. */
export function openMailer(config: { smtpUrl: string | undefined; dataDir: string; mailFrom: Sender }): Mailer {
  if (config.smtpUrl === undefined) return new FileMailer(join(config.dataDir, 'mail'), config.mailFrom);
  return new SmtpMailer(config.smtpUrl, config.mailFrom);
}
