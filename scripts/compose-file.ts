import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Parts of a service that checks and tests read; the schema beside this file defines the rest. */
export interface ComposeService {
  build?: { context: string; args?: Record<string, string> };
  image?: string;
  profiles?: string[];
  user?: string;
  read_only?: boolean;
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  configs?: { source: string; target: string }[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck: { disable?: boolean; test?: string[] };
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  configs?: Record<string, { content?: string; file?: string }>;
  volumes?: Record<string, null>;
}

const SCHEMA = new URL('./compose.schema.json', import.meta.url);

/**
 * Parses a Compose file like an engine does, with its default values for variables that `env` lacks. `errors` are
 * sentences, and empty if the file can be started.
 */
export function readComposeFile(
  text: string,
  env: Record<string, string | undefined> = {},
): { file: ComposeFile; errors: string[] } {
  const errors: string[] = [];
  const file = filledIn(parsed(text, errors), env, errors) as ComposeFile;
  if (errors.length === 0) errors.push(...schemaErrors(file));
  // References are resolved only in a file that matches the schema.
  if (errors.length === 0) errors.push(...referenceErrors(file));
  return { file, errors };
}

function parsed(text: string, errors: string[]): unknown {
  try {
    return parse(text, { merge: true, uniqueKeys: true });
  } catch (error) {
    errors.push((error as Error).message.split('\n', 1)[0] ?? '');
    return undefined;
  }
}

function schemaErrors(file: unknown): string[] {
  const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as object;
  const validate = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTuples: false }).compile(
    schema,
  );
  return validate(file) ? [] : (validate.errors ?? []).map(sentenceOf);
}

function sentenceOf({ instancePath, message, params }: ErrorObject): string {
  const detail = Object.values(params as Record<string, unknown>).join(', ');
  return `${instancePath || '/'} ${message ?? 'is wrong'} (${detail})`;
}

/** Rules beyond the schema: names refer to existing objects, and no service waits forever. */
function referenceErrors({ services, configs = {}, volumes = {} }: ComposeFile): string[] {
  const errors: string[] = [];
  for (const [name, service] of Object.entries(services)) {
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      const target = services[other];
      if (target === undefined) errors.push(`${name} depends on ${other}, which is no service`);
      else if (condition === 'service_healthy' && target.healthcheck.disable === true)
        errors.push(`${name} waits for ${other} to be healthy, but nothing checks whether it is`);
      else if (dependsOn(services, other, name)) errors.push(`${name} and ${other} wait for each other`);
    }
    for (const { source } of service.configs ?? [])
      if (!Object.hasOwn(configs, source)) errors.push(`${name} mounts ${source}, which is no config`);
    for (const mount of service.volumes ?? []) {
      const [volume = ''] = mount.split(':');
      if (!Object.hasOwn(volumes, volume)) errors.push(`${name} mounts ${volume}, which is no volume`);
    }
  }
  return errors;
}

function dependsOn(services: ComposeFile['services'], from: string, to: string, seen = new Set<string>()): boolean {
  if (seen.has(from)) return false;
  seen.add(from);
  const next = Object.keys(services[from]?.depends_on ?? {});
  return next.includes(to) || next.some((name) => dependsOn(services, name, to, seen));
}

/** Compose's interpolation, limited to `${NAME:-value}` and `$$`; any other use of $ is an error. */
function filledIn(value: unknown, env: Record<string, string | undefined>, errors: string[]): unknown {
  if (typeof value === 'string') return filledInText(value, env, errors);
  if (Array.isArray(value)) return value.map((item) => filledIn(item, env, errors));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledIn(item, env, errors)]));
}

function filledInText(text: string, env: Record<string, string | undefined>, errors: string[]): string {
  return text.replace(/\$(?:\$|\{([A-Z][A-Z0-9_]*):-([^{}$]*)\}|)/g, (found, name?: string, fallback = '') => {
    if (found === '$$') return '$';
    if (name !== undefined) return env[name] || fallback;
    errors.push(`"${text}" has a $ that neither begins \${NAME:-value} nor is doubled`);
    return found;
  });
}
