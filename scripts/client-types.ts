import openapiTS, { astToString } from 'openapi-typescript';

/** The file with the types of `packages/client`. */
export const CLIENT_TYPES = 'packages/client/src/openapi.ts';

const LEFT_OUT = ['example', 'examples', 'headers'];

/** The types of all REST paths, generated from `openapi.json`; with examples they would be half as long again. */
export async function clientTypesOf(openApi: string): Promise<string> {
  const document = trimmed(JSON.parse(openApi)) as Parameters<typeof openapiTS>[0];
  const types = astToString(await openapiTS(document, { silent: true }));
  return `// Made of openapi.json by "npm run print:contracts".\n\n${types}`;
}

/** Drops keywords of `LEFT_OUT`; fields with these names remain. */
function trimmed(node: unknown, names: 'KEYWORDS' | 'FIELDS' = 'KEYWORDS'): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => trimmed(item));
  const members = Object.entries(node).filter(([key]) => names === 'FIELDS' || !LEFT_OUT.includes(key));
  return Object.fromEntries(
    members.map(([key, value]) => [
      key,
      trimmed(value, key === 'properties' && names === 'KEYWORDS' ? 'FIELDS' : 'KEYWORDS'),
    ]),
  );
}
