import { LIMITS } from '../values/limits.js';
import {
  button,
  FONT,
  mailLayout,
  paragraph,
  quotation,
  PLATFORM,
  quoted,
  markup,
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
}

/**
 * The mail of an invitation. The gateway speaks in it, under its own name; what the sender has written stands apart, as
 * a quotation, and of the subject it is a short part.
 */
export function invitationMail(facts: InvitationMailFacts): Mail {
  const { to, organization, inviter, role, publicUrl, link, expiresAt } = facts;
  const sender = inviter === null ? 'A member' : `${quoted(inviter.name)} (${inviter.email})`;
  const what = `${sender} invites you to join an organization as ${role}. The name of the organization is:`;
  const whose = `The ${PLATFORM.name} at ${publicUrl} sends this mail on behalf of that person. The quoted words are theirs; they were not checked.`;
  const end = expiresAt.toISOString().slice(0, 16).replace('T', ' ');
  const until = `The invitation is valid until ${end} UTC (${LIMITS.invitation.days} days) and can be used once.`;
  const brand = { ...PLATFORM, primary: facts.primary };
  const body = cell(markup`${paragraph(markup`${what}`)}
${quotation(organization)}
${paragraph(markup`${whose}`)}
${button(brand, link, 'Accept the invitation')}`);
  return {
    to,
    subject: `Invitation to join ${quoted(organization)}`,
    text: `${what}\n\n> ${organization}\n\n${whose}\n\nTo accept, open this address:\n\n${link}\n\n${until}\n\n${UNKNOWN}\n`,
    html: mailLayout({
      title: 'Invitation',
      preheader: until,
      brand,
      body,
      footer: markup`${until}<br>${UNKNOWN}`,
    }),
  };
}

const UNKNOWN =
  'If you do not know why you get this mail, do nothing: nothing happens unless the invitation is accepted.';

interface RecoveryMailFacts {
  to: string;
  /** Where the gateway is. */
  publicUrl: string;
  /** Leads to the page that makes the token; its fragment is the secret. */
  link: string;
}

/** The mail with the link by which a user who has lost every token gets a new one. */
export function recoveryMail({ to, publicUrl, link }: RecoveryMailFacts): Mail {
  const what = `A new token was requested for the user of this e-mail address at ${publicUrl}.`;
  const until = `The link is valid for ${LIMITS.recovery.linkMinutes} minutes and can be used once.`;
  const unknown =
    'If you did not request it, do nothing: no token is made unless the link is opened and confirmed, and your tokens stay as they are.';
  return {
    to,
    subject: 'Recover your access',
    text: `${what}\n\nTo make the token, open this address:\n\n${link}\n\n${until}\n\n${unknown}\n`,
    html: mailLayout({
      title: 'Recover your access',
      preheader: until,
      brand: PLATFORM,
      body: cell(markup`${paragraph(markup`${what}`)}
${button(PLATFORM, link, 'Make a new token')}`),
      footer: markup`${until}<br>${unknown}`,
    }),
  };
}

/** The mail to the owners of a user's organizations, and to the user, after a token was recovered. */
export function recoveredMail(to: string, user: { username: string; email: string }, publicUrl: string): Mail {
  const what = `The user ${user.username} (${user.email}) has made a new token at ${publicUrl} by account recovery.`;
  const advice =
    'If this was not the user, deactivate the member, or block the token, in each of your organizations at once.';
  return {
    to,
    subject: 'A user has recovered access',
    text: `${what}\n\n${advice}\n`,
    html: mailLayout({
      title: 'A user has recovered access',
      preheader: advice,
      brand: PLATFORM,
      body: cell(paragraph(markup`${what}`)),
      footer: markup`${advice}`,
    }),
  };
}

function cell(content: Markup): Markup {
  return markup`<tr><td class="cell" style="padding:24px 32px 20px;font-family:${FONT};">
${content}
</td></tr>`;
}
