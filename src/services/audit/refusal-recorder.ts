import type { Refusal } from '../../auth/access.js';
import { BackgroundWork } from '../../common/concurrency.js';
import { MINUTE } from '../../common/time.js';
import type { Queryable } from '../../database/database.js';
import type { Logger } from '../../logger.js';
import { ofEachTrail } from './each-trail.js';
import { recordMember, recordServiceAccount, recordUser } from './subjects.js';

/** Milliseconds. */
const FLUSH_EVERY = 1_000;

type DatedRefusal = Refusal & { at: Date };

/** Refusals of one user for the same privilege or scope, counted for a minute. */
interface Counted {
  first: DatedRefusal;
  isRecorded: boolean;
  last: DatedRefusal;
  /** Refusals after the first. */
  further: number;
}

/**
 * Records refusals of members in the trails of their organizations, and of tokens in those of their users: the first
 * of a minute within a second, and the number of others at its end, so that a flood makes two entries. Writes apart from
 * requests, and retries failed writes.
 */
export class RefusalRecorder {
  private readonly counted = new Map<string, Counted>();
  private missed = 0;
  private readonly work: BackgroundWork;

  constructor(
    private readonly database: Queryable,
    private readonly log: Logger,
    private readonly now: () => Date,
    private readonly maxCounted = 10_000,
  ) {
    this.work = new BackgroundWork(
      FLUSH_EVERY,
      (isLast) => this.record(isLast),
      (err) => log.warn({ err }, 'refusals cannot be recorded in audit trails at the moment'),
    );
  }

  /** Counts a refusal in memory, without waiting for the trail. */
  refused(refusal: Refusal): void {
    const { userId } = refusal.caller;
    const what = refusal.organizationId === undefined ? refusal.scope : refusal.privilege;
    const key = `${userId} ${refusal.organizationId} ${what}`;
    const last = { ...refusal, at: this.now() };
    const counted = this.counted.get(key);
    if (counted !== undefined) Object.assign(counted, { last, further: counted.further + 1 });
    else if (this.counted.size >= this.maxCounted) this.missed += 1;
    else this.counted.set(key, { first: last, isRecorded: false, last, further: 0 });
  }

  /** Records all pending refusals once; those that cannot be written are lost. */
  close(): Promise<void> {
    return this.work.close();
  }

  private async record(isLast: boolean): Promise<void> {
    if (this.missed > 0) this.log.warn({ missed: this.missed }, 'more refusals than are counted at a time');
    this.missed = 0;
    const trailOf = ([, { first }]: [string, Counted]) => {
      const { caller, organizationId } = first;
      return caller.serviceOf ?? organizationId ?? caller.userId;
    };
    await ofEachTrail(this.counted, trailOf, async ([key, counted]) => {
      if (!counted.isRecorded) await this.append(counted.first);
      counted.isRecorded = true;
      if (!isLast && counted.first.at.getTime() > this.now().getTime() - MINUTE) return;
      const { last, further } = counted;
      if (further > 0) await this.append(last, further);
      // More refusals may have been counted meanwhile.
      counted.further -= further;
      if (counted.further === 0) this.counted.delete(key);
    });
  }

  private append(refusal: DatedRefusal, times?: number): Promise<void> {
    const { caller, by, at, organizationId } = refusal;
    const changes = {
      ...(organizationId === undefined
        ? { scope: { after: refusal.scope } }
        : { privilege: { after: refusal.privilege } }),
      refusedBy: { after: by },
      ...(times !== undefined && { times: { after: times } }),
    };
    const facts = { action: 'ACCESS_REFUSED', at, changes } as const;
    const { userId, username, serviceOf } = caller;
    if (serviceOf !== undefined)
      return recordServiceAccount(this.database, caller, { organizationId: serviceOf, userId, username }, facts);
    if (organizationId === undefined) return recordUser(this.database, caller, caller, facts);
    return recordMember(this.database, caller, { organizationId, userId, username }, facts);
  }
}
