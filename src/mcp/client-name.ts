import { randomUUID } from 'node:crypto';
import { visibleText } from '../common/visible-text.js';
import { LIMITS } from '../values/limits.js';

/**
 * The name that a client gives itself, as an audit trail may show it: one visible line, cut off; undefined where
 * nothing is left.
 */
export function clientName(sent: unknown): string | undefined {
  if (typeof sent !== 'string') return undefined;
  // Long enough for any part that may be cut out of it.
  const line = visibleText(
    sent
      .slice(0, 10 * LIMITS.mcp.clientCharacters)
      .toWellFormed()
      .normalize(),
  )
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const name = [...line].slice(0, LIMITS.mcp.clientCharacters).join('').trim();
  return name === '' ? undefined : name;
}

/**
 * A session id that says what the client has called itself: before 2026-07-28 it does so in its first request only, and
 * any instance may answer the next one. It is the client's own claim either way, and opens nothing.
 */
export function sessionIdFor(name: string | undefined): string {
  return `${randomUUID()}.${Buffer.from(name ?? '').toString('base64url')}`;
}

/** The name in a session id. */
export function nameInSession(id: string | undefined): string | undefined {
  if (id === undefined || id.length > MAX_SESSION_ID) return undefined;
  return clientName(Buffer.from(id.slice(id.indexOf('.') + 1), 'base64url').toString());
}

const MAX_SESSION_ID = 1_000;
