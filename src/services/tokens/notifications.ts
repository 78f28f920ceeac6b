import { DAY } from '../../common/time.js';
import { after, subjectName, type NotificationRules } from '../notifications/notifier.js';

/** What is notified of tokens: to their users, and to those who may block them. */
export const tokenNotifications: NotificationRules = {
  TOKEN_BLOCKED: (entry) => [
    {
      type: 'TOKEN',
      title: 'A token of yours was blocked',
      message: `An owner has blocked your token "${subjectName(entry)}" (${String(after(entry, 'prefix'))}…) in this organization.`,
      href: '/tokens',
      to: { users: [String(after(entry, 'user'))] },
    },
  ],
  TOKEN_EXPIRING: (entry) => {
    const expiresAt = String(after(entry, 'expiresAt'));
    const days = Math.ceil((Date.parse(expiresAt) - Date.parse(entry.at)) / DAY);
    const when = `${expiresAt.slice(0, 16).replace('T', ' ')} UTC, in ${days === 1 ? 'one day' : `${days} days`}`;
    return [
      {
        type: 'TOKEN',
        title: 'A token of yours expires soon',
        message: `Your token "${subjectName(entry)}" (${String(after(entry, 'prefix'))}…) expires on ${when}. Rotate it to go on without a break.`,
        href: '/tokens',
        to: { users: [String(after(entry, 'user'))] },
        urgentFrom: 'VIEWER',
      },
    ];
  },
  TOKEN_RECOVERED: (entry) => [
    {
      type: 'TOKEN',
      title: 'A member has recovered access',
      message: `${subjectName(entry)} (${String(after(entry, 'email') ?? 'erased')}) has made a new token by account recovery. If that was not the member, deactivate it or block the token.`,
      href: `/organizations/${entry.organizationId}/users`,
      to: { privilege: 'BLOCK_TOKENS' },
      // The member is notified as well where it may block tokens.
      except: null,
    },
  ],
};
