import type { UserCaller } from '../../auth/caller.js';
import type { ChangedObject } from '../../errors.js';

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

/** Executes a request with a key once, also if its answer was lost. */
export interface Idempotency {
  /**
   * Executes it, or repeats its answer. `fingerprint` identifies the body and is called after the body was read. Throws
   * CONFLICT: IDEMPOTENCY_KEY_REUSED for another request, IDEMPOTENCY_OTHER_VERSION where the two cannot be compared,
   * IDEMPOTENCY_KEY_IN_USE while the first is in progress, IDEMPOTENCY_ANSWER_NOT_KEPT where the answer was too long;
   * RATE_LIMITED, with no change, at the budget of stored answers; NOT_FOUND and FORBIDDEN for an answer that the caller
   * may not read any more.
   */
  run(
    request: IdempotentRequest,
    fingerprint: () => string | Promise<string>,
    execute: () => Promise<Executed>,
  ): Promise<{ reply: Reply; isReplayed: boolean }>;
}
