import { HOUR } from '../../common/time.js';
import { insertRows, jsonRows } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import type { MailQueue } from '../../mail/mailer.js';
import { languageOf } from '../../messages/language.js';
import { digestMail, notificationMail, type DigestTotal, type MailedNotification } from '../../mail/platform-mails.js';
import { MAIL_DELIVERY_DEFAULT, type NotificationType } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import type { LoggedEntry } from '../audit/consumer.js';
import { readingLanguage } from '../shared/reading-language.js';
import type { MailCategory, UnsubscribeLinks } from '../shared/unsubscribe-links.js';
import { MOST_DEFERRED } from './deferred-notifications.js';
import { categoryOf } from './mail-preferences.service.js';
import { eventsOf, eventRows, recipientsOf, textOfEvent, type NotificationRules } from './notifier.js';

export interface MailDeps {
  mails: MailQueue;
  links: UnsubscribeLinks;
  publicUrl: string;
  /** The URL of the application, for links in mails. */
  appUrl: string;
}

interface Recipient extends MailedNotification, AtOnce {
  email: string;
  organizationId: number;
  organization: string;
  sandbox: boolean;
  language: string;
  type: NotificationType;
}

const m = table('membership', 'm');
const u = table('app_user', 'u');
const o = table('organization', 'o');

const recipients = statement<{ events: string }>()(
  (p) => sql<Recipient>`
    select ${u.email}, ${m.id} as "membershipId", event.at, event.deadline, event.organization_id as "organizationId", event.type, event.href,
           ${textOfEvent('title')} as title, ${textOfEvent('message')} as message, ${readingLanguage(u.language, sql.ref('event.organization_id'))} as language,
           (select ${o.name} from ${o.table} where ${o.id} = event.organization_id) as organization,
           (select ${o.sandbox} from ${o.table} where ${o.id} = event.organization_id) as sandbox
     ${recipientsOf(p)} and ${u.email_verified_at} is not null
       and (select ${o.deleted_at} is null from ${o.table} where ${o.id} = event.organization_id)
       and case coalesce(${m.mail_preferences} ->> lower(event.type), ${sql.lit(MAIL_DELIVERY_DEFAULT)})
             when 'IMMEDIATELY' then true when 'NEVER' then false else ${m.role} = any(event.urgent_roles) end
     order by event.n`,
);

/** Mails notifications of audit trails to the members who want them immediately (docs/adr/0014). */
export class NotificationMails {
  constructor(
    private readonly rules: NotificationRules,
    private readonly deps: MailDeps,
    private readonly now: () => Date,
  ) {}

  /**
   * Sends one mail for each member and category. Notifications beyond the mails of an hour are deferred to the daily
   * one.
   */
  async post(tx: Queryable, entries: readonly LoggedEntry[]): Promise<void> {
    const events = eventsOf(this.rules, entries);
    if (events.length === 0) return;
    const rows = await recipients.all(tx, { events: eventRows(events) });
    if (rows.length === 0) return;
    const together = [...Map.groupBy(rows, keyOf).values()];
    for (const notifications of await withinAllowance(tx, together, this.now())) {
      const [{ email: to, organizationId, organization, sandbox, language, type }] = notifications as [Recipient];
      const mailed = { to, organizationId, organization, sandbox, language, notifications };
      await post(tx, this.deps, mailed, [categoryOf(type)]);
    }
  }
}

function keyOf({ email, organizationId, type }: Recipient): string {
  return `${organizationId} ${type} ${email}`;
}

interface Mailed {
  to: string;
  organizationId: number;
  organization: string;
  sandbox: boolean;
  language: string;
  notifications: readonly MailedNotification[];
}

/** Sends a mail with the link to unsubscribe from these categories; a daily mail with a `total`. */
export async function post(
  tx: Queryable,
  { mails, links, publicUrl, appUrl }: MailDeps,
  { organizationId, language, ...mailed }: Mailed,
  categories: readonly MailCategory[],
  total?: DigestTotal,
): Promise<void> {
  const unsubscribeUrl = links.address({ organizationId, email: mailed.to, categories });
  const facts = { ...mailed, language: languageOf(language), publicUrl, appUrl, unsubscribeUrl };
  const mail = total === undefined ? notificationMail(facts) : digestMail(facts, total);
  await mails.post(tx, { ...mail, headers: links.headers(unsubscribeUrl) });
}

/** A notification to mail immediately. */
interface AtOnce {
  membershipId: number;
  /** When it was made. */
  at: string;
  /** Whether it is never deferred. */
  deadline: boolean | null;
}

const sentIn = statement<{ membershipIds: readonly number[]; hour: Date }>()((p) =>
  db
    .selectFrom('mail_allowance')
    .select(['membership_id as membershipId', 'mails'])
    .where('membership_id', '=', ({ fn }) => fn.any(p('membershipIds')))
    .where('hour', '=', p('hour')),
);

const spend = statement<{ members: string }>()(
  (p) => sql`
    ${insertRows('mail_allowance', ['membershipId', 'hour', 'mails', 'held'], p('members'))}
    order by membership_id
    on conflict (membership_id) do update
       set hour = excluded.hour, mails = excluded.mails, held = (excluded.held || mail_allowance.held)[:${MOST_DEFERRED}]`,
);

/**
 * Counts mails and returns those that may be sent immediately; defers the notifications of the others to the daily
 * mail. One instance at a time calls it: the consumer of mails has a lock.
 */
async function withinAllowance<Item extends AtOnce>(
  tx: Queryable,
  mails: readonly Item[][],
  now: Date,
): Promise<Item[][]> {
  const hour = new Date(now.getTime() - (now.getTime() % HOUR));
  const membershipIds = [...new Set(mails.flat().map(({ membershipId }) => membershipId))];
  const sent = await sentIn.all(tx, { membershipIds, hour });
  const before = new Map(sent.map((member) => [member.membershipId, member.mails]));
  const spent = new Map(membershipIds.map((id) => [id, startOf(id, hour, before.get(id))]));
  const allowed = mails.filter((items) => {
    const member = spent.get((items[0] as Item).membershipId) as ReturnType<typeof startOf>;
    const isAllowed = member.mails < LIMITS.mail.atOncePerHour || items.some(({ deadline }) => deadline);
    if (isAllowed) member.mails += 1;
    else member.held.unshift(...items.map(({ at }) => at).toReversed());
    return isAllowed;
  });
  await spend.all(tx, { members: jsonRows<'mail_allowance'>([...spent.values()]) });
  return allowed;
}

function startOf(membershipId: number, hour: Date, mails = 0) {
  return { membershipId, hour: hour.toISOString(), mails, held: [] as string[] };
}
