import { describe, expect, test } from '@jest/globals';
import { request } from 'node:http';
import { toSnakeCase } from '../../src/common/naming.js';
import { compileRoutes } from '../../src/rest/view/core-path.js';
import { hasJsonBody, isOperationRoute } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { fieldsWithArguments, TRAP } from './fields.js';

const { gateway, testData } = await startSeededGateway();

describe('an object whose properties are named like methods', () => {
  test('is no internal error as the body of any route, nor as any field of it', async () => {
    const broken: string[] = [];
    const { token } = testData.owner;
    for (const route of compileRoutes(gateway.app.executor.schema, ROUTES).filter(isOperationRoute)) {
      if (!hasJsonBody(route)) continue;
      const path = route.path
        .replaceAll(/\{(organizationid)\}/g, String(testData.organizationId))
        .replaceAll(/\{\w+\}/g, '1');
      const names = Object.keys(route.core.input!.getFields()).map(toSnakeCase);
      for (const body of [TRAP, ...names.flatMap((name) => [{ [name]: TRAP }, { [name]: [TRAP] }])]) {
        const headers = { 'content-type': 'application/json' };
        const text = JSON.stringify(body);
        const answer = await gateway.rest.call(route.method, `/api/v1${path}`, { token, headers, body: text });
        if (answer.status >= 500) broken.push(answer.story);
      }
    }
    expect(broken).toEqual([]);
  });

  test('is no internal error as any variable, whatever the document does with it', async () => {
    const broken: string[] = [];
    for (const { query, args, name } of fieldsWithArguments(gateway.app.executor.schema)) {
      for (const value of [TRAP, [TRAP]]) {
        const variables = Object.fromEntries(args.map((arg) => [arg.name, value]));
        const answer = await gateway.graphql.call(query, { token: testData.owner.token, variables });
        if (answer.status >= 500) broken.push(`${name} ${answer.story}`);
      }
    }
    for (const variables of [{ n: TRAP }, TRAP, { n: [TRAP] }]) {
      const query =
        'query ($n: Int) { viewer { organizations(first: $n) { nodes { organization { id: databaseId } } } } }';
      for (const token of [undefined, testData.owner.token]) {
        const answer = await gateway.graphql.call(query, { ...(token && { token }), variables: variables as object });
        if (answer.status >= 500) broken.push(answer.story);
      }
    }
    expect(broken).toEqual([]);
  });
});

test('a method that is served nowhere gets no metric of its own', async () => {
  const send = (method: string, path: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = { 'X-Service-Token': testData.owner.token };
      const sent = request(gateway.url + path, { method, headers });
      sent.once('response', (response) => response.resume().once('close', resolve)).once('error', reject);
      sent.end();
    });
  const methods = ['PURGE', 'PROPFIND', 'TRACE', 'MKCOL', 'M-SEARCH', 'LINK'];
  for (const path of [
    '/api/v1/organizations',
    '/api/v1/nothing',
    '/api/v1',
    '/graphql',
    '/graphql/stream',
    '/',
    '/health/live',
  ])
    for (const method of methods) await send(method, path);
  await send('DELETE', '/api/v1/organizations');
  const text = await gateway.app.metrics.text();
  expect(text).not.toMatch(new RegExp(methods.join('|')));
  expect(text).toContain('route="other /api/v1/organizations"');
  expect(text).toContain('route="other /api/v1/*"');
  expect(text).toContain('route="DELETE /api/v1/organizations"');
});
