import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../src/values/limits.js';
import { KINDS } from '../support/device-kinds.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { seedTestData, join, type TestData } from '../support/test-data.js';
import { expectExactly, pagingCases, personOf, rolesBelow, rolesFrom } from '../support/rest.js';

const DAY = 24 * 60 * 60 * 1000;

let gateway: TestGateway;
let testData: TestData;
let now = new Date('2026-03-04T10:23:00.000Z');

beforeAll(async () => {
  gateway = await startGateway({ now: () => now });
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway?.close());

const rows = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);

describe.each(KINDS)('POST /api/v1/$segment', ({ segment, table, least }) => {
  const path = `/api/v1/${segment}`;
  const body = () => ({ organization_id: testData.organizationId, ...least });
  const create = (fields: object, token = testData.manager.token) =>
    gateway.rest.post(path, { token, body: { ...body(), ...fields } });

  test('takes an organization of others for one that never existed, and refuses who may not manage it', async () => {
    for (const { token } of [testData.nonMember, testData.userWithoutOrganization])
      expectError(await create({}, token), 404, [1004]);
    expectError(await create({ organization_id: 999_999 }), 404, [1004]);
    for (const role of rolesBelow('ORGANIZATION_MANAGER')) {
      expectError(await create({}, personOf(testData, role).token), 403, [1003]);
    }
  });

  test('answers 201, where the record is, and the record as it is read', async () => {
    for (const role of rolesFrom('ORGANIZATION_MANAGER')) {
      const { token } = personOf(testData, role);
      const answer = await create({}, token);
      expectStatus(answer, 201);
      const { id } = answer.body.data;
      expect(answer.headers.get('location')).toBe(`${path}/${id}`);
      expect((await gateway.rest.get(`${path}/${id}`, { token })).text).toBe(answer.text);
      const [row] = await rows(
        `select created_at as "createdAt", updated_at as "updatedAt" from ${table} where id = $1`,
        [id],
      );
      expect(row).toEqual({ createdAt: now.toISOString(), updatedAt: now.toISOString() });
    }
  });

  test('takes what it may be told and no more, at each limit and not past it', async () => {
    const word = '💡'.repeat(LIMITS.device.wordCharacters);
    const many = Array.from({ length: LIMITS.device.services }, (_, index) => `service ${index}`);
    expect(expectData(await create({ services: [word, ' waf ', 'waf'] }), 201).services).toEqual([word, 'waf']);
    expect(expectData(await create({ services: many }), 201).services).toEqual(many);
    expectError(await create({ services: [...many, 'x'] }), 400, ['services must not have more than 50 items']);
    expectError(await create({ services: ['', `${word}x`] }), 400, [
      'services[0] is required',
      'services[1] must not be longer than 64 characters',
    ]);
    for (const endpoint of ['2001:db8::1', '::ffff:192.0.2.1', '255.255.255.255']) {
      expect(expectData(await create({ endpoint }), 201).endpoint).toBe(endpoint);
    }
    for (const endpoint of ['', '192.0.2.01', '192.0.2.256', 'fe80::1%eth0', '2001:db8::g', 'example.com']) {
      expectError(await create({ endpoint }), 400, ['endpoint must be an IPv4 or IPv6 address']);
    }
  });

  test('tells all errors at once, each by its path', async () => {
    const names = Object.keys(least).filter((name) => name !== 'type');
    const wrong = Object.fromEntries(names.map((name) => [name, '?']));
    const answer = await create({ ...wrong, services: [1, 'waf'] });
    expectError(answer, 400, [
      'email must be an e-mail address',
      ...(names.includes('fqdn') ? ['fqdn must be a hostname'] : []),
      'endpoint must be an IPv4 or IPv6 address',
      'services[0] must be a string',
    ]);
    expectError(await create({ ...wrong, services: ['\u0007'] }), 400, [
      'email must be an e-mail address',
      ...(names.includes('fqdn') ? ['fqdn must be a hostname'] : []),
      'endpoint must be an IPv4 or IPv6 address',
      'services[0] must not contain control characters',
    ]);
    expectError(await create({ id: 7, atb_key: 'x' }), 400, [
      'id is not a known field',
      'atb_key is not a known field',
    ]);
    expectError(
      await gateway.rest.post(path, { token: testData.manager.token, body: {} }),
      400,
      ['organization_id', ...Object.keys(least)].map((name) => `${name} is required`),
    );
  });
});

