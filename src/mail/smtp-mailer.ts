import type { Transporter } from 'nodemailer';
import { composed } from './composed.js';
import { MailFault } from './mail-fault.js';
import type { Mailer, Message } from './mailer.js';
import type { Sender } from './sender.js';

/**
 * Milliseconds; ours. A mail server answers within seconds, and whoever greylists or tarpits for longer is tried again
 * later. `WHOLE` must be well below the time after which the queue gives a delivery to somebody else (jobs/queues.ts).
 */
const CONNECT = 10_000;
const SILENCE = 30_000;
const WHOLE = 60_000;

/** Hands mails to the server of SMTP_URL: with TLS where it offers it, always with `smtps:` or `?requireTLS=true`. */
export class SmtpMailer implements Mailer {
  private transport: Promise<Transporter> | undefined;

  constructor(
    private readonly url: string,
    private readonly sender: Sender,
  ) {}

  async send(message: Message, signal: AbortSignal): Promise<void> {
    const mail = composed(message, this.sender);
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(WHOLE)]);
    this.transport ??= openTransport(this.url);
    const transport = await this.transport;
    try {
      await transport.sendMail({ ...mail, signal: deadline });
    } catch (error) {
      throw faultOf(error as SmtpError);
    }
  }
}

/** The library is loaded with the first mail: a start should not wait for it. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: CONNECT,
    greetingTimeout: CONNECT,
    dnsTimeout: CONNECT,
    socketTimeout: SILENCE,
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

/** Refusals of this message are final when the server says so (5xx); of us, or of the moment, they never are. */
function faultOf(error: SmtpError): MailFault {
  const { code = '', originalCode = '', command = '', responseCode = 0 } = error;
  const told = responseCode === 0 ? '' : ` (${responseCode})`;
  const permanent = responseCode >= 500;
  if (code === 'EAUTH') return new MailFault(`The mail server refused our credentials${told}.`, false, error);
  if (code === 'ETLS' || TLS_FAULT.test(originalCode))
    return new MailFault('No secure connection to the mail server could be made.', false, error);
  if (command === 'RCPT TO') return new MailFault(`The mail server refused the recipient${told}.`, permanent, error);
  if (command === 'MAIL FROM') return new MailFault(`The mail server refused the sender${told}.`, permanent, error);
  if (command === 'DATA') return new MailFault(`The mail server refused the message${told}.`, permanent, error);
  if (code === 'ETIMEDOUT' || code === 'EABORT')
    return new MailFault('The mail server did not answer in time.', false, error);
  return new MailFault('The mail server could not be reached.', false, error);
}
