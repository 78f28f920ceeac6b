import type { Socket } from 'node:net';
import { Relay } from './relay.js';

/** Statements of background work: token usage, checks of NOTIFY, consumers and the sealer. */
const FROM_THE_SIDE =
  /^\s*(?:update "?api_token"? set "?last_used_at|select pg_notify|select exists \(\s*select from "?audit_log|select "l"\."id", "l"\."organization_id" as|select pg_snapshot_xmin)|"audit_(?:seal|checkpoint)"/;
/** Marks of transactions of a consumer, of the sealer, of the token address recorder, and of the storage comparison. */
const BACKGROUND =
  /advisory_xact_lock\(7214004|"audit_seal"|insert into "?token_address|from "installation" for update/;
/** The connection that listens for access changes sends heartbeats. */
const LISTENER = 'compliance-gateway access';

/**
 * A proxy between a gateway and PostgreSQL that records each executed statement, as the server sees it, for any driver.
 */
export class StatementWatch extends Relay {
  private texts: string[] | undefined;

  static before(databaseUrl: string): Promise<StatementWatch> {
    return new StatementWatch().listen(databaseUrl);
  }

  /** Texts of the statements of requests while `work` ran, in order. */
  async during(work: () => Promise<unknown>): Promise<string[]> {
    const texts: string[] = [];
    this.texts = texts;
    await work();
    this.texts = undefined;
    return texts;
  }

  protected join(client: Socket, toService: () => Socket): void {
    const server = toService();
    const reader = new FrontendReader((text) => {
      if (!FROM_THE_SIDE.test(text)) this.texts?.push(text);
    });
    client.on('data', (bytes) => {
      reader.read(bytes);
      server.write(bytes);
    });
    server.on('data', (bytes) => client.write(bytes));
  }
}

/** Parses the messages of a client (PostgreSQL protocol 3.0): simple queries, and executions of prepared statements. */
class FrontendReader {
  private rest = Buffer.alloc(0);
  private started = false;
  private ignored = false;
  private readonly prepared = new Map<string, string>();
  private bound = '';
  /** Statements of an open transaction. */
  private transaction: string[] | undefined;

  constructor(private readonly executed: (text: string) => void) {}

  read(bytes: Buffer): void {
    this.rest = Buffer.concat([this.rest, bytes]);
    for (;;) {
      const head = this.started ? 1 : 0;
      if (this.rest.length < head + 4) return;
      const end = head + this.rest.readInt32BE(head);
      if (this.rest.length < end) return;
      const body = this.rest.subarray(head + 4, end);
      if (this.started) this.message(String.fromCharCode(this.rest[0] as number), body);
      else this.ignored = body.includes(LISTENER);
      this.started = true;
      this.rest = this.rest.subarray(end);
    }
  }

  private message(type: string, body: Buffer): void {
    if (this.ignored) return;
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2);
    if (type === 'Q') this.take(first);
    if (type === 'P') this.prepared.set(first, second);
    if (type === 'B') this.bound = this.prepared.get(second) ?? '';
    if (type === 'E') this.take(this.bound);
  }

  private take(text: string): void {
    if (text.startsWith('begin')) this.transaction = [];
    if (this.transaction === undefined) return this.executed(text);
    this.transaction.push(text);
    if (text !== 'commit' && text !== 'rollback') return;
    if (!this.transaction.some((each) => BACKGROUND.test(each)))
      for (const each of this.transaction) this.executed(each);
    this.transaction = undefined;
  }
}