describe('POST /api/v1/cloud-defender', () => {
  test('stores a domain name in lower case and shows each field as specification 2.6 has it', async () => {
    const body = {
      organization_id: testData.organizationId,
      email: 'soc@example.com',
      fqdn: 'WWW.Example.COM',
      endpoint: '192.0.2.10',
      services: ['waf', 'cdn'],
    };
    const answer = await gateway.rest.post('/api/v1/cloud-defender', { token: testData.owner.token, body });
    expectExactly(answer, 201, {
      error: 0,
      messages: [],
      data: {
        id: answer.body.data.id,
        organization: { id: testData.organizationId, name: 'First Organization', logo: '' },
        email: 'soc@example.com',
        fqdn: 'www.example.com',
        check: {
          stat: { fqdn: 0, proxy: 0, endpoint: 0, datetime: answer.body.data.check.stat.datetime },
          status: 0,
          web_stat: [],
        },
        endpoint: '192.0.2.10',
        services: ['waf', 'cdn'],
      },
    });
  });
});

describe('POST /api/v1/atb', () => {
  const create = (fields: object) =>
    gateway.rest.post('/api/v1/atb', {
      token: testData.owner.token,
      body: { organization_id: testData.organizationId, ...least, ...fields },
    });
  const least = { type: 'gateway', email: 'a@example.com', endpoint: '192.0.2.1' };
  const config = (levels: number): object => (levels === 1 ? {} : { a: config(levels - 1) });
  const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - 8) });

  test('makes a key, and shows each field as specification 2.7 has it', async () => {
    const plugin = { name: 'pf', config: { snake_key: { camelKey: 1 }, Ünïcode: [null, 1.5, ''] } };
    const answer = await create({ plugin, privateIP: '10.0.0.2', services: ['vpn'], device_id: ' dev-1 ' });
    const { id, atb_key } = answer.body.data;
    expect(atb_key).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expectExactly(answer, 201, {
      error: 0,
      messages: [],
      data: {
        id,
        organization: { id: testData.organizationId, name: 'First Organization', logo: '' },
        atb_key,
        type: 'gateway',
        email: 'a@example.com',
        check: {
          stat: { vpn: 0, dnsbl: 0, iplist: 0, datetime: answer.body.data.check.stat.datetime },
          status: 0,
          web_stat: [],
          chart_stat: [],
        },
        plugin,
        endpoint: '192.0.2.1',
        privateIP: '10.0.0.2',
        services: ['vpn'],
        device_id: 'dev-1',
      },
    });
  });

  test.each([
    ['type', 64, 'type', (type: string) => ({ type })],
    ['device_id', 200, 'deviceId', (device_id: string) => ({ device_id })],
    ['plugin.name', 64, 'plugin { name }', (name: string) => ({ plugin: { name } })],
  ])('takes %s of %i characters and no more, through both APIs', async (path, most, selection, fields) => {
    const fits = '💡'.repeat(most);
    const error = [`${path} must not be longer than ${most} characters`];
    expect(expectData(await create(fields(fits)), 201)).toMatchObject(fields(fits));
    expectError(await create(fields(`${fits}x`)), 400, error);
    const query = `mutation ($input: CreateThreatBlockerInput!) { createThreatBlocker(input: $input) { threatBlocker { ${selection} } } }`;
    const call = (text: string) => {
      const { device_id: deviceId, ...others } = fields(text) as { device_id?: string };
      const input = { ...least, organizationId: testData.organizationId, ...(deviceId && { deviceId }), ...others };
      return { token: testData.owner.token, variables: { input } };
    };
    expect(JSON.stringify(await gateway.graphql.data(query, call(fits)))).toContain(`"${fits}"`);
    expect(await gateway.graphql.error(query, call(`${fits}x`))).toEqual({
      code: 'BAD_USER_INPUT',
      messages: error.map((message) => message.replace('device_id', 'deviceId')),
    });
  });

  test('takes a plug-in without a configuration, and one without a name', async () => {
    const shown = async (plugin: object) => expectData(await create({ plugin }), 201).plugin;
    expect(await shown({ name: ' pf ' })).toEqual({ name: 'pf', config: {} });
    expect(await shown({ config: { a: 1 } })).toEqual({ name: '', config: { a: 1 } });
    expect(await shown({})).toEqual({ name: '', config: {} });
  });

  test('takes the longest address that there is', async () => {
    const longest = 'abcd:abcd:abcd:abcd:abcd:abcd:192.168.100.200';
    expect(longest).toHaveLength(LIMITS.device.addressCharacters);
    expect(expectData(await create({ privateIP: longest, endpoint: longest }), 201)).toMatchObject({
      privateIP: longest,
      endpoint: longest,
    });
  });

  test('takes a configuration of 64 KB and of 20 levels and nothing beyond', async () => {
    for (const [fits, beyond, error] of [
      [ofBytes(64 * 1024), ofBytes(64 * 1024 + 1), 'plugin.config must not be larger than 64 KB'],
      [config(20), config(21), 'plugin.config must not be nested deeper than 20 levels'],
    ] as const) {
      expect(expectData(await create({ plugin: { config: fits } }), 201).plugin).toEqual({ name: '', config: fits });
      expectError(await create({ plugin: { config: beyond } }), 400, [error]);
    }
    expectError(await create({ plugin: { config: [] } }), 400, ['plugin.config must be an object']);
    expectError(await create({ plugin: { Config: {} } }), 400, ['plugin.Config is not a known field']);
  });

  test('knows the private address by the name of the specification only', async () => {
    expectError(await create({ private_ip: '10.0.0.1' }), 400, ['private_ip is not a known field']);
    expectError(await create({ privateIP: 'ten' }), 400, ['privateIP must be an IPv4 or IPv6 address']);
  });
});

