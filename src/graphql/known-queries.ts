import { getOperationAST, OperationTypeNode, type GraphQLError } from 'graphql';
import type { RequestContext } from '../context.js';
import { withinSize } from '../engine/answer-size.js';
import type { Engine } from '../engine/engine.js';
import type { Admission } from './admission.js';
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
export class KnownQueries {
  constructor(
    private readonly engine: Engine,
    private readonly admission: Admission,
    private readonly charges: OperationCharges,
  ) {}

  /** Undefined when Apollo has to be asked; nothing has been executed then. Throws RATE_LIMITED. */
  async answer(body: unknown, context: RequestContext): Promise<KnownAnswer | undefined> {
    if (!isPlainRequest(body)) return undefined;
    const { query, operationName, variables } = body;
    const document = this.admission.known(query);
    if (document === undefined) return undefined;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== OperationTypeNode.QUERY) return undefined;
    // The door has looked through the variables when it parsed the body.
    if (this.admission.callFaults(document, operation, variables ?? {}, 'checked').length > 0) return undefined;
    this.charges.charge(context.meter, document, operation, variables ?? {});
    const result = await this.engine.execute({
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
  constructor(private readonly admission: Admission) {}

  /** Undefined for a document that anybody may send. */
  answer(query: unknown, context: RequestContext): KnownAnswer | undefined {
    const errors = this.admission.anonymousErrors(query);
    return errors && refused(errors, context);
  }
}

/** An answer without data: 400, unless its errors say otherwise. */
function refused(errors: readonly GraphQLError[], context: RequestContext): KnownAnswer {
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
