/** An unsuccessful response of the gateway, or of another program such as a proxy. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  /** `messages` are sentences, or the numbers of the interface; empty if the response is not the gateway's. */
  constructor(
    readonly status: number,
    readonly messages: readonly (string | number)[],
    readonly headers: Headers,
  ) {
    super(messages.length > 0 ? `${status}: ${messages.join(' ')}` : `The answer has the status ${status}`);
  }

  /** The reason of a conflict, such as `AUDIT_TRAIL_FAULT`; of 409 only. */
  get reason(): string | undefined {
    return this.headers.get('conflict-reason') ?? undefined;
  }

  /** Identifies the request in the log of the gateway. */
  get requestId(): string | undefined {
    return this.headers.get('x-request-id') ?? undefined;
  }

  /** Whether the same request may succeed later: too many requests, or an unavailable gateway. */
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

/** The whole envelope of a call; throws GatewayError for any failure, and for a response that is no envelope. */
export async function envelopeOf<Envelope>(call: Promise<Result<Envelope>>): Promise<Envelope> {
  const { data, error, response } = await call;
  // Every envelope has this field; a response without it is another program's.
  if (typeof data === 'object' && data !== null && 'error' in data) return data;
  throw new GatewayError(response.status, messagesIn(error), response.headers);
}

/** The error of a response, whose body is read completely. */
export async function errorOf(response: Response): Promise<GatewayError> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Another program responded, such as a proxy with a page.
  }
  return new GatewayError(response.status, messagesIn(body), response.headers);
}

function messagesIn(body: unknown): (string | number)[] {
  const { messages } = (typeof body === 'object' && body !== null ? body : {}) as { messages?: unknown };
  return Array.isArray(messages) ? messages.filter((item) => ['string', 'number'].includes(typeof item)) : [];
}
