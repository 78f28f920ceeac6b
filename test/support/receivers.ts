import { afterAll } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request as a webhook receiver got it. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Its response status; 204 unless a test sets another. */
  answer: (response: ServerResponse, received: Received) => void;
  close(): Promise<void>;
}

/** A real HTTP server on the loopback interface. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = {
        ...{ path: request.url ?? '', headers: request.headers },
        body: Buffer.concat(chunks).toString('utf8'),
      };
      receiver.received.push(received);
      receiver.answer(response, received);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/secret-path`,
    received: [],
    answer: (response) => void response.writeHead(204).end(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** A server for all tests of a file, closed after the last of them. */
export async function startSharedReceiver(): Promise<Receiver> {
  const receiver = await startReceiver();
  afterAll(() => receiver.close());
  return receiver;
}

/** Verifies a delivery by the library of Standard Webhooks; throws unless the signature matches the secret. */
export function verified(secret: string, { headers, body }: Received) {
  // Tests read it and specify their expectation.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  return new Webhook(secret).verify(body, headers as Record<string, string>) as any;
}
