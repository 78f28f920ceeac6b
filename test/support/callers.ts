import { Access } from '../../src/auth/access.js';
import type { UserCaller } from '../../src/auth/caller.js';
import type { Selection } from '../../src/common/selection.js';

/** A caller with every permission. */
export const SYSTEM = { kind: 'system', name: 'test' } as const;

/** A user with a token that may read and write. */
export function userCaller(userId: string): UserCaller {
  return {
    kind: 'user',
    userId,
    username: '',
    tokenId: 1,
    scopes: new Set(['read', 'write'] as const),
    form: 'header',
    blockedIn: new Set<number>(),
    personalKey: null,
  };
}

/** Access records without users: for callers that are not looked up. */
export function anonymousAccess(): Access {
  return new Access({} as never, { isFresh: () => false }, () => undefined);
}

/** A selection of these fields at every level, for services that are called without GraphQL. */
export function selecting(...fields: string[]): Selection {
  const selection: Selection = { fields, has: (field) => fields.includes(field), of: () => selection };
  return selection;
}
