import { LIMITS } from '../values/limits.js';
import { button, FONT, mailLayout, paragraph, quotation, PLATFORM_NAME, quoted } from './mail-layout.js';
import { markup } from './markup.js';
import type { Mail } from './mailer.js';

export interface InvitationMailFacts {
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
  const whose = `The ${PLATFORM_NAME} at ${publicUrl} sends this mail on behalf of that person. The quoted words are theirs; they were not checked.`;
  const end = expiresAt.toISOString().slice(0, 16).replace('T', ' ');
  const until = `The invitation is valid until ${end} UTC (${LIMITS.invitation.days} days) and can be used once.`;
  const brand = { name: PLATFORM_NAME, logo: '', primary: facts.primary };
  const body = markup`<tr><td class="cell" style="padding:24px 32px 20px;font-family:${FONT};">
${paragraph(markup`${what}`)}
${quotation(organization)}
${paragraph(markup`${whose}`)}
${button(brand, link, 'Accept the invitation')}
</td></tr>`;
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
