import { expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectStatus } from '../support/matchers.js';

const { gateway, testData } = await startSeededGateway({
  config: { publicUrl: 'https://platform.example.com/gateway' },
});

const post = (path: string, body: object) => gateway.rest.post(path, { token: testData.owner.token, body });

test('what was made is below the path of the public address, as everything is there', async () => {
  const incidents = `/api/v1/v-ciso/incidents/${testData.organizationId}`;
  for (const [path, body] of [
    ['/api/v1/organizations', { name: 'Below a path' }],
    [incidents, { title: 'Below a path', severity: 'LOW' }],
  ] as const) {
    const answer = await post(path, body);
    expectStatus(answer, 201);
    const { id } = answer.body.data as { id: number };
    expect(answer.headers.get('location')).toBe(`/gateway${path}/${id}`);
  }
});

test('the interface description names the public address', async () => {
  const { text } = await gateway.rest.get('/api/v1/openapi.json');
  expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', servers: [{ url: gateway.config.publicUrl }] });
});
