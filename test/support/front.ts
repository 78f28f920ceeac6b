import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Handler = (request: IncomingMessage, response: ServerResponse) => 'HANDLED' | 'FORWARD';

/** A proxy in front of a gateway: it answers, delays or aborts requests as a test sets, and forwards the others. */
export class Front {
  /** Method, path and headers of all received requests. */
  readonly requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
  handle: Handler = () => 'FORWARD';
  private readonly server = createServer((request, response) => this.serve(request, response));

  private constructor(private readonly target: URL) {}

  static async start(target: string): Promise<Front> {
    const front = new Front(new URL(target));
    front.server.listen(0, '127.0.0.1');
    await once(front.server, 'listening');
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Forwards everything again, and clears the recorded requests. */
  reset(): void {
    this.requests.length = 0;
    this.handle = () => 'FORWARD';
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = request;
    this.requests.push({ method, url, headers });
    if (this.handle(request, response) === 'HANDLED') return;
    const { hostname, port } = this.target;
    const onward = httpRequest({ hostname, port, method, path: url, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }
}
