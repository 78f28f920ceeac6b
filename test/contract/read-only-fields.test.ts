import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { seededAddresses } from '../support/seeded-addresses.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { seedOrganization } from '../support/seeded-organization.js';

interface Described {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: { $ref: string } }> } }>>;
  components: { schemas: Record<string, { properties: Record<string, { readOnly?: true }> }> };
}

const { paths, components } = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as Described;

const { gateway, testData } = await startSeededGateway();
const { token } = testData.owner;
const { database } = gateway.app;

/** Records that are read and changed at one address, and their fields that cannot be changed. */
const RECORDS = Object.entries(paths).flatMap(([path, methods]) => {
  const change = ['patch', 'put'].find((method) => methods[method]?.requestBody?.content['application/json']);
  if (change === undefined || methods['get'] === undefined || path.endsWith('/controls')) return [];
  const { $ref } = methods[change]!.requestBody!.content['application/json']!.schema;
  const { properties } = components.schemas[$ref.split('/').at(-1)!]!;
  const readOnly = Object.keys(properties).filter((name) => properties[name]?.readOnly);
  return [{ method: change.toUpperCase(), path, readOnly }];
});

let addressOf: (path: string) => string;
beforeAll(async () => {
  const { organizationId, owner } = testData;
  addressOf = seededAddresses(organizationId, await seedOrganization(database, organizationId, owner));
});

const entries = async () => (await database.rows<{ count: string }>('select count(*) from audit_entry'))[0]!.count;

/** Without signatures of addresses, which differ in each response. */
const plain = (value: unknown) => JSON.stringify(value).replaceAll(/\?expires=\d+&signature=[\w-]+/g, '');

/** The version in an `ETag`, before the digest, which also covers signed addresses. */
const versionIn = ({ headers }: { headers: Headers }) => headers.get('etag')?.replace(/\..*/, '');

test('every kind of record that can be read and changed is looked at', () => {
  expect(RECORDS.map(({ path }) => path.replace('/api/v1/', ''))).toEqual(
    expect.arrayContaining(['organizations/{id}', 'atb/{id}', 'cloud-defender/{id}', 'profile', 'notifications/{id}']),
  );
  expect(RECORDS.length).toBeGreaterThanOrEqual(13);
});

describe.each(RECORDS)('$method $path', ({ method, path, readOnly }) => {
  test('takes what was read, and changes nothing', async () => {
    const address = addressOf(path);
    const before = await gateway.rest.get(address, { token });
    expect(before.body.data).toBeDefined();
    const count = await entries();
    const answer = await gateway.rest.call(method, address, { token, body: before.body.data });
    expect([answer.status, answer.body.messages]).toEqual([200, []]);
    const after = await gateway.rest.get(address, { token });
    expect(plain(after.body)).toBe(plain(before.body));
    expect(versionIn(after)).toBe(versionIn(before));
    expect(await entries()).toBe(count);
  });

  test('names each field that cannot be changed, and changes nothing', async () => {
    const address = addressOf(path);
    const before = await gateway.rest.get(address, { token });
    for (const name of readOnly) {
      for (const other of ['another value', '', null, { a: 1 }]) {
        if (before.body.data[name] === other) continue;
        const body = { ...before.body.data, [name]: other };
        const answer = await gateway.rest.call(method, address, { token, body });
        expect([answer.status, answer.body.messages]).toEqual([400, [`${name} cannot be changed`]]);
      }
    }
    expect(plain((await gateway.rest.get(address, { token })).body)).toBe(plain(before.body));
  });
});

test('a record that the caller does not see is not found, whatever is sent back', async () => {
  const { nonMember } = testData;
  const body = { id: 1, created_at: '2026-01-01T00:00:00.000Z' };
  const answer = await gateway.rest.patch(`/api/v1/organizations/${testData.organizationId}`, {
    token: nonMember.token,
    body,
  });
  expect(answer.status).toBe(404);
});
