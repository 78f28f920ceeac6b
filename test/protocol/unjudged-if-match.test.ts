import { expect, test } from '@jest/globals';
import { IF_MATCH, isOperationRoute, parameterNames } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { compileRoutes } from '../../src/rest/view/core-path.js';
import { withStory } from '../support/matchers.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();
const { token } = testData.owner;

/** Changes without a version of their object. */
const UNJUDGED = compileRoutes(gateway.app.executor.schema, ROUTES)
  .filter(isOperationRoute)
  .filter((route) => route.method !== 'GET' && !parameterNames(route).includes(IF_MATCH));

test.each(UNJUDGED.map(({ method, path }) => [`${method} ${path}`, method, path] as const))(
  '%s refuses a state that it cannot compare, and takes the one that is any',
  async (_name, method, path) => {
    const target = path.replaceAll(/\{\w+\}/g, '0');
    for (const tag of ['"1"', 'W/"1"', '"1", "2"', 'nonsense', '']) {
      const answer = await gateway.rest.call(method, target, {
        token,
        headers: { 'if-match': tag },
      });
      withStory(answer, () => expect(answer.status).toBe(412));
    }
    const any = await gateway.rest.call(method, target, { token, headers: { 'if-match': '*' } });
    withStory(any, () => expect(any.status).not.toBe(412));
  },
);

test('a state that a record must not be in is refused by every change, which compares none', async () => {
  const changes = compileRoutes(gateway.app.executor.schema, ROUTES)
    .filter(isOperationRoute)
    .filter(({ method }) => method !== 'GET');
  for (const { method, path } of changes) {
    const target = path.replaceAll(/\{\w+\}/g, '0');
    const answer = await gateway.rest.call(method, target, { token, headers: { 'if-none-match': '*' } });
    withStory(answer, () => expect(answer.status).toBe(412));
  }
});
