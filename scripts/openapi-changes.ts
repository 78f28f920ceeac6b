import type { ContractChanges } from './contract-changes.js';
import { documentWithoutExpired } from './expired.js';

/** A JSON value of a document, checked where it is read. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document of any version
type Json = any;
type Direction = 'request' | 'response';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
/** Keywords of a schema that are documentation only. */
const TEXTS = ['description', 'title', 'example', 'examples', 'deprecated', 'x-sunset', 'x-enum-varnames'];
/** Larger values allow more. */
const UPPER = ['maxLength', 'maximum', 'maxItems', 'maxProperties'];
/** Smaller values allow more. */
const LOWER = ['minLength', 'minimum', 'minItems', 'minProperties'];

/**
 * Differences between two OpenAPI documents of this gateway, for a client of the first. An unknown kind of difference
 * counts as breaking; parts with a sunset until `today` may be missing.
 */
export function openApiChanges(released: Json, present: Json, today: string): ContractChanges {
  const whole = new Comparison(released, present).run();
  const { breaking } = new Comparison(documentWithoutExpired(released, today), present).run();
  const removals = whole.breaking.filter((change) => !breaking.includes(change));
  return { breaking, additive: [...whole.additive, ...removals] };
}

class Comparison {
  private readonly breaking = new Set<string>();
  private readonly additive = new Set<string>();
  private readonly compared = new Set<string>();

  constructor(
    private readonly released: Json,
    private readonly present: Json,
  ) {}

  run(): ContractChanges {
    const before = operationsOf(this.released);
    const now = operationsOf(this.present);
    for (const [name, operation] of before) {
      const next = now.get(name);
      if (next === undefined) this.breaking.add(`${name} was removed`);
      else this.operation(name, operation, next);
    }
    for (const name of now.keys()) if (!before.has(name)) this.additive.add(`${name} was added`);
    return { breaking: [...this.breaking], additive: [...this.additive] };
  }

  private operation(at: string, before: Json, now: Json): void {
    if (before.operationId !== now.operationId)
      this.breaking.add(`${at}: the operation id ${before.operationId} became ${now.operationId}`);
    if (now.deprecated === true && before.deprecated !== true) this.additive.add(`${at} was deprecated`);
    this.parameters(at, before, now);
    this.body(at, before.requestBody, now.requestBody);
    for (const [status, answer] of Object.entries<Json>(before.responses)) {
      const next = now.responses[status];
      // A failure that no longer occurs is compatible.
      if (next === undefined) {
        if (status.startsWith('2')) this.breaking.add(`${at}: status ${status} was removed`);
      } else this.answer(`${at} ${status}`, deref(this.released, answer), deref(this.present, next));
    }
    for (const status of Object.keys(now.responses))
      if (!(status in before.responses)) this.additive.add(`${at}: status ${status} was added`);
  }

  private parameters(at: string, before: Json, now: Json): void {
    const [old, next] = [parametersOf(this.released, before), parametersOf(this.present, now)];
    for (const [name, parameter] of old) {
      const same = next.get(name);
      if (same === undefined) this.breaking.add(`${at}: the parameter ${name} was removed`);
      else {
        if (same.required && !parameter.required) this.breaking.add(`${at}: the parameter ${name} became required`);
        this.schema(`${at}: the parameter ${name}`, parameter.schema, same.schema, 'request');
      }
    }
    for (const [name, { required }] of next) {
      if (old.has(name)) continue;
      if (required) this.breaking.add(`${at}: the required parameter ${name} was added`);
      else this.additive.add(`${at}: the parameter ${name} was added`);
    }
  }

  private body(at: string, before: Json, now: Json): void {
    if (before === undefined) {
      if (now?.required) this.breaking.add(`${at}: a required body was added`);
      else if (now !== undefined) this.additive.add(`${at}: a body was added`);
    } else if (now === undefined) this.breaking.add(`${at}: the body was removed`);
    else {
      if (now.required && !before.required) this.breaking.add(`${at}: the body became required`);
      this.content(`${at} body`, before.content, now.content, 'request');
    }
  }

  private answer(at: string, before: Json, now: Json): void {
    this.content(at, before.content ?? {}, now.content ?? {}, 'response');
    const [old, next] = [before.headers ?? {}, now.headers ?? {}];
    for (const name of Object.keys(old))
      if (!(name in next)) this.breaking.add(`${at}: the header ${name} was removed`);
    for (const name of Object.keys(next)) if (!(name in old)) this.additive.add(`${at}: the header ${name} was added`);
  }

  private content(at: string, before: Json, now: Json, direction: Direction): void {
    for (const [type, { schema }] of Object.entries<Json>(before))
      if (now[type] === undefined) this.breaking.add(`${at}: the media type ${type} was removed`);
      else this.schema(at, schema, now[type].schema, direction);
    for (const type of Object.keys(now))
      if (!(type in before)) this.additive.add(`${at}: the media type ${type} was added`);
  }

