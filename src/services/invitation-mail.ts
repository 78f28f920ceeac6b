import type { Mail } from '../mail/mail.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Role } from '../vocabulary/roles.js';
import { roleName } from './role-names.js';

export interface InvitationMailFacts {
  to: string;
  organization: string;
  /** Null when nobody can be named. */
  inviter: string | null;
  role: Role;
  /** Leads to the page that accepts; its fragment is the secret, so that no log between here and there sees it. */
  link: string;
  expiresAt: Date;
}

/** The mail of an invitation. What people have written is shown as text, whatever it looks like. */
export function invitationMail({ to, organization, inviter, role, link, expiresAt }: InvitationMailFacts): Mail {
  const who = inviter ?? 'Somebody';
  const what = `${who} invites you to join "${organization}" as ${roleName(role)}.`;
  const until = `The invitation is valid until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC (${LIMITS.invitation.days} days) and can be used once.`;
  const not =
    'If you do not know why you get this mail, do nothing: nothing happens unless the invitation is accepted.';
  return {
    to,
    subject: `Invitation to ${organization}`,
    text: `${what}\n\nTo accept, open this address:\n\n${link}\n\n${until}\n\n${not}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Invitation</title></head>
<body style="margin:0;padding:24px;background:#f6f8fb;color:#16202e;font:16px/1.6 Arial,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #dde4ee;border-radius:10px">
<p style="margin:0 0 24px">${escaped(what)}</p>
<p style="margin:0 0 24px"><a href="${escaped(link)}" style="display:inline-block;padding:12px 24px;background:#1f6feb;color:#ffffff;text-decoration:none;border-radius:6px;font-weight:bold">Accept the invitation</a></p>
<p style="margin:0 0 16px;color:#55637a">${escaped(until)}</p>
<p style="margin:0;color:#55637a">${escaped(not)}</p>
</div>
</body>
</html>
`,
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
