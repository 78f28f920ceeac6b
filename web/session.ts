import { ROOT, settings } from './settings.js';

/**
 * The token is stored in the tab: other tabs, other sites and the next start of the browser have none. Unsent text is
 * stored with it, so that neither an expired token nor a reload loses it.
 */
const TOKEN = 'token';
/** The id of the token's owner, who has entered the unsent text. */
const PERSON = 'person';
const SIGN_IN = 'sign-in';

export const token = () => sessionStorage.getItem(TOKEN);

/** The state of the token; ENDED means that the gateway rejects it. */
export type Session = 'NONE' | 'OPEN' | 'ENDED';

let session: Session = token() === null ? 'NONE' : 'OPEN';
const listeners = new Set<(session: Session) => void>();

export const currentSession = () => session;

/** Calls `listener` when the session changes. */
export function onSession(listener: (session: Session) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener(next);
}

/**
 * Begins a session with a token of this person. After a session of another person, unsent text is removed, and a page
 * that shows it reloads.
 */
export function openSession(value: string, person: string): void {
  const isAnother = sessionStorage.getItem(PERSON) !== person;
  if (isAnother) sessionStorage.clear();
  sessionStorage.setItem(PERSON, person);
  if (isAnother && session === 'ENDED') {
    sessionStorage.setItem(TOKEN, value);
    location.reload();
  } else replaceToken(value);
}

/** Continues with another token of the same person. */
export function replaceToken(value: string): void {
  sessionStorage.setItem(TOKEN, value);
  become('OPEN');
}

/** Ends the session. The page shows its content until the reader signs in again. */
export function endSession(): void {
  if (session === 'OPEN') become('ENDED');
}

/** Removes the token, and unsent text. */
export function closeSession(): void {
  sessionStorage.clear();
  become('NONE');
}

/** Key of a field of the open page. */
export const draftKey = (name: string) => `draft ${location.pathname} ${name}`;
export const readDraft = (key: string) => sessionStorage.getItem(key) ?? undefined;

/** More than the gateway accepts, such as a pasted log, would exceed the storage of the tab: only the page has it. */
const isTooLong = ({ length }: string) => length > 500_000;

export function storeDraft(key: string, text: string | undefined): void {
  if (text === undefined || isTooLong(text)) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, text);
}

const changeName = (change: string) => `change ${change}`;

/** The `Idempotency-Key` of a change: the same one until its response arrives, also after a reload. */
export function changeKey(change: string): string {
  if (isTooLong(change)) return randomText();
  const key = sessionStorage.getItem(changeName(change)) ?? randomText();
  sessionStorage.setItem(changeName(change), key);
  return key;
}

export function forgetChange(change: string): void {
  sessionStorage.removeItem(changeName(change));
}

/** Redirect target of a sign-in. The gateway's own page needs no registration at a provider. */
const RETURN = `${settings.publicUrl}/signed-in`;

/** Browsers provide the functions for PKCE only over HTTPS and on localhost. */
export const CAN_SIGN_IN = window.isSecureContext;

/** Redirects to the reader's identity provider; `signed-in` returns to the page that is open now. */
export async function leaveForSignIn(): Promise<void> {
  const [verifier, state] = [randomText(), randomText()];
  const back = location.pathname + location.search;
  sessionStorage.setItem(SIGN_IN, JSON.stringify({ verifier, state, back }));
  const query = new URLSearchParams({
    ...{ redirect_uri: RETURN, state, code_challenge_method: 'S256' },
    code_challenge: await challengeOf(verifier),
  });
  location.assign(`${ROOT}sign-in?${query}`);
}

/** The result of a sign-in; undefined if this tab has begun none, or another one. */
export function takeSignIn(query: URLSearchParams) {
  const begun = sessionStorage.getItem(SIGN_IN);
  sessionStorage.removeItem(SIGN_IN);
  if (begun === null) return undefined;
  const { verifier, state, back } = JSON.parse(begun) as Record<'verifier' | 'state' | 'back', string>;
  const code = query.get('code');
  if (code === null || query.get('state') !== state) return undefined;
  return { back, input: { code, codeVerifier: verifier, redirectUri: RETURN } };
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
