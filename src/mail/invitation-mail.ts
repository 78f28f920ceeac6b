import { LIMITS } from '../vocabulary/limits.js';
import type { Brand } from './brand.js';
import { button, FONT, mailLayout, paragraph } from './mail-layout.js';
import type { Mail } from './mail.js';
import { markup } from './markup.js';

export interface InvitationMailFacts {
  to: string;
  /** Of the organization that invites. */
  brand: Brand;
  /** Null when nobody can be named. */
  inviter: string | null;
  /** What the reader is to be, in words. */
  role: string;
  /** Leads to the page that accepts; its fragment is the secret, so that no log between here and there sees it. */
  link: string;
  expiresAt: Date;
}

/** The mail of an invitation, with the branding of the organization. What people have written is shown as text. */
export function invitationMail({ to, brand, inviter, role, link, expiresAt }: InvitationMailFacts): Mail {
  const what = `${inviter ?? 'Somebody'} invites you to join "${brand.name}" as ${role}.`;
  const end = expiresAt.toISOString().slice(0, 16).replace('T', ' ');
  const until = `The invitation is valid until ${end} UTC (${LIMITS.invitation.days} days) and can be used once.`;
  const body = markup`<tr><td class="cell" style="padding:24px 32px 20px;font-family:${FONT};">
${paragraph(markup`${what}`)}
${button(brand, link, 'Accept the invitation')}
</td></tr>`;
  return {
    to,
    subject: `Invitation to ${brand.name}`,
    text: `${what}\n\nTo accept, open this address:\n\n${link}\n\n${until}\n\n${UNKNOWN}\n`,
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
