import { hash, hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt } from '../../common/aes-gcm.js';
import type { Access } from '../../auth/access.js';
import type { UserCaller } from '../../auth/caller.js';
import type { Right } from '../../auth/rights.js';
import { HOUR } from '../../common/time.js';
import type { Database, Queryable } from '../../database/database.js';
import type { SharedTransaction } from '../../database/shared-transaction.js';
import { untilFewer } from '../../database/until-fewer.js';
import { db, sql, statement } from '../../database/sql.js';
import {
  answerNotStored,
  conflict,
  DomainError,
  keyInUse,
  type ChangedObject,
  type ExecutedBefore,
} from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { IdempotencyBudgets, type IdempotencyQuotas } from './idempotency-budgets.js';

const { hoursKept, keptAnswerBytes } = LIMITS.idempotency;
/** Rows deleted by one statement, which bounds the duration of its locks. */
const BATCH = 1000;

/** A request with an `Idempotency-Key`. */
export interface IdempotentRequest {
  readonly key: string;
  readonly caller: UserCaller;
  /** The token itself: answers are encrypted under it. */
  readonly token: string;
}

/** An answer that is stored and repeated. */
export interface Reply {
  status: number;
  /** Without headers that every answer has. */
  headers: Record<string, string>;
  body: string;
}

export interface Executed {
  reply: Reply;
  /**
   * The outcome of the request: "done" is stored, "partly" is stored if it changed anything, and otherwise every change
   * is undone and the key stays unused.
   */
  outcome: 'done' | 'partly' | 'failed';
  /** The part of an answer that is stored if it is too long, beside its `Location`. */
  objects?: readonly ChangedObject[];
}

interface AnswerKey {
  tokenId: number;
  digest: string;
}

const find = statement<AnswerKey & { after: Date }>()((p) =>
  db
    .selectFrom('idempotent_answer')
    .select('sealed')
    .where('token_id', '=', p('tokenId'))
    .where('key_digest', '=', p('digest'))
    .where('created_at', '>', p('after')),
);

