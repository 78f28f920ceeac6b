import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, print } from 'graphql';
import { seedDemo } from '../../src/demo/demo.js';
import { CATALOG } from '../support/catalog.js';
import { curlRequest } from '../support/curl.js';
import { startSharedGateway } from '../support/seeded-gateway.js';

/** The tour of the guide, extracted from it and run as printed. */
const TOUR = readFileSync(resolve(import.meta.dirname, '../../docs/getting-started.md'), 'utf8');
const STEPS = [...TOUR.matchAll(/\*\*(\d+)\. (.+?)\*\*\s+```graphql\n([\s\S]+?)```\s+```sh\n([\s\S]+?)```/g)].map(
  ([, number, title, graphql, shell]) => ({ number, title, graphql: graphql!, shell: shell! }),
);

const gateway = await startSharedGateway();
const demo = await seedDemo({ databaseUrl: gateway.database.url, config: gateway.config, catalog: CATALOG });
const token = demo!.tokens.owner;

test('the tour has twelve requests', () => {
  expect(STEPS.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, index) => String(index + 1)));
});

test('an organization is created as the guide says, through both APIs', async () => {
  const [, section = ''] = TOUR.split('## Create an organization of your own');
  const [, graphql = '', shell = ''] = /```graphql\n([\s\S]+?)```\s+```sh\n([\s\S]+?)```/.exec(section) ?? [];
  const created = {
    createOrganization: { organization: { id: expect.any(String), viewerRole: 'ORGANIZATION_OWNER' } },
  };
  expect(await gateway.graphql.data(print(parse(graphql)), { token })).toEqual(created);
  const { url, method, headers, body } = curlRequest(shell, { API: '/api/v1', TOKEN: token });
  expect((await gateway.rest.call(method, url, { headers, body })).status).toBe(201);
});

describe.each(STEPS)('$number. $title', ({ graphql, shell }) => {
  test('answers in GraphQL', async () => {
    const data = await gateway.graphql.data(print(parse(graphql)), { token });
    expect(Object.values(data as object)).not.toContain(null);
  });

  test('answers in curl', async () => {
    const { url, method, headers, body } = curlRequest(shell, { API: '/api/v1', TOKEN: token });
    const answer = await gateway.rest.call(method, url, { headers, body });
    expect([200, 201]).toContain(answer.status);
  });
});
