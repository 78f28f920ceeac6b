import { getOperationAST, OperationTypeNode } from 'graphql';
import type { RequestContext } from '../context.js';
import type { Engine } from '../engine/engine.js';
import type { Admission } from './admission.js';
import type { OperationCharges } from './operation-charges.js';
import { formatError, statusOfErrors, type HttpHead } from './apollo-errors.js';

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
    const { data, errors } = await this.engine.execute({
      document,
      operationName: operationName ?? null,
      variables: variables ?? null,
      context,
    });
    if (data === undefined) return undefined;
    if (errors === undefined) return { status: 200, retryAfter: undefined, body: JSON.stringify({ data }) + '\n' };
    const head = statusOfErrors(errors, context);
    const formatted = errors.map((error) => formatError({ ...error.toJSON(), extensions: error.extensions }, error));
    return { ...head, body: JSON.stringify({ errors: formatted, data }) + '\n' };
  }
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
