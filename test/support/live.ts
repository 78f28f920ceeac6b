import { createClient as createSseClient } from 'graphql-sse';
import { createClient, type Client } from 'graphql-ws';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { GraphQLResult } from './clients.js';
import type { TestGateway } from './gateway.js';

/** The two ways to a subscription. */
export const TRANSPORTS = ['WebSocket', 'SSE'] as const;
/** One of the two transports of subscriptions. */
export type Transport = (typeof TRANSPORTS)[number];

type Results = AsyncIterableIterator<GraphQLResult>;

/** Opens a subscription, each on its own connection. Without retries, so that failures are visible. */
export function follow(
  { url }: Pick<TestGateway, 'url'>,
  transport: Transport,
  {
    query,
    variables = {},
    token,
    named = {},
  }: { query: string; variables?: Record<string, unknown>; token?: string; named?: object },
): Results {
  const headers: Record<string, string> = token === undefined ? {} : { 'X-Service-Token': token };
  const client =
    transport === 'WebSocket'
      ? createClient({
          url: webSocketUrl(url),
          webSocketImpl: WebSocket,
          connectionParams: headers,
          retryAttempts: 0,
          lazyCloseTimeout: 0,
        })
      : createSseClient({ url: `${url}/graphql/stream`, headers, retryAttempts: 0 });
  return (client as Client).iterate({ query, variables, ...named }) as unknown as Results;
}

/** The address of GraphQL over WebSocket. */
export function webSocketUrl(url: string): string {
  return `${url.replace(/^http/, 'ws')}/graphql`;
}

/** The next results, up to this number; fewer if it ends before. */
export async function take(results: Results, count: number): Promise<GraphQLResult[]> {
  const taken: GraphQLResult[] = [];
  while (taken.length < count) {
    const { done, value } = await results.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}

/** A raw socket, for messages that no client of the protocol would send. */
export class RawSocket {
  readonly messages: { type: string; id?: string; payload?: unknown }[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  private readonly waiting = new Set<() => void>();

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)) as never);
      for (const wake of this.waiting) wake();
    });
    this.closed = new Promise((resolve) =>
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
    );
  }

  /** Over a new connection, or over a given one. */
  static async open(
    url: string,
    {
      headers = {},
      protocol = 'graphql-transport-ws',
      line,
    }: { headers?: Record<string, string>; protocol?: string; line?: Duplex } = {},
  ): Promise<RawSocket> {
    const socket = new WebSocket(url, protocol, { headers, ...(line && { createConnection: () => line as never }) });
    const raw = new RawSocket(socket);
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return raw;
  }

  /** Opens a socket and authenticates. */
  static async as(url: string, token: string): Promise<RawSocket> {
    const raw = await RawSocket.open(url);
    raw.send({ type: 'connection_init', payload: { 'X-Service-Token': token } });
    await raw.message('connection_ack');
    return raw;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The first message of a type, and of an id if one is given. */
  async message(type: string, id?: string) {
    for (;;) {
      const found = this.messages.find((message) => message.type === type && (id === undefined || message.id === id));
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.waiting.delete(wake);
          resolve();
        };
        this.waiting.add(wake);
      });
    }
  }
}