describe.each(KINDS)('PATCH /api/v1/$segment/{id}', ({ segment, table, build, least }) => {
  let id: number;
  const path = () => `/api/v1/${segment}/${id}`;
  const patch = (body: object, token = testData.manager.token) => gateway.rest.patch(path(), { token, body });

  beforeAll(async () => {
    id = await build(gateway.app.database, testData.organizationId);
  });

  test('changes what is given, leaves what is absent, and says when', async () => {
    const before = expectData(await gateway.rest.get(path(), { token: testData.owner.token }));
    now = new Date(now.getTime() + 1000);
    const after = expectData(await patch({ email: 'changed@example.com' }));
    expect(after).toEqual({ ...before, email: 'changed@example.com' });
    const stamp = async () => (await rows(`select updated_at as at from ${table} where id = $1`, [id]))[0]?.['at'];
    expect(await stamp()).toBe(now.toISOString());
    now = new Date(now.getTime() + 1000);
    expect(expectData(await gateway.rest.patch(path(), { token: testData.owner.token, body: {} }))).toEqual(after);
    expect(await stamp()).not.toBe(now.toISOString());
  });

  test('empties what may be empty with null, and refuses null for the rest', async () => {
    expect(expectData(await patch({ services: null })).services).toEqual([]);
    const nulls = Object.fromEntries(Object.keys(least).map((name) => [name, null]));
    expectError(
      await patch(nulls),
      400,
      Object.keys(least).map((name) => `${name} must not be null`),
    );
    expectError(await patch({ organization_id: 1 }), 400, ['organization_id is not a known field']);
    expectError(await patch({ id: 1 }), 400, ['id is not a known field']);
  });

  test('finds no deleted device', async () => {
    const gone = await build(gateway.app.database, testData.organizationId);
    await rows(`update ${table} set deleted_at = $2 where id = $1`, [gone, now]);
    const answer = await gateway.rest.patch(`/api/v1/${segment}/${gone}`, {
      token: testData.owner.token,
      body: { services: [] },
    });
    expectError(answer, 404, [1004]);
  });
});

test('PATCH /api/v1/atb/{id} keeps the parts of a plug-in apart, and replaces its configuration as a whole', async () => {
  const { build } = KINDS[1]!;
  const id = await build(gateway.app.database, testData.organizationId);
  const patch = async (body: object) =>
    expectData(await gateway.rest.patch(`/api/v1/atb/${id}`, { token: testData.owner.token, body }));
  const config = { 'some.key': [1] };
  expect((await patch({ plugin: { config } })).plugin).toEqual({ name: 'pf', config });
  expect((await patch({ plugin: { name: null } })).plugin).toEqual({ name: '', config });
  expect((await patch({ plugin: {} })).plugin).toEqual({ name: '', config });
  expect((await patch({ plugin: { name: 'x', config: null } })).plugin).toEqual({ name: 'x', config: {} });
  expect(await patch({ plugin: null, privateIP: null, device_id: null })).toMatchObject({
    plugin: { name: '', config: {} },
    privateIP: '',
    device_id: '',
  });
});

describe.each(KINDS)('POST /api/v1/$segment/{id}/restore', ({ segment, table, build }) => {
  let id: number;
  const path = () => `/api/v1/${segment}/${id}/restore`;
  const deletedAt = (at: Date | null) => rows(`update ${table} set deleted_at = $2 where id = $1`, [id, at]);

  beforeAll(async () => {
    id = await build(gateway.app.database, testData.organizationId);
  });

  test('brings a device back as it was, for 30 days and not a moment longer', async () => {
    const { token } = testData.manager;
    const before = await gateway.rest.get(`/api/v1/${segment}/${id}`, { token });
    await deletedAt(new Date(now.getTime() - 30 * DAY - 1));
    expectError(await gateway.rest.post(path(), { token }), 404, [1004]);
    await deletedAt(new Date(now.getTime() - 30 * DAY));
    const restored = await gateway.rest.post(path(), { token });
    expect([restored.status, restored.text]).toEqual([200, before.text]);
    expect((await gateway.rest.post(path(), { token })).text).toBe(before.text);
    expect((await gateway.rest.get(`/api/v1/${segment}/${id}`, { token })).text).toBe(before.text);
  });
});

