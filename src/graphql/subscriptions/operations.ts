import { GraphQLError, type ExecutionResult } from 'graphql';
import { withinSize } from '../answer-size.js';
import { isStream, type GraphQLExecutor, type ExecutionRequest, type Stream } from '../executor.js';
import { badUserInput, DomainError } from '../../errors.js';
import type { AdmittedCall, DocumentValidator, Call } from '../document-validator.js';
import { formatErrors } from '../apollo-errors.js';
import type { OperationCharges } from '../operation-charges.js';
import type { LiveSession, LiveSessions } from './sessions.js';

/** What is sent of a subscription, whatever the transport: its errors are masked already. */
export type LiveResults = AsyncGenerator<object, void, void>;

/** Begins subscriptions, for either transport. */
export class LiveOperations {
  constructor(
    private readonly executor: GraphQLExecutor,
    private readonly documentValidator: DocumentValidator,
    private readonly charges: OperationCharges,
    private readonly sessions: LiveSessions,
  ) {}

  /** The subscription that is to be begun, or every error that stands against it; either counts for the caller. */
  admit(call: Call, { meter }: LiveSession): AdmittedCall | readonly GraphQLError[] {
    try {
      meter.requireLeft('graphql');
      const admitted = this.documentValidator.admit(call);
      if ('operation' in admitted && admitted.operation.operation === 'subscription') {
        this.charges.charge(meter, admitted.document, admitted.operation, call.variables ?? {});
        return admitted;
      }
      meter.charge(['graphql', 1]);
      return 'operation' in admitted ? failure(badUserInput([ELSEWHERE])).errors : admitted;
    } catch (error) {
      return failure(error).errors;
    }
  }

  /** The stream of what is to be sent, or the one result that tells why there is none. */
  async begin(request: Omit<ExecutionRequest, 'context'>, session: LiveSession): Promise<LiveResults | object> {
    let leave: (() => void) | undefined;
    try {
      leave = this.sessions.subscribed(session);
      const result = await this.executor.subscribe({ ...request, context: session });
      if (isStream(result)) return new MaskedStream(result, session, leave);
      leave();
      return masked(result, session);
    } catch (error) {
      leave?.();
      return masked(failure(error), session);
    }
  }
}

export function isLive(result: LiveResults | object): result is LiveResults {
  return Symbol.asyncIterator in result;
}

const ELSEWHERE = 'Only subscriptions are served here; send queries and mutations to /graphql';

function failure(error: unknown) {
  const originalError = error instanceof Error ? error : new DomainError('INTERNAL', []);
  return { errors: [new GraphQLError('', { originalError })] };
}

function masked(result: ExecutionResult, session: LiveSession): object {
  const { data, errors } = withinSize(result);
  if (errors === undefined) return { data };
  return { ...(data === undefined ? {} : { data }), errors: formatErrors(errors, session) };
}

/** Masks each result; what the source throws is told as the last one. Gives its place back when it is over. */
class MaskedStream implements LiveResults {
  private isOver = false;

  constructor(
    private readonly source: Stream,
    private readonly session: LiveSession,
    private readonly leave: () => void,
  ) {}

  async next(): Promise<IteratorResult<object, void>> {
    if (this.isOver) return DONE;
    try {
      const { done, value } = await this.source.next();
      if (done !== true) return { done: false, value: masked(value, this.session) };
      this.over();
      return DONE;
    } catch (error) {
      this.over();
      return { done: false, value: masked(failure(error), this.session) };
    }
  }

  async return(): Promise<IteratorResult<object, void>> {
    this.over();
    await this.source.return();
    return DONE;
  }

  async throw(): Promise<IteratorResult<object, void>> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  private over(): void {
    this.isOver = true;
    this.leave();
  }
}

const DONE = { done: true, value: undefined } as const;
