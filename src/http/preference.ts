import type { IncomingMessage } from 'node:http';

/** Preferences of a client for an answer (RFC 7240). */
export const PREFER = 'Prefer';
export const PREFERENCE_APPLIED = 'Preference-Applied';
/** To be answered before it is done. */
export const RESPOND_ASYNC = 'respond-async';

/** A preference is a case-insensitive name, with an optional value and parameters; several are separated by commas. */
export function prefersAsync({ headers }: IncomingMessage): boolean {
  const preferences = String(headers['prefer'] ?? '').split(',');
  return preferences.some((each) => each.split(/[;=]/, 1)[0]?.trim().toLowerCase() === RESPOND_ASYNC);
}
