import { HOUR } from '../../common/time.js';
import type { Queryable } from '../../database/database.js';
import { db, insertSelect, sql, statement, table } from '../../database/sql.js';
import { notificationMail, type MailedNotification } from '../../mail/platform-mails.js';
import { MAIL_DELIVERY_DEFAULT } from '../../values/defaults.js';
import type { NotificationType } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import type { LoggedEntry } from '../audit/consumer.js';
import { categoryOf } from './mail-preferences.service.js';
import type { MailDeps } from './mail-digest.service.js';
import { eventsOf, eventRows, recipientsOf, type NotificationRules } from './notifier.js';

interface Recipient extends MailedNotification, AtOnce {
  email: string;
  organizationId: number;
  organization: string;
  type: NotificationType;
}

const m = table('membership', 'm');
const u = table('app_user', 'u');
const o = table('organization', 'o');

const recipients = statement<{ events: string }>()(
  (p) => sql<Recipient>`
    select ${u.email}, ${m.id} as "membershipId", event.at, event.deadline, event.organization_id as "organizationId", event.type, event.title, event.message, event.href,
           (select ${o.name} from ${o.table} where ${o.id} = event.organization_id) as organization
     ${recipientsOf(p)} and ${u.email_verified_at} is not null
       and case coalesce(${m.mail_preferences} ->> lower(event.type), ${sql.lit(MAIL_DELIVERY_DEFAULT)})
             when 'IMMEDIATELY' then true when 'NEVER' then false else ${m.role} = any(event.urgent_roles) end
     order by event.n`,
);

/** Mails what entries of audit trails notify of, to the members who want it at once (docs/adr/0014). */
export class NotificationMails {
  constructor(
    private readonly rules: NotificationRules,
    private readonly deps: MailDeps,
    private readonly now: () => Date,
  ) {}

  /** What comes together for one member, of one category, is one mail. What exceeds an hour's mails joins the daily one. */
  async post(tx: Queryable, entries: readonly LoggedEntry[]): Promise<void> {
    const events = eventsOf(this.rules, entries);
    if (events.length === 0) return;
    const rows = await recipients.all(tx, { events: eventRows(events) });
    if (rows.length === 0) return;
    const { mails, links, publicUrl } = this.deps;
    const together = [...Map.groupBy(rows, keyOf).values()];
    for (const notifications of await withinAllowance(tx, together, this.now())) {
      const [{ email: to, organizationId, organization, type }] = notifications as [Recipient];
      const unsubscribeUrl = links.address({ organizationId, email: to, categories: [categoryOf(type)] });
      const mail = notificationMail({ to, organization, notifications, publicUrl, unsubscribeUrl });
      await mails.post(tx, { ...mail, headers: links.headers(unsubscribeUrl) });
    }
  }
}

function keyOf({ email, organizationId, type }: Recipient): string {
  return `${organizationId} ${type} ${email}`;
}

/** A notification that a member is to be mailed at once. */
interface AtOnce {
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
async function withinAllowance<Item extends AtOnce>(
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
