/** Values of enums that REST spells otherwise than GraphQL. */
const VALUES: Readonly<Record<string, string | number>> = {
  UNKNOWN: 0,
  HEALTHY: 1,
  DEGRADED: 2,
  DOWN: 3,
  ATTACHED: 'attached',
  GENERATED: 'generated',
  IMPORTED: 'imported',
};

/** What GraphQL answered, with the values of these enums and with people as REST has them. */
export function inRestValues<Value>(answer: Value): Value {
  const replaced = (_key: string, value: unknown) => {
    if (typeof value === 'string') return VALUES[value] ?? value;
    const isPerson = typeof value === 'object' && value !== null && Object.keys(value).join() === 'username';
    return isPerson ? (value as { username: string }).username : value;
  };
  return answer === undefined ? answer : (JSON.parse(JSON.stringify(answer, replaced)) as Value);
}

/** The state of each part of a device, as GraphQL names it. */
export function inHealthNames(stat: Readonly<Record<string, number>>): Record<string, string> {
  const names = Object.keys(VALUES);
  return Object.fromEntries(Object.entries(stat).map(([part, state]) => [part, names[state] ?? '']));
}
