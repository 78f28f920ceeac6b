import type { MailDelivery } from './enums.js';

/** What an organization has settled until it settles otherwise; the columns of its row have the same defaults. */
export const SETTING_DEFAULTS = Object.freeze({
  timeZone: 'UTC',
  country: null,
  trustServiceProvider: false,
  reportWeekday: 1,
  queryTokenAllowed: true,
  auditRetentionDays: null,
} as const);

/** What an organization without branding of its own answers (specification 2.10, 4.9). */
export const BRANDING_DEFAULTS = Object.freeze({
  palette: 'default',
  customColors: Object.freeze({ primary: '#1F6FEB', primaryHover: '#1A5FCC', primaryDark: '#0D3A80' } as const),
} as const);

/** Which notifications of a category a member gets by mail until it chooses. */
export const MAIL_DELIVERY_DEFAULT: MailDelivery = 'URGENT_ONLY';
