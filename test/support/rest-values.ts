/** Values of enums that REST spells otherwise than GraphQL. */
const HEALTH = ['UNKNOWN', 'HEALTHY', 'DEGRADED', 'DOWN'];
const VALUES: Readonly<Record<string, string | number>> = {
  ...Object.fromEntries(HEALTH.map((name, value) => [name, value])),
  ATTACHED: 'attached',
  GENERATED: 'generated',
  IMPORTED: 'imported',
};

/** Rewrites an answer of GraphQL with REST's values of these enums, and with people as REST has them. */
export function inRestValues<Value>(answer: Value): Value {
  const replaced = (_key: string, value: unknown) => {
    if (typeof value === 'string') return VALUES[value] ?? value;
    const isPerson = typeof value === 'object' && value !== null && Object.keys(value).join() === 'username';
    return isPerson ? (value as { username: string }).username : value;
  };
  return answer === undefined ? answer : (JSON.parse(JSON.stringify(answer, replaced)) as Value);
}

/** Rewrites a body of REST as GraphQL's input: names in camel case, enums by their names, JSON as it is. */
export function inGraphQLInput(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [toCamelCase(name), inputValue(name, value)]),
  );
}

/** `organization_id` as `organizationId`. */
export const toCamelCase = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

function inputValue(name: string, value: unknown): unknown {
  if (name === 'status' && typeof value === 'number') return HEALTH[value] ?? value;
  if (name === 'source' && typeof value === 'string') return value.toUpperCase();
  if (name === 'config' || name === 'fields' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inputValue('', item));
  return name === 'stat'
    ? inHealthNames(value as Record<string, unknown>)
    : inGraphQLInput(value as Record<string, unknown>);
}

/** A message about such an enum, as REST has it. */
export function inRestWords(message: string): string {
  return message.replaceAll(/\b[A-Z]+\b/g, (word) => String(VALUES[word] ?? word));
}

/** The state of each part of a device, as GraphQL names it. */
const inHealthNames = (stat: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(stat).map(([part, state]) => [part, HEALTH[state as number] ?? state]));
