import type { IncomingHttpHeaders } from 'node:http';
import { badUserInput, notFound } from '../errors.js';
import type { Parameter } from './parameters.js';

/**
 * The variables of a route's document, from its path and its query. A path that cannot name anything throws NOT_FOUND
 * (a malformed id looks like one that never existed); faults of the query throw BAD_USER_INPUT, all at
 * once. Query parameters that the route does not have are ignored: clients add their own, to pass caches for one.
 */
export function readParameters(
  parameters: readonly Parameter[],
  path: Readonly<Record<string, unknown>>,
  url: string,
  headers: IncomingHttpHeaders = {},
): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  const query = queryOf(url);
  const faults: string[] = [];
  for (const parameter of parameters) {
    const { name } = parameter;
    if (parameter.in === 'path') {
      variables[name] = pathValue(parameter, path[name]);
      continue;
    }
    const texts = parameter.in === 'header' ? headerTexts(headers, name) : (query?.getAll(name) ?? NONE);
    const reading = texts.length > 1 ? REPEATED : texts[0] === undefined ? undefined : parameter.read(texts[0]);
    if (reading === undefined) {
      if (parameter.required) faults.push(`${name} is required`);
      if (parameter.absent !== undefined) variables[name] = parameter.absent;
    } else if ('fault' in reading) faults.push(`${name} ${reading.fault}`);
    else variables[variableOf(parameter)] = reading.value;
  }
  if (faults.length > 0) throw badUserInput(faults);
  return variables;
}

/** The name of the variable in the route's document that the parameter fills. */
export function variableOf({ name, variable = name }: Parameter): string {
  return variable;
}

const NONE: readonly string[] = [];
const REPEATED = { fault: 'must not be given twice' };

function queryOf(url: string): URLSearchParams | undefined {
  const start = url.indexOf('?');
  return start < 0 ? undefined : new URLSearchParams(url.slice(start + 1));
}

function pathValue(parameter: Parameter, text: unknown): unknown {
  const reading = typeof text === 'string' ? parameter.read(text) : undefined;
  if (reading === undefined || 'fault' in reading) throw notFound();
  return reading.value;
}

function headerTexts(headers: IncomingHttpHeaders, name: string): readonly string[] {
  const text = headers[name.toLowerCase()];
  return typeof text === 'string' ? [text.trim()] : NONE;
}
