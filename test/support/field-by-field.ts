import {
  astFromValue,
  execute,
  getNamedType,
  GraphQLError,
  isCompositeType,
  print,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { isDeepStrictEqual } from 'node:util';
import type { GraphQLResult } from './clients.js';

/**
 * Computes the correct response to a document by graphql-js, from queries of one field each, without aliases,
 * directives and variables. It is independent of the gateway's compilation of operations and its choice of columns.
 */
export class FieldByField {
  private readonly answers = new Map<string, Promise<GraphQLResult>>();

  /** `schema` has no resolvers. */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly send: (query: string) => Promise<GraphQLResult>,
  ) {}

  async answer(
    document: DocumentNode,
    variableValues: Readonly<Record<string, unknown>>,
    operationName?: string,
  ): Promise<ExecutionResult> {
    const rootValue: Place = { steps: [], path: [] };
    const { schema, fieldResolver } = this;
    return execute({
      ...{ schema, document, rootValue, variableValues, operationName, fieldResolver },
      typeResolver: async ({ steps, path }: Place) =>
        String(await this.read({ steps, path: [...path, '__typename'] }, '__typename')),
    });
  }

  private readonly fieldResolver: GraphQLFieldResolver<Place, unknown> = (place, args, _context, info) => {
    const step = stepOf(args, info);
    const below: Place = { steps: [...place.steps, step], path: [...place.path, step.name] };
    return this.read(below, isCompositeType(getNamedType(info.returnType)) ? '__typename' : undefined);
  };

  /** The value at a place, with a place for each object in it; errors are inserted where they are thrown. */
  private async read({ steps, path }: Place, leaf?: string): Promise<unknown> {
    const query = queryOf(steps, leaf);
    let answer = this.answers.get(query);
    if (answer === undefined) this.answers.set(query, (answer = this.send(query)));
    const { data, errors = [] } = await answer;
    const found = (value: unknown, at: Place['path']): unknown => {
      const error = errors.find((each) => each.path === undefined || each.path.join() === at.join());
      if (error !== undefined) return new GraphQLError(error.message, { extensions: error.extensions });
      if (Array.isArray(value)) return value.map((item, index) => found(item, [...at, index]));
      return isObject(value) && leaf === '__typename' ? { steps, path: at } : value;
    };
    const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), data);
    return found(value, path);
  }
}

function isObject(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The place of a value: the fields that lead to it, and the names and indices in the response to its own query. */
interface Place {
  steps: readonly Step[];
  path: readonly (string | number)[];
}

interface Step {
  name: string;
  /** The field with its arguments. */
  text: string;
  /** The types that have the field, and the type of its value. */
  on: string;
  of: string;
}

function stepOf(
  values: Readonly<Record<string, unknown>>,
  { fieldName: name, parentType, returnType }: GraphQLResolveInfo,
): Step {
  const { args } = parentType.getFields()[name]!;
  // A default that is spelled out is not always the same: that of `first` is ignored beside `last`.
  const given = args.filter((arg) => !isDeepStrictEqual(values[arg.name], arg.defaultValue));
  const texts = given.map((arg) => `${arg.name}: ${print(astFromValue(values[arg.name], arg.type)!)}`);
  const text = texts.length === 0 ? name : `${name}(${texts.join(', ')})`;
  return { name, text, on: parentType.name, of: getNamedType(returnType).name };
}

function queryOf(steps: readonly Step[], leaf: string | undefined): string {
  const set = steps.reduceRight(
    (below, { on, text }, index) => {
      const field = `${text} ${below}`;
      const declared = steps[index - 1]?.of ?? on;
      return declared === on ? `{ ${field} }` : `{ ... on ${on} { ${field} } }`;
    },
    leaf === undefined ? '' : `{ ${leaf} }`,
  );
  return `${steps[0]?.on === 'Mutation' ? 'mutation ' : ''}${set}`;
}
