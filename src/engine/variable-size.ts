/** Values and characters beyond which variables count as large. */
const VALUES = 200;
const CHARACTERS = 10_000;

/**
 * Whether variables are so large that graphql-js must not be the first to refuse them: it writes a wrong object out whole,
 * in each of up to 50 errors. Stops counting as soon as that is known; files are not looked into.
 */
export function isLarge(variables: object): boolean {
  const open: object[] = [variables];
  let values = 0;
  let characters = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (!isJson(value)) continue;
    for (const key in value) {
      const item = (value as Record<string, unknown>)[key];
      values += 1;
      characters += key.length + (typeof item === 'string' ? item.length : 0);
      if (values > VALUES || characters > CHARACTERS) return true;
      if (typeof item === 'object' && item !== null) open.push(item);
    }
  }
  return false;
}

function isJson(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
