import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { composed } from './composed.js';
import { MailFault } from './mail-fault.js';
import type { Mailer, Message } from './mailer.js';
import type { Sender } from './sender.js';

/** Writes each mail to a file that mail programs open: `<time>-<id>.eml`. A second delivery writes the same file. */
export class FileMailer implements Mailer {
  constructor(
    private readonly directory: string,
    private readonly sender: Sender,
  ) {}

  async send(message: Message): Promise<void> {
    const mail = composed(message, this.sender);
    try {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message: bytes } = await transport.sendMail(mail);
      await this.keep(`${message.date.toISOString().replaceAll(/[:.]/g, '-')}-${message.id}`, bytes as Buffer);
    } catch (cause) {
      throw new MailFault('The mail could not be written to a file.', { cause });
    }
  }

  /** Readable for its owner only, and there as a whole or not at all. */
  private async keep(name: string, bytes: Buffer): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const scratch = join(this.directory, `.${name}.${process.pid}`);
    const file = await open(scratch, 'w', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(scratch, join(this.directory, `${name}.eml`));
  }
}
