import { unauthenticated } from '../errors.js';
import type { AuditVia } from '../values/audit.js';
import type { Scope } from '../values/enums.js';
import type { UsedRights } from './rights.js';

/**
 * The form in which a token was sent (specification 5.2, 5.3). Both forms together count as `query`: the token was in
 * an address.
 */
export type TokenForm = 'header' | 'query';

/** The origin of a request, for audit trails. */
export interface Origin {
  /** Network address; undefined when it is unknown. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  /** The protocol of a program that acts for the caller; undefined for direct calls of GraphQL or REST. */
  readonly via?: AuditVia;
  /** The name that the program claims, without proof. */
  readonly client?: string | undefined;
}

/** How a token was sent, and from where. */
export interface CredentialOrigin {
  readonly form: TokenForm;
  /** Undefined when it is unknown. */
  readonly address: string | undefined;
  readonly requestId?: string;
  /** The address has sent many wrong tokens. */
  readonly isSuspect?: boolean;
}

/** A token that was valid once, for clients that stay connected and long requests. */
export interface Credential {
  readonly digest: string;
  readonly origin: CredentialOrigin;
}

/** The user of a valid token: a person, or a service account. */
export interface UserCaller {
  readonly kind: 'user';
  readonly userId: string;
  readonly username: string;
  readonly tokenId: number;
  /** Scopes for authorization: `read` and `write` for a token with the scope `documents`. */
  readonly scopes: ReadonlySet<Scope>;
  /** Restricted to registered GraphQL documents (docs/trusted-documents.md). */
  readonly documentsOnly?: true;
  readonly form: TokenForm;
  /** Organizations whose owners have blocked this token. */
  readonly blockedIn: ReadonlySet<number>;
  /** The encryption key of personal values in audit trails. */
  readonly personalKey: Buffer | null;
  /** The provider of a sign-in token, and the only organization that it reaches. */
  readonly signIn?: { readonly providerId: number; readonly organizationId: number };
  /** Created by the operator for a user who had lost all others: accepted where a sign-in is required. */
  readonly byOperator?: boolean;
  /** The organization that a service account belongs to; absent for a person. */
  readonly serviceOf?: number;
  readonly origin?: Origin;
  /** The token, for long requests that revalidate it. */
  readonly credential?: Credential;
  /** Rights that were granted in this request, where they are confirmed later. */
  rights?: UsedRights;
}

/** Whether the token is accepted where a sign-in is required: of a service account, or created by the operator. */
export function isExempt({ serviceOf, byOperator = false }: UserCaller): boolean {
  return serviceOf !== undefined || byOperator;
}

/** The gateway itself, with the name of the job; also for requests with only a signed address. */
interface SystemCaller {
  readonly kind: 'system';
  readonly name: string;
  readonly origin?: Origin;
}

/** A caller without a valid token. Not null: a forgotten check must fail, not pass. */
export interface AnonymousCaller {
  readonly kind: 'anonymous';
  /** A token was sent, and it is invalid. */
  readonly wrongToken?: true;
  readonly origin?: Origin;
}

/** A directory that provisions the members of one organization (docs/scim.md). Only use cases of SCIM accept it. */
export interface ScimCaller {
  readonly kind: 'scim';
  readonly organizationId: number;
  readonly tokenId: number;
  /** The name of its token. */
  readonly name: string;
  readonly origin?: Origin;
}

/** The first argument of each use case. */
export type Caller = UserCaller | SystemCaller | AnonymousCaller;

/** Requires a user. Throws UNAUTHENTICATED for every other caller. */
export function userOf(caller: Caller): UserCaller {
  if (caller.kind !== 'user') throw unauthenticated();
  return caller;
}

/** The actor of an audit entry: a user, possibly a new one, a directory, or the gateway itself. */
export type Actor =
  | SystemCaller
  | ScimCaller
  | (Pick<UserCaller, 'kind' | 'userId' | 'personalKey' | 'serviceOf' | 'origin'> & { readonly tokenId?: number });

export const ANONYMOUS: AnonymousCaller = Object.freeze({ kind: 'anonymous' });
export const WRONG_TOKEN: AnonymousCaller = Object.freeze({ kind: 'anonymous', wrongToken: true });
