import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';

/**
 * Checks again whether a stream may follow one organization, because a reader without access would see no difference to a
 * quiet organization. The returned function throws then; it uses the cache, unless a loss of access was announced since.
 */
export function rightToFollow(access: Access, caller: () => Caller, organizationId: number): () => Promise<void> {
  let judgedIn = access.cache.currentGeneration();
  return async () => {
    const generation = access.cache.currentGeneration();
    if (generation === judgedIn) return;
    await access.authorize(await access.connected(caller()), 'READ_ORGANIZATION', organizationId);
    judgedIn = generation;
  };
}
