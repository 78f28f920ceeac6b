import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  status: number;
  body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * A keep-alive HTTP/1.1 connection that sends prepared bytes and reads responses with a Content-Length. It supports
 * nothing else, so that the load generator takes little of the processor time that is measured.
 */
export class Connection {
  private waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  private chunks: Buffer[] = [];
  private received = 0;
  /** Bytes of the whole response, once its head is read. */
  private expected: number | undefined;
  private headLength = 0;
  private status = 0;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('The server closed the connection')));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Sends one request and waits for its answer. */
  send(parts: readonly Buffer[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.cork();
      for (const part of parts) this.socket.write(part);
      this.socket.uncork();
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.received += chunk.length;
    if (this.expected === undefined) this.readHead();
    if (this.expected !== undefined && this.received >= this.expected) this.finish();
  }

  private readHead(): void {
    const bytes = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return;
    const head = bytes.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) return this.fail(new Error(`An answer without Content-Length:\n${head}`));
    this.status = Number(head.slice(9, 12));
    this.headLength = end + HEAD_END.length;
    this.expected = this.headLength + Number(length);
  }

  private finish(): void {
    const bytes = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks);
    const { waiting, status } = this;
    this.waiting = undefined;
    this.chunks = [];
    this.received = 0;
    this.expected = undefined;
    waiting?.resolve({ status, body: bytes.subarray(this.headLength) });
  }

  private fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = undefined;
    this.socket.destroy();
  }
}
