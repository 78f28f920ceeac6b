/** What an organization has settled until it settles otherwise; the columns of its row have the same defaults. */
export const SETTING_DEFAULTS = Object.freeze({ timeZone: 'UTC', reportWeekday: 1, queryTokenAllowed: true } as const);
