import { dayOf } from '../common/local-time.js';
import { english, type Language } from '../messages/language.js';
import type { Role } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';
import {
  button,
  FONT,
  mailLayout,
  markedAsSandbox,
  markup,
  paragraph,
  PLATFORM,
  quotation,
  shortened,
  section,
  type Brand,
  type Markup,
} from './mail-layout.js';
import type { Mail } from './mailer.js';

interface InvitationMailFacts {
  language: Language;
  to: string;
  organization: string;
  /** The organization's colour. */
  primary: string;
  /** Null when the sender is not known. */
  inviter: { name: string; email: string } | null;
  /** The role that the reader is to have. */
  role: Role;
  /** Where the gateway is. */
  publicUrl: string;
  /** Leads to the page that accepts; its fragment is the secret, so that no log between here and there sees it. */
  link: string;
  expiresAt: Date;
  /** Of the organization. */
  timeZone: string;
  sandbox: boolean;
}

/**
 * The mail of an invitation. The gateway speaks in it, under its own name; what the sender has written stands apart, as
 * a quotation, and of the subject it is a short part.
 */
export function invitationMail(facts: InvitationMailFacts): Mail {
  const { language, to, organization, inviter, role, publicUrl, link, expiresAt, timeZone, primary, sandbox } = facts;
  const values = { role: language.text(`enums.Role.${role}`) };
  const until = language.text('mail.invitation.until', {
    ...{ when: language.instant(expiresAt, timeZone), days: LIMITS.invitation.days },
  });
  return composed({
    ...{ language, to, preheader: until, primary, sandbox },
    subject: language.text('mail.invitation.subject', { organization: shortened(organization) }),
    title: language.text('mail.invitation.title'),
    parts: [
      inviter === null
        ? language.text('mail.invitation.byMember', values)
        : language.text('mail.invitation.by', { name: shortened(inviter.name), email: inviter.email, ...values }),
      { quotation: organization },
      language.text('mail.invitation.onBehalf', { gateway: PLATFORM.name, publicUrl }),
      {
        link,
        label: language.text('mail.invitation.accept'),
        above: language.text('mail.invitation.acceptByAddress'),
      },
    ],
    footer: [until, language.text('mail.invitation.ignore')],
  });
}

type RecoveryMailFacts = Record<'to' | 'publicUrl' | 'link', string> & { language: Language };

/** The mail with the link by which a user who has lost every token gets a new one; its fragment is the secret. */
export function recoveryMail({ language, to, publicUrl, link }: RecoveryMailFacts): Mail {
  const until = language.text('mail.recovery.until', { minutes: LIMITS.recovery.linkMinutes });
  return composed({
    ...{ language, to, subject: language.text('mail.recovery.subject'), preheader: until },
    parts: [
      language.text('mail.recovery.requested', { publicUrl }),
      { link, label: language.text('mail.recovery.make'), above: language.text('mail.recovery.makeByAddress') },
    ],
    footer: [until, language.text('mail.recovery.ignore')],
  });
}

/** The mail to the owners of a user's organizations, and to the user, after a token was recovered. */
export function recoveredMail(
  { language, to }: { language: Language; to: string },
  { username, email }: { username: string; email: string },
  publicUrl: string,
): Mail {
  const advice = language.text('mail.recovered.advice');
  return composed({
    ...{ language, to, subject: language.text('mail.recovered.subject'), preheader: advice },
    parts: [language.text('mail.recovered.done', { username, email, publicUrl })],
    footer: [advice],
  });
}

/**
 * The mail with checkpoints of audit trails, as `verify-audit-trail.mjs` reads them: one on each line. It is to the
 * operator, whose language is not known.
 */
export function checkpointMail(to: string, checkpoints: readonly object[], publicUrl: string): Mail {
  const advice = english.text('mail.checkpoints.advice');
  return composed({
    ...{ language: english, to, preheader: advice },
    subject: english.text('mail.checkpoints.subject', { count: checkpoints.length }),
    parts: [english.text('mail.checkpoints.signed', { publicUrl }), ...checkpoints.map((each) => JSON.stringify(each))],
    footer: [advice],
  });
}

interface WitnessMailFacts {
  language: Language;
  /** Of the organization. */
  timeZone: string;
  to: string;
  organization: string;
  /** Whether the organization is a sandbox. */
  sandbox: boolean;
  checkpoint: { position: number; hash: string; at: string; keyId: string };
  publicUrl: string;
}

/** The mail to the witness of an organization: data for verifying a proof later, in the format of the scripts. */
export function witnessMail({ language, timeZone, to, ...facts }: WitnessMailFacts): Mail {
  const { organization, sandbox, checkpoint, publicUrl } = facts;
  const { position, hash, at, keyId } = checkpoint;
  const advice = language.text('mail.witness.advice');
  return composed({
    ...{ language, to, preheader: advice, sandbox },
    subject: language.text('mail.witness.subject', {
      organization: shortened(organization),
      day: language.day(dayOf(at, timeZone)),
    }),
    parts: [
      language.text('mail.witness.signed', { publicUrl }),
      { quotation: organization },
      `${hash}@${position}`,
      language.text('mail.witness.key', { at: language.instant(at, timeZone), keyId }),
      JSON.stringify(checkpoint),
    ],
    footer: [advice, language.text('mail.witness.why')],
  });
}

/** A paragraph, text of a user, or an address to open: a button in HTML, else the line above it. */
type Part = string | { quotation: string } | { link: string; label: string; above: string };

