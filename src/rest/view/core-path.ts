import {
  getNamedType,
  getNullableType,
  GraphQLInt,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredArgument,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import {
  IF_MATCH,
  isOperationRoute,
  parameterNames,
  variableOf,
  type FileRoute,
  type OperationRoute,
  type Route,
} from '../route.js';

/** Where in the core schema the data of a route is: the fields from a root type down to it, with their arguments. */
export interface CorePath {
  readonly root: GraphQLObjectType;
  readonly steps: readonly CoreStep[];
  readonly type: GraphQLOutputType;
  /** Whether the field `totalCount` beside the data says how many items there are in all. */
  readonly hasTotal: boolean;
  /** Whether the field `ignoredColumns` beside the data names columns of a table that was sent. */
  readonly readsTable: boolean;
  /** The position of the answer's `version`. */
  readonly version: 'beside data' | 'in data' | undefined;
  /** The input object that the operation takes; undefined where its arguments are filled one by one. */
  readonly input: GraphQLInputObjectType | undefined;
  /** The argument, or the field of the input, that each parameter fills; by the name of the parameter. */
  readonly filled: ReadonlyMap<string, Fillable>;
  /** Fields of the input that the path sets. */
  readonly fixed: Readonly<Record<string, string | null>>;
}

/** A route of the table, and where it is in the core schema. */
export type CompiledRoute = CompiledOperation | CompiledFile;
export type CompiledOperation = Omit<OperationRoute, 'etag'> & {
  readonly etag: Exclude<OperationRoute['etag'], 'none'>;
  readonly core: CorePath;
};
export type CompiledFile = FileRoute & { readonly core: CorePath | undefined };

/** Finds all routes in the core schema, once. Throws for missing fields, and for a parameter without an argument. */
export function compileRoutes(core: GraphQLSchema, routes: readonly Route[]): CompiledRoute[] {
  return routes.map((route) => {
    if (isOperationRoute(route)) return compiled(core, route);
    const { data } = route;
    return { ...route, core: data === undefined ? undefined : corePath(core, { ...route, data }) };
  });
}

/** An operation whose input has the version of a record takes `If-Match`; an answer that has one carries it as `ETag`. */
function compiled(core: GraphQLSchema, route: OperationRoute): CompiledOperation {
  const [name = ''] = route.data.split('.');
  const input = core
    .getMutationType()
    ?.getFields()
    [name]?.args.find((argument) => argument.name === INPUT)?.type;
  const fields = input === undefined ? {} : (getNullableType(input) as GraphQLInputObjectType).getFields();
  const expected = fields[route.arguments?.[IF_MATCH] ?? 'version']?.type;
  const parameters = expected === GraphQLInt ? `${route.parameters ?? ''} ${IF_MATCH}`.trim() : route.parameters;
  const path = corePath(core, { ...route, parameters });
  const ofVersion = path.version === undefined || route.method === 'DELETE' ? 'none' : 'version and hash';
  const { etag = ofVersion, ...rest } = route;
  return { ...rest, parameters, etag: etag === 'none' ? undefined : etag, core: path };
}

export interface CoreStep {
  readonly field: GraphQLField<unknown, unknown>;
  readonly places: readonly Place[];
}

/** An argument, or a field of the argument `filter`, and the variable that fills it. */
export interface Place {
  readonly argument: string;
  readonly filterField?: string;
  readonly type: GraphQLInputType;
  readonly variable: string;
  /** The argument or field itself. */
  readonly filled: Fillable;
}

export type Fillable = GraphQLArgument | GraphQLInputField;

/** Follows a path such as `organization.incidents.nodes`. Throws for missing fields, and parameters without an argument. */
export function corePath(core: GraphQLSchema, route: CoreRoute): CorePath {
  const names = route.data.split('.');
  const [query, mutation] = [core.getQueryType(), core.getMutationType()];
  const root = (
    route.method !== 'GET' && names[0] && mutation?.getFields()[names[0]] ? mutation : query
  ) as GraphQLObjectType;
  const fields: GraphQLField<unknown, unknown>[] = [];
  let parent = root;
  let type: GraphQLOutputType = root;
  for (const name of names) {
    parent = getNullableType(type) as GraphQLObjectType;
    const field = isObjectType(parent) ? parent.getFields()[name] : undefined;
    if (field === undefined) throw new Error(`${nameOf(route)}: the schema has no field ${parent.toString()}.${name}`);
    fields.push(field);
    type = field.type;
  }
  const isList = isListType(getNullableType(type));
  const data = getNamedType(type);
  const steps = stepsOf(route, fields);
  const whole = steps[0]?.places.find(({ variable }) => variable === INPUT);
  const input = whole && (getNullableType(whole.type) as GraphQLInputObjectType);
  const isIn = !isList && isObjectType(data) && 'version' in data.getFields();
  const isBeside = 'version' in parent.getFields();
  return {
    root,
    steps,
    type,
    hasTotal: isList && 'totalCount' in parent.getFields(),
    readsTable: 'ignoredColumns' in parent.getFields(),
    version: isIn ? 'in data' : isBeside ? 'beside data' : undefined,
    input,
    filled: filledBy(route, steps, input),
    fixed: route.fixed ?? {},
  };
}

function filledBy(
  route: CoreRoute,
  steps: readonly CoreStep[],
  input: GraphQLInputObjectType | undefined,
): ReadonlyMap<string, Fillable> {
  const places = steps.flatMap((step) => step.places);
  const arguments_ = new Map(places.map(({ variable, filled }) => [variable, filled]));
  return new Map(
    parameterNames(route).map((name) => {
      const variable = variableOf(name);
      return [name, (input ? inputField(route, input, name) : arguments_.get(variable)) as Fillable];
    }),
  );
}

/**
 * The field of an input that a parameter fills: `organizationId` for `organizationid`, and for `id` in
 * `/organizations/{id}` unless the route says what it is.
 */
function inputField(
  { path, arguments: named }: Pick<OperationRoute, 'path' | 'arguments'>,
  input: GraphQLInputObjectType,
  parameter: string,
): GraphQLInputField | undefined {
  const fields = new Map(Object.values(input.getFields()).map((field) => [spelledAlike(field.name), field]));
  const noun = parameter === 'id' ? /(\w+)s\/\{id\}/.exec(path)?.[1] : undefined;
  return fields.get(spelledAlike(named?.[parameter] ?? variableOf(parameter))) ?? fields.get(`${noun}id`);
}

type CoreRoute = Pick<
  OperationRoute,
  'method' | 'operationId' | 'path' | 'data' | 'parameters' | 'arguments' | 'fixed'
>;

/** The name of a mutation's argument, and the variable with its whole value. */
const INPUT = 'input';

/** Arguments of lists that REST calls otherwise. */
const OF_LISTS: Readonly<Record<string, string>> = { limit: 'first', sort: 'orderBy' };

function stepsOf(route: CoreRoute, fields: readonly GraphQLField<unknown, unknown>[]): CoreStep[] {
  const input = fields[0]?.args.find(({ name }) => name === INPUT);
  if (input !== undefined) requireFields(route, getNullableType(input.type));
  const filled = input
    ? [[{ argument: INPUT, type: input.type, variable: INPUT, filled: input }]]
    : placesOf(route, fields);
  return fields.map((field, index) => {
    const places = filled[index] ?? [];
    const missing = field.args.find((arg) => isRequiredArgument(arg) && !places.some((at) => at.argument === arg.name));
    if (missing) throw new Error(`${nameOf(route)}: no parameter fills ${field.name}(${missing.name}:)`);
    return { field, places };
  });
}

/** Each parameter of an operation with an input fills a field of it. */
function requireFields(route: CoreRoute, input: GraphQLInputType): void {
  const lost = parameterNames(route).find((name) => !isInputObjectType(input) || !inputField(route, input, name));
  if (lost !== undefined) throw new Error(`${nameOf(route)}: ${input.toString()} has no field for ${lost}`);
}

/** The places that the parameters fill, by the index of the field. */
function placesOf(route: CoreRoute, fields: readonly GraphQLField<unknown, unknown>[]): Place[][] {
  const open = fields.flatMap((field, index) =>
    field.args.flatMap((arg) => openPlaces(field.name, arg).map((place) => ({ ...place, index }))),
  );
  const filled = parameterNames(route).map((variable) => {
    const wanted = spelledAlike(route.arguments?.[variable] ?? OF_LISTS[variable] ?? variable);
    const [found, ...more] = open.filter(({ names }) => names.includes(wanted));
    if (found === undefined || more.length > 0)
      throw new Error(
        `${nameOf(route)}: ${found ? more.length + 1 : 0} arguments of ${route.data} are called ${variable}`,
      );
    return { index: found.index, place: { ...found.place, variable } };
  });
  return fields.map((_, index) => filled.filter((each) => each.index === index).map(({ place }) => place));
}

interface OpenPlace {
  place: Omit<Place, 'variable'>;
  /** Names that a parameter may have for it: the argument `id` of `incident` is also `incidentid`. */
  names: readonly string[];
}

function openPlaces(field: string, argument: GraphQLArgument): OpenPlace[] {
  const { name, type } = argument;
  const names = [spelledAlike(name), ...(name === 'id' ? [spelledAlike(`${field}Id`)] : [])];
  const bare = getNullableType(type);
  if (name !== 'filter' || !isInputObjectType(bare))
    return [{ place: { argument: name, type, filled: argument }, names }];
  return Object.values(bare.getFields()).map((filterField) => ({
    place: { argument: name, filterField: filterField.name, type: filterField.type, filled: filterField },
    names: [spelledAlike(filterField.name)],
  }));
}

/** `organizationId`, `organization_id` and `organizationid` are one name. */
function spelledAlike(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function nameOf({ operationId }: CoreRoute): string {
  return `The route ${operationId}`;
}
