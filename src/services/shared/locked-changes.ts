import type { Caller } from '../../auth/caller.js';
import type { Foundation } from '../foundation.js';

/** Changes of users, with shared locks on the user and the organizations of its authorization (change-locks.ts). */
export class LockedChanges {
  constructor(private readonly deps: Pick<Foundation, 'access' | 'database'>) {}

  /**
   * Runs a change. A use case authorizes before its transaction, so that its organization is known by then, and
   * whether the caller matters.
   */
  run<Result>(caller: Caller, work: () => Result): Result {
    if (caller.kind !== 'user') return work();
    const { access, database } = this.deps;
    const { userId } = caller;
    const rights = access.noteRights(caller);
    // Rights that others revoked while the change waited for a lock; not those that it revokes or grants itself.
    const confirm = async () => {
      const latest = rights.takeLatest();
      if (latest.length === 0) return;
      // Without them: noted again, they would count for the next change of the request as well.
      const present = { ...(await database.request.outside(() => access.renewed(caller))) };
      delete present.rights;
      const lost = await access.lost(present, latest);
      if (lost.length > 0) await database.request.outside(() => access.confirm(present, lost));
    };
    const locks = () =>
      rights.all().length === 0 ? undefined : { userId, organizationIds: rights.organizationIds(), confirm };
    return database.request.withLocks(locks, work);
  }
}
