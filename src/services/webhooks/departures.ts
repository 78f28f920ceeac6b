import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { GOES_TO_USERS, IS_ENABLED, mayManage, maySend } from '../events/webhook-subscriptions.js';
import type { ClaimedDelivery } from './sending-statements.js';

/** A request of which nothing was sent: its endpoint may not have the event any more, or it is to be claimed anew. */
export class Unsent extends Error {
  override name = 'Unsent';

  constructor(readonly why: 'REFUSED' | 'LATER') {
    super(`Nothing was sent: ${why}`);
  }
}

/** Milliseconds between two looks for rows that are being changed, and how many there are. */
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

/** Locks the rows that decide whether these may leave, but for those that are being changed: it never waits. */
const lock = statement<Pick<Claims, 'ids'>>()(
  (p) => sql<{ id: number }>`
    select ${d.id} from ${d.table}
      join ${w.table} on ${w.id} = ${d.endpoint_id}
      join ${o.table} on ${o.id} = ${d.organization_id}
      join ${m.table} on ${m.user_id} = ${USER} and ${m.organization_id} = ${o.id}
      join ${u.table} on ${u.id} = ${m.user_id}
     where ${d.id} = any(${p('ids')}::bigint[])
       for share of o, m, u skip locked for key share of w skip locked`,
);

/**
 * What is to become of each, as things are once the locks are held. What an organization's own endpoint may not have waits, or is given
 * up with the endpoint.
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

interface Departure {
  delivery: ClaimedDelivery;
  write: () => Promise<void>;
  looks: number;
  resolve: () => void;
  reject: (reason: Unsent) => void;
}

/**
 * Where requests leave: each is written while the rows that allow it are locked, so that no event leaves after the COMMIT that takes a
 * right away, or disables or changes an endpoint. Whatever is ready while a transaction runs is in the next one.
 */
export class Departures {
  private readonly waiting: Departure[] = [];
  private running: Promise<void> | undefined;

  constructor(private readonly database: Database) {}

  /** Runs `write`, which hands the request to the operating system. Throws Unsent where it was not run. */
  leave(delivery: ClaimedDelivery, write: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => this.join({ delivery, write, looks: 1, resolve, reject }));
  }

  private join(...departures: Departure[]): void {
    this.waiting.push(...departures);
    this.running ??= this.work().finally(() => (this.running = undefined));
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0);
      const left = new Set<Departure>();
      let busy: readonly Departure[] = [];
      try {
        busy = await this.database.transaction(async (tx) => {
          const claims = claimsOf(batch);
          const locked = new Set((await lock.all(tx, claims)).map(({ id }) => id));
          const verdicts = new Map((await judge.all(tx, claims)).map(({ id, verdict }) => [id, verdict]));
          const of = ({ delivery: { id } }: Departure) => verdicts.get(id) ?? 'LATER';
          for (const each of batch) {
            const verdict = of(each);
            if (verdict !== 'ALLOWED') each.reject(new Unsent(verdict));
            else if (locked.has(each.delivery.id)) left.add(each);
          }
          await Promise.all([...left].map(({ write }) => write()));
          return batch.filter((each) => of(each) === 'ALLOWED' && !left.has(each));
        });
      } catch {
        // Settled ones stay as they are; of what was written the answer counts.
        for (const each of batch) if (!left.has(each)) each.reject(new Unsent('LATER'));
      }
      for (const { resolve } of left) resolve();
      if (busy.length > 0) void this.lookAgain(busy);
    }
  }

  private async lookAgain(departures: readonly Departure[]): Promise<void> {
    await sleep(PAUSE);
    for (const each of departures)
      if (each.looks === LOOKS) each.reject(new Unsent('LATER'));
      else this.join({ ...each, looks: each.looks + 1 });
  }
}

function claimsOf(batch: readonly Departure[]): Claims {
  const deliveries = batch.map(({ delivery }) => delivery);
  return {
    ids: deliveries.map(({ id }) => id),
    leases: deliveries.map(({ lease }) => lease),
    versions: deliveries.map(({ version }) => version),
  };
}
