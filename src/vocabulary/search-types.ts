/** Kinds of records that are searched, in the order in which equally good ones are shown. */
export const SEARCH_TYPES = Object.freeze([
  'ORGANIZATION',
  'MEMBER',
  'CONTROL',
  'DOCUMENT',
  'INCIDENT',
  'NOTIFICATION',
] as const);

export type SearchType = (typeof SEARCH_TYPES)[number];
