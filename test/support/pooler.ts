import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from 'pg';
import { overNetwork } from './database.js';

/** A connection to the server that poolers share. */
interface Backend {
  socket: Socket;
  user: Frontend | undefined;
}

interface Frontend {
  socket: Socket;
  backend: Backend | undefined;
  /** Messages up to the next one that requires a response: they are sent together. */
  begun: Buffer[];
  /** Bytes that wait for a connection to the server. */
  waiting: Buffer[];
  /** Number of responses that the client waits for, each ended by ReadyForQuery. */
  due: number;
}

/** Requests to encrypt, by TLS and GSSAPI; and to cancel. */
const ENCRYPTION = new Set([80_877_103, 80_877_104]);
const CANCEL = 80_877_102;
/** Messages that are answered with ReadyForQuery: Query, Sync, FunctionCall. */
const WITH_RESPONSE = new Set(['Q', 'S', 'F']);

/**
 * Emulates PgBouncer 1.18 in transaction mode with `ignore_startup_parameters = options`: clients share a few server
 * connections, each for one transaction. It does not support prepared statements, and drops NOTIFY messages outside
 * transactions.
 */
export class TransactionPooler {
  url = '';
  private readonly server = createServer({ noDelay: true }, (socket) => this.accept(socket));
  private readonly clients: Client[] = [];
  private readonly free: Backend[] = [];
  private readonly queue: Frontend[] = [];
  private readonly sockets = new Set<Socket>();

  /** Shares so many connections to the server at `url`. `next` is the free one for the next transaction. */
  static async before(url: string, connections: number, next: 'latest' | 'oldest' = 'latest') {
    const pooler = new TransactionPooler(next);
    for (let at = 0; at < connections; at += 1) await pooler.connect(url);
    await new Promise<void>((done) => pooler.server.listen(0, '127.0.0.1', done));
    const through = new URL(overNetwork(url));
    through.host = `127.0.0.1:${(pooler.server.address() as AddressInfo).port}`;
    pooler.url = through.href;
    return pooler;
  }

  private constructor(private readonly next: 'latest' | 'oldest') {}

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    for (const client of this.clients) client.connection.stream.destroy();
    await new Promise<void>((done) => this.server.close(() => done()));
  }

  /** The driver authenticates; its handling of further messages is removed. */
  private async connect(connectionString: string): Promise<void> {
    const client = new Client({ connectionString });
    await client.connect();
    client.on('error', () => undefined);
    const socket = client.connection.stream as Socket;
    socket.removeAllListeners('data');
    const backend: Backend = { socket, user: undefined };
    const take = messages((message) => this.answered(backend, message));
    socket.on('data', take);
    this.clients.push(client);
    this.free.push(backend);
  }

  private accept(socket: Socket): void {
    const frontend: Frontend = { socket, backend: undefined, begun: [], waiting: [], due: 0 };
    let isGreeted = false;
    let bytes: Buffer = Buffer.alloc(0);
    const take = messages((message) => this.receive(frontend, message));
    socket.on('data', (chunk: Buffer) => {
      if (isGreeted) return take(chunk);
      bytes = Buffer.concat([bytes, chunk]);
      while (!isGreeted && bytes.length >= 8 && bytes.length >= bytes.readInt32BE(0)) {
        const code = bytes.readInt32BE(4);
        bytes = bytes.subarray(bytes.readInt32BE(0));
        if (code === CANCEL) return void socket.destroy();
        if (ENCRYPTION.has(code)) socket.write('N');
        else isGreeted = true;
      }
      if (!isGreeted) return;
      socket.write(GREETING);
      take(bytes);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => this.left(frontend));
    this.sockets.add(socket);
  }

  private receive(frontend: Frontend, message: Buffer): void {
    const type = typeOf(message);
    if (type === 'X') return void frontend.socket.end();
    frontend.begun.push(message);
    if (!WITH_RESPONSE.has(type)) return;
    frontend.due += 1;
    const whole = Buffer.concat(frontend.begun.splice(0));
    if (frontend.backend !== undefined) return void frontend.backend.socket.write(whole);
    frontend.waiting.push(whole);
    if (frontend.waiting.length === 1) this.queue.push(frontend);
    this.assign();
  }

  private answered(backend: Backend, message: Buffer): void {
    const { user } = backend;
    if (user === undefined) return;
    user.socket.write(message);
    if (typeOf(message) !== 'Z') return;
    user.due -= 1;
    if (user.due > 0 || message.toString('latin1', 5) !== 'I') return;
    this.release(backend);
  }

  private release(backend: Backend): void {
    if (backend.user !== undefined) backend.user.backend = undefined;
    backend.user = undefined;
    this.free.push(backend);
    this.assign();
  }

  private assign(): void {
    while (this.queue.length > 0) {
      const backend = this.next === 'latest' ? this.free.pop() : this.free.shift();
      if (backend === undefined) return;
      const frontend = this.queue.shift() as Frontend;
      backend.user = frontend;
      frontend.backend = backend;
      for (const whole of frontend.waiting.splice(0)) backend.socket.write(whole);
    }
  }

  /**
   * Rolls back the transaction of a disconnected client: PgBouncer closes the connection, a rollback is equivalent
   * here.
   */
  private left(frontend: Frontend): void {
    this.sockets.delete(frontend.socket);
    const at = this.queue.indexOf(frontend);
    if (at >= 0) this.queue.splice(at, 1);
    const { backend } = frontend;
    if (backend === undefined) return;
    frontend.due += 1;
    backend.socket.write(query('rollback'));
  }
}

/** Calls `take` with each complete message. */
function messages(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      take(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}

function typeOf(message: Buffer): string {
  return String.fromCharCode(message[0] as number);
}

function query(text: string): Buffer {
  return messageOf('Q', Buffer.from(`${text}\0`));
}

function messageOf(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** AuthenticationOk; a BackendKeyData of the pooler; ReadyForQuery. */
const GREETING = Buffer.concat([
  messageOf('R', Buffer.alloc(4)),
  messageOf('S', Buffer.from('client_encoding\0UTF8\0')),
  messageOf('K', Buffer.alloc(8)),
  messageOf('Z', Buffer.from('I')),
]);
