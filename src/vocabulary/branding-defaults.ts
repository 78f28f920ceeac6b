/** What an organization without branding of its own answers (specification 2.10, 4.9; values from decisions 10). */
export const BRANDING_DEFAULTS = Object.freeze({
  palette: 'default',
  customColors: Object.freeze({ primary: '#1F6FEB', primaryHover: '#1A5FCC', primaryDark: '#0D3A80' } as const),
} as const);