describe.each(KINDS)('GET /api/v1/$segment', ({ segment, table, build, nameField }) => {
  const path = `/api/v1/${segment}`;
  const column = nameField;
  const list = (query = '', token = testData.manager.token) => gateway.rest.get(`${path}?${query}`, { token });
  const idsOf = async (query = '', token?: string) =>
    (expectData(await list(query, token)) as { id: number }[]).map(({ id }) => id);
  let ids: number[];
  let other: number;

  beforeAll(async () => {
    const { database } = gateway.app;
    await rows(`delete from ${table}`);
    ids = [];
    for (const name of ['b', 'c', 'a', 'c']) {
      const id = await build(database, testData.organizationId);
      await rows(`update ${table} set ${column} = $2, status = $3 where id = $1`, [id, `${name}.test`, ids.length]);
      ids.push(id);
    }
    await rows(`update ${table} set created_at = $2, last_seen_at = $3 where id = $1`, [ids[0], now, null]);
    await rows(`update ${table} set last_seen_at = $2 where id = $1`, [ids[1], new Date(now.getTime() - DAY)]);
    await rows(`update ${table} set last_seen_at = $2 where id = $1`, [ids[2], new Date(now.getTime() + DAY)]);
    await rows(`update ${table} set last_seen_at = $2 where id = $1`, [ids[3], new Date(now.getTime() - 2 * DAY)]);
    other = await build(database, testData.otherOrganizationId);
  });

  describe('of all organizations', () => {
    test('holds those that the caller manages, and no others', async () => {
      expect(await idsOf()).toEqual(ids);
      expect(await idsOf('', testData.nonMember.token)).toEqual([other]);
      for (const { token } of [testData.officer, testData.viewer, testData.userWithoutOrganization])
        expect(await idsOf('', token)).toEqual([]);
      await join(gateway.app.database, testData.nonMember, testData.organizationId, 'SECURITY_OFFICER');
      expect(await idsOf('', testData.nonMember.token)).toEqual([other]);
      await rows(`update membership set role = 'ORGANIZATION_MANAGER' where user_id = $1 and organization_id = $2`, [
        testData.nonMember.id,
        testData.organizationId,
      ]);
      expect(await idsOf('', testData.nonMember.token)).toEqual([...ids, other]);
      expect(await idsOf(`organization_id=${testData.otherOrganizationId}`, testData.nonMember.token)).toEqual([other]);
      await rows('delete from membership where user_id = $1 and organization_id = $2', [
        testData.nonMember.id,
        testData.organizationId,
      ]);
    });
  });

  pagingCases((query) => list(query));

  test('shows each device as it is read alone', async () => {
    const [first] = expectData(await list('limit=1')) as { id: number }[];
    expect(first).toEqual(expectData(await gateway.rest.get(`${path}/${ids[0]}`, { token: testData.manager.token })));
  });

  test('is ordered both ways, the id breaking ties', async () => {
    const [b, c, a, c2] = ids as [number, number, number, number];
    for (const [field, order] of [
      ['id', [b, c, a, c2]],
      [nameField, [a, b, c, c2]],
      ['status', [b, c, a, c2]],
      ['last_seen', [c2, c, b, a]],
    ] as const) {
      expect([field, await idsOf(`sort=${field}`)]).toEqual([field, order]);
      expect([field, await idsOf(`sort=-${field}`)]).toEqual([field, order.toReversed()]);
    }
    expectError(await list('sort=email'), 400, [
      `sort must be one of id, -id, ${nameField}, -${nameField}, status, -status, last_seen, -last_seen`,
    ]);
  });

  test('is filtered by search, status and deletion', async () => {
    expect(await idsOf('search=C.TEST')).toEqual([ids[1], ids[3]]);
    expect(await idsOf('search=c.test&status=3')).toEqual([ids[3]]);
    expect(await idsOf('status=2')).toEqual([ids[2]]);
    for (const status of ['4', '-1', 'down', '']) {
      expectError(await list(`status=${status}`), 400, ['status must be one of 0, 1, 2, 3']);
    }
    const [gone, forgotten] = [
      await build(gateway.app.database, testData.organizationId),
      await build(gateway.app.database, testData.organizationId),
    ];
    await rows(`update ${table} set deleted_at = $2 where id = $1`, [gone, new Date(now.getTime() - 30 * DAY)]);
    await rows(`update ${table} set deleted_at = $2 where id = $1`, [
      forgotten,
      new Date(now.getTime() - 30 * DAY - 1),
    ]);
    expect(await idsOf()).toEqual(ids);
    expect(await idsOf('deleted=false')).toEqual(ids);
    expect(await idsOf('deleted=true')).toEqual([gone]);
    expect(await idsOf(`deleted=true&organization_id=${testData.organizationId}`)).toEqual([gone]);
  });
});
