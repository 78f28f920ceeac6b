import type { ExecutionResult, GraphQLError } from 'graphql';
import { badUserInput } from '../../errors.js';
import { formatErrors, refusal } from '../errors.js';
import { isStream, type Stream } from '../executor.js';
import { withinSize, type AdmittedCall, type Call, type OperationPipeline } from '../pipeline.js';
import type { LiveSession, LiveSessions } from './sessions.js';

/** What is sent of a subscription, whatever the transport: its errors are masked. */
export type LiveResults = AsyncIterableIterator<object, void> & { return(): Promise<IteratorResult<object, void>> };

/** Subscriptions of either transport, begun through the pipeline. */
export class LiveOperations {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly sessions: LiveSessions,
  ) {}

  /** The subscription that is to be begun, or every error of the call; either counts for the caller. */
  admit(call: Call, session: LiveSession): AdmittedCall | readonly GraphQLError[] {
    try {
      session.meter.requireLeft('graphql');
      const admitted = this.pipeline.admit(call, session, 'raw');
      const isSubscription = 'operation' in admitted && admitted.operation.operation === 'subscription';
      if (isSubscription) this.pipeline.charge(admitted, session.meter);
      else session.meter.charge(['graphql', 1]);
      return isSubscription || !('operation' in admitted) ? admitted : refusal(badUserInput([ELSEWHERE]));
    } catch (error) {
      return refusal(error);
    }
  }

  /** The stream of what is to be sent, or the one result with the reason why there is none. */
  async begin(call: AdmittedCall, session: LiveSession): Promise<LiveResults | object> {
    let leave: (() => void) | undefined;
    try {
      leave = this.sessions.subscribed(session);
      const result = await this.pipeline.subscribe(call, session);
      if (isStream(result)) return liveResults(result, session, leave);
      leave();
      return sent(result, session);
    } catch (error) {
      leave?.();
      return sent({ errors: refusal(error) }, session);
    }
  }
}

export function isLive(result: LiveResults | object): result is LiveResults {
  return Symbol.asyncIterator in result;
}

const ELSEWHERE = 'Only subscriptions are served here; send queries and mutations to /graphql';

function sent(result: ExecutionResult, session: LiveSession): object {
  const { data, errors } = withinSize(result);
  if (errors === undefined) return { data };
  return { ...(data === undefined ? {} : { data }), errors: formatErrors(errors, session).errors };
}

/** Each result as it is sent, an error of the source as the last one. `leave` is called when it is over. */
function liveResults(source: Stream, session: LiveSession, leave: () => void): LiveResults {
  let isOver = false;
  const end = () => {
    isOver = true;
    leave();
    return { done: true, value: undefined } as const;
  };
  const results: LiveResults = {
    async next() {
      if (isOver) return end();
      try {
        const { done, value } = await source.next();
        return done === true ? end() : { done: false, value: sent(value, session) };
      } catch (error) {
        end();
        return { done: false, value: sent({ errors: refusal(error) }, session) };
      }
    },
    async return() {
      end();
      await source.return();
      return end();
    },
    [Symbol.asyncIterator]: () => results,
  };
  return results;
}