  /** Named schemas are compared once for each direction, under their name. */
  private schema(at: string, before: Json, now: Json, direction: Direction): void {
    if (before === undefined || now === undefined) {
      if (before !== now) this.breaking.add(`${at}: a schema was added or removed`);
      return;
    }
    const name = before.$ref?.split('/').at(-1);
    if (name !== undefined) {
      const key = `${direction} ${before.$ref} ${now.$ref}`;
      if (this.compared.has(key)) return;
      this.compared.add(key);
      at = name;
    }
    const [old, next] = [deref(this.released, before), deref(this.present, now)];
    const isRequest = direction === 'request';
    this.types(at, old, next, isRequest);
    this.values(at, old, next, isRequest);
    this.properties(at, old, next, direction);
    if (old.items !== undefined && next.items !== undefined) this.schema(`${at}[]`, old.items, next.items, direction);
    for (const keyword of UPPER)
      this.bound(at, keyword, old[keyword] ?? Infinity, next[keyword] ?? Infinity, isRequest);
    for (const keyword of LOWER)
      this.bound(at, keyword, -(old[keyword] ?? -Infinity), -(next[keyword] ?? -Infinity), isRequest);
    this.rest(at, old, next);
  }

  private types(at: string, before: Json, now: Json, isRequest: boolean): void {
    const [old, next] = [typesOf(before), typesOf(now)];
    const [from, to] = isRequest ? [old, next] : [next, old];
    const change = `${at}: the type ${old.join(' | ') || 'any'} became ${next.join(' | ') || 'any'}`;
    // A missing type means any type.
    const isCompatible =
      to.length === 0 || (from.length > 0 && from.every((type) => to.includes(type) || isWithin(type, to)));
    if (!isCompatible) this.breaking.add(change);
    else if (String(old) !== String(next)) this.additive.add(change);
  }

  /** A client must expect further values in answers (docs/compatibility.md). */
  private values(at: string, before: Json, now: Json, isRequest: boolean): void {
    const [old, next] = [valuesOf(before), valuesOf(now)];
    if (old === undefined || next === undefined) {
      if (old !== next && (next !== undefined) === isRequest)
        this.breaking.add(`${at}: a list of values was added or removed`);
      return;
    }
    const removed = old.filter((value) => !next.includes(value));
    const added = next.filter((value) => !old.includes(value));
    if (removed.length > 0)
      (isRequest ? this.breaking : this.additive).add(`${at}: the values ${removed.join(', ')} were removed`);
    if (added.length > 0) this.additive.add(`${at}: the values ${added.join(', ')} were added`);
  }

  private properties(at: string, before: Json, now: Json, direction: Direction): void {
    const [old, next] = [before.properties ?? {}, now.properties ?? {}];
    const [mustBefore, mustNow] = [new Set(before.required), new Set(now.required)];
    for (const name of Object.keys(old)) {
      if (!(name in next)) this.breaking.add(`${at}.${name} was removed`);
      else {
        this.schema(`${at}.${name}`, old[name], next[name], direction);
        if (direction === 'request' && mustNow.has(name) && !mustBefore.has(name))
          this.breaking.add(`${at}.${name} became required`);
        if (direction === 'response' && mustBefore.has(name) && !mustNow.has(name))
          this.breaking.add(`${at}.${name} may be absent now`);
      }
    }
    for (const name of Object.keys(next)) {
      if (name in old) continue;
      if (direction === 'request' && mustNow.has(name)) this.breaking.add(`the required ${at}.${name} was added`);
      else this.additive.add(`${at}.${name} was added`);
    }
    if (direction === 'request' && before.additionalProperties !== false && now.additionalProperties === false)
      this.breaking.add(`${at}: further properties are refused now`);
  }

  private bound(at: string, keyword: string, before: number, now: number, isRequest: boolean): void {
    if (now < before && isRequest) this.breaking.add(`${at}: ${keyword} became narrower`);
    else if (now > before && isRequest) this.additive.add(`${at}: ${keyword} became wider`);
  }

  private rest(at: string, before: Json, now: Json): void {
    const known = [
      ...TEXTS,
      ...UPPER,
      ...LOWER,
      'type',
      'enum',
      'const',
      'properties',
      'required',
      'items',
      'additionalProperties',
    ];
    for (const keyword of new Set([...Object.keys(before), ...Object.keys(now)]))
      if (!known.includes(keyword) && this.textOf(before[keyword]) !== this.textOf(now[keyword]))
        this.breaking.add(`${at}: ${keyword} changed`);
  }

  private textOf(value: Json): string {
    return JSON.stringify(value, (key, inner) => (TEXTS.includes(key) ? undefined : inner)) ?? '';
  }
}

function operationsOf({ paths }: Json): Map<string, Json> {
  return new Map(
    Object.entries<Json>(paths).flatMap(([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => [
        `${method.toUpperCase()} ${path}`,
        { ...item[method], parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])] },
      ]),
    ),
  );
}

function parametersOf(document: Json, { parameters }: Json): Map<string, Json> {
  return new Map(
    parameters.map((reference: Json) => {
      const parameter = deref(document, reference);
      return [`${parameter.name} (${parameter.in})`, parameter];
    }),
  );
}

function deref(document: Json, value: Json): Json {
  if (typeof value?.$ref !== 'string') return value;
  return deref(
    document,
    value.$ref
      .slice(2)
      .split('/')
      .reduce((at: Json, name: string) => at[name], document),
  );
}

const typesOf = ({ type = [] }: Json): string[] => [type].flat();

/** Each integer is a number. */
const isWithin = (type: string, types: readonly string[]) => type === 'integer' && types.includes('number');

function valuesOf(schema: Json): unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}
