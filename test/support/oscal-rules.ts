import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

type Model = 'assessment-results' | 'component-definition';

/**
 * Validates an OSCAL document by NIST's JSON schema of its model and by rules beyond the schema; returns the errors.
 */
export function oscalErrors(model: Model, document: object): string[] {
  const isValid = validatorOf(model);
  const errors = isValid(document)
    ? []
    : (isValid.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  const uuids: string[] = [];
  const references: string[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    if (key === 'uuid') uuids.push(value as string);
    if (key.endsWith('-uuid')) references.push(value as string);
    if ((key === 'href' || key === 'source') && String(value).startsWith('#')) references.push(String(value).slice(1));
    return value;
  });
  if (new Set(uuids).size < uuids.length) errors.push('two parts have one UUID');
  return [
    ...errors,
    ...references.filter((uuid) => !uuids.includes(uuid)).map((uuid) => `nothing has the UUID ${uuid}`),
  ];
}

/** The published catalog of the LOW baseline of NIST SP 800-53, revision 5. */
export function lowBaseline(): { catalog: PublishedCatalog } {
  const name = 'NIST_SP-800-53_rev5_LOW-baseline-resolved-profile_catalog.json.gz';
  return JSON.parse(gunzipSync(published(name)).toString());
}

interface PublishedCatalog {
  groups: { id: string; controls: PublishedControl[] }[];
}

interface PublishedControl {
  id: string;
  title: string;
  controls?: PublishedControl[];
}

const SCHEMAS = {
  'assessment-results': 'oscal_assessment-results_schema.json',
  'component-definition': 'oscal_component_schema.json',
};
const validators = new Map<Model, ValidateFunction>();

function validatorOf(model: Model): ValidateFunction {
  let validator = validators.get(model);
  if (validator === undefined) {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    validator = ajv.compile(JSON.parse(published(SCHEMAS[model]).toString()));
    validators.set(model, validator);
  }
  return validator;
}

const published = (name: string) => readFileSync(new URL(`oscal-files/${name}`, import.meta.url));
