import { button, mailLayout, markup, paragraph, PLATFORM, quoted, section, type Markup } from './mail-layout.js';
import type { Mail } from './mailer.js';

export interface MailedNotification {
  title: string;
  message: string;
  /** Relative link to what it is about; empty without. */
  href: string;
}

interface NotificationMailFacts {
  to: string;
  organization: string;
  /** At least one. */
  notifications: readonly MailedNotification[];
  /** Where links lead. */
  publicUrl: string;
  unsubscribeUrl: string;
}

/** What has just happened: one notification, or several that came together. */
export function notificationMail(facts: NotificationMailFacts): Mail {
  const { notifications, organization } = facts;
  const what = notifications.length === 1 ? (notifications[0]?.title ?? '') : `${notifications.length} notifications`;
  return composed(facts, `${what}, ${quoted(organization)}`, notifications.length);
}

/** The unread notifications of a day; `total` counts those that are not listed as well. */
export function digestMail(facts: NotificationMailFacts, total: number): Mail {
  const what = total === 1 ? 'One unread notification' : `${total} unread notifications`;
  return composed(facts, `${what}, ${quoted(facts.organization)}`, total);
}

function composed(facts: NotificationMailFacts, subject: string, total: number): Mail {
  const { to, organization, notifications, publicUrl, unsubscribeUrl } = facts;
  const why = `You get this mail as a member of ${quoted(organization)} at ${publicUrl}. Your mail preferences there decide which notifications are mailed.`;
  const more = total - notifications.length;
  const rest = more === 0 ? '' : `${more} more ${more === 1 ? 'is' : 'are'} among your notifications.`;
  return {
    to,
    subject,
    text: [...notifications.map((each) => textOf(each, publicUrl)), ...(rest === '' ? [] : [rest])]
      .concat(`-- \n${why}\nTo stop these mails: ${unsubscribeUrl}\n`)
      .join('\n\n'),
    html: mailLayout({
      title: subject,
      preheader: notifications[0]?.message ?? '',
      brand: PLATFORM,
      body: markup`${notifications.map((each) => htmlOf(each, publicUrl))}${rest === '' ? '' : section('More', paragraph(markup`${rest}`))}
<tr><td style="font-size:1px;line-height:16px;">&nbsp;</td></tr>`,
      footer: markup`${why} <a class="quiet" href="${unsubscribeUrl}" style="color:#55637a;text-decoration:underline;">Stop these mails</a>`,
    }),
  };
}

function textOf({ title, message, href }: MailedNotification, publicUrl: string): string {
  return [title, message, ...(href === '' ? [] : [`${publicUrl}${href}`])].join('\n');
}

function htmlOf({ title, message, href }: MailedNotification, publicUrl: string): Markup {
  const link = href === '' ? '' : button(PLATFORM, `${publicUrl}${href}`, 'Open');
  return section(title, markup`${paragraph(markup`${message}`)}${link}`);
}
