/** The snake-case form of a name, as in REST: `numberEmployees` is `number_employees`. */
export function toSnakeCase(name: string): string {
  if (AS_SPECIFIED.has(name)) return name;
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Names that the specification capitalizes (2.7). */
const AS_SPECIFIED: ReadonlySet<string> = new Set(['privateIP']);

/** The camel-case form of a column name: `organization_id` is `organizationId`. */
export function toCamelCase(column: string): string {
  return column.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
}

/** GraphQL's name of a value with other characters: `Arts & Entertainment` is `ARTS_AND_ENTERTAINMENT`. */
export function toEnumName(spelling: string): string {
  const plain = spelling.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('&', ' and ');
  return (plain.match(/[a-z0-9]+/gi) ?? []).join('_').toUpperCase();
}
