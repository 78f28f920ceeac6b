import type { IncomingMessage } from 'node:http';

type Headers = Pick<IncomingMessage, 'headers'>;

/** Whether the client has what the tag names already (RFC 9110 13.1.2). */
export function hasCurrent(request: Headers, etag: string): boolean {
  const tags = tagsOf(request);
  return tags.includes(etag) || tags.includes('*');
}

/** Tags of `If-None-Match`, weak ones like others. */
export function tagsOf({ headers }: Headers): string[] {
  return headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
}

/** Whether the client takes answers in this encoding (RFC 9110 12.5.3). */
export function takesEncoding({ headers }: Headers, encoding: 'br' | 'gzip'): boolean {
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .map((each) => each.split(';').map((text) => text.trim().toLowerCase()))
    .some(([name, weight = '']) => name === encoding && !/^q=0(?:\.0*)?$/.test(weight));
}

/** Whether the client would rather have an answer of the first media type than of the second (RFC 9110 12.5.1). */
export function prefers({ headers }: Headers, wanted: string, usual: string): boolean {
  const ranges = new Map(
    (headers.accept ?? '*/*').split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return [type, weight === undefined ? 1 : Number(weight) || 0] as const;
    }),
  );
  const weightOf = (type: string) =>
    ranges.get(type) ?? ranges.get(`${type.split('/')[0]}/*`) ?? ranges.get('*/*') ?? 0;
  return weightOf(wanted) > weightOf(usual);
}

/** The media type of a body without its parameters; empty when none is named. */
export function mediaTypeOf({ headers }: Headers): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
