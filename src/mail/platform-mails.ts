import { instantText } from '../common/local-time.js';
import { LIMITS } from '../values/limits.js';
import {
  button,
  FONT,
  mailLayout,
  markup,
  paragraph,
  PLATFORM,
  quotation,
  quoted,
  section,
  type Brand,
  type Markup,
} from './mail-layout.js';
import type { Mail } from './mailer.js';

interface InvitationMailFacts {
  to: string;
  organization: string;
  /** The organization's colour. */
  primary: string;
  /** Null when the sender is not known. */
  inviter: { name: string; email: string } | null;
  /** What the reader is to be, in words. */
  role: string;
  /** Where the gateway is. */
  publicUrl: string;
  /** Leads to the page that accepts; its fragment is the secret, so that no log between here and there sees it. */
  link: string;
  expiresAt: Date;
  /** Of the organization. */
  timeZone: string;
}

/**
 * The mail of an invitation. The gateway speaks in it, under its own name; what the sender has written stands apart, as
 * a quotation, and of the subject it is a short part.
 */
export function invitationMail(facts: InvitationMailFacts): Mail {
  const { to, organization, inviter, role, publicUrl, link, expiresAt, timeZone, primary } = facts;
  const sender = inviter === null ? 'A member' : `${quoted(inviter.name)} (${inviter.email})`;
  const until = `The invitation is valid until ${instantText(expiresAt, timeZone)} (${LIMITS.invitation.days} days) and can be used once.`;
  return composed({
    ...{ to, subject: `Invitation to join ${quoted(organization)}`, title: 'Invitation', preheader: until, primary },
    parts: [
      `${sender} invites you to join an organization as ${role}. The name of the organization is:`,
      { quotation: organization },
      `The ${PLATFORM.name} at ${publicUrl} sends this mail on behalf of that person. The quoted words are theirs; they were not checked.`,
      { aim: 'accept', link, label: 'Accept the invitation' },
    ],
    footer: [
      until,
      'If you do not know why you get this mail, do nothing: nothing happens unless the invitation is accepted.',
    ],
  });
}

/** The mail with the link by which a user who has lost every token gets a new one; its fragment is the secret. */
export function recoveryMail({ to, publicUrl, link }: Record<'to' | 'publicUrl' | 'link', string>): Mail {
  const until = `The link is valid for ${LIMITS.recovery.linkMinutes} minutes and can be used once.`;
  return composed({
    ...{ to, subject: 'Recover your access', preheader: until },
    parts: [
      `A new token was requested for the user of this e-mail address at ${publicUrl}.`,
      { aim: 'make the token', link, label: 'Make a new token' },
    ],
    footer: [
      until,
      'If you did not request it, do nothing: no token is made unless the link is opened and confirmed, and your tokens stay as they are.',
    ],
  });
}

/** The mail to the owners of a user's organizations, and to the user, after a token was recovered. */
export function recoveredMail(to: string, user: { username: string; email: string }, publicUrl: string): Mail {
  const advice =
    'If this was not the user, deactivate the member, or block the token, in each of your organizations at once.';
  return composed({
    ...{ to, subject: 'A user has recovered access', preheader: advice },
    parts: [`The user ${user.username} (${user.email}) has made a new token at ${publicUrl} by account recovery.`],
    footer: [advice],
  });
}

/** The mail with checkpoints of audit trails, as `verify-audit-trail.mjs` reads them: one on each line. */
export function checkpointMail(to: string, checkpoints: readonly object[], publicUrl: string): Mail {
  const advice = 'Keep this mail: a checkpoint shows later whether an audit trail was changed since.';
  return composed({
    ...{ to, subject: `Checkpoints of audit trails (${checkpoints.length})`, preheader: advice },
    parts: [`The gateway at ${publicUrl} has signed:`, ...checkpoints.map((each) => JSON.stringify(each))],
    footer: [advice],
  });
}

/** A paragraph, what people have written, or an address to open for some aim, as a button where there is HTML. */
type Part = string | { quotation: string } | { aim: string; link: string; label: string };

interface Letter extends Pick<Mail, 'to' | 'subject'> {
  /** The subject when absent. */
  title?: string;
  preheader: string;
  /** The colour of the platform when absent. */
  primary?: string;
  parts: readonly Part[];
  footer: readonly string[];
}

/** The same as text and as HTML. */
function composed({ to, subject, title = subject, preheader, primary, parts, footer }: Letter): Mail {
  const brand = { ...PLATFORM, ...(primary !== undefined && { primary }) };
  const body = markup`<tr><td class="cell" style="padding:24px 32px 20px;font-family:${FONT};">${parts.map((part) => markup`\n${htmlPart(part, brand)}`)}
</td></tr>`;
  const [first = '', ...rest] = footer;
  return {
    to,
    subject,
    text: `${[...parts.map(textPart), ...footer].join('\n\n')}\n`,
    html: mailLayout({
      title,
      preheader,
      brand,
      body,
      footer: markup`${first}${rest.map((line) => markup`<br>${line}`)}`,
    }),
  };
}

function textPart(part: Part): string {
  if (typeof part === 'string') return part;
  return 'link' in part ? `To ${part.aim}, open this address:\n\n${part.link}` : `> ${part.quotation}`;
}

function htmlPart(part: Part, brand: Brand): Markup {
  if (typeof part === 'string') return paragraph(markup`${part}`);
  return 'link' in part ? button(brand, part.link, part.label) : quotation(part.quotation);
}

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
  return notified(facts, `${what}, ${quoted(organization)}`, notifications.length);
}

/** The unread notifications of a day; `total` counts those that are not listed as well. */
export function digestMail(facts: NotificationMailFacts, total: number): Mail {
  const what = total === 1 ? 'One unread notification' : `${total} unread notifications`;
  return notified(facts, `${what}, ${quoted(facts.organization)}`, total);
}

function notified(facts: NotificationMailFacts, subject: string, total: number): Mail {
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
