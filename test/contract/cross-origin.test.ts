import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ROUTES } from '../../src/rest/routes.js';
import { rawRequest } from '../support/rest.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const ORIGIN = 'https://app.example.com';
const DESCRIPTION = readFileSync(resolve(import.meta.dirname, '../../openapi.json'), 'utf8');
const PATHS = [...new Set(ROUTES.map(({ path }) => path))];

const { gateway, testData } = await startSeededGateway({
  config: { corsOrigins: [ORIGIN, 'https://second.example.com'] },
});

const preflight = (path: string, method: string) =>
  rawRequest(gateway.url, 'OPTIONS', path.replaceAll(/\{\w+\}/g, '1'), {
    headers: { Origin: ORIGIN, 'Access-Control-Request-Method': method },
  });
const listed = (header: unknown) => String(header).toLowerCase().split(/, ?/).toSorted();

/** Names of headers in the description: those of requests, or those of responses. */
function described(where: 'parameters' | 'headers'): string[] {
  const names = new Set<string>();
  JSON.parse(DESCRIPTION, function (this: Record<string, unknown>, key: string, value: unknown) {
    if (where === 'headers' && key === where) for (const name of Object.keys(value as object)) names.add(name);
    const isOfWebhooks = String(this['name']).startsWith('webhook-');
    if (where === 'parameters' && key === 'in' && value === 'header' && !isOfWebhooks)
      names.add(this['name'] as string);
    return value;
  });
  return [...names].map((name) => name.toLowerCase());
}

describe('a page of another origin', () => {
  test.each(PATHS)('learns the methods of %s, and may use each', async (path) => {
    const methods = [...new Set(ROUTES.filter((route) => route.path === path).map(({ method }) => method))];
    for (const method of methods) {
      const { status, headers } = await preflight(path, method);
      expect([status, headers['access-control-allow-origin']]).toEqual([204, ORIGIN]);
      expect(listed(headers['access-control-allow-methods'])).toContain(method.toLowerCase());
      const served = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
      expect(listed(headers.allow)).toEqual(served.map((each) => each.toLowerCase()).toSorted());
    }
  });

  test('may send every header that is described, and those of GraphQL clients and of tracing, and no other', async () => {
    const others = [
      ...['authorization', 'content-type', 'x-request-id', 'idempotency-key', 'traceparent', 'tracestate'],
      ...['apollo-require-preflight', 'x-apollo-operation-name'],
      ...['apollographql-client-name', 'apollographql-client-version'],
      ...['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'],
    ];
    const expected = [...new Set([...described('parameters'), ...others])].toSorted();
    for (const path of ['/api/v1/organizations', '/graphql', '/graphql/stream', '/mcp']) {
      const { headers } = await preflight(path, 'POST');
      expect(listed(headers['access-control-allow-headers'])).toEqual(expected);
    }
  });

  test('may read every header of an answer that is described, and those of limits, replays and deprecations, and no other', async () => {
    const others = [
      'ratelimit',
      'ratelimit-policy',
      'idempotency-replayed',
      'www-authenticate',
      'deprecation',
      'sunset',
      'mcp-session-id',
    ];
    const { headers } = await rawRequest(gateway.url, 'GET', '/api/v1/organizations', { headers: { Origin: ORIGIN } });
    const expected = [...new Set([...described('headers'), ...others])].toSorted();
    expect(listed(headers['access-control-expose-headers'])).toEqual(expected);
  });

  const KEPT = ['accept-encoding', 'authorization', 'origin', 'x-service-token'];

  test.each([
    ['/api/v1/options', []],
    ['/api/v1/notifications', ['accept']],
  ])('is not given what a browser keeps of %s for another one', async (path, others) => {
    const send = (more: Record<string, string>) =>
      rawRequest(gateway.url, 'GET', path, {
        headers: { Origin: ORIGIN, 'X-Service-Token': testData.owner.token, ...more },
      });
    const whole = await send({});
    const unchanged = await send({ 'If-None-Match': String(whole.headers.etag) });
    expect([whole.status, unchanged.status]).toEqual([200, 304]);
    for (const { headers } of [whole, unchanged]) {
      expect(listed(headers.vary)).toEqual([...others, ...KEPT].toSorted());
    }
  });
});
