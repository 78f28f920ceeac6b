import { HOUR } from '../../common/time.js';
import type { Queryable } from '../../database/database.js';
import { db, insertSelect, sql, statement } from '../../database/sql.js';
import { LIMITS } from '../../values/limits.js';

/** A notification that a member is to be mailed at once. */
export interface AtOnce {
  membershipId: number;
  /** When it was made. */
  at: string;
  /** Whether it is not held back. */
  deadline: boolean | null;
}

interface Spent {
  membership_id: number;
  mails: number;
  held: string[];
}

/** Notifications held back for one member; the older ones beyond them are in the application alone. */
const MOST_HELD = sql.lit(1_000);

const sentIn = statement<{ membershipIds: readonly number[]; hour: Date }>()((p) =>
  db
    .selectFrom('mail_allowance')
    .select(['membership_id as membershipId', 'mails'])
    .where('membership_id', '=', ({ fn }) => fn.any(p('membershipIds')))
    .where('hour', '=', p('hour')),
);

const spend = statement<{ hour: Date; members: string }>()(
  (p) => sql`
    ${insertSelect('mail_allowance', {
      membership_id: sql.ref('spent.membership_id'),
      hour: p('hour'),
      mails: sql.ref('spent.mails'),
      held: sql.ref('spent.held'),
    })} from jsonb_to_recordset(${p('members')}::jsonb) as spent(membership_id bigint, mails int, held timestamptz[])
    order by spent.membership_id
    on conflict (membership_id) do update
       set hour = excluded.hour, mails = excluded.mails, held = (excluded.held || mail_allowance.held)[:${MOST_HELD}]`,
);

/**
 * Counts mails and returns those that their members may get at once. The notifications of the others are held back for
 * the daily mail. One instance at a time calls it: the consumer of mails has a lock.
 */
export async function withinAllowance<Item extends AtOnce>(
  tx: Queryable,
  mails: readonly Item[][],
  now: Date,
): Promise<Item[][]> {
  const hour = new Date(now.getTime() - (now.getTime() % HOUR));
  const membershipIds = [...new Set(mails.flat().map(({ membershipId }) => membershipId))];
  const sent = await sentIn.all(tx, { membershipIds, hour });
  const spent = new Map(membershipIds.map((id): [number, Spent] => [id, { membership_id: id, mails: 0, held: [] }]));
  for (const { membershipId, mails: before } of sent) (spent.get(membershipId) as Spent).mails = before;
  const allowed = mails.filter((items) => {
    const member = spent.get((items[0] as Item).membershipId) as Spent;
    const isAllowed = member.mails < LIMITS.mail.atOncePerHour || items.some(({ deadline }) => deadline);
    if (isAllowed) member.mails += 1;
    else member.held.unshift(...items.map(({ at }) => at).toReversed());
    return isAllowed;
  });
  await spend.all(tx, { hour, members: JSON.stringify([...spent.values()]) });
  return allowed;
}
