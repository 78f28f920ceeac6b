import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Model = 'assessment-results' | 'component-definition';

/**
 * What is wrong with an OSCAL document. With the folder of NIST's JSON schemas in OSCAL_SCHEMAS (the files of a release of
 * OSCAL) it is validated by them as well.
 */
export function oscalErrors(model: Model, document: object): string[] {
  const errors: string[] = [];
  const [root] = Object.keys(document);
  if (root !== model) errors.push(`the root is ${root}`);
  const uuids: string[] = [];
  const references: string[] = [];
  walk(document, '', (path, key, value) => {
    const fault = faultOf(key, value);
    if (fault !== undefined) errors.push(`${path}: ${fault}`);
    if (key === 'uuid') uuids.push(value as string);
    if (key.endsWith('-uuid')) references.push(value as string);
    if ((key === 'href' || key === 'source') && String(value).startsWith('#')) references.push(String(value).slice(1));
  });
  if (new Set(uuids).size < uuids.length) errors.push('two parts have one UUID');
  errors.push(...references.filter((uuid) => !uuids.includes(uuid)).map((uuid) => `nothing has the UUID ${uuid}`));
  return [...errors, ...officialErrors(model, document)];
}

/** Keys that OSCAL requires of what stands under a name, in the release that the gateway writes. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  'assessment-results': ['uuid', 'metadata', 'import-ap', 'results'],
  'component-definition': ['uuid', 'metadata'],
  metadata: ['title', 'last-modified', 'version', 'oscal-version'],
  parties: ['uuid', 'type'],
  results: ['uuid', 'title', 'description', 'start', 'reviewed-controls'],
  'reviewed-controls': ['control-selections'],
  observations: ['uuid', 'description', 'methods', 'collected'],
  findings: ['uuid', 'title', 'description', 'target'],
  target: ['type', 'target-id', 'status'],
  components: ['uuid', 'type', 'title', 'description'],
  'control-implementations': ['uuid', 'source', 'description', 'implemented-requirements'],
  'implemented-requirements': ['uuid', 'control-id', 'description'],
  props: ['name', 'value'],
  links: ['href'],
  resources: ['uuid'],
  rlinks: ['href'],
  hashes: ['algorithm', 'value'],
};

const UUID = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const TOKEN = /^(\p{L}|_)(\p{L}|\p{N}|[.\-_])*$/u;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const LINE = /^\S(.*\S)?$/;

function faultOf(key: string, value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length === 0 ? 'is an empty list' : undefined;
  if (typeof value === 'object' && value !== null) {
    const missing = (REQUIRED[key] ?? []).filter((name) => !Object.hasOwn(value, name));
    return missing.length > 0 ? `lacks ${missing.join(', ')}` : undefined;
  }
  return ruleOf(key).test(String(value)) ? undefined : `must not be ${JSON.stringify(value)}`;
}

function ruleOf(key: string): RegExp {
  if (key === 'uuid' || key.endsWith('-uuid')) return UUID;
  if (key === 'control-id' || key === 'target-id' || key === 'name' || key === 'state') return TOKEN;
  if (key === 'last-modified' || key === 'collected' || key === 'start' || key === 'end') return DATE_TIME;
  return key === 'description' || key === 'remarks' ? /\S/ : LINE;
}

/** What is in a list goes by the name of the list. A party is named by a text, a property by a token. */
function walk(
  value: unknown,
  path: string,
  visit: (path: string, key: string, value: unknown) => void,
  key = '',
): void {
  visit(path, path.includes('/parties/') && key === 'name' ? 'title' : key, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value))
    walk(item, `${path}/${name}`, visit, Array.isArray(value) ? key : name);
}

const SCHEMA_FILES = { 'assessment-results': 'assessment-results', 'component-definition': 'component' };
const compiled = new Map<Model, ValidateFunction>();

function officialErrors(model: Model, document: object): string[] {
  const folder = process.env['OSCAL_SCHEMAS'];
  if (folder === undefined) return [];
  let isValid = compiled.get(model);
  if (isValid === undefined) {
    const text = readFileSync(join(folder, `oscal_${SCHEMA_FILES[model]}_schema.json`), 'utf8');
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    isValid = ajv.compile(JSON.parse(text));
    compiled.set(model, isValid);
  }
  return isValid(document) ? [] : (isValid.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
