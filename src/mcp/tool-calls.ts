import { OperationTypeNode, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { hash } from 'node:crypto';
import type { UserCaller } from '../auth/caller.js';
import { badUserInput, invalidInput, nameOf } from '../errors.js';
import { isCall } from '../graphql/direct-operations.js';
import { formatErrors, refusal, toDomainError } from '../graphql/errors.js';
import type { Variables } from '../graphql/executor.js';
import type { AdmittedCall, OperationPipeline } from '../graphql/pipeline.js';
import type { GraphQLContext } from '../http/context.js';
import type { IdempotentAnswers } from '../services/shared/idempotent-answers.js';
import { type ListedTool, READS, Tool } from './tool.js';
import { GRAPHQL_TOOL, TOOLS } from './tools.js';

/** The fields of objects by their names: a model may write the same arguments in another order. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The result of a call: `CallToolResult` of the Model Context Protocol. */
export interface ToolResult {
  content: { type: 'text'; text: string }[];
  structuredContent?: Data;
  isError?: true;
}

type Data = Record<string, unknown>;

/** A request for a tool by a known caller. */
export interface ToolCall {
  readonly context: GraphQLContext & { readonly caller: UserCaller };
  /** The token itself: stored answers are encrypted under it. */
  readonly token: string;
}

/** The tools, derived from the schema at their first use, because that would delay the start. */
export class Toolbox {
  private readonly tools: ReadonlyMap<string, Tool>;
  private readonly reading: readonly ListedTool[];
  private readonly writing: readonly ListedTool[];

  constructor(schema: GraphQLSchema) {
    const tools = TOOLS.map((text) => new Tool(schema, text));
    this.tools = new Map(tools.map((tool) => [tool.listed.name, tool]));
    const listed = (writes: boolean) =>
      tools.filter(({ effect }) => (effect !== 'reads') === writes).map((tool) => tool.listed);
    this.reading = [...listed(false), QUERY];
    this.writing = listed(true);
  }

  get(name: string): Tool | undefined {
    return this.tools.get(name);
  }

  /** Tools that the scopes of the token allow; a missing role is refused when the tool is called. */
  listFor({ scopes }: UserCaller): readonly ListedTool[] {
    return [...(scopes.has('read') ? this.reading : []), ...(scopes.has('write') ? this.writing : [])];
  }
}

/** The tool for any query, whose result is as the query says. */
const QUERY: ListedTool = {
  ...GRAPHQL_TOOL,
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['query'],
    properties: {
      query: { type: 'string', description: 'The document: one query, or several of which one is named.' },
      operationName: { type: ['string', 'null'], description: 'Which of its operations, where it has several.' },
      variables: { type: ['object', 'null'], description: 'Its variables.' },
    },
  },
  outputSchema: {
    type: 'object',
    required: ['data'],
    properties: { data: { type: 'object', description: 'What the query selects.' } },
  },
  annotations: READS,
};

/** Runs tools through the steps that every GraphQL operation passes. */
export class ToolCalls {
  constructor(
    private readonly toolbox: () => Toolbox,
    private readonly pipeline: OperationPipeline,
    private readonly idempotency: IdempotentAnswers,
  ) {}

  /** The tools that a token may call. */
  list(caller: UserCaller): readonly ListedTool[] {
    return this.toolbox().listFor(caller);
  }

  /** The result of a tool, or its error; undefined if there is no tool of that name. */
  async run(name: string, sent: Variables, call: ToolCall): Promise<ToolResult | undefined> {
    const tool = this.toolbox().get(name);
    try {
      if (tool !== undefined) return shown(await this.result(tool, sent, call));
      return name === QUERY.name ? await this.query(sent, call) : undefined;
    } catch (error) {
      return failure(refusal(error), call.context);
    }
  }

  private async result(tool: Tool, sent: Variables, call: ToolCall): Promise<Data> {
    const { variables, key } = tool.read(sent);
    const execute = () => this.execute(tool, variables, call.context);
    if (key === undefined) return execute();
    const request = { key, caller: call.context.caller, token: call.token };
    const fingerprint = () => hash('sha256', JSON.stringify(['mcp', tool.listed.name, variables], inOrder));
    // A failure throws, which undoes the changes and stores nothing.
    const { reply } = await this.idempotency.run(request, fingerprint, async () => ({
      reply: { status: 200, headers: {}, body: JSON.stringify(await execute()) },
      outcome: 'done',
    }));
    return JSON.parse(reply.body) as Data;
  }

  /** Throws the first error: a task without one of its fields has failed as a whole. */
  private async execute(tool: Tool, variables: Variables, context: GraphQLContext): Promise<Data> {
    const { data, errors } = await this.executed(this.pipeline.admitDocument(tool.document, null, variables), context);
    const [error] = errors ?? [];
    if (error === undefined) return data as Data;
    const { fields } = toDomainError(error);
    throw fields === undefined ? error : invalidInput(fields.map((field) => tool.ofArgument(field)));
  }

  private async query(sent: Variables, { context }: ToolCall): Promise<ToolResult> {
    const unknown = Object.keys(sent).some((name) => !Object.hasOwn(QUERY.inputSchema['properties'] as object, name));
    if (unknown || !isCall(sent)) throw badUserInput([MALFORMED_QUERY]);
    const admitted = this.pipeline.admit(sent, context);
    if ('operation' in admitted && admitted.operation.operation !== OperationTypeNode.QUERY)
      throw badUserInput([QUERIES_ONLY]);
    const { data, errors, extensions } = await this.executed(admitted, context);
    if (errors !== undefined) return failure(errors, context, data ?? null);
    return shown({ data, ...(extensions && { extensions }) });
  }

  private async executed(
    admitted: AdmittedCall | readonly GraphQLError[],
    context: GraphQLContext,
  ): Promise<ExecutionResult> {
    if (!('operation' in admitted)) return { errors: admitted };
    this.pipeline.charge(admitted, context.meter);
    return this.pipeline.execute(admitted, context);
  }
}

const MALFORMED_QUERY =
  'query must be a string; operationName may be a string, and variables an object; nothing else is known';
const QUERIES_ONLY = 'Only queries are allowed here; what changes something has a tool of its own';

/** Values as people wrote them stay values of JSON, each beside the id and the author of its record. */
function shown(data: Data): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}

/** The errors of a call, in the words of GraphQL; with `data`, even if there is none, those of a query of the caller's own. */
function failure(errors: readonly GraphQLError[], context: GraphQLContext, data?: ExecutionResult['data']): ToolResult {
  // The arguments of a tool are an input to it, those of a field of a query are the field's own.
  const outer = data === undefined ? 1 : 0;
  const { errors: sent, retryAfter } = formatErrors(errors, context);
  const shownErrors = sent.map(({ message, path, extensions = {} }) => {
    const { code, messages, reason, fields, allowed, traceId } = extensions;
    return {
      code,
      message,
      messages,
      path,
      reason,
      fields: (fields as SentField[] | undefined)?.map((field) => ({
        argument: nameOf(field.path.slice(outer)),
        message: field.message,
      })),
      allowed,
      traceId,
    };
  });
  const body = { errors: shownErrors, ...(retryAfter !== undefined && { retryAfter }), ...(data != null && { data }) };
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}

interface SentField {
  path: (string | number)[];
  message: string;
}
