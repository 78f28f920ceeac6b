import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter, SendMailOptions } from 'nodemailer';
import { TLS_ERROR } from '../common/failures.js';
import { visibleText } from '../common/visible-text.js';
import type { Queryable } from '../database/database.js';
import type { MailContent } from '../entities/shared.js';
import { ifPresent } from '../storage/blob-store.js';

/** A mail as it leaves. */
export interface Message extends MailContent {
  /** The same for each attempt: `<id@domain>` becomes its Message-ID. */
  id: string;
  to: string;
  date: Date;
}

/** The way out. */
export interface Mailer {
  /** Resolves when the message was handed over. Throws MailError. */
  send(message: Message, signal: AbortSignal): Promise<void>;
}

/** Over SMTP where there is an address, else as files under DATA_DIR. */
export function openMailer(config: { smtpUrl: string | undefined; dataDir: string; mailFrom: Sender }): Mailer {
  if (config.smtpUrl === undefined) return new FileMailer(folderIn(config.dataDir), config.mailFrom);
  return new SmtpMailer(config.smtpUrl, config.mailFrom);
}

const folderIn = (dataDir: string) => join(dataDir, 'mail');

/** Deletes the files of mails by their ids, including incomplete ones of a crash. */
export async function deleteMailFiles({ dataDir }: { dataDir: string }, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const folder = folderIn(dataDir);
  const deleted = new Set(ids);
  const isDeleted = (name: string) => deleted.has(ID_IN_NAME.exec(name)?.[1] ?? '');
  const names = (await ifPresent(() => readdir(folder))) ?? [];
  await Promise.all(names.filter(isDeleted).map((name) => rm(join(folder, name), { force: true })));
}

/** Of a file, `<time>-<id>.eml`, or of one that is being written: `.<time>-<id>.<process>`. */
const ID_IN_NAME = /-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.\w+$/;

/** A mail as a use-case writes it: who sends it and how it travels is decided where it is delivered. */
export interface Mail {
  /** One address. */
  to: string;
  subject: string;
  html: string;
  /** The same for readers without HTML. */
  text: string;
  /** Headers besides the usual, by name. */
  headers?: Readonly<Record<string, string>>;
}

/** Accepts mails; posting is part of the caller's transaction, so that a mail is sent if and only if it commits. */
export interface MailQueue {
  /** Returns the ids (UUID) under which `outgoing_mail` has their states, in the order of the mails. */
  post(tx: Queryable, ...mails: readonly Mail[]): Promise<string[]>;
}

/** Milliseconds. */
interface SmtpLimits {
  /** Each of finding the server, connecting to it, and its greeting: nothing was said yet, so nothing can come twice. */
  connect: number;
  /** For an answer. */
  silence: number;
  whole: number;
}

/**
 * A server may check a message for minutes after its last line; closing sooner would send it twice. So `silence` is the
 * ten minutes of RFC 5321 (4.5.3.2.6), and `whole` is well below the time limit of the job (database/job-queues.ts).
 */
export const SMTP_LIMITS: SmtpLimits = { connect: 10_000, silence: 10 * 60_000, whole: 11 * 60_000 };

/** Hands mails to the server of SMTP_URL: with TLS where it offers it, always with `smtps:` or `?requireTLS=true`. */
export class SmtpMailer implements Mailer {
  private transport: Promise<Transporter> | undefined;

  constructor(
    private readonly url: string,
    private readonly sender: Sender,
    private readonly limits = SMTP_LIMITS,
  ) {}

  async send(message: Message, signal: AbortSignal): Promise<void> {
    const mail = composed(message, this.sender);
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(this.limits.whole)]);
    this.transport ??= openTransport(this.url, this.limits);
    const transport = await this.transport;
    try {
      await transport.sendMail({ ...mail, signal: deadline });
    } catch (error) {
      throw toDomainError(error as SmtpError);
    }
  }
}

/** The library is loaded with the first mail: a start should not wait for it. */
async function openTransport(url: string, { connect, silence }: SmtpLimits): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: connect,
    greetingTimeout: connect,
    dnsTimeout: connect,
    socketTimeout: silence,
  });
}

interface SmtpError extends Error {
  code?: string;
  /** The code of the system or TLS, where `code` only says that it was one of them. */
  originalCode?: string;
  command?: string;
  /** The status that the server answered, such as 550. */
  responseCode?: number;
}

/** The server requires credentials, other ones, or TLS (RFC 4954, 6): every message would be refused. */
const OF_US: readonly number[] = [530, 534, 535, 538];

