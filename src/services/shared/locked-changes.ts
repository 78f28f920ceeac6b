import type { Caller } from '../../auth/caller.js';
import type { Foundation } from '../foundation.js';

/** Changes of users, which hold their user and the organizations that they were authorized in (database/holds.ts). */
export class LockedChanges {
  constructor(private readonly deps: Pick<Foundation, 'access' | 'database'>) {}

  /**
   * Runs a change. A use case authorizes before its transaction: it is known by then whose organization is changed, and
   * whether it matters at all who calls.
   */
  run<Result>(caller: Caller, work: () => Result): Result {
    if (caller.kind !== 'user') return work();
    const { access, database } = this.deps;
    const { userId } = caller;
    const rights = access.noteRights(caller);
    // Rights that others have taken away while the change waited for a lock; not those that it takes away or gives itself.
    const confirm = async () => {
      const latest = rights.takeLatest();
      if (latest.length === 0) return;
      // Without them: noted once more, they would count for the next change of the request as well.
      const present = { ...(await database.request.outside(() => access.renewed(caller))) };
      delete present.rights;
      const lost = await access.lost(present, latest);
      if (lost.length > 0) await database.request.outside(() => access.confirm(present, lost));
    };
    const locks = () =>
      rights.all().length === 0 ? undefined : { userId, organizationIds: rights.organizationIds(), confirm };
    return database.request.holding(locks, work);
  }
}
