import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectStatus } from '../support/matchers.js';
import { seedTestData, type TestData } from '../support/test-data.js';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway({ config: { publicUrl: 'https://platform.example.com/gateway' } });
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway?.close());

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
