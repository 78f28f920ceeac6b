import { LRUCache } from 'lru-cache';
import type { KeyObject } from 'node:crypto';
import { markFailed, SpanKind, traced, traceparent, type Span, type SpanPlan } from '../../common/tracing.js';
import { traceOf } from '../audit/record.js';
import { languageOf } from '../../messages/language.js';
import type { Foundation } from '../foundation.js';
import type { Sealer } from '../shared/sealer.js';
import { failureOf, outcomeOf, type Outcome } from './attempt.js';
import { Departures, Unsent } from './departures.js';
import { eventId, payloadOf, signedHeaders, signingKey } from './payload.js';
import type { ClaimedDelivery } from './sending-statements.js';
import { webhookSealer } from './webhook-endpoints.service.js';

/** Sends the events of deliveries, signed. */
export class ReceiverRequests {
  private readonly sealer: Sealer;
  /** Signing keys by encrypted secret: decrypting one takes as long as signing twice. */
  private readonly keys = new LRUCache<string, KeyObject>({ max: 1_000 });
  private readonly departures: Departures;

  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'config' | 'receivers' | 'now'>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.sealer = webhookSealer(deps.config);
    this.departures = new Departures(deps.database, onError);
  }

  /** Returns Unsent where its endpoint may not receive the event any more. */
  async send(delivery: ClaimedDelivery): Promise<Outcome | Unsent> {
    let request: ReturnType<ReceiverRequests['requestOf']>;
    try {
      request = this.requestOf(delivery);
    } catch (error) {
      this.onError(error);
      return CANNOT_MAKE;
    }
    if (request === undefined) return CANNOT_SIGN;
    const { url, headers, body } = request;
    const { receivers, now } = this.deps;
    const leave = (write: () => Promise<void>) => this.departures.leave(delivery, write);
    return traced(
      () => spanOf(delivery),
      async (span) => {
        try {
          const trace = traceparent();
          const sent = trace === undefined ? headers : { ...headers, traceparent: trace };
          const outcome = outcomeOf(await receivers.send({ method: 'POST', url, headers: sent, body, leave }), now());
          return marked(span, outcome);
        } catch (error) {
          return error instanceof Unsent ? error : marked(span, failureOf(error));
        }
      },
    );
  }

  /** Undefined where no secret can be opened. */
  private requestOf(delivery: ClaimedDelivery) {
    const { url, format, language } = delivery;
    const { config, now } = this.deps;
    const keys = this.keysOf(delivery);
    if (keys.length === 0) return undefined;
    const body = Buffer.from(JSON.stringify(payloadOf(format, delivery, config.publicUrl, languageOf(language))));
    const headers = {
      ...{ 'content-type': 'application/json', 'content-length': String(body.length) },
      'user-agent': 'compliance-gateway-webhooks',
      ...signedHeaders(eventId(delivery), body, keys, now()),
    };
    return { url, headers, body };
  }

  /** The keys of the secret, and of the previous one while it is valid. */
  private keysOf({ secret, previousSecret, previousSecretUntil }: ClaimedDelivery): KeyObject[] {
    const isValid = previousSecretUntil !== null && Date.parse(previousSecretUntil) > this.deps.now().getTime();
    const sealed = [secret, ...(previousSecret !== null && isValid ? [previousSecret] : [])];
    return sealed.map((each) => this.keyOf(each)).filter((key) => key !== undefined);
  }

  private keyOf(sealed: Buffer): KeyObject | undefined {
    const name = sealed.toString('latin1');
    const known = this.keys.get(name);
    if (known !== undefined) return known;
    const secret = this.sealer.open(sealed);
    if (secret === undefined) return undefined;
    const key = signingKey(secret);
    this.keys.set(name, key);
    return key;
  }
}

/** Without the URL, which may be a secret of its receiver, as with Slack. */
function spanOf({ endpointId, action, entry }: ClaimedDelivery): SpanPlan {
  const own = { 'gateway.webhook.endpoint': endpointId, 'gateway.event': action };
  const attributes = { 'http.request.method': 'POST', ...own };
  return { name: 'POST webhook', kind: SpanKind.CLIENT, attributes, causes: [traceOf(entry)] };
}

function marked(span: Span | undefined, outcome: Outcome): Outcome {
  const { accepted, statusCode } = outcome;
  if (span === undefined) return outcome;
  if (statusCode !== null) span.setAttribute('http.response.status_code', statusCode);
  if (!accepted) markFailed(span, String(statusCode ?? 'unreached'));
  return outcome;
}

/** The operator has removed the key that the secret was encrypted with. */
const CANNOT_SIGN: Outcome = {
  ...{ accepted: false, statusCode: null, answer: '' },
  error: 'The secret cannot be opened: rotate it.',
};

/** Such as an event of a newer version, which this one cannot describe. */
const CANNOT_MAKE: Outcome = {
  ...{ accepted: false, statusCode: null, answer: '', unmade: true },
  error: 'The gateway could not make the request: its log has the reason.',
};
