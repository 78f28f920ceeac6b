import type { Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { notificationMail, type MailedNotification } from '../../mail/notification-mail.js';
import { MAIL_DELIVERY_DEFAULT } from '../../values/defaults.js';
import type { NotificationType } from '../../values/enums.js';
import type { LoggedEntry } from '../audit/consumer.js';
import { withinAllowance, type AtOnce } from './mail-allowance.js';
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
