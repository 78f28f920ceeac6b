import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { causeName, rootOf } from './outage-log.js';
import { DomainError } from '../errors.js';
import type { RequestContext } from './request-context.js';

/** Liveness and readiness, for supervisors and load balancers. */
export class Health {
  private draining = false;

  /** `checks` throw when their subject cannot be used. */
  constructor(private readonly checks: Readonly<Record<string, () => Promise<void>>>) {}

  /** Not ready from now on: no new requests should be sent here. */
  drain(): void {
    this.draining = true;
  }

  async answer(path: string, response: ServerResponse, requestContext: RequestContext): Promise<void> {
    requestContext.route = `GET ${path}`;
    const body = path === '/health/live' ? { status: 'live' } : await this.readiness();
    // The request was refused in the meantime, for a slow body.
    if (response.headersSent) return;
    response.statusCode = body.status === 'not ready' ? 503 : 200;
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('cache-control', 'no-store');
    response.end(JSON.stringify(body));
  }

  private async readiness() {
    const results = await Promise.all(
      Object.entries(this.checks).map(async ([name, check]) => [name, await causeOf(check)] as const),
    );
    const failed = results.filter(([, cause]) => cause !== undefined);
    const ready = !this.draining && failed.length === 0;
    const checks = Object.fromEntries(results.map(([name, cause]) => [name, cause === undefined ? 'up' : 'down']));
    const causes = failed.length === 0 ? {} : { causes: Object.fromEntries(failed) };
    return { status: ready ? 'ready' : 'not ready', draining: this.draining, checks, ...causes };
  }
}

/** Why a check fails; undefined if it passes. */
async function causeOf(check: () => Promise<void>): Promise<string | undefined> {
  const passed = check().then(() => undefined, describe);
  return Promise.race([passed, setTimeout(2000, 'no answer', { ref: false })]);
}

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Codes only: the answer is public, and a text could name an address or a path. */
function describe(error: unknown): string {
  const root = error instanceof DomainError ? rootOf(error) : undefined;
  if (root === undefined) return 'unknown';
  const name = causeName(root);
  return NO_SPACE.has(name) ? `disk full (${name})` : name === 'Error' ? 'no connection' : name;
}
