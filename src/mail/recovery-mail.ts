import { BRANDING_DEFAULTS } from '../values/defaults.js';
import { LIMITS } from '../values/limits.js';
import { button, FONT, mailLayout, paragraph, PLATFORM_NAME } from './mail-layout.js';
import { markup, type Markup } from './markup.js';
import type { Mail } from './mailer.js';

export interface RecoveryMailFacts {
  to: string;
  /** Where the gateway is. */
  publicUrl: string;
  /** Leads to the page that makes the token; its fragment is the secret. */
  link: string;
}

const BRAND = { name: PLATFORM_NAME, logo: '', primary: BRANDING_DEFAULTS.customColors.primary };

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
      brand: BRAND,
      body: cell(markup`${paragraph(markup`${what}`)}
${button(BRAND, link, 'Make a new token')}`),
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
      brand: BRAND,
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
