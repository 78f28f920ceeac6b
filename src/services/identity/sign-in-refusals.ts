import { DomainError } from '../../errors.js';
import type { PersonRefusal } from './admit.js';

/** Why a sign-in came to nothing; the pages have a sentence for each. */
export type SignInRefusal =
  | PersonRefusal
  | 'NO_PROVIDER'
  | 'PROVIDER_AWAY'
  | 'PROVIDER_WRONG'
  | 'NO_FLOW'
  | 'REDIRECT_NOT_REGISTERED'
  | 'PKCE_MISSING'
  | 'STATE_TOO_LONG'
  | 'WRONG_TOKEN'
  | 'NO_PLACE'
  | 'BAD_FORM'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE';

export class SignInRefused extends Error {
  constructor(
    readonly reason: SignInRefusal,
    options?: ErrorOptions,
  ) {
    super(`Signing in was refused: ${reason}`, options);
  }
}

/** Why a page refuses; undefined for an error that is none of the person's. */
export function refusalOf(error: unknown): SignInRefusal | undefined {
  if (error instanceof SignInRefused) return error.reason;
  if (!(error instanceof DomainError)) return undefined;
  if (error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE') return error.code;
  if (error.code === 'BAD_USER_INPUT') return 'BAD_FORM';
  return error.reason === 'MEMBER_LIMIT' ? 'NO_PLACE' : undefined;
}
