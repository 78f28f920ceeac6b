import { hash } from 'node:crypto';
import type { Database, Queryable } from '../database/database.js';
import type { SharedTransaction } from '../database/shared-transaction.js';
import { untilFewer } from '../database/until-fewer.js';
import { badUserInput, conflict, keyInUse, type DomainError } from '../errors.js';
import type { Executed, Idempotency, IdempotentRequest, Reply } from '../vocabulary/idempotency.js';
import { LIMITS } from '../vocabulary/limits.js';
import { openText, sealText } from './answer-cipher.js';

const { hoursKept, maxAnswerBytes } = LIMITS.idempotency;
const HOUR = 60 * 60 * 1000;
/** Rows deleted by one statement, so that none holds locks for long. */
const BATCH = 1000;

const FIND = 'select sealed from idempotent_answer where token_id = $1 and key_digest = $2 and created_at > $3';

/** Until the end of the transaction, on every instance. */
const LOCK = 'select pg_try_advisory_xact_lock($1::bigint) as free';

const STORE = `
  insert into idempotent_answer (token_id, key_digest, sealed, created_at) values ($1, $2, $3, $4)
  on conflict (token_id, key_digest) do update set sealed = excluded.sealed, created_at = excluded.created_at`;

const PURGE = `
  delete from idempotent_answer
   where (token_id, key_digest) in (select token_id, key_digest from idempotent_answer where created_at <= $1
                                     order by created_at limit ${BATCH})
  returning 1`;

interface KeptAnswer extends Reply {
  fingerprint: string;
}

/**
 * Answers to requests with an `Idempotency-Key`, kept for 24 hours in the transaction of the change: an answer that was
 * lost after COMMIT is there for the retry. Kept encrypted, because an answer may show a secret (docs/idempotency.md).
 */
export class IdempotentAnswers implements Idempotency {
  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {}

  async run(
    request: IdempotentRequest,
    fingerprint: () => string | Promise<string>,
    execute: () => Promise<Executed>,
  ): Promise<{ reply: Reply; isReplayed: boolean }> {
    const kept = await this.find(this.database, request);
    if (kept !== undefined) return repeat(kept, await fingerprint());
    let found: KeptAnswer | undefined;
    let refusal: DomainError | undefined;
    const check = async (tx: Queryable) => {
      const isFree = await lock(tx, request);
      // Another one may have ended since the first look.
      if (isFree) found = await this.find(tx, request);
      if (isFree && found === undefined) return;
      throw (refusal = keyInUse());
    };
    return this.database.share(check, async (share) => {
      try {
        const executed = await execute();
        if (refusal === undefined) return await this.settle(share, request, { executed, fingerprint });
      } catch (error) {
        if (refusal === undefined) throw error;
      }
      if (found === undefined) throw refusal;
      return repeat(found, await fingerprint());
    });
  }

  /** Deletes what is older than 24 hours. */
  async purgeOld(): Promise<void> {
    await untilFewer(BATCH, async () => (await this.database.rows(PURGE, [this.oldest()])).length);
  }

  private async settle(
    share: SharedTransaction,
    request: IdempotentRequest,
    { executed, fingerprint }: { executed: Executed; fingerprint: () => string | Promise<string> },
  ): Promise<{ reply: Reply; isReplayed: boolean }> {
    const { reply, outcome } = executed;
    if (outcome === 'done' || (outcome === 'partly' && share.hasChanges)) {
      const kept = { fingerprint: await fingerprint(), ...reply };
      await share.commit((tx) => this.store(tx, request, kept));
    } else {
      await share.rollBack();
    }
    return { reply, isReplayed: false };
  }

  private async find(database: Queryable, { key, token, tokenId }: IdempotentRequest): Promise<KeptAnswer | undefined> {
    const digest = hash('sha256', key);
    const [row] = await database.rows<{ sealed: Buffer }>(FIND, [tokenId, digest, this.oldest()]);
    return row && (JSON.parse(openText(token, placeOf(tokenId, digest), row.sealed)) as KeptAnswer);
  }

  private async store(tx: Queryable, { key, token, tokenId }: IdempotentRequest, kept: KeptAnswer): Promise<void> {
    const digest = hash('sha256', key);
    const text = JSON.stringify(kept);
    if (Buffer.byteLength(text) > maxAnswerBytes) throw badUserInput([TOO_LARGE]);
    await tx.rows(STORE, [tokenId, digest, sealText(token, placeOf(tokenId, digest), text), this.now()]);
  }

  private oldest(): Date {
    return new Date(this.now().getTime() - hoursKept * HOUR);
  }
}

const TOO_LARGE = `The answer to a request with an Idempotency-Key must not exceed ${maxAnswerBytes / 1024 / 1024} MB: select less`;

function repeat({ fingerprint, ...reply }: KeptAnswer, wanted: string): { reply: Reply; isReplayed: boolean } {
  if (fingerprint !== wanted) throw conflict('IDEMPOTENCY_KEY_REUSED');
  return { reply, isReplayed: true };
}

/** Whether no other request with the key of the token is under way. */
async function lock(tx: Queryable, { key, tokenId }: IdempotentRequest): Promise<boolean> {
  const name = Buffer.from(hash('sha256', `${tokenId} ${key}`), 'hex').readBigInt64BE();
  const [row] = await tx.rows<{ free: boolean }>(LOCK, [name.toString()]);
  return row?.free === true;
}

function placeOf(tokenId: number, keyDigest: string): string {
  return `${tokenId} ${keyDigest}`;
}
