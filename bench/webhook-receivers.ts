import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received event. */
interface Arrival {
  position: number;
  subject: string;
  /** Milliseconds since the time in its trail, which is before its COMMIT. */
  after: number;
}

/** A separate server for each endpoint. */
export class Receiver {
  readonly arrivals: Arrival[] = [];
  requests = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(answers: boolean): Promise<Receiver> {
    const server = createServer((request, response) => {
      receiver.requests += 1;
      if (!answers) return;
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { position, subject, at } = JSON.parse(Buffer.concat(chunks).toString()) as Event;
        receiver.arrivals.push({ position, subject: subject.id, after: Date.now() - Date.parse(at) });
        response.writeHead(204).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new Receiver(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return receiver;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

interface Event {
  position: number;
  subject: { id: string };
  at: string;
}

/** Result of a run: times that 50 %, 95 % and all of the events needed. */
export function summaryOf(receivers: readonly Receiver[], changes: number) {
  const sums = { lost: 0, again: 0, unordered: 0 };
  for (const { arrivals } of receivers) {
    const seen = new Set<number>();
    const last = new Map<string, number>();
    for (const { position, subject } of arrivals) {
      if (seen.has(position)) sums.again += 1;
      else if (position < (last.get(subject) ?? 0)) sums.unordered += 1;
      else last.set(subject, position);
      seen.add(position);
    }
    sums.lost += changes - seen.size;
  }
  const times = receivers.flatMap(({ arrivals }) => arrivals.map(({ after }) => after)).toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { ...sums, times: [0.5, 0.95, 1].map((share) => at(share).toFixed(0)).join(' / ') };
}
