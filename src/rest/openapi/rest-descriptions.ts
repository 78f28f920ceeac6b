import { toSnakeCase } from '../../common/naming.js';
import { statusOf } from '../answer/answer.js';
import { ROUTES } from '../routes.js';

/**
 * The same document, whose descriptions call fields, parameters and operations as REST does: they are written with GraphQL's
 * names. A name that REST has nothing of stays.
 */
export function withRestNames<Document>(document: Document): Document {
  const names = new Set(namesIn(document));
  const inRest = (text: string) =>
    text
      .replaceAll(SPAN, (span, name: string) => {
        if (names.has(name)) return span;
        const own = name === 'databaseId' ? 'id' : toSnakeCase(name);
        const inRest = names.has(own) ? own : coreOperation(name);
        return inRest === undefined ? span : `\`${inRest}\``;
      })
      // Of a version that is sent in a body, as by `If-Match`.
      .replaceAll(/\bCONFLICT\b/g, String(statusOf('PRECONDITION_FAILED')));
  return JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? inRest(value) : value,
  ) as Document;
}

/** The operation that answers a root field of the core; the first one of several. */
export function coreOperation(rootField: string): string | undefined {
  return ROUTES.find(({ data }) => data?.split('.')[0] === rootField)?.operationId;
}

const SPAN = /`([a-z]+(?:[A-Z][a-z]+)+)`/g;

/** Names of properties, parameters and operations. */
function namesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties, name, operationId } = part as Record<string, unknown>;
  return [
    ...Object.keys(properties ?? {}),
    ...[name, operationId].filter((each) => typeof each === 'string'),
    ...Object.values(part).flatMap(namesIn),
  ];
}
