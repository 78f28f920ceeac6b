import { DomainError } from '../../errors.js';
import type { PersonRefusal } from './admit.js';
import type { Application } from './flow.js';
import type { ProviderErrorKind } from './provider-client.js';

/** Why a sign-in failed; the pages have a sentence for each. */
export type SignInRefusal =
  | PersonRefusal
  | 'NO_PROVIDER'
  | `PROVIDER_${ProviderErrorKind}`
  | 'NO_FLOW'
  | 'REDIRECT_NOT_REGISTERED'
  | 'PKCE_MISSING'
  | 'STATE_TOO_LONG'
  | 'PARAMETER_TWICE'
  | 'WRONG_TOKEN'
  | 'NO_PLACE'
  | 'BAD_FORM'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE';

export class SignInRefused extends Error {
  /** The application that started the sign-in, if known. */
  application: Application | null = null;

  constructor(
    readonly reason: SignInRefusal,
    options?: ErrorOptions,
  ) {
    super(`Signing in was refused: ${reason}`, options);
  }
}

/** Why a page refuses; undefined for an error that the person did not cause. */
export function refusalOf(error: unknown): SignInRefusal | undefined {
  if (error instanceof SignInRefused) return error.reason;
  if (!(error instanceof DomainError)) return undefined;
  if (error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE') return error.code;
  if (error.code === 'BAD_USER_INPUT') return 'BAD_FORM';
  return error.reason === 'MEMBER_LIMIT' ? 'NO_PLACE' : undefined;
}

/** The application that a new sign-in returns to; null if none started the refused one. */
export function applicationOf(error: unknown): Application | null {
  return error instanceof SignInRefused ? error.application : null;
}
