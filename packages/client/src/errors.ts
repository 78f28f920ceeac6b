/** An answer of the gateway that is no success, or that another program gave in its place. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  /** `messages` are sentences, or the numbers of the interface; empty where the answer is not the gateway's. */
  constructor(
    readonly status: number,
    readonly messages: readonly (string | number)[],
    readonly headers: Headers,
  ) {
    super(messages.length > 0 ? `${status}: ${messages.join(' ')}` : `The answer has the status ${status}`);
  }

  /** Why the state of things does not allow it, such as `AUDIT_TRAIL_FAULT`; of 409 only. */
  get reason(): string | undefined {
    return this.headers.get('conflict-reason') ?? undefined;
  }

  /** Names the request in the log of the gateway. */
  get requestId(): string | undefined {
    return this.headers.get('x-request-id') ?? undefined;
  }

  /** Whether the same request may succeed later: too many requests, or a gateway that is away. */
  get isTemporary(): boolean {
    return [429, 502, 503, 504].includes(this.status);
  }
}

interface Result<Envelope> {
  data?: Envelope;
  error?: unknown;
  response: Response;
}

/** The `data` of the envelope of a call, as in `await dataOf(client.GET(...))`; throws GatewayError for any failure. */
export async function dataOf<Envelope extends { data: unknown }>(
  call: Promise<Result<Envelope>>,
): Promise<Envelope['data']> {
  return (await envelopeOf(call)).data;
}

/** The whole envelope of a call; throws GatewayError for any failure, and for what is none. */
export async function envelopeOf<Envelope>(call: Promise<Result<Envelope>>): Promise<Envelope> {
  const { data, error, response } = await call;
  // Every envelope has it; an answer without it is another program's.
  if (typeof data === 'object' && data !== null && 'error' in data) return data;
  throw new GatewayError(response.status, messagesIn(error), response.headers);
}

/** The error that an answer is, read to its end. */
export async function errorOf(response: Response): Promise<GatewayError> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Another program answered, such as a proxy with a page.
  }
  return new GatewayError(response.status, messagesIn(body), response.headers);
}

function messagesIn(body: unknown): (string | number)[] {
  const { messages } = (typeof body === 'object' && body !== null ? body : {}) as { messages?: unknown };
  return Array.isArray(messages) ? messages.filter((item) => ['string', 'number'].includes(typeof item)) : [];
}
