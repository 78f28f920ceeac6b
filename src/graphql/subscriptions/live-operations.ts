import type { ExecutionResult, GraphQLError } from 'graphql';
import { badUserInput } from '../../errors.js';
import { formatErrors, refusal } from '../errors.js';
import { isStream, type Stream } from '../executor.js';
import type { NamedDocuments } from '../named-documents.js';
import { withinSize, type AdmittedCall, type Call, type OperationPipeline } from '../pipeline.js';
import type { LiveSession, LiveSessions } from './live-sessions.js';

/** An operation as a client sends it: its document by its text, its id, or both. */
export interface NamedCall extends Call {
  documentId?: unknown;
  extensions?: unknown;
}

/** Results of a subscription as they are sent: errors are masked. */
export type LiveResults = AsyncIterableIterator<object, void> & { return(): Promise<IteratorResult<object, void>> };

/** Subscriptions of either transport, begun through the pipeline. */
export class LiveOperations {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly sessions: LiveSessions,
    private readonly named: NamedDocuments,
  ) {}

  /** The subscription that is to be begun, or every error of the call; either counts for the caller. */
  async admit(sent: NamedCall, session: LiveSession): Promise<AdmittedCall | readonly GraphQLError[]> {
    try {
      session.meter.requireLeft('graphql');
      const call = await this.named.resolve(sent, session.caller).catch(refusal);
      const admitted = Array.isArray(call) ? (call as GraphQLError[]) : this.pipeline.admit(call as Call, session);
      const isSubscription = 'operation' in admitted && admitted.operation.operation === 'subscription';
      if (isSubscription) this.pipeline.charge(admitted, session.meter);
      else session.meter.charge(['graphql', 1]);
      return isSubscription || !('operation' in admitted) ? admitted : refusal(badUserInput([ELSEWHERE]));
    } catch (error) {
      return refusal(error);
    }
  }

  /** The stream of results, or the one result with the reason why there is none. */
  async begin(call: AdmittedCall, session: LiveSession): Promise<LiveResults | object> {
    let leave: (() => void) | undefined;
    try {
      leave = this.sessions.subscribed(session);
      const result = await this.pipeline.subscribe(call, session);
      const extensions = this.pipeline.extensionsOf(call);
      const charge = () => this.pipeline.charge(call, session.meter);
      if (isStream(result)) return liveResults(result, session, { sessions: this.sessions, leave, charge, extensions });
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
  const { data, errors, extensions } = withinSize(result);
  const shown = extensions && { extensions };
  if (errors === undefined) return { data, ...shown };
  return { ...(data === undefined ? {} : { data }), errors: formatErrors(errors, session).errors, ...shown };
}

interface Serving extends Pick<ExecutionResult, 'extensions'> {
  sessions: LiveSessions;
  /** Called when it is over. */
  leave(): void;
  /** Counts one result more than the first, which is counted already. Throws RATE_LIMITED. */
  charge(): void;
}

/** Each result as it is sent, an error of the source or of the limits as the last one. */
function liveResults(
  source: Stream,
  session: LiveSession,
  { sessions, leave, charge, extensions }: Serving,
): LiveResults {
  async function* results(): AsyncGenerator<object, void> {
    let isFirst = true;
    try {
      for await (const result of source) {
        if (!(await sessions.isStillValid(session))) return;
        if (!isFirst) charge();
        isFirst = false;
        yield sent(extensions === undefined ? result : { ...result, extensions }, session);
      }
    } catch (error) {
      yield sent({ errors: refusal(error) }, session);
    } finally {
      leave();
    }
  }
  const made = results();
  const finish = made.return.bind(made);
  return Object.assign(made, {
    // A generator would not end before the source has another result.
    async return() {
      leave();
      await source.return();
      return finish();
    },
  });
}
