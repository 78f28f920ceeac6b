import type { ServerResponse } from 'node:http';
import type { Exchange } from './exchange.js';

/** Whether the process lives, and whether it can serve: for whoever restarts and routes. */
export class Health {
  private draining = false;

  /** `checks` throw when what they look at cannot be used. */
  constructor(private readonly checks: Readonly<Record<string, () => Promise<void>>>) {}

  /** From now on not ready: no new requests are to be sent here. */
  drain(): void {
    this.draining = true;
  }

  async answer(path: string, response: ServerResponse, exchange: Exchange): Promise<void> {
    exchange.route = `GET ${path}`;
    const body = path === '/health/live' ? { status: 'live' } : await this.readiness();
    response.statusCode = body.status === 'not ready' ? 503 : 200;
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('cache-control', 'no-store');
    response.end(JSON.stringify(body));
  }

  private async readiness() {
    const results = await Promise.all(
      Object.entries(this.checks).map(async ([name, check]) => [name, await passes(check)] as const),
    );
    const ready = !this.draining && results.every(([, passed]) => passed);
    const checks = Object.fromEntries(results.map(([name, passed]) => [name, passed ? 'up' : 'down']));
    return { status: ready ? 'ready' : 'not ready', draining: this.draining, checks };
  }
}

async function passes(check: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), 2000);
  });
  const result = await Promise.race([
    check().then(
      () => true,
      () => false,
    ),
    late,
  ]);
  clearTimeout(timer);
  return result;
}