/** Refusals of this message are final when the server says so (5xx); of us, or of the moment, they never are. */
function toDomainError(cause: SmtpError): MailError {
  const { code = '', originalCode = '', command = '', responseCode = 0 } = cause;
  const answer = responseCode === 0 ? '' : ` (${responseCode})`;
  const permanent = responseCode >= 500 && !OF_US.includes(responseCode);
  if (code === 'EAUTH') return new MailError(`The mail server refused our credentials${answer}.`, { cause });
  if (code === 'ETLS' || TLS_ERROR.test(originalCode))
    return new MailError('No secure connection to the mail server could be made.', { cause });
  if (command === 'RCPT TO')
    return new MailError(`The mail server refused the recipient${answer}.`, { permanent, cause });
  // The sender is MAIL_FROM, in every mail the same: an operator sets it right, and none may be lost until then.
  if (command === 'MAIL FROM') return new MailError(`The mail server refused the sender${answer}.`, { cause });
  if (command === 'DATA') return new MailError(`The mail server refused the message${answer}.`, { permanent, cause });
  if (code === 'ETIMEDOUT' || code === 'EABORT')
    return new MailError('The mail server did not answer in time.', { cause });
  return new MailError('The mail server could not be reached.', { cause });
}

/** Writes each mail to a file that mail programs open: `<time>-<id>.eml`. A second delivery writes the same file. */
class FileMailer implements Mailer {
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
      await this.write(`${message.date.toISOString().replaceAll(/[:.]/g, '-')}-${message.id}`, bytes as Buffer);
    } catch (cause) {
      throw new MailError('The mail could not be written to a file.', { cause });
    }
  }

  /** Readable for its owner only, and there as a whole or not at all. */
  private async write(name: string, bytes: Buffer): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const scratch = join(this.directory, `.${name}.${process.pid}`);
    await writeFile(scratch, bytes, { mode: 0o600, flush: true });
    await rename(scratch, join(this.directory, `${name}.eml`));
  }
}

// The library parses lists, groups and names in an address; this pattern excludes them.
const ONE_ADDRESS = /^[^\s\p{Cc}@,;:<>()[\]"\\]+@[^\s\p{Cc}@,;:<>()[\]"\\]+$/u;

/**
 * The message as the mail library wants it, without characters that would make it look like another one. An address
 * that could become two, or a header, is a permanent MailError; files and addresses in the content are never followed.
 */
export function composed({ id, to, date, subject, html, text, headers }: Message, sender: Sender): SendMailOptions {
  if (!ONE_ADDRESS.test(to)) throw new MailError('The address is no e-mail address.', { permanent: true });
  return {
    from: sender,
    to: { name: '', address: to },
    envelope: { from: sender.address, to: [to] },
    messageId: `<${id}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`,
    date,
    subject: oneLine(subject),
    html: visibleText(html),
    text: visibleText(text),
    headers: {
      // No absence notice should answer an automatic mail (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...headers,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A line break in a name would begin a header of its own. */
function oneLine(value: string): string {
  return visibleText(value)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

/** Why a message was not taken. `message` is a sentence that members may read. */
export class MailError extends Error {
  /** Whether trying again would change nothing: the queue then makes it a dead letter at once. */
  readonly permanent: boolean;

  constructor(message: string, { permanent = false, cause }: { permanent?: boolean; cause?: unknown }) {
    super(message, { cause });
    this.name = 'MailError';
    this.permanent = permanent;
  }
}

/** The sender of all mails. */
export interface Sender {
  /** Shown before the address. */
  name: string;
  address: string;
}

const DEFAULT_NAME = 'Compliance Gateway';

// Quotes, angle brackets and line breaks could make a second address or a header of a name.
const NAMED = /^(?<name>[^"<>\p{Cc}]{1,100}?)\s*<(?<address>[^<>]+)>$/u;
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f.:]+\])$/;

/** Reads `Name <name@example.com>` or a bare address. Throws an Error whose message is the rest of "MAIL_FROM …". */
export function parseSender(text: string): Sender {
  const { name = DEFAULT_NAME, address = text } = NAMED.exec(text)?.groups ?? {};
  if (!ADDRESS.test(address)) throw new Error('must be an e-mail address, or a name and an address in angle brackets');
  return { name: name.trim(), address };
}

/** The sender when none is configured: the public host name, though it takes no answers. */
export function defaultSender(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  const isAddress = /^[\d.]+$/.test(hostname);
  return `no-reply@${isAddress ? `[${hostname}]` : hostname}`;
}
