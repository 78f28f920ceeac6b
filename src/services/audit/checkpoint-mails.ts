import type { MailQueue } from '../../mail/mailer.js';
import { checkpointMail } from '../../mail/platform-mails.js';
import type { AuditCheckpointService } from './checkpoints.service.js';

/** Mails checkpoints to an address outside the control of the database's operator. */
export class CheckpointMails {
  constructor(
    private readonly checkpoints: AuditCheckpointService,
    private readonly mails: MailQueue,
    private readonly config: { auditCheckpointMail: string | undefined; publicUrl: string },
  ) {}

  /** Does nothing without a configured address. */
  async postDue(): Promise<void> {
    const { auditCheckpointMail: to, publicUrl } = this.config;
    if (to === undefined) return;
    await this.checkpoints.mailDue((tx, made) => this.mails.post(tx, checkpointMail(to, made, publicUrl)));
  }
}