interface Letter extends Pick<Mail, 'to' | 'subject'> {
  language: Language;
  /** The subject when absent. */
  title?: string;
  preheader: string;
  /** The colour of the platform when absent. */
  primary?: string;
  sandbox?: boolean;
  parts: readonly Part[];
  footer: readonly string[];
}

/** The same as text and as HTML. */
function composed(letter: Letter): Mail {
  const { language, to, subject, title = subject, preheader, primary, sandbox, parts, footer } = letter;
  const brand = { ...PLATFORM, ...(primary !== undefined && { primary }) };
  const body = markup`<tr><td class="cell" style="padding:24px 32px 20px;font-family:${FONT};">${parts.map((part) => markup`\n${htmlPart(part, brand)}`)}
</td></tr>`;
  const [first = '', ...rest] = footer;
  return {
    to,
    ...marked(letter, { subject, text: `${[...parts.map(textPart), ...footer].join('\n\n')}\n` }),
    html: mailLayout({
      language,
      title,
      preheader,
      brand,
      sandbox,
      body,
      footer: markup`${first}${rest.map((line) => markup`<br>${line}`)}`,
    }),
  };
}

/** Of a mail about a sandbox, the subject with its mark and the text with a line that says so. */
export function marked(
  { language, sandbox }: Pick<Letter, 'language' | 'sandbox'>,
  { subject, text }: Pick<Mail, 'subject' | 'text'>,
) {
  if (!sandbox) return { subject, text };
  return { subject: markedAsSandbox(subject, language), text: `${language.text('mail.sandbox.note')}\n\n${text}` };
}

function textPart(part: Part): string {
  if (typeof part === 'string') return part;
  return 'link' in part ? `${part.above}\n\n${part.link}` : `> ${part.quotation}`;
}

function htmlPart(part: Part, brand: Brand): Markup {
  if (typeof part === 'string') return paragraph(markup`${part}`);
  return 'link' in part ? button(brand, part.link, part.label) : quotation(part.quotation);
}

export interface MailedNotification {
  title: string;
  message: string;
  /** Relative link to its object; empty without. */
  href: string;
}

interface NotificationMailFacts {
  language: Language;
  to: string;
  organization: string;
  /** Whether the organization is a sandbox. */
  sandbox: boolean;
  /** At least one. */
  notifications: readonly MailedNotification[];
  /** The gateway's address, and the base address of links to objects of notifications. */
  publicUrl: string;
  appUrl: string;
  unsubscribeUrl: string;
}

/** The mail about one notification, or about several that came together. */
export function notificationMail(facts: NotificationMailFacts): Mail {
  const { language, notifications, organization } = facts;
  const count = notifications.length;
  const values = { count, title: notifications[0]?.title ?? '', organization: shortened(organization) };
  return notified(facts, language.text('mail.notifications.subject', values), count);
}

/** Counts those that are not listed as well; there may be more than were counted. */
export interface DigestTotal {
  count: number;
  isLeast: boolean;
}

/** The unread notifications of a day. */
export function digestMail(facts: NotificationMailFacts, { count, isLeast }: DigestTotal): Mail {
  const values = { count, organization: shortened(facts.organization) };
  const subject = facts.language.text(isLeast ? 'mail.digest.subjectAtLeast' : 'mail.digest.subject', values);
  return notified(facts, subject, count, isLeast);
}

function notified(facts: NotificationMailFacts, subject: string, total: number, isLeast = false): Mail {
  const { language, to, organization, sandbox, notifications, publicUrl, appUrl, unsubscribeUrl } = facts;
  const why = language.text('mail.notifications.why', { organization: shortened(organization), publicUrl });
  const more = total - notifications.length;
  const counted = more === 0 ? '' : language.text('mail.notifications.rest', { count: more });
  const rest = isLeast ? language.text('mail.digest.restAtLeast') : counted;
  const text = [...notifications.map((each) => textOf(each, appUrl)), ...(rest === '' ? [] : [rest])]
    .concat(`-- \n${why}\n${language.text('mail.notifications.stopByAddress', { unsubscribeUrl })}\n`)
    .join('\n\n');
  return {
    to,
    ...marked(facts, { subject, text }),
    html: mailLayout({
      language,
      sandbox,
      title: subject,
      preheader: notifications[0]?.message ?? '',
      brand: PLATFORM,
      body: markup`${notifications.map((each) => htmlOf(each, language, appUrl))}${rest === '' ? '' : section(language.text('mail.notifications.more'), paragraph(markup`${rest}`))}
<tr><td style="font-size:1px;line-height:16px;">&nbsp;</td></tr>`,
      footer: markup`${why} <a class="quiet" href="${unsubscribeUrl}" style="color:#55637a;text-decoration:underline;">${language.text('mail.notifications.stop')}</a>`,
    }),
  };
}

function textOf({ title, message, href }: MailedNotification, appUrl: string): string {
  return [title, message, ...(href === '' ? [] : [`${appUrl}${href}`])].join('\n');
}

function htmlOf({ title, message, href }: MailedNotification, language: Language, appUrl: string): Markup {
  const link = href === '' ? '' : button(PLATFORM, `${appUrl}${href}`, language.text('mail.notifications.open'));
  const lines = message.split(/\r\n?|\n/).map((line, index) => (index === 0 ? markup`${line}` : markup`<br>${line}`));
  return section(title, markup`${paragraph(markup`${lines}`)}${link}`);
}
