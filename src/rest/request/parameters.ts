import {
  getNamedType,
  getNullableType,
  GraphQLNonNull,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { deprecationOf } from '../../common/deprecation.js';
import { type Constraints, constraintsOf, type Json, keyTypeOf, valueSchema } from '../../common/input-schema.js';
import { toSnakeCase } from '../../common/naming.js';
import { LIMITS } from '../../values/limits.js';
import type { CorePath, Fillable } from '../view/core-path.js';
import { MAX_INT } from './versions.js';
import { TABLE_TYPES } from '../answer/tables.js';
import { restEnum, restValues } from './rest-input.js';
import {
  AS_OF,
  IF_MATCH,
  isPaged,
  namesInPath,
  type Parameter,
  parameterNames,
  type TakesParameters,
} from '../route.js';

/** The parameters of a route, with the constraints of the argument or input field that each sets. */
export function parametersOf(route: TakesParameters & { core: CorePath | undefined }): readonly Parameter[] {
  const { core, own = [], including, past, waits } = route;
  if (core === undefined) return own;
  const inPath = new Set(namesInPath(route));
  const named = parameterNames(route).map((name) => {
    if (name === IF_MATCH) return ifMatch;
    const field = core.filled.get(name) as Fillable;
    return parameterOf(route, name, inPath.has(name) ? 'path' : 'query', field);
  });
  const included = including === undefined ? [] : [includeOf(Object.keys(including))];
  const asOf = past === true ? [{ ...parameterOf(route, AS_OF, 'query', asOfIn(core)), ...OF_PAST }] : [];
  return [...named, ...own, ...(waits ? [wait] : []), ...included, ...(isPaged(route) ? [format, bom] : []), ...asOf];
}

const OF_PAST = {
  description:
    'Answers as it was at this instant, from the audit trail: `As-Of-Position` names the entry. What is read is what the caller may read now.',
  example: '2026-11-20T09:30:00Z',
};

/** The argument for reading as of a past instant. */
function asOfIn({ root }: CorePath): Fillable {
  return root.getFields()['organization']?.args.find(({ name }) => toSnakeCase(name) === AS_OF) as Fillable;
}

function parameterOf(route: TakesParameters, name: string, place: 'path' | 'query', field: Fillable): Parameter {
  const { description = keyDescriptionOf(field), constraints } = OF_REST[name] ?? {};
  const own = { ...constraints, ...route.constraints?.[name] };
  const values = valuesOf(field);
  const item = schemaOf(field, own, place);
  const schema = isListOf(field, name) ? { type: 'array', items: item, maxItems: MAX_LISTED } : item;
  const deprecation = deprecationOf(field);
  const shown = name === 'sort' ? sortOf(route, field) : { schema, ...(values && { values }) };
  return {
    name,
    in: place,
    description,
    required: place === 'path' || isNonNullType(field.type),
    example: route.examples?.[name] ?? exampleOf(name, shown.schema, route.path),
    ...shown,
    ...(deprecation && { deprecation }),
  };
}

/** Values with commas between them: a parameter that is called as a list is. One that is called otherwise has one value. */
function isListOf({ type, name }: Fillable, parameter: string): boolean {
  return isListType(getNullableType(type)) && toSnakeCase(name) === parameter;
}

/** Values of one parameter at most. */
export const MAX_LISTED = 100;

/** Without parts that are true of global ids only. */
function keyDescriptionOf({ extensions, description }: Fillable): string {
  return (extensions['keyDescription'] as string | undefined) ?? description ?? '';
}

/** GraphQL's names by REST's values of an enum. */
function valuesOf({ type }: Fillable): ReadonlyMap<unknown, string> | undefined {
  const named = getNamedType(type);
  return isEnumType(named) ? restValues(named) : undefined;
}

/** The id of a record; another number is as malformed as a word. */
export const ID: Json = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** A text that only a look-up can find to be wrong, such as the id of a workflow. */
export const TEXT = { type: 'string', maxLength: LIMITS.search.filterCharacters, text: 'line' } as const;

/** Sentences of REST for values of our own scalars, where those of bodies do not fit. */
const SCALARS: Readonly<Record<string, Constraints>> = {
  ID: TEXT,
  Date: { sentences: { scalar: 'must be a day of the calendar, such as 2026-01-31' } },
};

function schemaOf(field: Fillable, own: Constraints, place: 'path' | 'query'): Json {
  const type = getNamedType(keyTypeOf(field));
  if (type.name === 'SafeInt' && /^id$|Id$/.test(field.name)) return ID;
  if (field.name === 'userId') return { type: 'string', format: 'uuid' };
  const constraints = { ...SCALARS[type.name], ...constraintsOf(field), ...own };
  const listed = isEnumType(type) ? [...restValues(type).keys()] : constraints.enum;
  const sentences = listed && { type: `must be one of ${listed.join(', ')}` };
  return valueSchema(
    new GraphQLNonNull(type),
    {
      ...(sentences && { sentences }),
      ...constraints,
      ...(place === 'path' && type.name === 'ID' && { minLength: 1 }),
    },
    { spell: toSnakeCase, nested: () => ({}), enumSchema: restEnum },
  );
}

const { minSize, maxSize, defaultSize } = LIMITS.page;
const pageSize = `must be from ${minSize} to ${maxSize}`;

/**
 * Descriptions and constraints that the core lacks: it pages by cursors, orders by objects, and calls the id of an
 * organization `id` as well.
 */
const OF_REST: Readonly<Record<string, { description?: string; constraints?: Constraints }>> = {
  organizationid: { description: 'The organization.' },
  limit: {
    description: 'How many items the page holds at most.',
    constraints: {
      minimum: minSize,
      maximum: maxSize,
      sentences: { type: pageSize, minimum: pageSize, maximum: pageSize },
      published: { default: defaultSize },
    },
  },
  offset: {
    description: 'How many items of the list come before the page.',
    constraints: { minimum: 0, maximum: MAX_INT, published: { default: 0 } },
  },
  sort: {
    description:
      'What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties.',
  },
  language: { constraints: { format: 'language' } },
};

/** `field` or `-field`, for each field that the core orders by. */
function sortOf({ sort, sortNames = {} }: TakesParameters, { type }: Fillable): Pick<Parameter, 'schema' | 'values'> {
  const order = getNamedType(type);
  const field = isInputObjectType(order) ? getNamedType(order.getFields()['field']?.type) : undefined;
  const fields = isEnumType(field) ? field.getValues().map(({ name }) => name) : [];
  const values = new Map<unknown, unknown>(
    fields.flatMap((name) => {
      const shown = sortNames[name] ?? name.toLowerCase();
      return [
        [shown, { field: name, direction: 'ASC' }],
        [`-${shown}`, { field: name, direction: 'DESC' }],
      ] as const;
    }),
  );
  return { schema: { type: 'string', enum: [...values.keys()], published: { default: sort } }, values };
}

/** Examples of texts; ids are those of the demo data, unless a route names another one. */
const EXAMPLES: Readonly<Record<string, string | number>> = {
  'documents/{id}': 12,
  'invitations/{id}': 5,
  'notifications/{id}': 30,
  'tokens/{id}': 10,
  serviceaccountid: '5b1d6a90-3f0e-4c55-9f0b-0f6d6f6d1c11',
  engagementid: 1,
  'requests/{id}': 1,
  incidentid: 2,
  regimeid: 'nis2-it',
  workflowid: 'iso-27001-2022',
  workflow_id: 'iso-27001-2022',
  artifactid: 'A.5.1',
  artifact_id: 'A.5.1',
  controlid: 'A.5.1',
  parent_id: 'A.5',
  owner_id: '0b8f2c6e-7d0a-4d44-9a53-5a1a4d6a2f10',
  assignee_id: '0b8f2c6e-7d0a-4d44-9a53-5a1a4d6a2f10',
  userid: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
  search: 'rossi',
  created_by: 'a.rossi',
  language: 'it',
  as_of: '2026-06-30',
};

const OF_TYPES: Readonly<Record<string, string | number | boolean>> = {
  integer: 1,
  boolean: false,
  string: '2026-11-20T08:15:30Z',
};

function exampleOf(name: string, schema: Json, path: string): Parameter['example'] {
  const [place = ''] = new RegExp(`[^/]+/\\{${name}\\}`).exec(path) ?? [];
  const { type, enum: values, published } = schema as unknown as Constraints & { type: string };
  return (
    EXAMPLES[place] ??
    EXAMPLES[name] ??
    (published?.['default'] as string | undefined) ??
    values?.[0] ??
    OF_TYPES[type] ??
    ''
  );
}

export function queryParameter(name: string, facts: Pick<Parameter, 'description' | 'schema' | 'example'>): Parameter {
  return { name, in: 'query', required: false, ...facts };
}

const includeOf = (values: readonly string[]) =>
  queryParameter('include', {
    description: 'What is answered of each item besides: `series` are `web_stat` and `chart_stat`.',
    schema: { type: 'string', enum: values },
    example: values[0]!,
  });

const format = queryParameter('format', {
  description: 'The list as a file instead of JSON, whatever the header `Accept` says.',
  schema: { type: 'string', enum: Object.keys(TABLE_TYPES) },
  example: 'xlsx',
});

/** How a file of CSV begins. */
export const bom = queryParameter('bom', {
  description:
    'Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs.',
  schema: { type: 'string', enum: ['0', '1'], published: { default: '1' } },
  example: '0',
});

const { maxWaitSeconds } = LIMITS.events;
const waitTime = `must be from 0 to ${maxWaitSeconds}`;

/** How long a request waits. */
const wait = queryParameter('wait', {
  description:
    'Seconds that the answer may take while there is nothing on the page: it comes with the first that meets the filter, or empty at the end of the time.',
  schema: {
    ...{ type: 'integer', format: 'int32', minimum: 0, maximum: maxWaitSeconds, published: { default: 0 } },
    sentences: { type: waitTime, minimum: waitTime, maximum: waitTime },
  },
  example: maxWaitSeconds,
});

/** The state of the record that a change is made to. */
const ifMatch: Parameter = {
  name: IF_MATCH,
  in: 'header',
  description:
    'The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. So it is for what cannot be compared: a text that is no tag, a weak tag, or more than 16 tags. Without it, or with `*`, the change is made whatever came in between.',
  schema: { type: 'string' },
  example: '"3"',
  required: false,
};
