import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { badUserInput } from '../../errors.js';

/** A request whose body nobody has touched. */
export type UploadRequest = IncomingMessage | { headers: IncomingHttpHeaders; stream: AsyncIterable<Uint8Array> };

/** The bytes of the body as they come in. */
export function bodyOf(request: UploadRequest): AsyncIterable<Uint8Array> {
  return 'httpVersion' in request ? request : request.stream;
}

/** No form of a body is decompressed: a few bytes must not buy gigabytes of work. */
export function refuseEncoded(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') throw badUserInput(['The body must not have a Content-Encoding']);
}
