import { FIRST_CLAIM, type ClaimedDelivery, type ClaimedCounts } from './sending-statements.js';

/** Concurrent requests: of one instance, to one host, and to one endpoint. */
const PARALLEL = 64;
const PARALLEL_PER_HOST = 16;
const PARALLEL_PER_ENDPOINT = 4;
/** The most deliveries that one instance claims, and those of one endpoint. */
const MOST_CLAIMED = 1_024;
const MOST_PER_ENDPOINT = 64;
/** Milliseconds of requests that are claimed in advance for an endpoint. */
const AHEAD = 2_000;
/** Milliseconds after which a waiting delivery is given back, because its lease might end during the attempt. */
const STALE = 30_000;

/** The claimed deliveries of one endpoint. */
interface EndpointQueue {
  host: string;
  waiting: ClaimedDelivery[];
  /** Time of the last claim. */
  claimedAt: number;
  underWay: number;
  /** Claimed deliveries without a stored outcome. */
  claimed: number;
  /** Average milliseconds of its recent requests. */
  pace?: number;
}

const EMPTY = { claimedAt: 0, underWay: 0, claimed: 0 };

/** The claimed deliveries of this instance, by endpoint; selects the next one to send. */
export class DeliveryQueues {
  private readonly queues = new Map<number, EndpointQueue>();
  private underWay = 0;
  private readonly byHost = new Map<string, number>();
  private total = 0;

  /** The number of deliveries that may be claimed now. */
  get capacity(): number {
    return MOST_CLAIMED - this.total;
  }

  get counts(): ClaimedCounts {
    const queues = [...this.queues];
    return {
      endpoints: queues.map(([id]) => id),
      own: queues.map(([, { claimed }]) => claimed),
      wanted: queues.map(([, queue]) => wantedOf(queue)),
    };
  }

  /** Whether to claim more deliveries of an endpoint: not while enough of them wait. */
  wants(endpointId: number): boolean {
    const queue = this.queues.get(endpointId);
    return queue === undefined || queue.waiting.length === 0 || queue.claimed <= wantedOf(queue) / 2;
  }

  add(deliveries: readonly ClaimedDelivery[]): void {
    for (const delivery of deliveries) {
      const queue = this.queues.get(delivery.endpointId) ?? { ...EMPTY, waiting: [], host: delivery.host };
      queue.host = delivery.host;
      queue.waiting.push(delivery);
      queue.claimedAt = performance.now();
      queue.claimed += 1;
      this.total += 1;
      this.queues.set(delivery.endpointId, queue);
    }
  }

  /** The next delivery that may be sent, of the endpoint that was served longest ago. Counts it as under way. */
  next(): ClaimedDelivery | undefined {
    if (this.underWay >= PARALLEL) return undefined;
    for (const [id, queue] of this.queues) {
      const toHost = this.byHost.get(queue.host) ?? 0;
      if (queue.waiting.length === 0 || queue.underWay >= PARALLEL_PER_ENDPOINT || toHost >= PARALLEL_PER_HOST)
        continue;
      this.queues.delete(id);
      this.queues.set(id, queue);
      queue.underWay += 1;
      this.underWay += 1;
      const delivery = queue.waiting.shift() as ClaimedDelivery;
      this.byHost.set(delivery.host, (this.byHost.get(delivery.host) ?? 0) + 1);
      return delivery;
    }
    return undefined;
  }

  /** Records that the request of a delivery has ended, and the milliseconds that it took. */
  ended({ endpointId, host }: ClaimedDelivery, milliseconds: number): void {
    const queue = this.queues.get(endpointId) as EndpointQueue;
    const left = (this.byHost.get(host) as number) - 1;
    if (left === 0) this.byHost.delete(host);
    else this.byHost.set(host, left);
    queue.underWay -= 1;
    this.underWay -= 1;
    queue.pace = ((queue.pace ?? milliseconds) * 3 + milliseconds) / 4;
  }

  /** Removes a delivery whose outcome is stored, or will not be. */
  done({ endpointId }: Pick<ClaimedDelivery, 'endpointId'>): void {
    const queue = this.queues.get(endpointId) as EndpointQueue;
    queue.claimed -= 1;
    this.total -= 1;
    if (queue.claimed === 0 && (queue.pace === undefined || this.queues.size > MOST_CLAIMED))
      this.queues.delete(endpointId);
  }

  /** Removes waiting deliveries: of one endpoint, those that have waited for too long, or all. */
  takeWaiting(of: number | 'stale' | 'all'): ClaimedDelivery[] {
    const since = performance.now() - STALE;
    return [...this.queues].flatMap(([id, queue]) =>
      of === id || of === 'all' || (of === 'stale' && queue.claimedAt < since) ? queue.waiting.splice(0) : [],
    );
  }
}

function wantedOf({ pace }: EndpointQueue): number {
  if (pace === undefined) return FIRST_CLAIM;
  const ahead = Math.floor((AHEAD * PARALLEL_PER_ENDPOINT) / Math.max(pace, 1));
  return Math.min(Math.max(ahead, FIRST_CLAIM), MOST_PER_ENDPOINT);
}
