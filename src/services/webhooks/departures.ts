import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { GOES_TO_USERS, IS_ENABLED, mayManage, maySend } from '../events/webhook-subscriptions.js';
import { NOT_FLUSHED, type ClaimedDelivery } from './sending-statements.js';

/**
 * An error of a request that was not sent: its endpoint may not receive the event any more, or it has to be claimed
 * again.
 */
export class Unsent extends Error {
  override name = 'Unsent';

  constructor(readonly why: 'REFUSED' | 'LATER') {
    super(`Nothing was sent: ${why}`);
  }
}

/**
 * The most milliseconds in which requests are sent under the same locks, and those between two checks for
 * transactions that wait for them.
 */
const OPEN = 50;
const LOOK = 10;
/** Milliseconds without locks after a conflict: as long as the locks of some other instances last. */
const CLOSED = 100;
/** Milliseconds between two attempts to lock rows that are being changed, and the number of attempts. */
const PAUSE = 20;
const LOOKS = 50;

const d = table('webhook_delivery', 'd');
const w = table('webhook_endpoint', 'w');
const o = table('organization', 'o');
const [m, u] = [table('membership', 'm'), table('app_user', 'u')];

interface Claims {
  ids: readonly number[];
  leases: readonly string[];
  versions: readonly number[];
}

const USER = sql`coalesce(${w.user_id}, ${w.enabled_by_id})`;

/**
 * Locks the rows that authorize these deliveries, except those that are being changed: it never waits. A lock need
 * not survive a crash, so its COMMIT waits for no disk.
 */
const lock = statement<Pick<Claims, 'ids'>>()(
  (p) => sql<{ id: number }>`
    select ${d.id}, ${NOT_FLUSHED} from ${d.table}
      join ${w.table} on ${w.id} = ${d.endpoint_id}
      join ${o.table} on ${o.id} = ${d.organization_id}
      join ${m.table} on ${m.user_id} = ${USER} and ${m.organization_id} = ${o.id}
      join ${u.table} on ${u.id} = ${m.user_id}
     where ${d.id} = any(${p('ids')}::bigint[])
       for share of o, m, u skip locked for key share of w skip locked`,
);

/**
 * Decides about each delivery once the rows are locked. One that an organization's own endpoint may not receive
 * waits, or fails with the endpoint.
 */
const judge = statement<Claims>()(
  (p) => sql<{ id: number; verdict: 'ALLOWED' | Unsent['why'] }>`
    select ${d.id}, case when ${d.lease} is distinct from given.lease or ${w.version} <> given.version or not (${IS_ENABLED}) then 'LATER'
             when ${maySend(d.action)} and ${mayManage(USER, d.organization_id)} and (${w.user_id} is null or ${GOES_TO_USERS})
             then 'ALLOWED'
             when ${w.user_id} is null then 'LATER' else 'REFUSED' end as verdict
      from unnest(${p('ids')}::bigint[], ${p('leases')}::uuid[], ${p('versions')}::int[]) as given (id, lease, version)
      join ${d.table} on ${d.id} = given.id
      join ${w.table} on ${w.id} = ${d.endpoint_id}
      left join ${o.table} on ${o.id} = ${d.organization_id}`,
);

/** Whether another transaction waits for a lock of this one. */
const blocking = statement()(
  () => sql<{ isBlocked: boolean }>`
    select exists (select from pg_locks where locktype = 'transactionid' and not granted
                      and transactionid = pg_current_xact_id()::xid) as "isBlocked"`,
);

interface Departure {
  delivery: ClaimedDelivery;
  write: () => Promise<void>;
  looks: number;
  resolve: () => void;
  reject: (reason: Unsent) => void;
}

/**
 * Sends requests while the rows that authorize them are locked, so that no event is sent after the COMMIT that
 * revokes a right, or disables or changes an endpoint. The locks last for a moment, in which all requests that they
 * allow are sent.
 */
export class Departures {
  private readonly waiting: Departure[] = [];
  private running: Promise<void> | undefined;
  /** Rights that the locks cover, and requests that are written under them. */
  private allowed = new Set<string>();
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Runs `write`, which hands the request to the operating system. Throws Unsent where it does not run. */
  leave(delivery: ClaimedDelivery, write: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => this.join({ delivery, write, looks: 1, resolve, reject }));
  }

  private join(departure: Departure): void {
    if (this.allowed.has(rightOf(departure))) return this.write(departure);
    this.waiting.push(departure);
    this.running ??= this.work().finally(() => (this.running = undefined));
  }

  private write({ write, resolve }: Departure): void {
    const written = write().finally(() => this.writing.delete(written));
    this.writing.add(written);
    void written.finally(resolve);
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = new Set(this.waiting.splice(0));
      let isBlocking = false;
      try {
        await this.database.transaction(async (tx) => {
          await this.lockAndJudge(tx, batch);
          isBlocking = await this.waitUnderLocks(tx);
          this.allowed.clear();
          await Promise.all(this.writing);
        });
      } catch (error) {
        this.onError(error);
        this.allowed.clear();
        for (const { reject } of batch) reject(new Unsent('LATER'));
      }
      if (isBlocking) await sleep(CLOSED);
    }
  }

  /** Waits until a request needs other locks, or a change waits for these; returns whether one does. */
  private async waitUnderLocks(tx: Queryable): Promise<boolean> {
    const until = performance.now() + OPEN;
    do {
      await sleep(LOOK);
      const { isBlocked } = await blocking.one(tx);
      if (isBlocked) return true;
    } while (this.waiting.length === 0 && performance.now() < until);
    return false;
  }

  /** Removes decided departures from `batch`. */
  private async lockAndJudge(tx: Queryable, batch: Set<Departure>): Promise<void> {
    const claims = claimsOf([...batch]);
    const locked = new Set((await lock.all(tx, claims)).map(({ id }) => id));
    const verdicts = new Map((await judge.all(tx, claims)).map(({ id, verdict }) => [id, verdict]));
    for (const departure of batch) {
      const { id } = departure.delivery;
      const verdict = verdicts.get(id) ?? 'LATER';
      if (verdict !== 'ALLOWED') departure.reject(new Unsent(verdict));
      else if (!locked.has(id)) void this.lookAgain(departure);
      else {
        this.allowed.add(rightOf(departure));
        this.write(departure);
      }
    }
    batch.clear();
  }

  private async lookAgain(departure: Departure): Promise<void> {
    await sleep(PAUSE);
    if (departure.looks === LOOKS) departure.reject(new Unsent('LATER'));
    else this.join({ ...departure, looks: departure.looks + 1 });
  }
}

/** The right of a delivery, by the locked rows. */
function rightOf({ delivery: { endpointId, version, organizationId, action } }: Departure): string {
  return [endpointId, version, organizationId, action].join(' ');
}

function claimsOf(batch: readonly Departure[]): Claims {
  const deliveries = batch.map(({ delivery }) => delivery);
  return {
    ids: deliveries.map(({ id }) => id),
    leases: deliveries.map(({ lease }) => lease),
    versions: deliveries.map(({ version }) => version),
  };
}
