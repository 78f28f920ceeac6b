import type { Transporter } from 'nodemailer';
import { composed } from './composed.js';
import { MailFault } from './mail-fault.js';
import type { Mailer, Message } from './mailer.js';
import type { Sender } from './sender.js';

/** Milliseconds. */
export interface SmtpLimits {
  /** Each of finding the server, connecting to it, and its greeting: nothing was said yet, so nothing can come twice. */
  connect: number;
  /** For an answer. */
  silence: number;
  whole: number;
}

/**
 * A server may judge a message for minutes after its last line; whoever hangs up sooner gets it delivered and sends it
 * again. So `silence` is the ten minutes of RFC 5321 (4.5.3.2.6). `whole` must be well below the time after which the
 * queue gives a delivery to somebody else (jobs/queues.ts).
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
      throw faultOf(error as SmtpError);
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
  /** What the system or TLS said, where `code` only says that it was them. */
  originalCode?: string;
  command?: string;
  /** What the server answered, such as 550. */
  responseCode?: number;
}

const TLS_FAULT = /CERT|TLS|SSL|VERIFY/;

/** The server wants credentials, better ones, or TLS (RFC 4954, 6): whatever it refuses with these, it refuses us. */
const OF_US: readonly number[] = [530, 534, 535, 538];

/** Refusals of this message are final when the server says so (5xx); of us, or of the moment, they never are. */
function faultOf(cause: SmtpError): MailFault {
  const { code = '', originalCode = '', command = '', responseCode = 0 } = cause;
  const told = responseCode === 0 ? '' : ` (${responseCode})`;
  const permanent = responseCode >= 500 && !OF_US.includes(responseCode);
  if (code === 'EAUTH') return new MailFault(`The mail server refused our credentials${told}.`, { cause });
  if (code === 'ETLS' || TLS_FAULT.test(originalCode))
    return new MailFault('No secure connection to the mail server could be made.', { cause });
  if (command === 'RCPT TO')
    return new MailFault(`The mail server refused the recipient${told}.`, { permanent, cause });
  // The sender is MAIL_FROM, in every mail the same: an operator sets it right, and none may be lost until then.
  if (command === 'MAIL FROM') return new MailFault(`The mail server refused the sender${told}.`, { cause });
  if (command === 'DATA') return new MailFault(`The mail server refused the message${told}.`, { permanent, cause });
  if (code === 'ETIMEDOUT' || code === 'EABORT')
    return new MailFault('The mail server did not answer in time.', { cause });
  return new MailFault('The mail server could not be reached.', { cause });
}
