import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';

/**
 * Judges again whether a stream may follow one organization: nothing of it is sent to a reader who may not read it any more, which
 * would look as if nothing happened. What it returns throws then; it goes by memory, unless a loss of access was announced since.
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
