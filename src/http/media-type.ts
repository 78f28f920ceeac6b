import type { IncomingHttpHeaders } from 'node:http';
import { badUserInput } from '../errors.js';
import { parseHeaderValue } from './header-value.js';

const UTF_8 = ['utf-8', 'utf8'];

/** The media type of a body, one of the `allowed`. Throws BAD_USER_INPUT for another one, charset or encoding. */
export function requireMediaType<Type extends string>(headers: IncomingHttpHeaders, allowed: readonly Type[]): Type {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  // Nothing is decompressed: a few bytes would become gigabytes.
  if (encoding !== '' && encoding !== 'identity') throw badUserInput(['The body must not have a Content-Encoding']);
  // A part would replace the whole.
  if (headers['content-range'] !== undefined) throw badUserInput(['The body must not have a Content-Range']);
  const type = parseHeaderValue(headers['content-type']);
  const found = allowed.find((each) => each === type?.value);
  if (!type || !found) {
    throw badUserInput([`Content-Type must be ${allowed.join(', ').replace(/, ([^,]*)$/, ' or $1')}`]);
  }
  const charset = type.parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  if (found !== 'multipart/form-data' && !UTF_8.includes(charset)) {
    throw badUserInput(['The charset of Content-Type must be utf-8']);
  }
  return found;
}
