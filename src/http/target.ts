import type { IncomingMessage } from 'node:http';

type Target = Pick<IncomingMessage, 'url'>;

/** The path of a request as it was sent, without its query string. */
export function pathOf({ url = '/' }: Target): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** The query string of a request. */
export function queryOf({ url = '' }: Target): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start));
}
