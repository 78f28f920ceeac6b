import { LRUCache } from 'lru-cache';
import { createHmac } from 'node:crypto';
import type { UserCaller } from '../../auth/caller.js';
import { networkKey } from '../../auth/rate-limits.js';
import { BackgroundWork } from '../../common/concurrency.js';
import { entries } from '../../common/cache-bounds.js';
import { MINUTE } from '../../common/time.js';
import type { Database } from '../../database/database.js';
import { db, insertSelect, sql, statement } from '../../database/sql.js';
import type { Logger } from '../../logger.js';
import { LIMITS } from '../../values/limits.js';
import { ofEachTrail } from '../audit/each-trail.js';
import { PersonalValue } from '../audit/personal-values.js';
import { recordToken } from '../audit/subjects.js';

/** Milliseconds. */
const FLUSH_EVERY = 2_000;
/** Maximum number of remembered uses, and of tokens with pending uses. */
const REMEMBERED = 50_000;
const WAITING = 10_000;

/** A token's uses from addresses that this instance has not cached. */
interface Uses {
  caller: UserCaller;
  /** An address by its network, which counts as one address. */
  addresses: Map<string, string>;
}

/** Locked, so that instances that see the same address at the same time record it once. */
const lockToken = statement<{ id: number }>()((p) =>
  db.selectFrom('api_token').select(['id', 'name']).where('id', '=', p('id')).forNoKeyUpdate(),
);

/** A separate statement, which sees rows committed while the lock was waited for. */
const anyAddress = statement<{ id: number }>()((p) =>
  db.selectFrom('token_address').select('digest').where('token_id', '=', p('id')).limit(1),
);

/** Which of them are new; the others were seen again. */
const store = statement<{ id: number; digests: Buffer[]; at: Date }>()((p) => {
  const seen = insertSelect('token_address', {
    token_id: sql`${p('id')}::bigint`,
    digest: sql`used.digest`,
    seen_at: sql`${p('at')}::timestamptz`,
  });
  return sql<{ digest: Buffer; isNew: boolean }>`
    ${seen} from unnest(${p('digests')}::bytea[]) as used(digest)
    on conflict (token_id, digest) do update set seen_at = excluded.seen_at
    returning digest, (xmax = 0) as "isNew"`;
});

const forgetOldest = statement<{ id: number }>()((p) =>
  db
    .deleteFrom('token_address')
    .where('token_id', '=', p('id'))
    .where('digest', 'in', ({ selectFrom }) =>
      selectFrom('token_address as o')
        .select('o.digest')
        .where('o.token_id', '=', p('id'))
        .orderBy('o.seen_at', 'desc')
        .offset(LIMITS.token.rememberedAddresses),
    ),
);

/**
 * Records in the trail of a token's user that the token is used from a new address, outside of requests and
 * at most once a minute for each token. Its first address is not recorded, but stored for comparison with later ones.
 */
export class TokenAddresses {
  private readonly known = new LRUCache<string, true>(entries(REMEMBERED));
  private readonly waiting = new Map<number, Uses>();
  private missed = 0;
  private readonly recordedAt = new LRUCache<number, number>(entries(WAITING));
  private readonly work: BackgroundWork;

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
    private readonly now: () => Date,
    private readonly maxWaiting = WAITING,
  ) {
    this.work = new BackgroundWork(
      FLUSH_EVERY,
      () => this.rememberAll(),
      (err) => log.warn({ err }, 'addresses of tokens cannot be written at the moment'),
    );
  }

  /** Queues an address that is not cached, without delaying the request. One that is missed is found at a later use. */
  used(caller: UserCaller): void {
    const address = caller.origin?.address;
    if (address === undefined || caller.personalKey === null || this.known.has(`${caller.tokenId} ${address}`)) return;
    let uses = this.waiting.get(caller.tokenId);
    if (uses === undefined) {
      if (this.waiting.size >= this.maxWaiting) return void (this.missed += 1);
      this.waiting.set(caller.tokenId, (uses = { caller, addresses: new Map() }));
    }
    const network = networkKey(address);
    if (uses.addresses.size < LIMITS.token.rememberedAddresses || uses.addresses.has(network))
      uses.addresses.set(network, address);
    else this.missed += 1;
  }

  /** Writes queued uses once; failed ones are found at a later use. */
  close(): Promise<void> {
    return this.work.close();
  }

  private rememberAll(): Promise<void> {
    if (this.missed > 0) this.log.warn({ missed: this.missed }, 'more addresses of tokens than are stored at a time');
    this.missed = 0;
    const trailOf = ([, { caller }]: [number, Uses]) => caller.userId;
    return ofEachTrail([...this.waiting], trailOf, async ([id, uses]) => {
      const at = this.now();
      if (at.getTime() - (this.recordedAt.get(id) ?? -Infinity) < MINUTE) return;
      this.waiting.delete(id);
      try {
        if (await this.remember(id, uses, at)) this.recordedAt.set(id, at.getTime());
      } catch (error) {
        // Queued again together with new ones: there may be no later use.
        const { caller, addresses } = this.waiting.get(id) ?? uses;
        this.waiting.set(id, { caller, addresses: new Map([...uses.addresses, ...addresses]) });
        throw error;
      }
      for (const address of uses.addresses.values()) this.known.set(`${id} ${address}`, true);
    });
  }

  /** Returns whether there was something to record. */
  private remember(id: number, { caller, addresses }: Uses, at: Date): Promise<boolean> {
    const digests = new Map([...addresses].map(([network, address]) => [digestOf(caller, network), address]));
    return this.database.transaction(async (tx) => {
      const token = await lockToken.first(tx, { id });
      if (token === undefined) return false;
      const wasUsed = (await anyAddress.first(tx, { id })) !== undefined;
      const seen = [...digests.keys()].map((hex) => Buffer.from(hex, 'hex'));
      const stored = await store.all(tx, { id, digests: seen, at });
      const found = new Set(stored.filter(({ isNew }) => isNew).map((row) => row.digest.toString('hex')));
      const fresh = [...digests].flatMap(([key, address]) => (found.has(key) ? [address] : []));
      if (!wasUsed) fresh.shift();
      if (fresh.length === 0) return false;
      await forgetOldest.all(tx, { id });
      const after = fresh.map((address) => new PersonalValue(caller.userId, address));
      const facts = { action: 'TOKEN_USED_FROM_NEW_ADDRESS', at, changes: { addresses: { after } } } as const;
      await recordToken(tx, caller, caller, token, facts);
      return true;
    });
  }
}

/** Under the user's key: it is meaningless once the user is erased. */
function digestOf({ personalKey }: UserCaller, network: string): string {
  return createHmac('sha256', personalKey as Buffer)
    .update(network)
    .digest('hex');
}
