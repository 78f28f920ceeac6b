import { OperationTypeNode, type ExecutionResult, type GraphQLError } from 'graphql';
import type { GraphQLContext } from '../http/context.js';
import { formatErrors, refusal, statusOf, toDomainError } from './errors.js';
import type { Call, OperationPipeline } from './pipeline.js';

/** An answer that Apollo has not made. */
export interface Answer {
  status: number;
  retryAfter: number | undefined;
  body: string;
}

/**
 * Operations that came as a plain JSON body, for which Apollo has nothing to decide: its pipeline costs as much as a
 * small query (docs/adr/0005). The answers have the same bytes as through Apollo. `isOn` is the switch.
 */
export class DirectOperations {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly isOn: boolean,
  ) {}

  /** Undefined, and nothing is counted, when the request is for Apollo. */
  async answer(body: unknown, context: GraphQLContext): Promise<Answer | undefined> {
    if (!this.isOn || !isPlainCall(body)) return undefined;
    const call = this.pipeline.admit(body, context);
    if (!('operation' in call)) return errorAnswer(call, context);
    if (call.operation.operation === OperationTypeNode.SUBSCRIPTION) return undefined;
    try {
      this.pipeline.charge(call, context.meter);
    } catch (error) {
      return errorAnswer(refusal(error), context);
    }
    const result = await this.pipeline.execute(call, context);
    return result.data === undefined ? errorAnswer(result.errors ?? [], context) : dataAnswer(result, context);
  }
}

function dataAnswer({ data, errors, extensions }: ExecutionResult, context: GraphQLContext): Answer {
  if (errors === undefined)
    return { status: 200, retryAfter: undefined, body: JSON.stringify({ data, extensions }) + '\n' };
  const { errors: sent, status = 200, retryAfter } = formatErrors(errors, context);
  return { status, retryAfter, body: JSON.stringify({ errors: sent, data, extensions }) + '\n' };
}

/** Errors in place of data. */
export function errorAnswer(errors: readonly GraphQLError[], context: GraphQLContext): Answer {
  const { errors: sent, status, retryAfter } = formatErrors(errors, context);
  const body = JSON.stringify({ errors: sent }) + '\n';
  return { status: status ?? statusOf(toDomainError(errors[0])), retryAfter, body };
}

const KEYS = new Set(['query', 'operationName', 'variables']);

function isPlainCall(body: unknown): body is Call {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  for (const key in body) if (!KEYS.has(key)) return false;
  return isCall(body) && body.query !== '';
}

/** Whether a body has the shape of an operation. */
export function isCall(body: unknown): body is Call {
  if (typeof body !== 'object' || body === null) return false;
  const { query, operationName, variables } = body as Record<string, unknown>;
  if (typeof query !== 'string' || (operationName != null && typeof operationName !== 'string')) return false;
  return variables == null || (typeof variables === 'object' && !Array.isArray(variables));
}
