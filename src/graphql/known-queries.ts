import { getOperationAST, OperationTypeNode, type DocumentNode, type OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../context.js';
import { DOCUMENT_LIMITS, type DocumentLimits } from '../engine/document-limits.js';
import type { Engine } from '../engine/engine.js';
import { hasLongList } from '../engine/list-lengths.js';
import { formatError, statusOfErrors, type HttpHead } from './apollo-errors.js';
import type { DocumentCache } from './document-cache.js';

export interface KnownAnswer extends HttpHead {
  body: string;
}

/**
 * Queries that Apollo has parsed, validated and measured before, straight to the engine: its pipeline costs as much as
 * a small query and has nothing left to find out. Whatever is unusual (a first sight, a mutation, a limit, variables
 * that do not fit) is left to it, and answered there in the same bytes.
 */
export class KnownQueries {
  private readonly operations = new WeakMap<DocumentNode, Map<string, OperationDefinitionNode | undefined>>();

  constructor(
    private readonly engine: Engine,
    private readonly documents: DocumentCache,
    private readonly limits: DocumentLimits,
  ) {}

  /** Undefined when Apollo has to be asked; nothing has been executed then. */
  async answer(body: unknown, context: RequestContext): Promise<KnownAnswer | undefined> {
    if (!isPlainRequest(body)) return undefined;
    const { query, operationName, variables } = body;
    const document = this.documents.get(query);
    if (document === undefined) return undefined;
    const operation = this.operationOf(document, operationName);
    if (operation === undefined || !this.isWithinLimits(document, operation, variables ?? {})) return undefined;
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

  private operationOf(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode | undefined {
    let operations = this.operations.get(document);
    if (operations === undefined) this.operations.set(document, (operations = new Map()));
    const key = name ?? '';
    if (!operations.has(key) && operations.size < DOCUMENT_LIMITS.rootFields) {
      const operation = getOperationAST(document, name) ?? undefined;
      operations.set(key, operation?.operation === OperationTypeNode.QUERY ? operation : undefined);
    }
    return operations.get(key);
  }

  private isWithinLimits(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Record<string, unknown>,
  ): boolean {
    if (hasLongList(this.engine.schema, operation, variables)) return false;
    return this.limits.costOf(document, operation, variables) <= DOCUMENT_LIMITS.cost;
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
