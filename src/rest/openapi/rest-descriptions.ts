import { toSnakeCase } from '../../common/naming.js';

/**
 * The same document, whose descriptions call fields and parameters as REST does: they are written with GraphQL's names. A
 * name that REST has nothing of, such as that of an operation, stays.
 */
export function withRestNames<Document>(document: Document): Document {
  const names = new Set(namesIn(document));
  const inRest = (text: string) =>
    text.replaceAll(SPAN, (span, name: string) => {
      const own = name === 'databaseId' ? 'id' : toSnakeCase(name);
      return names.has(own) && !names.has(name) ? `\`${own}\`` : span;
    });
  return JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? inRest(value) : value,
  ) as Document;
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
