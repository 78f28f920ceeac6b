import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Access } from '../auth/access.js';
import { credentialOf, tokenOf } from './context.js';
import { requestContextOf } from './request-context.js';

export type StreamAccess = Pick<Access, 'noteRights' | 'revalidate'>;
export type FileAccess = Pick<Access, 'noteRights' | 'confirm'>;

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
  const credential = credentialOf(context, sent);
  return () => access.revalidate(credential, rights);
}

/**
 * The same at the end of a file that comes while the operation that takes it is executed, which may be minutes after its
 * caller was looked up.
 */
export async function fileGuard(request: IncomingMessage, access: FileAccess): Promise<() => Promise<void>> {
  const requestContext = requestContextOf(request);
  const { caller } = await requestContext.context();
  if (caller.kind !== 'user') return async () => undefined;
  const rights = access.noteRights(caller);
  return async () => {
    await requestContext.confirm();
    const { caller } = await requestContext.context();
    if (caller.kind === 'user') await access.confirm(caller, rights.all());
  };
}

/** The same file once its first piece was read, before the first header is sent, so that an error can still be answered. */
export async function begun(source: AsyncIterable<string | Uint8Array>): Promise<Readable> {
  const pieces = source[Symbol.asyncIterator]();
  const first = await pieces.next();
  async function* all() {
    for (let piece = first; piece.done !== true; piece = await pieces.next()) yield piece.value;
  }
  return Readable.from(all(), { objectMode: false });
}
