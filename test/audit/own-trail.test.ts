import { describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { buildPerson, buildToken, type Person } from '../support/test-data.js';

const LIST: Operation = {
  rest: 'GET /api/v1/profile/audit-trail',
  graphql: `query ($first: Int, $offset: Int, $filter: AuditEntryFilter, $orderBy: AuditEntryOrder) {
    viewer { auditTrail(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount nodes { position action subject { type id: databaseId name } changes { field before after } } } } }`,
  at: 'viewer.auditTrail',
};
const VERIFY: Operation = {
  rest: 'GET /api/v1/profile/audit-trail/verification',
  graphql:
    '{ viewer { auditTrailVerification { valid verified_up_to: verifiedUpTo entries checkpoints fault { position reason message } } } }',
  at: 'viewer.auditTrailVerification',
};

const gateway = await startSharedGateway();

/** A person who has changed its first name once per given name. */
async function renamed(...names: string[]): Promise<Person> {
  const person = await buildPerson(gateway.app.database, 'private');
  for (const first_name of names)
    await gateway.rest.call('PATCH', '/api/v1/profile', { token: person.token, body: { first_name } });
  return person;
}

describe.each(APIS)('through %s', (api) => {
  const list = (token?: string, input: object = {}) => callThrough(api, gateway, LIST, { ...input }, token);
  const verify = (token?: string) => callThrough(api, gateway, VERIFY, {}, token);

  test('a user reads the entries about its own profile with the values, and those of no other user', async () => {
    const [person, other] = [await renamed('Ada', 'Grace'), await renamed('Edith')];
    const { data, total } = await list(person.token);
    expect(total).toBe(2);
    expect(data[0]).toMatchObject({
      position: 2,
      action: 'PROFILE_UPDATED',
      subject: { type: 'USER', id: person.id, name: person.username },
      changes: [{ field: 'firstName', before: 'Ada', after: 'Grace' }],
    });
    expect(dataOf(await list(other.token))).toHaveLength(1);
  });

  test('the pages, the order and the filters are those of every audit trail', async () => {
    const { token } = await renamed('Ada', 'Grace', 'Edith');
    const positions = async (input: object) =>
      (dataOf(await list(token, input)) as { position: number }[]).map(({ position }) => position);
    expect(await positions({ sort: 'position', limit: 1, offset: 1 })).toEqual([2]);
    expect(await positions({ action: 'TOKEN_CREATED' })).toEqual([]);
    expect(await positions({ action: 'PROFILE_UPDATED' })).toEqual([3, 2, 1]);
  });

  test('a user without an entry has an empty trail, which is valid', async () => {
    const { token } = await renamed();
    expect(await list(token)).toMatchObject({ data: [], total: 0 });
    expect(dataOf(await verify(token))).toMatchObject({ valid: true, entries: 0, fault: null });
  });

  test('verification finds an entry that was changed', async () => {
    const { id, token } = await renamed('Ada', 'Grace');
    expect(dataOf(await verify(token))).toMatchObject({ valid: true, verified_up_to: 2, entries: 2 });
    await gateway.app.database.transaction(async (tx) => {
      await tx.rows('set local session_replication_role = replica');
      await tx.rows(
        `update audit_entry set entry = replace(entry, 'PROFILE_UPDATED', 'PROFILE_DELETED')
          where position = 1 and log_id = (select id from audit_log where user_id = $1)`,
        [id],
      );
    });
    expect(dataOf(await verify(token))).toMatchObject({
      valid: false,
      fault: { position: 1, reason: 'HASH_MISMATCH' },
    });
  });

  test('it is refused without a token, and to a token that may not read', async () => {
    const person = await renamed('Ada');
    const writeOnly = await buildToken(gateway.app.database, person, { scopes: ['write'] });
    for (const read of [list, verify]) {
      expectFailure(await read(), 'UNAUTHENTICATED');
      expectFailure(await read(writeOnly), 'FORBIDDEN');
    }
  });
});

test('an entry of it is a node for its user, and for no one else', async () => {
  const [person, other] = [await renamed('Ada'), await renamed()];
  const { viewer } = await gateway.graphql.data('{ viewer { auditTrail { nodes { id } } } }', { token: person.token });
  const [{ id }] = viewer.auditTrail.nodes;
  const read = (token: string) =>
    gateway.graphql.call('query ($id: ID!) { node(id: $id) { ... on AuditEntry { action } } }', {
      token,
      variables: { id },
    });
  expect((await read(person.token)).body.data).toEqual({ node: { action: 'PROFILE_UPDATED' } });
  expect((await read(other.token)).body.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
});
