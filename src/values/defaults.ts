/** What an organization has settled until it settles otherwise; the columns of its row have the same defaults. */
export const SETTING_DEFAULTS = Object.freeze({ timeZone: 'UTC', reportWeekday: 1, queryTokenAllowed: true } as const);

/** What an organization without branding of its own answers (specification 2.10, 4.9). */
export const BRANDING_DEFAULTS = Object.freeze({
  palette: 'default',
  customColors: Object.freeze({ primary: '#1F6FEB', primaryHover: '#1A5FCC', primaryDark: '#0D3A80' } as const),
} as const);
