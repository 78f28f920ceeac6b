import { unauthenticated } from '../errors.js';
import type { AuditVia } from '../values/audit.js';
import type { Scope } from '../values/enums.js';
import type { UsedRights } from './rights.js';

/** How a token was sent (specification 5.2, 5.3). In both forms at once counts as `query`: it has been in an address. */
export type TokenForm = 'header' | 'query';

/** Where a request came from, as audit trails have it. */
export interface Origin {
  /** Network address; undefined when it is not known. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  /** The protocol of a program that acts for the caller; undefined where the caller calls GraphQL or REST itself. */
  readonly via?: AuditVia;
  /** The name that the program gives itself: a claim, no proof. */
  readonly client?: string | undefined;
}

/** How a token came. */
export interface TokenOrigin {
  readonly form: TokenForm;
  /** Undefined when it is not known. */
  readonly address: string | undefined;
  readonly requestId?: string;
  /** The address has sent many wrong tokens. */
  readonly isSuspect?: boolean;
}

/** A token that was found good once, as those keep it who stay connected. */
export interface Credential {
  readonly digest: string;
  readonly origin: TokenOrigin;
}

/** The user behind a valid token: a person, or a service account. */
export interface UserCaller {
  readonly kind: 'user';
  readonly userId: string;
  readonly username: string;
  readonly tokenId: number;
  /** Scopes by which its use cases are allowed: for a token of the scope `documents`, `read` and `write`. */
  readonly scopes: ReadonlySet<Scope>;
  /** It runs registered GraphQL documents, and reaches nothing else (docs/trusted-documents.md). */
  readonly documentsOnly?: true;
  readonly form: TokenForm;
  /** Organizations whose owners have blocked this token. */
  readonly blockedIn: ReadonlySet<number>;
  /** The key that personal values in audit trails are encrypted under. */
  readonly personalKey: Buffer | null;
  /** Whose sign-in has made the token: it reaches that organization alone. */
  readonly signIn?: { readonly providerId: number; readonly organizationId: number };
  /** The operator has made the token for a user who had lost all others: it passes where a sign-in is required. */
  readonly byOperator?: boolean;
  /** The organization that a service account belongs to; absent for a person. */
  readonly serviceOf?: number;
  readonly origin?: Origin;
  /** The token, for requests that take so long that it is judged again. */
  readonly credential?: Credential;
  /** Rights that were granted in this request, where they are judged again later. */
  rights?: UsedRights;
}

/** Whose token passes where a sign-in is required: a service account's, and one that the operator has made. */
export function isExempt({ serviceOf, byOperator = false }: UserCaller): boolean {
  return serviceOf !== undefined || byOperator;
}

/** The gateway itself, under the name of the job it does: also where a signed address is all that a request has. */
interface SystemCaller {
  readonly kind: 'system';
  readonly name: string;
  readonly origin?: Origin;
}

/** A caller without a valid token. Not null: a forgotten check must fail, not pass. */
export interface AnonymousCaller {
  readonly kind: 'anonymous';
  /** A token was sent, and it is no good one. */
  readonly wrongToken?: true;
  readonly origin?: Origin;
}

/** A directory that provisions the members of one organization (docs/scim.md). No use case but those of SCIM takes it. */
export interface ScimCaller {
  readonly kind: 'scim';
  readonly organizationId: number;
  readonly tokenId: number;
  /** The name of its token. */
  readonly name: string;
  readonly origin?: Origin;
}

/** Who calls: the first argument of each use-case. */
export type Caller = UserCaller | SystemCaller | AnonymousCaller;

/** For what users do. Throws UNAUTHENTICATED for every other caller. */
export function userOf(caller: Caller): UserCaller {
  if (caller.kind !== 'user') throw unauthenticated();
  return caller;
}

/** Who has done something: a user, also one that has just been made, a directory, or the gateway itself. */
export type Actor =
  | SystemCaller
  | ScimCaller
  | (Pick<UserCaller, 'kind' | 'userId' | 'personalKey' | 'serviceOf' | 'origin'> & { readonly tokenId?: number });

export const ANONYMOUS: AnonymousCaller = Object.freeze({ kind: 'anonymous' });
export const WRONG_TOKEN: AnonymousCaller = Object.freeze({ kind: 'anonymous', wrongToken: true });