/** Until the end of the transaction, on every instance. */
const tryLock = statement<{ name: string }>()(
  (p) => sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${p('name')}::bigint) as free`,
);

const store = statement<AnswerKey & { sealed: Buffer; now: Date }>()((p) =>
  db
    .insertInto('idempotent_answer')
    .values({ token_id: p('tokenId'), key_digest: p('digest'), sealed: p('sealed'), created_at: p('now') })
    .onConflict((conflict) =>
      conflict
        .columns(['token_id', 'key_digest'])
        .doUpdateSet(({ ref }) => ({ sealed: ref('excluded.sealed'), created_at: ref('excluded.created_at') })),
    ),
);

const purge = statement<{ before: Date }>()((p) =>
  db
    .deleteFrom('idempotent_answer')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('token_id', 'key_digest'),
        'in',
        selectFrom('idempotent_answer')
          .select(['token_id', 'key_digest'])
          .where('created_at', '<=', p('before'))
          .orderBy('created_at')
          .limit(BATCH)
          .$asTuple('token_id', 'key_digest'),
      ),
    )
    .returning('token_id'),
);

interface StoredAnswer {
  /** Version of the gateway, on which the fingerprint of a request may depend; absent in older answers. */
  version?: string;
  fingerprint: string;
  /** Rights that the caller had before and after the change. */
  rights?: readonly Right[];
  /** Absent if it was too long, or stored without rights; `executed` describes its objects. */
  reply?: Reply;
  executed?: ExecutedBefore;
}

interface Attempt {
  executed: Executed;
  fingerprint: string;
  /** Organizations of the request. */
  organizationIds: readonly number[];
}

/**
 * Executes requests with an `Idempotency-Key` once. Their answers are stored for 24 hours in the transaction of the change:
 * one that was lost after COMMIT is available for the retry. Encrypted, because an answer may contain a secret
 * (docs/idempotency.md).
 */
export class IdempotentAnswers {
  private readonly budgets: IdempotencyBudgets;

  constructor(
    private readonly database: Database,
    private readonly access: Pick<Access, 'noteRights' | 'lost' | 'confirm'>,
    quotas: IdempotencyQuotas,
    private readonly now: () => Date,
    private readonly version: string,
  ) {
    this.budgets = new IdempotencyBudgets(database, quotas, now);
  }

  /**
   * Executes it, or repeats its answer. `fingerprint` identifies the body and is called after the body was read. Throws
   * CONFLICT: IDEMPOTENCY_KEY_REUSED for another request, IDEMPOTENCY_OTHER_VERSION where the two cannot be compared,
   * IDEMPOTENCY_KEY_IN_USE while the first is in progress, IDEMPOTENCY_ANSWER_NOT_KEPT where the answer was too long;
   * RATE_LIMITED, with no change, at the budget of stored answers; NOT_FOUND and FORBIDDEN for an answer that the caller
   * may not read any more.
   */
  async run(
    request: IdempotentRequest,
    fingerprint: () => string | Promise<string>,
    execute: () => Promise<Executed>,
  ): Promise<{ reply: Reply; isReplayed: boolean }> {
    const stored = await this.find(this.database, request);
    if (stored !== undefined) return this.repeat(request, stored, await fingerprint());
    const { userId } = request.caller;
    const rights = this.access.noteRights(request.caller);
    let found: StoredAnswer | undefined;
    let refusal: DomainError | undefined;
    const check = async (tx: Queryable) => {
      const isFree = await lock(tx, request);
      // Another request may have ended since the first read.
      if (isFree) found = await this.find(tx, request);
      try {
        if (!isFree || found !== undefined) throw keyInUse();
        // A use case authorizes first, so that the organization of the change is known.
        await this.budgets.refuseMore(tx, { userId, organizationIds: rights.organizationIds() });
      } catch (error) {
        if (error instanceof DomainError) refusal = error;
        throw error;
      }
    };
    return this.database.request.share(check, async (share) => {
      try {
        const executed = await execute();
        const organizationIds = rights.organizationIds();
        if (refusal === undefined)
          return await this.settle(share, request, { executed, fingerprint: await fingerprint(), organizationIds });
      } catch (error) {
        if (refusal === undefined) throw error;
      }
      if (found === undefined) throw refusal;
      return this.repeat(request, found, await fingerprint());
    });
  }

  /** Bytes of all stored answers. */
  storedBytes(): Promise<number> {
    return this.budgets.storedBytes();
  }

  /** Deletes answers older than 24 hours; returns their number. */
  async purgeOld(): Promise<number> {
    const before = this.oldest();
    const purged = await untilFewer(BATCH, async () => (await purge.all(this.database, { before })).length);
    await this.budgets.purgeOld();
    return purged;
  }

  private async settle(
    share: SharedTransaction,
    request: IdempotentRequest,
    attempt: Attempt,
  ): Promise<{ reply: Reply; isReplayed: boolean }> {
    const { reply, outcome } = attempt.executed;
    if (outcome === 'done' || (outcome === 'partly' && share.hasChanges))
      await share.commit((tx) => this.store(tx, request, attempt));
    else await share.rollBack();
    return { reply, isReplayed: false };
  }

  private async find(database: Queryable, request: IdempotentRequest): Promise<StoredAnswer | undefined> {
    const key = keyOf(request);
    const row = await find.first(database, { ...key, after: this.oldest() });
    return row && (JSON.parse(openText(request.token, key, row.sealed)) as StoredAnswer);
  }

  private async store(tx: Queryable, request: IdempotentRequest, attempt: Attempt): Promise<void> {
    const { executed, fingerprint, organizationIds } = attempt;
    const { caller, token } = request;
    const key = keyOf(request);
    // A right that the request itself revoked, as leaving does, is not required for repeating it.
    const rights = caller.rights?.all() ?? [];
    const lost = await this.access.lost(caller, rights);
    const stored = { version: this.version, fingerprint, rights: rights.filter((right) => !lost.includes(right)) };
    let text = JSON.stringify({ ...stored, reply: executed.reply } satisfies StoredAnswer);
    if (Buffer.byteLength(text) > keptAnswerBytes)
      text = JSON.stringify({ ...stored, executed: outlineOf(executed) } satisfies StoredAnswer);
    const sealed = sealText(token, key, text);
    await store.all(tx, { ...key, sealed, now: this.now() });
    await this.budgets.count(tx, { userId: caller.userId, organizationIds }, sealed.length);
  }

  private async repeat(
    { caller }: IdempotentRequest,
    { version, fingerprint, rights = [], reply, executed = {} }: StoredAnswer,
    wanted: string,
  ): Promise<{ reply: Reply; isReplayed: boolean }> {
    if (fingerprint !== wanted)
      throw conflict(version === this.version ? 'IDEMPOTENCY_KEY_REUSED' : 'IDEMPOTENCY_OTHER_VERSION');
    await this.access.confirm(caller, rights).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error;
      throw new DomainError(error.code, error.messages, undefined, undefined, undefined, {});
    });
    if (reply === undefined) throw answerNotStored(executed);
    return { reply, isReplayed: true };
  }

  private oldest(): Date {
    return new Date(this.now().getTime() - hoursKept * HOUR);
  }
}

function outlineOf({ reply, objects }: Executed): ExecutedBefore {
  return { location: reply.headers['Location'], objects };
}

/** Whether no other request with the same key and token is in progress. */
async function lock(tx: Queryable, { key, caller: { tokenId } }: IdempotentRequest): Promise<boolean> {
  const name = Buffer.from(hash('sha256', `${tokenId} ${key}`), 'hex').readBigInt64BE();
  return (await tryLock.one(tx, { name: name.toString() })).free;
}

function keyOf({ key, caller: { tokenId } }: IdempotentRequest): AnswerKey {
  return { tokenId, digest: hash('sha256', key) };
}

const SALT_BYTES = 16;

/**
 * Encrypts a text under a key derived from a token (HKDF-SHA-256): the database alone cannot decrypt it. Opening
 * requires the same place of storage. The salt precedes the ciphertext.
 */
function sealText(token: string, place: AnswerKey, text: string): Buffer {
  const salt = randomBytes(SALT_BYTES);
  return Buffer.concat([salt, encrypt(secretOf(token, salt), text, nameOf(place))]);
}

/** Throws for another token or place, or a changed bit. */
function openText(token: string, place: AnswerKey, sealed: Buffer): string {
  return decrypt(secretOf(token, sealed.subarray(0, SALT_BYTES)), sealed.subarray(SALT_BYTES), nameOf(place));
}

function nameOf({ tokenId, digest }: AnswerKey): Buffer {
  return Buffer.from(`${tokenId} ${digest}`);
}

function secretOf(token: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', token, salt, 'idempotent answer', 32));
}
