import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { contractErrors } from '../../support/contract.js';
import { versionsPath, type Place } from './evidence.js';

const BOUNDARY = 'the-line-between-the-parts';

export interface RawAnswer {
  status: number;
  text: string;
  headers: IncomingMessage['headers'];
}

/** A multipart upload of a document, sent in parts by a test; its response is validated by the OpenAPI document. */
export class RawUpload {
  readonly answer: Promise<RawAnswer>;
  private readonly request: ClientRequest;
  private readonly body: Buffer;
  private sent = 0;

  constructor(url: string, place: Place, file: { name: string; type: string; bytes: Uint8Array }, agent?: Agent) {
    const head =
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\n` +
      `Content-Type: ${file.type}\r\n\r\n`;
    this.body = Buffer.concat([Buffer.from(head), file.bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
    this.request = request(url + versionsPath(place), {
      method: 'POST',
      agent: agent ?? false,
      headers: {
        'x-service-token': place.token,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': this.body.length,
      },
    });
    this.answer = new Promise<IncomingMessage>((resolve, reject) => {
      this.request.once('response', resolve).once('error', reject);
    }).then((response) => validated(versionsPath(place), response));
    // The test that kills the gateway needs no response.
    this.answer.catch(() => undefined);
  }

  /** Sends up to this share of the whole; resolves when it has left this process. */
  send(share: number): Promise<void> {
    const end = Math.floor(this.body.length * share);
    const piece = this.body.subarray(this.sent, end);
    this.sent = end;
    return new Promise((done) => this.request.write(piece, () => done()));
  }

  finish(): Promise<RawAnswer> {
    this.request.end(this.body.subarray(this.sent));
    return this.answer;
  }
}

async function validated(target: string, response: IncomingMessage): Promise<RawAnswer> {
  const answer = { status: response.statusCode!, text: await text(response), headers: response.headers };
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
  const errors = contractErrors({
    method: 'POST',
    target,
    sent: {},
    body: undefined,
    status: answer.status,
    headers,
    answer: Buffer.from(answer.text),
  });
  if (errors.length > 0) throw new Error(`The OpenAPI document is not kept: ${errors.join('; ')}`);
  return answer;
}
