import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectStatus } from '../support/matchers.js';
import { buildWorld, type World } from '../support/world.js';

let gateway: TestGateway;
let world: World;

beforeAll(async () => {
  gateway = await startGateway({ config: { publicUrl: 'https://platform.example.com/gateway' } });
  world = await buildWorld(gateway.app.database);
});
afterAll(() => gateway?.close());

const post = (path: string, body: object) => gateway.rest.post(path, { token: world.owner.token, body });

test('what was made is below the path of the public address, as everything is there', async () => {
  const incidents = `/api/v1/v-ciso/incidents/${world.organizationId}`;
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
