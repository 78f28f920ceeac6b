import { beforeAll, describe, expect, test } from '@jest/globals';
import { KINDS } from '../support/device-kinds.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { expectExactly, pagingCases } from '../support/rest.js';
import { buildToken } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();

describe.each(KINDS)('/api/v1/$segment', ({ segment, build, least, part, stat, nameField }) => {
  const path = `/api/v1/${segment}`;
  const by = (body?: object) => ({ token: testData.manager.token, ...(body && { body }) });
  let id: number;

  beforeAll(async () => {
    for (let count = 0; count < 4; count += 1) id = await build(gateway.app.database, testData.organizationId);
  });

  describe('GET', () => {
    pagingCases((query) => gateway.rest.get(`${path}?${query}`, by()));

    test('leaves out the series, which include=series brings', async () => {
      const list = async (query: string) => expectData(await gateway.rest.get(`${path}?limit=1${query}`, by()));
      const [{ check, ...item }] = await list('');
      expect(Object.keys(check)).toEqual(['stat', 'status']);
      const record = expectData(await gateway.rest.get(`${path}/${item.id}`, by()));
      expect({ ...record, check: { stat: record.check.stat, status: record.check.status } }).toEqual({
        ...item,
        check,
      });
      expect(await list('&include=series')).toEqual([record]);
      expectError(await gateway.rest.get(`${path}?include=web_stat`, by()), 400, ['include must be one of series']);
    });

    test('refuses orders and states that there are not', async () => {
      expectError(await gateway.rest.get(`${path}?sort=email`, by()), 400, [
        `sort must be one of id, -id, ${nameField}, -${nameField}, status, -status, last_seen_at, -last_seen_at`,
      ]);
      for (const status of ['4', '-1', 'down', '']) {
        expectError(await gateway.rest.get(`${path}?status=${status}`, by()), 400, [
          'status must be one of 0, 1, 2, 3',
        ]);
      }
    });
  });

  test('POST answers 201 with the address of the record, and refuses fields and bodies that it does not have', async () => {
    const body = { organization_id: testData.organizationId, ...least };
    const answer = await gateway.rest.post(path, by(body));
    const data = expectData(answer, 201);
    expectExactly(answer, 201, { error: 0, messages: [], data });
    expect(answer.headers.get('location')).toBe(`${path}/${data.id}`);
    expect((await gateway.rest.get(`${path}/${data.id}`, by())).text).toBe(answer.text);
    for (const field of ['atb_key', 'private_ip'])
      expectError(await gateway.rest.post(path, by({ ...body, [field]: 'x' })), 400, [
        `${field} is not a known field${field === 'private_ip' && path.endsWith('/atb') ? '. Did you mean privateIP?' : ''}`,
      ]);
    const required = ['organization_id', ...Object.keys(least)].map((name) => `${name} is required`);
    expectError(await gateway.rest.post(path, by({})), 400, required);
  });

  test('PATCH refuses ids in its body', async () => {
    const change = (field: string) => gateway.rest.patch(`${path}/${id}`, by({ [field]: 1 }));
    expectError(await change('organization_id'), 400, ['organization_id is not a known field']);
    expectError(await change('id'), 400, ['id cannot be changed']);
  });

  test('DELETE accepts a body', async () => {
    const other = await build(gateway.app.database, testData.organizationId);
    expectData(await gateway.rest.delete(`${path}/${other}`, by({ reason: 'moved' })));
  });

  test('POST …/checks refuses states that are no numbers', async () => {
    const token = await buildToken(gateway.app.database, testData.manager, { scopes: ['telemetry'] });
    const body = { reports: [{ stat: { [part]: 'x' } }] };
    expectError(await gateway.rest.post(`${path}/${id}/checks`, { token, body }), 400, [
      'reports[0].datetime is required',
      // In the order of the specification, which `stat` of the other tests does not have.
      ...(segment === 'atb' ? ['vpn', 'dnsbl', 'iplist'] : ['fqdn', 'proxy', 'endpoint']).map(
        (name) =>
          `reports[0].stat.${name} ${name in stat(1) && name === part ? 'must be a 32-bit integer' : 'is required'}`,
      ),
    ]);
  });
});

test('POST /api/v1/atb refuses an unknown field of a plug-in', async () => {
  const body = { organization_id: testData.organizationId, ...KINDS[1]!.least, plugin: { Config: {} } };
  expectError(await gateway.rest.post('/api/v1/atb', { token: testData.owner.token, body }), 400, [
    'plugin.Config is not a known field. Did you mean config?',
  ]);
});

test('GET /api/v1/atb/{id} passes a key “__proto__” of the configuration through', async () => {
  const id = await KINDS[1]!.build(gateway.app.database, testData.organizationId);
  await gateway.app.database.rows(`update threat_blocker set plugin_config = '{"__proto__": {"x": 1}}' where id = $1`, [
    id,
  ]);
  const { text } = await gateway.rest.get(`/api/v1/atb/${id}`, { token: testData.owner.token });
  expect(text).toContain('"config":{"__proto__":{"x":1}}');
});
