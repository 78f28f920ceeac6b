import { getOperationAST, OperationTypeNode, type GraphQLError } from 'graphql';
import type { GraphQLContext } from '../context.js';
import { withinSize } from './answer-size.js';
import type { GraphQLExecutor } from './executor.js';
import { NEEDS_TOKEN, type DocumentValidator } from './document-validator.js';
import type { OperationCharges } from './operation-charges.js';
import { formatError, formatErrors, statusOfErrors, type HttpHead } from './apollo-errors.js';

export interface KnownAnswer extends HttpHead {
  body: string;
}

/**
 * Queries that Apollo has parsed, validated and measured before, straight to the engine: its pipeline costs as much as
 * a small query and has nothing left to find out. Whatever is unusual (a first sight, a mutation, a limit, variables
 * that do not fit) is left to it, and answered there in the same bytes.
 */
export class CachedQueryExecutor {
  constructor(
    private readonly executor: GraphQLExecutor,
    private readonly documentValidator: DocumentValidator,
    private readonly charges: OperationCharges,
  ) {}

  /** Undefined when Apollo has to be asked; nothing has been executed then. Throws RATE_LIMITED. */
  async answer(body: unknown, context: GraphQLContext): Promise<KnownAnswer | undefined> {
    if (!isPlainRequest(body)) return undefined;
    const { query, operationName, variables } = body;
    const document = this.documentValidator.known(query);
    if (document === undefined) return undefined;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== OperationTypeNode.QUERY) return undefined;
    // The door has looked through the variables when it parsed the body.
    if (this.documentValidator.callError(document, operation, variables ?? {}, 'checked') !== undefined)
      return undefined;
    this.charges.charge(context.meter, document, operation, variables ?? {});
    const result = await this.executor.execute({
      document,
      operationName: operationName ?? null,
      variables: variables ?? null,
      context,
    });
    if (result.data === undefined) return undefined;
    const { data, errors } = withinSize(result);
    if (data === undefined) return refused(errors ?? [], context);
    if (errors === undefined) return { status: 200, retryAfter: undefined, body: JSON.stringify({ data }) + '\n' };
    const head = statusOfErrors(errors, context);
    const formatted = errors.map((error) => formatError({ ...error.toJSON(), extensions: error.extensions }, error));
    return { ...head, body: JSON.stringify({ errors: formatted, data }) + '\n' };
  }
}

/** Requests without a token that are refused before anything else is done with them, Apollo included. */
export class AnonymousRefusals {
  /** The same bytes each time. */
  private needsToken: KnownAnswer | undefined;

  constructor(private readonly documentValidator: DocumentValidator) {}

  /** Undefined for a document that anybody may send. */
  answer(query: unknown, context: GraphQLContext): KnownAnswer | undefined {
    const errors = this.documentValidator.anonymousErrors(query);
    if (errors === NEEDS_TOKEN) return (this.needsToken ??= refused(errors, context));
    return errors && refused(errors, context);
  }
}

/** An answer without data: 400, unless its errors say otherwise. */
function refused(errors: readonly GraphQLError[], context: GraphQLContext): KnownAnswer {
  const { status, retryAfter } = statusOfErrors(errors, context);
  const body = JSON.stringify({ errors: formatErrors(errors, context) }) + '\n';
  return { status: status === 200 ? 400 : status, retryAfter, body };
}

interface PlainRequest {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

const KEYS = new Set(['query', 'operationName', 'variables']);

function isPlainRequest(body: unknown): body is PlainRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  for (const key in body) if (!KEYS.has(key)) return false;
  const { query, operationName, variables } = body as Record<string, unknown>;
  if (typeof query !== 'string' || query === '') return false;
  if (operationName != null && typeof operationName !== 'string') return false;
  return variables == null || (typeof variables === 'object' && !Array.isArray(variables));
}
