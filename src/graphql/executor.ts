import {
  execute,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  subscribe,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { mayContainToken } from '../auth/token.js';
import { traced, type SpanPlan } from '../common/tracing.js';
import type { GraphQLContext } from '../http/context.js';
import { badUserInput, invalidInput } from '../errors.js';
import { asOfRequestOf, asOfFieldsOf, type RootFields } from './as-of.js';
import { compilable, type VariablesForCompiled } from './compilable.js';
import { CHECKED, variableErrors } from './variables.js';

export type Variables = Record<string, unknown>;

export interface ExecutionRequest {
  /** A validated document. The same object again is the same document: compiled operations hang on it. */
  document: DocumentNode;
  operationName?: string | null;
  variables: Variables;
  context: GraphQLContext;
}

/** Results of a subscription, one for each event. */
export type Stream = AsyncGenerator<ExecutionResult, void, void>;

type Run = (variables: Variables, context: GraphQLContext) => ExecutionResult | Promise<ExecutionResult>;

type Serializers = Record<string, (value: unknown) => unknown>;

interface OperationEntry {
  operation: OperationDefinitionNode | undefined;
  seen: number;
  root: typeof CHECKED | undefined;
  serializers: Serializers;
  /** Its root fields, if one may have `asOf`. */
  asOfFields: RootFields | undefined;
  run: Run;
}

/**
 * Executes operations of both APIs. One is compiled when it is seen a second time: compiling costs more than running
 * once, and a hostile client sends each document once. REST's are compiled when they are executed first. Compiled
 * code is collected with its document, so that the bounds of graphql/document-cache.ts are its bounds.
 */
export class GraphQLExecutor {
  private readonly entries = new WeakMap<OperationDefinitionNode, OperationEntry>();

  constructor(readonly schema: GraphQLSchema) {}

  /**
   * For documents of our own: who executes them has checked the variables, and they are compiled at once. Values of the
   * types that `serializers` names are written by them.
   */
  prepare(document: DocumentNode, serializers: Serializers): void {
    Object.assign(this.entryOf(document, undefined), { root: CHECKED, serializers, seen: 1 });
  }

  /** Runs a query or a mutation; errors of its variables or fields are in the `errors` of the result. */
  execute(request: ExecutionRequest): Promise<ExecutionResult> {
    return traced(
      () => spanOf(request),
      () => this.executeNow(request),
    );
  }

  private async executeNow(request: ExecutionRequest): Promise<ExecutionResult> {
    const { document, operationName, variables, context } = request;
    const entry = this.entryOf(document, operationName);
    const runner = this.runner(document, operationName ?? undefined, entry, context);
    const run: Run =
      entry.operation?.operation === OperationTypeNode.MUTATION
        ? (...given) => context.services.lockedChanges.run(context.caller, () => runner(...given))
        : runner;
    const isPresent = entry.asOfFields === undefined && context.asOf === undefined;
    const result = isPresent ? await run(variables, context) : await this.runPast(entry, variables, context, run);
    // No `data` key: execution never began, and of a validated document only the variables can be wrong.
    if (result.errors !== undefined && result.data === undefined && entry.operation !== undefined)
      return this.variableRefusal(entry.operation, variables);
    return result;
  }

  /** Begins a subscription: a stream of results, or one result with the reason why there is none. */
  async subscribe({
    document,
    operationName,
    variables: variableValues,
    context,
  }: ExecutionRequest): Promise<ExecutionResult | Stream> {
    const args = { schema: this.schema, document, operationName, variableValues, contextValue: context };
    const result = await subscribe(args);
    if (isStream(result)) return result;
    const operation = getOperationAST(document, operationName);
    // An error without a path belongs to no field: the variables are wrong, and nothing was begun.
    if (operation && result.errors?.every(({ path }) => path === undefined))
      return this.variableRefusal(operation, variableValues);
    return result;
  }

  /** Runs an operation as of a past instant, or as a present one if its variables have none. */
  private async runPast(
    { operation, asOfFields }: OperationEntry,
    values: Variables,
    context: GraphQLContext,
    run: Run,
  ): Promise<ExecutionResult> {
    try {
      const asOf =
        operation === undefined || asOfFields === undefined
          ? context.asOf
          : await asOfRequestOf(this.schema, operation, asOfFields, values, context);
      if (asOf === undefined) return await run(values, context);
      return await context.services.asOf.answer(context.caller, asOf, async () => run(values, context));
    } catch (error) {
      // With data, which says that the variables are good.
      const said = error instanceof GraphQLError ? error : new GraphQLError('', { originalError: error as Error });
      return { data: null, errors: [said] };
    }
  }

  private variableRefusal(operation: OperationDefinitionNode, variables: Variables): ExecutionResult {
    const errors = variableErrors(this.schema, operation, variables);
    // Never the library's own sentence: it repeats the value.
    const originalError =
      errors.length > 0
        ? invalidInput(errors)
        : badUserInput(['The variables do not have the types that the operation declares']);
    return { errors: [new GraphQLError('', { originalError })] };
  }

  private runner(
    document: DocumentNode,
    operationName: string | undefined,
    entry: OperationEntry,
    { caller }: GraphQLContext,
  ): Run {
    // Clients' documents without a token are few and small: not worth compiling.
    if (caller.kind === 'anonymous' && entry.root !== CHECKED) return entry.run;
    if (entry.seen === 1) this.compile(document, operationName, entry);
    if (entry.seen < 2) entry.seen += 1;
    return entry.run;
  }

  private compile(document: DocumentNode, operationName: string | undefined, entry: OperationEntry): void {
    entry.seen = 2;
    const { operation, root, run: interpret } = entry;
    const variablesOf =
      operation === undefined ? undefined : root === CHECKED ? unchanged : compilable(this.schema, document, operation);
    if (variablesOf === undefined) return;
    const compiled = compileQuery(this.schema, document, operationName, {
      disablingCapturingStackErrors: true,
      customSerializers: entry.serializers,
    });
    if (!isCompiledQuery(compiled)) return;
    entry.run = async (sent, context) => {
      const variables = variablesOf(sent);
      return variables === undefined
        ? interpret(sent, context)
        : withOwnErrors((await compiled.query(root, context, variables)) as ExecutionResult);
    };
  }

  /** Cached by the operation itself, never by a name that a caller sent. */
  private entryOf(document: DocumentNode, operationName: string | null | undefined): OperationEntry {
    const operation = getOperationAST(document, operationName) ?? undefined;
    const known = operation && this.entries.get(operation);
    if (known !== undefined) return known;
    const { schema } = this;
    const entry: OperationEntry = {
      operation,
      seen: 0,
      root: undefined,
      serializers: {},
      asOfFields: operation && asOfFieldsOf(document, operation),
      run: (variableValues, contextValue) =>
        execute({ schema, document, operationName, rootValue: entry.root, variableValues, contextValue }) as
          ExecutionResult | Promise<ExecutionResult>,
    };
    if (operation !== undefined) this.entries.set(operation, entry);
    return entry;
  }
}

/** Longer names, which only a program makes, are cut. */
const NAME_CHARACTERS = 100;

function spanOf({ document, operationName }: ExecutionRequest): SpanPlan {
  const { operation = 'query', name } = getOperationAST(document, operationName) ?? {};
  const attributes = { 'graphql.operation.type': operation };
  if (name === undefined || mayContainToken(name.value)) return { name: operation, attributes };
  const known = name.value.slice(0, NAME_CHARACTERS);
  return { name: `${operation} ${known}`, attributes: { ...attributes, 'graphql.operation.name': known } };
}

/** Of documents of our own, which have neither conditions nor defaults; to their filters, absent and null are the same. */
const unchanged: VariablesForCompiled = (variables) => variables;

export function isStream(result: ExecutionResult | Stream): result is Stream {
  return Symbol.asyncIterator in result;
}

/**
 * graphql-jit's errors pass for GraphQLError and yet lack what its constructor sets (`extensions`), which Apollo's
 * formatting reads: each is made anew, with its place and its cause.
 */
function withOwnErrors(result: ExecutionResult): ExecutionResult {
  if (result.errors === undefined) return result;
  return { ...result, errors: result.errors.map(ownError) };
}

function ownError({ message, locations, path, originalError }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path, originalError });
  return Object.defineProperty(error, 'locations', { value: locations, enumerable: locations !== undefined });
}
