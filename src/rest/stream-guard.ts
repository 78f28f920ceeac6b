import type { IncomingMessage } from 'node:http';
import type { Access } from '../auth/access.js';
import { heldTokenOf, tokenOf } from '../http/context.js';
import { requestContextOf } from '../http/request-context.js';

export type StreamAccess = Pick<Access, 'noteRights' | 'confirmHeld'>;

/**
 * For an answer that is sent in pieces: judges token and rights of the caller again, mostly from memory. It notes the rights
 * that the answer needs from now on. Throws UNAUTHENTICATED, NOT_FOUND and FORBIDDEN. Undefined for a caller without a token.
 */
export async function guardOf(
  request: IncomingMessage,
  access: StreamAccess,
): Promise<(() => Promise<void>) | undefined> {
  const context = await requestContextOf(request).context();
  const sent = tokenOf(request);
  if (context.caller.kind !== 'user' || sent === undefined) return undefined;
  const rights = access.noteRights(context.caller);
  const held = heldTokenOf(context, sent);
  return () => access.confirmHeld(held, rights);
}
