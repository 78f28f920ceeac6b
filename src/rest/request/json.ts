import { badUserInput, type DomainError } from '../../errors.js';
import { MAX_DEPTH, parseJson } from '../../common/json-text.js';
import { readBytes, type UnreadRequest } from '../../http/request-body.js';
import { requireMediaType } from '../../http/media-type.js';

/** Bytes of everything but files. */
export const MAX_BYTES = 1024 * 1024;
interface BodyLimits {
  maxBytes?: number;
  /** Media types that are accepted; `application/json` when absent. */
  types?: readonly string[];
}

/** Reads a JSON body. Throws BAD_USER_INPUT with every error. */
export async function readJsonBody(
  request: UnreadRequest,
  { maxBytes = MAX_BYTES, types = ['application/json'] }: BodyLimits = {},
): Promise<unknown> {
  requireMediaType(request.headers, types);
  return parseJson(await readBytes(request, maxBytes, () => bodyTooLarge(maxBytes)), { maxDepth: MAX_DEPTH });
}

export function bodyTooLarge(maxBytes: number): DomainError {
  const mebibytes = maxBytes / 1024 ** 2;
  return badUserInput([
    `The body must not exceed ${Number.isInteger(mebibytes) ? `${mebibytes} MB` : `${maxBytes} bytes`}`,
  ]);
}
