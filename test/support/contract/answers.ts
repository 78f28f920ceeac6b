import type { RequestContext } from '../contract.js';
import { below, misfits, partAt, type DescribedResponse } from './description.js';
import { mediaTypeOf, textErrors } from './requests.js';

/** Headers of HTTP, caches and browsers in each response; the document describes only those of this interface. */
const EVERYWHERE =
  /^(?:content-(?:type|length|encoding)|x-content-type-options|cache-control|strict-transport-security|vary|access-control-.*)$/;
/** Hop-by-hop headers: clients see them, and a server does not. */
const OF_A_HOP = /^(?:date|connection|keep-alive|transfer-encoding)$/;

/** Headers for a deprecated part; the document describes them in its text. */
const OF_A_DEPRECATION = /^(?:deprecation|sunset|link)$/;

/** Returns the differences of a response from the description at a pointer. */
export function responseErrors(pointer: string, requestContext: RequestContext): string[] {
  const response = partAt<DescribedResponse>(pointer);
  return [...headerErrors(response, requestContext), ...contentErrors(response, requestContext)];
}

function headerErrors(response: ReturnType<typeof partAt<DescribedResponse>>, { headers }: RequestContext): string[] {
  const described = Object.keys(response.what.headers ?? {});
  const known = new Set(described.map((name) => name.toLowerCase()));
  const unknown = Object.keys(headers).filter(
    (name) =>
      !known.has(name) &&
      !EVERYWHERE.test(name) &&
      !OF_A_HOP.test(name) &&
      !(headers['deprecation'] !== undefined && OF_A_DEPRECATION.test(name)),
  );
  return [
    ...unknown.map((name) => `the header ${name} is not described`),
    ...described.flatMap((name) => {
      const { what, pointer } = partAt<{ required?: boolean }>(below(response.pointer, 'headers', name));
      const text = headers[name.toLowerCase()];
      if (text === undefined) return what.required ? [`the header ${name} is missing`] : [];
      return textErrors(name, below(pointer, 'schema'), text);
    }),
  ];
}

function contentErrors(
  { what, pointer }: ReturnType<typeof partAt<DescribedResponse>>,
  requestContext: RequestContext,
): string[] {
  const { method, status, headers, answer } = requestContext;
  const contentType = headers['content-type'];
  if (what.content === undefined) return contentType === undefined ? [] : [`${contentType} is not described`];
  const mediaType = mediaTypeOf(contentType ?? '');
  const media = what.content[mediaType];
  if (media === undefined) return [`an answer of ${mediaType || 'no media type'} is not described`];
  if (mediaType !== 'application/json' || media.schema === undefined || method === 'HEAD') return [];
  if (contentType !== 'application/json; charset=utf-8') return [`${contentType} does not name the character set`];
  return misfits(below(pointer, 'content', mediaType, 'schema'), parsed(answer)).map((error) => `${status}: ${error}`);
}

function parsed(answer: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(answer).toString());
  } catch {
    return undefined;
  }
}
