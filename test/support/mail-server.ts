import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as the server received it. */
export interface ReceivedMail extends Email {
  /** The recipients of the envelope. */
  recipients: string[];
  /** The raw header lines, unfolded. */
  head: string;
}

/** A mail server on the loopback interface, whose responses a test sets. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Responses to MAIL, RCPT and DATA instead of success; each is used once. */
  readonly refusals: { at: 'MAIL' | 'RCPT' | 'DATA'; code: number }[] = [];
  /** Awaited before the response to the end of a message. */
  beforeTaking: () => Promise<void> = async () => undefined;
  private server: SMTPServer;
  private port = 0;

  private constructor(private readonly options: SMTPServerOptions) {
    this.server = this.build();
  }

  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    await server.listen();
    return server;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Closes its port. */
  async goAway(): Promise<void> {
    await new Promise<void>((done) => this.server.close(() => done()));
  }

  /** Listens at the same address again. */
  async comeBack(): Promise<void> {
    this.server = this.build();
    await this.listen();
  }

  private async listen(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(this.port, '127.0.0.1', done));
    this.port = (this.server.server.address() as AddressInfo).port;
  }

  private build(): SMTPServer {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 100,
      logger: false,
      onMailFrom: (_address, _session, answer) => answer(this.refusalAt('MAIL')),
      onRcptTo: (_address, _session, answer) => answer(this.refusalAt('RCPT')),
      onData: (stream, session, answer) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const refusal = this.refusalAt('DATA');
          if (refusal) return answer(refusal);
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          void this.take(Buffer.concat(chunks), recipients).then(() => answer());
        });
      },
      ...this.options,
    });
    server.on('error', () => undefined);
    return server;
  }

  private async take(bytes: Buffer, recipients: string[]): Promise<void> {
    const [head = ''] = bytes.toString('utf8').split('\r\n\r\n', 1);
    const mail = await PostalMime.parse(bytes);
    this.received.push({ ...mail, recipients, head: `${head.replaceAll(/\r\n[ \t]+/g, ' ')}\r\n` });
    await this.beforeTaking();
  }

  private refusalAt(command: 'MAIL' | 'RCPT' | 'DATA'): Error | null {
    const [next] = this.refusals;
    if (next?.at !== command) return null;
    this.refusals.shift();
    return Object.assign(new Error('<someone@host.internal> not now'), { responseCode: next.code });
  }
}
