import { describe, expect, test } from '@jest/globals';
import { KINDS } from '../support/device-kinds.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildToken } from '../support/test-data.js';
import { dataTwice } from '../support/twice.js';

const NOW = '2026-03-04T10:23:00.000Z';

const { gateway, testData } = await startSeededGateway({ now: () => new Date(NOW) });

describe.each(KINDS)('$one', ({ segment, table, type, one, many, build, stat }) => {
  const options = (variables: object) => ({ token: testData.manager.token, variables });

  test('shows when it was created, changed, last seen and deleted', async () => {
    const id = await build(gateway.app.database, testData.organizationId);
    await gateway.app.database.rows(
      `update ${table} set created_at = '2026-01-01T00:00:00Z', updated_at = '2026-01-02T00:00:00Z' where id = $1`,
      [id],
    );
    const fields = '__typename id: databaseId createdAt updatedAt lastSeenAt deletedAt';
    const read = async () =>
      (await dataTwice(gateway.graphql, `query ($id: ID!) { ${one}(id: $id) { ${fields} } }`, options({ id })))[one];
    const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' };
    const device = { __typename: type, id, ...times, lastSeenAt: null, deletedAt: null };
    expect(await read()).toEqual(device);
    await gateway.rest.post(`/api/v1/${segment}/${id}/checks`, {
      token: await buildToken(gateway.app.database, testData.manager, { scopes: ['telemetry'] }),
      body: { reports: [{ datetime: NOW, stat: stat(1) }] },
    });
    expect(await read()).toEqual({ ...device, lastSeenAt: NOW });
    await gateway.rest.delete(`/api/v1/${segment}/${id}`, { token: testData.manager.token });
    const list = `{ ${many}(filter: { deleted: true }) { nodes { ${fields} } } }`;
    const { nodes } = (await dataTwice(gateway.graphql, list, { token: testData.manager.token }))[many];
    expect(nodes).toEqual([{ ...device, updatedAt: NOW, lastSeenAt: NOW, deletedAt: NOW }]);
    await gateway.app.database.rows(`update ${table} set updated_at = created_at where id = $1`, [id]);
    await gateway.rest.post(`/api/v1/${segment}/${id}/restore`, { token: testData.manager.token });
    expect(await read()).toEqual({ ...device, updatedAt: NOW, lastSeenAt: NOW });
    await gateway.app.database.rows(`delete from ${table} where id = $1`, [id]);
  });

  test('is listed below its organization, and is null there with an error for a member of lower rank', async () => {
    const id = await build(gateway.app.database, testData.organizationId);
    const query = `query ($id: ID!) { organization(id: $id) { id: databaseId ${many} { totalCount nodes { id: databaseId } } } }`;
    const variables = { id: testData.organizationId };
    expect(await dataTwice(gateway.graphql, query, options(variables))).toEqual({
      organization: { id: testData.organizationId, [many]: { totalCount: 1, nodes: [{ id }] } },
    });
    const { body } = await gateway.graphql.call(query, { token: testData.officer.token, variables });
    expect(body.data).toEqual({ organization: { id: testData.organizationId, [many]: null } });
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'FORBIDDEN', messages: [1003] });
  });

  test('has a closed list of states', async () => {
    const query = `query ($status: DeviceHealth) { ${many}(filter: { status: $status }) { totalCount } }`;
    expect(await gateway.graphql.error(query, options({ status: 4 }))).toEqual({
      code: 'BAD_USER_INPUT',
      messages: ['status must be one of UNKNOWN, HEALTHY, DEGRADED, DOWN'],
    });
  });
});
