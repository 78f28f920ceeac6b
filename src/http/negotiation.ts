import type { IncomingMessage } from 'node:http';

type Headers = Pick<IncomingMessage, 'headers'>;

/** Whether the client's copy has the tag already (RFC 9110 13.1.2). */
export function hasCurrent(request: Headers, etag: string): boolean {
  const tags = tagsOf(request);
  return tags.includes(etag) || tags.includes('*');
}

/** Tags of `If-None-Match`, weak ones like others. */
export function tagsOf({ headers }: Headers): string[] {
  return headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
}

const ENTITY_TAGS = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Tags of `If-Match`, weak ones as they are; none where the text is no list of tags (RFC 9110 13.1.1). */
export function listedTags(text: string): readonly string[] {
  const parts = text.replaceAll(ENTITY_TAGS, '\0').split(',');
  const isList = parts.every((part) => ['', '\0'].includes(part.trim()));
  return isList ? (text.match(ENTITY_TAGS) ?? []) : [];
}

/** Encodings of answers, by preference. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Whether the client accepts this encoding (RFC 9110 12.5.3): `*` matches encodings that it does not name. */
export function takesEncoding({ headers }: Headers, encoding: Encoding): boolean {
  const taken = new Map(
    String(headers['accept-encoding'] ?? '')
      .split(',')
      .map((each) => {
        const [name = '', weight = ''] = each.split(';').map((text) => text.trim().toLowerCase());
        return [name, !/^q=0(?:\.0*)?$/.test(weight)] as const;
      }),
  );
  return taken.get(encoding) ?? taken.get('*') ?? false;
}

/** The tag of an answer in this encoding, which differs from that of the unencoded answer (RFC 9110 8.8.3.3). */
export function tagIn(encoding: Encoding, tag: string): string {
  return tag.replace(/"$/, `-${encoding}"`);
}

/** The tag of the unencoded answer, for any encoding. */
export function tagWithoutEncoding(tag: string): string {
  return tag.replace(/-(?:br|gzip)"$/, '"');
}

/** The tag that the client has sent for its copy of this answer, in any encoding. */
export function sentTagOf(request: Headers, etag: string): string | undefined {
  const tags = tagsOf(request);
  return tags.find((tag) => tagWithoutEncoding(tag) === etag) ?? (tags.includes('*') ? etag : undefined);
}

/** The media type that the client prefers, the first one of equals (RFC 9110 12.5.1). */
export function preferred({ headers }: Headers, types: readonly string[]): string | undefined {
  const named = (headers.accept ?? '*/*').split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
    return [type, weight === undefined ? 1 : Number(weight) || 0] as const;
  });
  // If a type is named for several versions, its greatest weight counts.
  const ranges = new Map(named.toSorted(([, one], [, other]) => one - other));
  const weightOf = (type: string) =>
    ranges.get(type) ?? ranges.get(`${type.split('/')[0]}/*`) ?? ranges.get('*/*') ?? 0;
  return types.toSorted((one, other) => weightOf(other) - weightOf(one))[0];
}

/**
 * The language of these that the client would rather read than the others, the first one of equals (RFC 9110 12.5.4);
 * undefined where it names none of them. `it` is what a client that reads `it-CH` gets.
 */
export function preferredLanguage({ headers }: Headers, tags: readonly string[]): string | undefined {
  const ranges = (headers['accept-language'] ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
    // An invalid weight matches nothing.
    return {
      tag,
      weight: weight === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0,
    };
  });
  const weightOf = (tag: string) => {
    const own = ranges.filter((range) => range.tag === tag || range.tag.startsWith(`${tag}-`));
    return own.length === 0 ? 0 : Math.max(...own.map(({ weight }) => weight));
  };
  const [best] = tags.toSorted((one, other) => weightOf(other) - weightOf(one));
  return best !== undefined && weightOf(best) > 0 ? best : undefined;
}

/** The media type of a body without its parameters; empty when none is named. */
export function mediaTypeOf({ headers }: Headers): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
