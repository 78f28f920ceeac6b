import { ROOT, settings } from './settings.js';

/**
 * The token lives in the tab: other tabs, other sites and the next start of the browser have none. What a person has typed
 * is beside it until it is sent, so that neither an expired token nor a reload loses it.
 */
const TOKEN = 'token';
/** The id of the person whose token it is, and who has typed what is beside it. */
const PERSON = 'person';
const SIGN_IN = 'sign-in';

export const token = () => sessionStorage.getItem(TOKEN);

/** Whether there is a token: ENDED is one that the gateway does not take any more. */
export type Session = 'NONE' | 'OPEN' | 'ENDED';

let session: Session = token() === null ? 'NONE' : 'OPEN';
const listeners = new Set<(session: Session) => void>();

export const currentSession = () => session;

/** Calls `listener` when the session becomes another one. */
export function onSession(listener: (session: Session) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener(next);
}

/**
 * Begins a session with a token of this person. Of another one before, nothing is left in the tab: what was typed is removed, and
 * a page that shows it is read anew.
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

/** Goes on with another token of the same person. */
export function replaceToken(value: string): void {
  sessionStorage.setItem(TOKEN, value);
  become('OPEN');
}

/** Ends the session. The page shows its content until the reader signs in again. */
export function endSession(): void {
  if (session === 'OPEN') become('ENDED');
}

/** Forgets the token, and what was typed with it. */
export function closeSession(): void {
  sessionStorage.clear();
  become('NONE');
}

/** Of a field of the open page. */
export const draftKey = (name: string) => `draft ${location.pathname} ${name}`;
export const readDraft = (key: string) => sessionStorage.getItem(key) ?? undefined;

/** More than the gateway takes, such as a log that was pasted: it would not fit into the tab, and the page alone has it. */
const isTooLong = ({ length }: string) => length > 500_000;

export function storeDraft(key: string, text: string | undefined): void {
  if (text === undefined || isTooLong(text)) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, text);
}

const changeName = (change: string) => `change ${change}`;

/** The `Idempotency-Key` of a change: the same one until it has been answered, after a reload as well. */
export function changeKey(change: string): string {
  if (isTooLong(change)) return randomText();
  const key = sessionStorage.getItem(changeName(change)) ?? randomText();
  sessionStorage.setItem(changeName(change), key);
  return key;
}

export function forgetChange(change: string): void {
  sessionStorage.removeItem(changeName(change));
}

/** Where a sign-in comes back to. The gateway's own page needs no registration at a provider. */
const RETURN = `${settings.publicUrl}/signed-in`;

/** Browsers offer what PKCE needs by HTTPS and on this machine only. */
export const CAN_SIGN_IN = window.isSecureContext;

/** Leaves for the sign-in of the reader's identity provider; `signed-in` leads back to the page that is open now. */
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

/** The result of a sign-in; undefined when this tab has begun none, or another one. */
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
