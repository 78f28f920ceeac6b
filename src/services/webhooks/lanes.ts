import { FIRST_CLAIM, type ClaimedDelivery, type Held } from './sending-statements.js';

/** Requests under way at the same time: of one instance, to one host, and to one endpoint. */
const PARALLEL = 64;
const PARALLEL_PER_HOST = 16;
const PARALLEL_PER_ENDPOINT = 4;
/** Deliveries that one instance has at most, and those of one endpoint. */
const MOST_HELD = 1_024;
const MOST_PER_ENDPOINT = 64;
/** Milliseconds of requests that are claimed ahead for an endpoint. */
const AHEAD = 2_000;
/** Milliseconds after which a delivery that was not begun is given back, since its lease might end during the attempt. */
const STALE = 30_000;

/** The deliveries of one endpoint that this instance has claimed. */
interface Lane {
  host: string;
  waiting: ClaimedDelivery[];
  /** When the last of these were claimed. */
  claimedAt: number;
  underWay: number;
  /** Claimed, and what came of it is not stored. */
  held: number;
  /** Milliseconds that its requests have taken of late. */
  pace?: number;
}

const EMPTY = { claimedAt: 0, underWay: 0, held: 0 };

/** Deliveries that this instance has claimed, by endpoint: which of them is sent next. */
export class Lanes {
  private readonly lanes = new Map<number, Lane>();
  private underWay = 0;
  private readonly byHost = new Map<string, number>();
  private total = 0;

  /** Deliveries that may be claimed now. */
  get room(): number {
    return MOST_HELD - this.total;
  }

  get held(): Held {
    const lanes = [...this.lanes];
    return {
      endpoints: lanes.map(([id]) => id),
      own: lanes.map(([, { held }]) => held),
      wanted: lanes.map(([, lane]) => wantedOf(lane)),
    };
  }

  /** Whether more is to be claimed of it: not while enough waits. */
  wants(endpointId: number): boolean {
    const lane = this.lanes.get(endpointId);
    return lane === undefined || lane.waiting.length === 0 || lane.held <= wantedOf(lane) / 2;
  }

  add(deliveries: readonly ClaimedDelivery[]): void {
    for (const delivery of deliveries) {
      const lane = this.lanes.get(delivery.endpointId) ?? { ...EMPTY, waiting: [], host: delivery.host };
      lane.host = delivery.host;
      lane.waiting.push(delivery);
      lane.claimedAt = performance.now();
      lane.held += 1;
      this.total += 1;
      this.lanes.set(delivery.endpointId, lane);
    }
  }

  /** The next one that may be sent, of the endpoint that was served longest ago. It is under way from now on. */
  next(): ClaimedDelivery | undefined {
    if (this.underWay >= PARALLEL) return undefined;
    for (const [id, lane] of this.lanes) {
      const toHost = this.byHost.get(lane.host) ?? 0;
      if (lane.waiting.length === 0 || lane.underWay >= PARALLEL_PER_ENDPOINT || toHost >= PARALLEL_PER_HOST) continue;
      this.lanes.delete(id);
      this.lanes.set(id, lane);
      lane.underWay += 1;
      this.underWay += 1;
      const delivery = lane.waiting.shift() as ClaimedDelivery;
      this.byHost.set(delivery.host, (this.byHost.get(delivery.host) ?? 0) + 1);
      return delivery;
    }
    return undefined;
  }

  /** Its request has ended after so many milliseconds. */
  ended({ endpointId, host }: ClaimedDelivery, milliseconds: number): void {
    const lane = this.lanes.get(endpointId) as Lane;
    const left = (this.byHost.get(host) as number) - 1;
    if (left === 0) this.byHost.delete(host);
    else this.byHost.set(host, left);
    lane.underWay -= 1;
    this.underWay -= 1;
    lane.pace = ((lane.pace ?? milliseconds) * 3 + milliseconds) / 4;
  }

  /** Notes that the outcome of a delivery is stored, or that none will be. */
  done({ endpointId }: Pick<ClaimedDelivery, 'endpointId'>): void {
    const lane = this.lanes.get(endpointId) as Lane;
    lane.held -= 1;
    this.total -= 1;
    if (lane.held === 0 && (lane.pace === undefined || this.lanes.size > MOST_HELD)) this.lanes.delete(endpointId);
  }

  /** Takes out what waits: of one endpoint, of those where it has waited for too long, or of all. */
  takeWaiting(of: number | 'stale' | 'all'): ClaimedDelivery[] {
    const since = performance.now() - STALE;
    return [...this.lanes].flatMap(([id, lane]) =>
      of === id || of === 'all' || (of === 'stale' && lane.claimedAt < since) ? lane.waiting.splice(0) : [],
    );
  }
}

function wantedOf({ pace }: Lane): number {
  if (pace === undefined) return FIRST_CLAIM;
  const ahead = Math.floor((AHEAD * PARALLEL_PER_ENDPOINT) / Math.max(pace, 1));
  return Math.min(Math.max(ahead, FIRST_CLAIM), MOST_PER_ENDPOINT);
}
