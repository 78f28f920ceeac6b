import type { Role, Scope } from '../enums.js';

/** A privilege requires this role, or a higher one, and this scope of the token. */
export interface Requirement {
  role: Role;
  scope: Scope;
  /** Description of the privilege, as the end of "may ...". */
  may: string;
}

/** Privileges of a role and higher ones, with a token of the scope. */
export function allows<Name extends string>(
  role: Role,
  scope: Scope,
  privileges: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Requirement>> {
  const rows = Object.entries<string>(privileges).map(([name, may]) => [name, { role, scope, may }]);
  return Object.fromEntries(rows) as Readonly<Record<Name, Requirement>>;
}

/** A subject of audit entries, with its REST path below the API, if any. */
export interface DescribedSubject {
  text: string;
  path?: string;
}

export const ORGANIZATION = 'organizations/{organization}';

/** The event of an entry in an organization: its published type, which is never renamed, and its audience. */
export interface EventKind<Type> {
  readonly text: string;
  readonly type: Type;
  readonly audience: 'MEMBERS' | 'AUDIT_TRAIL';
}

/** Each member may read the event. */
export const toMembers = <Type extends `${string}.${string}`>(type: Type, text: string): EventKind<Type> => ({
  ...{ text, type, audience: 'MEMBERS' },
});
/** Members who may read the audit trail may read the event. */
export const toAuditors = <Type extends `${string}.${string}`>(type: Type, text: string): EventKind<Type> => ({
  ...{ text, type, audience: 'AUDIT_TRAIL' },
});
/** Recorded only in the trail of a user, which belongs to no organization: no event. */
export const ownAffairs = (text: string): { readonly text: string } => ({ text });
