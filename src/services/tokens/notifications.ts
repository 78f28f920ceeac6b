import { DAY } from '../../common/time.js';
import type { Language } from '../../messages/language.js';
import type { LoggedEntry } from '../audit/consumer.js';
import { after, said, subjectName, type Notice, type NotificationRules } from '../notifications/notifier.js';

/** Notifications of tokens: to their users, and to those who may block them. */
export const tokenNotifications: NotificationRules = {
  TOKEN_BLOCKED: (entry, language) => {
    const values = tokenOf(entry, language);
    const account = entry.subject.parent?.name;
    if (account === undefined) return [toUser(entry, said(language, 'TOKEN_BLOCKED', values))];
    return [ofAccount(entry, said(language, 'ACCOUNT_TOKEN_BLOCKED', { account, ...values }))];
  },
  TOKEN_EXPIRING: (entry, language) => {
    const expiresAt = String(after(entry, 'expiresAt'));
    const days = Math.ceil((Date.parse(expiresAt) - Date.parse(entry.at)) / DAY);
    const values = { ...tokenOf(entry, language), when: language.instant(expiresAt, entry.timeZone), days };
    const account = entry.subject.parent?.name;
    if (account !== undefined)
      return [
        { ...ofAccount(entry, said(language, 'ACCOUNT_TOKEN_EXPIRING', { account, ...values })), urgentFrom: 'VIEWER' },
      ];
    return [{ ...toUser(entry, said(language, 'TOKEN_EXPIRING', values)), urgentFrom: 'VIEWER' }];
  },
  TOKEN_RECOVERED: (entry, language) => [
    {
      type: 'TOKEN',
      ...said(language, 'TOKEN_RECOVERED', {
        name: subjectName(entry, language),
        email: String(after(entry, 'email') ?? language.text('notice.erased')),
      }),
      href: `/organizations/${entry.organizationId}/users`,
      to: { privilege: 'BLOCK_TOKENS' },
      // The member is notified as well if it may block tokens.
      except: null,
    },
  ],
};

type Said = ReturnType<typeof said>;

function tokenOf(entry: LoggedEntry, language: Language) {
  return { token: subjectName(entry, language), prefix: String(after(entry, 'prefix')) };
}

function toUser(entry: LoggedEntry, texts: Said): Notice {
  return { type: 'TOKEN', ...texts, href: '/tokens', to: { users: [String(after(entry, 'user'))] } };
}

/** To the responsible member of the service account, or to its managers without one. */
function ofAccount(entry: LoggedEntry, texts: Said): Notice {
  const responsible = after(entry, 'responsible');
  return {
    type: 'TOKEN',
    ...texts,
    href: `/organizations/${entry.organizationId}/service-accounts`,
    to: typeof responsible === 'string' ? { users: [responsible] } : { privilege: 'MANAGE_SERVICE_ACCOUNTS' },
  };
}
