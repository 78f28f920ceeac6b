import type { Scope } from '../values/enums.js';

/** How a token was sent (specification 5.2, 5.3). In both forms at once counts as `query`: it has been in an address. */
export type TokenForm = 'header' | 'query';

/** A person behind a valid token. */
export interface UserCaller {
  readonly kind: 'user';
  readonly userId: string;
  readonly username: string;
  readonly tokenId: number;
  readonly scopes: ReadonlySet<Scope>;
  readonly form: TokenForm;
  /** Organizations whose owners have blocked this token. */
  readonly blockedIn: ReadonlySet<number>;
}

/** The gateway itself, under the name of the job it does. Never made from a request. */
interface SystemCaller {
  readonly kind: 'system';
  readonly name: string;
}

/** A caller without a valid token. Not null: a forgotten check must fail, not pass. */
interface AnonymousCaller {
  readonly kind: 'anonymous';
  /** A token was sent, and it is no good one. */
  readonly wrongToken?: true;
}

/** Who calls: the first argument of each use-case. */
export type Caller = UserCaller | SystemCaller | AnonymousCaller;

export const ANONYMOUS: AnonymousCaller = Object.freeze({ kind: 'anonymous' });
export const WRONG_TOKEN: AnonymousCaller = Object.freeze({ kind: 'anonymous', wrongToken: true });
