import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY } from '../../src/common/time.js';
import { LIMITS } from '../../src/values/limits.js';
import { APIS, callThrough, dataOf, expectFailure } from '../support/apis.js';
import { KINDS, operationsOf, type TestedKind } from '../support/device-kinds.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildCloudDefender, buildOrganization, buildToken, join, type Person } from '../support/test-data.js';

const [EDGE, BLOCKER] = KINDS as readonly [TestedKind, TestedKind];

let now = new Date('2026-03-04T10:23:00.000Z');
/** Created for each case. */
let organizationId: number;

const { gateway, testData } = await startSeededGateway({ now: () => now });
beforeEach(async () => {
  organizationId = await buildOrganization(gateway.app.database, 'Of one case');
  await join(gateway.app.database, testData.manager, organizationId, 'ORGANIZATION_MANAGER');
});

const rows = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);
const ago = (days: number) => new Date(now.getTime() - days * DAY).toISOString();
const organization = () => ({ id: organizationId, name: 'Of one case', logo: '' });

describe.each(APIS.flatMap((api) => KINDS.map((kind) => ({ ...kind, api }))))(
  '$one through $api',
  ({ api, ...kind }) => {
    const { table, build, least, nameField } = kind;
    const OPERATIONS = operationsOf(kind);
    const call = (name: keyof typeof OPERATIONS, input: object = {}, { token }: Person = testData.manager) =>
      callThrough(api, gateway, OPERATIONS[name], { ...input }, token);
    const data = async (name: keyof typeof OPERATIONS, input?: object) => dataOf(await call(name, input));
    const create = (fields: object = {}) => call('create', { organization_id: organizationId, ...least, ...fields });
    const make = () => build(gateway.app.database, organizationId);
    const deletedAt = (id: number, at: string) => rows(`update ${table} set deleted_at = $2 where id = $1`, [id, at]);

    describe('creating', () => {
      test('answers the record as it is read from then on', async () => {
        const created = dataOf(await create());
        const { id } = created;
        expect(JSON.stringify(await data('read', { id }))).toBe(JSON.stringify(created));
        const stamps = await rows(`select created_at as created, updated_at as updated from ${table} where id = $1`, [
          id,
        ]);
        expect(stamps).toEqual([{ created: now.toISOString(), updated: now.toISOString() }]);
      });

      test('accepts 50 services of 64 characters and no more, each once', async () => {
        const word = '💡'.repeat(LIMITS.device.wordCharacters);
        const many = Array.from({ length: LIMITS.device.services }, (_, index) => `service ${index}`);
        expect(dataOf(await create({ services: [word, ' waf ', 'waf'] })).services).toEqual([word, 'waf']);
        expect(dataOf(await create({ services: many })).services).toEqual(many);
        expectFailure(await create({ services: [...many, 'x'] }), 'BAD_USER_INPUT', [
          'services must not have more than 50 items',
        ]);
        expectFailure(await create({ services: ['', `${word}x`] }), 'BAD_USER_INPUT', [
          'services[0] is required',
          'services[1] must not be longer than 64 characters',
        ]);
      });

      test('accepts IPv4 and IPv6 addresses as endpoint, and nothing else', async () => {
        for (const endpoint of ['2001:db8::1', '::ffff:192.0.2.1', '255.255.255.255'])
          expect(dataOf(await create({ endpoint })).endpoint).toBe(endpoint);
        for (const endpoint of ['', '192.0.2.01', '192.0.2.256', 'fe80::1%eth0', '2001:db8::g', 'example.com', 'x'])
          expectFailure(await create({ endpoint }), 'BAD_USER_INPUT', ['endpoint must be an IPv4 or IPv6 address']);
      });

      test('is refused with every error at once, each by its path', async () => {
        const names = Object.keys(least).filter((name) => name !== 'type');
        const wrong = Object.fromEntries(names.map((name) => [name, '?']));
        const messages = [
          'email must be an e-mail address',
          ...(names.includes('fqdn') ? ['fqdn must be a hostname'] : []),
          'endpoint must be an IPv4 or IPv6 address',
        ];
        for (const [services, message] of [
          [[1, 'waf'], 'services[0] must be a string'],
          [['\u0007'], 'services[0] must not contain control characters'],
        ] as const)
          expectFailure(await create({ ...wrong, services }), 'BAD_USER_INPUT', [...messages, message]);
        expectFailure(await create({ id: 7 }), 'BAD_USER_INPUT', ['id is not a known field']);
        const required = ['organization_id', ...Object.keys(least)].map((name) => `${name} is required`);
        expectFailure(await call('create', { services: [] }), 'BAD_USER_INPUT', required);
      });
    });

    describe('changing', () => {
      test('changes what is given, leaves what is absent, and records when', async () => {
        const id = await make();
        const before = await data('read', { id });
        const stamp = async () => (await rows(`select updated_at as at from ${table} where id = $1`, [id]))[0]?.['at'];
        now = new Date(now.getTime() + 1000);
        const after = await data('update', { id, email: 'changed@example.com' });
        expect(JSON.stringify(after)).toBe(JSON.stringify({ ...before, email: 'changed@example.com' }));
        expect(await stamp()).toBe(now.toISOString());
        now = new Date(now.getTime() + 1000);
        for (const same of [{}, { email: 'changed@example.com' }])
          expect(await data('update', { id, ...same })).toEqual(after);
        expect(await stamp()).not.toBe(now.toISOString());
      });

      test('empties what may be empty with null, and refuses null for the rest', async () => {
        const id = await make();
        expect((await data('update', { id, services: null })).services).toEqual([]);
        const nulls = Object.fromEntries(Object.keys(least).map((name) => [name, null]));
        const messages = Object.keys(least).map((name) => `${name} must not be null`);
        expectFailure(await call('update', { id, ...nulls }), 'BAD_USER_INPUT', messages);
      });

      test('finds no deleted device', async () => {
        const id = await make();
        await deletedAt(id, ago(0));
        expectFailure(await call('update', { id, services: [] }), 'NOT_FOUND');
      });
    });

    describe('deleting and restoring', () => {
      test('answers the record as it was, which is not found from then on, and retains its row', async () => {
        const id = await make();
        const before = await data('read', { id });
        expect(await data('remove', { id })).toEqual(before);
        expectFailure(await call('read', { id }), 'NOT_FOUND');
        expectFailure(await call('remove', { id }), 'NOT_FOUND');
        expect(await data('list', { organization_id: organizationId })).toEqual([]);
        expect(await rows(`select 1 from ${table} where id = $1 and deleted_at is not null`, [id])).toHaveLength(1);
      });

      test('deletes once when many requests are sent at once', async () => {
        const id = await make();
        const answers = await Promise.all(Array.from({ length: 6 }, () => call('remove', { id })));
        expect(answers.map(({ code }) => code).toSorted()).toEqual([...Array<string>(5).fill('NOT_FOUND'), 'OK']);
      });

      test('restores a device as it was, for 30 days and not a moment longer', async () => {
        const id = await make();
        const before = await data('read', { id });
        await deletedAt(id, new Date(Date.parse(ago(30)) - 1).toISOString());
        expectFailure(await call('restore', { id }), 'NOT_FOUND');
        await deletedAt(id, ago(30));
        for (const name of ['restore', 'restore', 'read'] as const)
          expect(JSON.stringify(await data(name, { id }))).toBe(JSON.stringify(before));
      });

      test('finds no device of a deleted organization', async () => {
        const id = await make();
        await rows('update organization set deleted_at = now() where id = $1', [organizationId]);
        for (const name of ['read', 'remove', 'restore'] as const) expectFailure(await call(name, { id }), 'NOT_FOUND');
      });
    });

    describe('the list', () => {
      let ids: readonly [number, number, number, number];

      beforeEach(async () => {
        const made: number[] = [];
        for (const [status, [name, lastSeen]] of [
          ['b', null],
          ['c', ago(1)],
          ['a', ago(-1)],
          ['c', ago(2)],
        ].entries()) {
          made.push(await make());
          await rows(
            `update ${table} set ${nameField} = $2, status = $3, created_at = $4, last_seen_at = $5 where id = $1`,
            [made.at(-1), `${name}.test`, status, now, lastSeen],
          );
        }
        ids = made as never;
      });

      const list = ({ sort, ...query }: { sort?: string }, person?: Person) => {
        // GraphQL has one name for the device names of all kinds.
        const field = api === 'REST' ? sort : sort?.replace(nameField, 'name');
        return call('list', { organization_id: organizationId, ...query, ...(sort && { sort: field }) }, person);
      };
      const idsOf = async (query: object = {}, person?: Person) =>
        (dataOf(await list(query, person)) as { id: number }[]).map(({ id }) => id);

      test('shows each device as it is read by itself, and counts them', async () => {
        const { data: listed, total } = await list({
          limit: 1,
          ...(api === 'REST' && { include: 'series' }),
        } as object);
        expect(JSON.stringify(listed)).toBe(JSON.stringify([await data('read', { id: ids[0] })]));
        expect(total).toBe(4);
      });

      test('without an organization is of all that the caller manages, and of no others', async () => {
        const { database } = gateway.app;
        const owner = testData.nonMember;
        const ofAll = async () =>
          (dataOf(await call('list', { limit: 100 }, owner)) as { id: number }[]).map(({ id }) => id);
        const other = await build(database, testData.otherOrganizationId);
        expect(await ofAll()).toContain(other);
        for (const person of [testData.officer, testData.viewer, testData.userWithoutOrganization])
          expect(await call('list', {}, person)).toMatchObject({ data: [], total: 0 });
        await join(database, owner, organizationId, 'SECURITY_OFFICER');
        expect(await ofAll()).not.toContain(ids[0]);
        await rows(`update membership set role = 'ORGANIZATION_MANAGER' where user_id = $1 and organization_id = $2`, [
          owner.id,
          organizationId,
        ]);
        expect(await ofAll()).toEqual(expect.arrayContaining([...ids, other]));
        expect(await idsOf({ organization_id: organizationId }, owner)).toEqual(ids);
        const blocked = { ...owner, token: await buildToken(database, owner, {}) };
        await rows('insert into token_block (token_id, organization_id) select max(id), $1 from api_token', [
          testData.otherOrganizationId,
        ]);
        const reached = (dataOf(await call('list', { limit: 100 }, blocked)) as { id: number }[]).map(({ id }) => id);
        expect(reached).toEqual(expect.arrayContaining([...ids]));
        expect(reached).not.toContain(other);
      });

      test('is ordered in both directions, the id breaking ties', async () => {
        const [b, c, a, c2] = ids;
        for (const [field, order] of [
          ['id', [b, c, a, c2]],
          [nameField, [a, b, c, c2]],
          ['status', [b, c, a, c2]],
          ['last_seen_at', [c2, c, b, a]],
        ] as const) {
          expect([field, await idsOf({ sort: field })]).toEqual([field, order]);
          expect([field, await idsOf({ sort: `-${field}` })]).toEqual([field, order.toReversed()]);
          const pages = [await idsOf({ sort: field, limit: 3 }), await idsOf({ sort: field, limit: 3, offset: 3 })];
          expect([field, pages.flat()]).toEqual([field, order]);
        }
        expect(await idsOf()).toEqual(ids);
      });

      test('is searched in any case, without wildcards, and filtered by status', async () => {
        expect(await idsOf({ search: 'C.TEST' })).toEqual([ids[1], ids[3]]);
        expect(await idsOf({ search: 'c.test', status: 3 })).toEqual([ids[3]]);
        expect(await idsOf({ status: 2 })).toEqual([ids[2]]);
        expect(await list({ search: '%' } as object)).toMatchObject({ data: [], total: 0 });
      });

      test('is searched without regard to accents and to the Unicode form of what is searched', async () => {
        await rows(`update ${table} set ${nameField} = 'sécurité.test' where id = $1`, [ids[0]]);
        for (const search of ['SECURITE', 'sécu', 'cuRité'.normalize('NFD')])
          expect([search, await idsOf({ search })]).toEqual([search, [ids[0]]]);
      });

      test('shows deleted devices when they are filtered for, for 30 days', async () => {
        const [gone, forgotten] = [await make(), await make()];
        await deletedAt(gone, ago(30));
        await deletedAt(forgotten, new Date(Date.parse(ago(30)) - 1).toISOString());
        expect(await idsOf()).toEqual(ids);
        expect(await idsOf({ deleted: false })).toEqual(ids);
        expect(await idsOf({ deleted: true })).toEqual([gone]);
      });
    });
  },
);

describe.each(APIS)('an edge protection through %s', (api) => {
  const OPERATIONS = operationsOf(EDGE);
  const call = async (name: keyof typeof OPERATIONS, input: object) =>
    dataOf(await callThrough(api, gateway, OPERATIONS[name], { ...input }, testData.manager.token));

  test('stores its domain name in lower case and shows every field of specification 2.6', async () => {
    const created = await call('create', {
      organization_id: organizationId,
      email: 'soc@example.com',
      fqdn: 'WWW.Example.COM',
      endpoint: '192.0.2.10',
      services: ['waf', 'cdn'],
    });
    const { datetime } = created.check.stat;
    const record = {
      id: created.id,
      organization: organization(),
      email: 'soc@example.com',
      fqdn: 'www.example.com',
      check: { stat: { fqdn: 0, proxy: 0, endpoint: 0, datetime: now.toISOString() }, status: 0, web_stat: [] },
      endpoint: '192.0.2.10',
      services: ['waf', 'cdn'],
    };
    expect(datetime).toBe(now.toISOString());
    expect(JSON.stringify(created)).toBe(JSON.stringify(record));
  });

  test('shows the newest report, however old, and the reports of a week, oldest first', async () => {
    const id = await buildCloudDefender(gateway.app.database, organizationId);
    const report = (datetime: string, fqdn: number, requests: number) =>
      EDGE.store(gateway.app.database, id, {
        datetime: new Date(datetime),
        stat: { fqdn, proxy: 2, endpoint: 3 },
        webStat: { wafProtection: 4, totalManagedRequests: requests },
      });
    await report(ago(8), 3, 10);
    expect((await call('read', { id })).check).toMatchObject({ stat: { fqdn: 3, datetime: ago(8) }, web_stat: [] });
    await report(ago(1), 1, 30);
    await report(ago(2), 2, 20);
    await rows('update cloud_defender set status = 2 where id = $1', [id]);
    await rows(`update organization set logo = 'https://cdn.example.com/a.png' where id = $1`, [organizationId]);
    const shown = await call('read', { id });
    expect(shown.organization.logo).toBe('https://cdn.example.com/a.png');
    expect(JSON.stringify(shown.check)).toBe(
      JSON.stringify({
        stat: { fqdn: 1, proxy: 2, endpoint: 3, datetime: ago(1) },
        status: 2,
        web_stat: [
          { datetime: ago(2), waf_protection: 4, total_managed_requests: 20 },
          { datetime: ago(1), waf_protection: 4, total_managed_requests: 30 },
        ],
      }),
    );
  });
});

describe.each(APIS)('a threat blocker through %s', (api) => {
  const OPERATIONS = operationsOf(BLOCKER);
  const { least } = BLOCKER;
  const call = (name: keyof typeof OPERATIONS, input: object) =>
    callThrough(api, gateway, OPERATIONS[name], { ...input }, testData.manager.token);
  const create = (fields: object) => call('create', { organization_id: organizationId, ...least, ...fields });

  test('has a key of its own and shows every field of specification 2.7', async () => {
    const plugin = { name: 'pf', config: { snake_key: { camelKey: 1 }, Ünïcode: [null, 1.5, ''] } };
    const fields = { plugin, privateIP: '10.0.0.2', services: ['vpn'], device_id: ' dev-1 ' };
    const created = dataOf(await create(fields));
    expect(created.atb_key).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const record = {
      id: created.id,
      organization: organization(),
      atb_key: created.atb_key,
      type: 'gateway',
      email: 'soc@example.com',
      check: {
        stat: { vpn: 0, dnsbl: 0, iplist: 0, datetime: now.toISOString() },
        status: 0,
        web_stat: [],
        chart_stat: [],
      },
      plugin,
      endpoint: '192.0.2.1',
      privateIP: '10.0.0.2',
      services: ['vpn'],
      device_id: 'dev-1',
    };
    expect(JSON.stringify(created)).toBe(JSON.stringify(record));
  });

  test('shows the newest report, the web traffic and the chart of a week, oldest first', async () => {
    const id = await BLOCKER.build(gateway.app.database, organizationId);
    const start = (hours: number) => Math.floor(now.getTime() / 1000) - hours * 3600;
    for (const hours of [1, 200, 2]) {
      const bucketStart = start(hours);
      await BLOCKER.store(gateway.app.database, id, {
        datetime: new Date(ago(hours / 24)),
        stat: { vpn: 1, dnsbl: 2, iplist: 3 },
        webStat: { wafProtection: hours, totalManagedRequests: 7 },
        chartStat: [{ bucketStart, bucketEnd: bucketStart + 60, totalRequests: 900, maliciousRequests: 9 }],
      });
    }
    await rows('update threat_blocker set status = 3 where id = $1', [id]);
    const web = (hours: number) => ({ datetime: ago(hours / 24), waf_protection: hours, total_managed_requests: 7 });
    const bucket = (hours: number) => ({
      bucket_start: start(hours),
      bucket_end: start(hours) + 60,
      total_requests: 900,
      malicious_requests: 9,
    });
    expect(JSON.stringify(dataOf(await call('read', { id })).check)).toBe(
      JSON.stringify({
        stat: { vpn: 1, dnsbl: 2, iplist: 3, datetime: ago(1 / 24) },
        status: 3,
        web_stat: [web(2), web(1)],
        chart_stat: [bucket(2), bucket(1)],
      }),
    );
  });

  test('shows the configuration key for key as the customer wrote it', async () => {
    const id = await BLOCKER.build(gateway.app.database, organizationId);
    const config = '{"a":1.5,"Id":null,"__proto__":{"x":1},"data":{"camelCase":"è","snake_case":[]},"constructor":"x"}';
    await rows('update threat_blocker set plugin_config = $2 where id = $1', [id, config]);
    const shown = dataOf(await call('read', { id })).plugin.config as object;
    expect(Object.entries(shown).toSorted()).toEqual(Object.entries(JSON.parse(config) as object).toSorted());
  });

  test.each([
    ['type', 64, (type: string) => ({ type })],
    ['device_id', 200, (device_id: string) => ({ device_id })],
    ['plugin.name', 64, (name: string) => ({ plugin: { name } })],
  ])('accepts %s of %i characters and no more', async (path, most, fields) => {
    const fits = '💡'.repeat(most);
    expect(dataOf(await create(fields(fits)))).toMatchObject(fields(fits));
    expectFailure(await create(fields(`${fits}x`)), 'BAD_USER_INPUT', [
      `${path} must not be longer than ${most} characters`,
    ]);
  });

  test('accepts a plug-in without a configuration, and one without a name', async () => {
    for (const [plugin, shown] of [
      [{ name: ' pf ' }, { name: 'pf', config: {} }],
      [{ config: { a: 1 } }, { name: '', config: { a: 1 } }],
      [{}, { name: '', config: {} }],
    ])
      expect(dataOf(await create({ plugin })).plugin).toEqual(shown);
  });

  test('accepts the longest address that there is, and no text that is none', async () => {
    const longest = 'abcd:abcd:abcd:abcd:abcd:abcd:192.168.100.200';
    expect(longest).toHaveLength(LIMITS.device.addressCharacters);
    const addresses = { privateIP: longest, endpoint: longest };
    expect(dataOf(await create(addresses))).toMatchObject(addresses);
    expectFailure(await create({ privateIP: 'ten' }), 'BAD_USER_INPUT', ['privateIP must be an IPv4 or IPv6 address']);
  });

  test('accepts a configuration of 64 KB and of 20 levels and nothing beyond', async () => {
    const config = (levels: number): object => (levels === 1 ? {} : { a: config(levels - 1) });
    const ofBytes = (bytes: number, letter = 'x') => ({ a: letter.repeat((bytes - 8) / Buffer.byteLength(letter)) });
    for (const [fits, beyond, message] of [
      [ofBytes(64 * 1024), ofBytes(64 * 1024 + 1), 'plugin.config must not be larger than 64 KB'],
      [ofBytes(64 * 1024, 'ü'), ofBytes(64 * 1024 + 2, 'ü'), 'plugin.config must not be larger than 64 KB'],
      [config(20), config(21), 'plugin.config must not be nested deeper than 20 levels'],
    ] as const) {
      expect(dataOf(await create({ plugin: { config: fits } })).plugin).toEqual({ name: '', config: fits });
      expectFailure(await create({ plugin: { config: beyond } }), 'BAD_USER_INPUT', [message]);
    }
    expectFailure(await create({ plugin: { config: [] } }), 'BAD_USER_INPUT', ['plugin.config must be an object']);
  });

  test('separates the parts of a plug-in when it is changed, and replaces its configuration as a whole', async () => {
    const id = await BLOCKER.build(gateway.app.database, organizationId);
    const change = async (fields: object) => dataOf(await call('update', { id, ...fields }));
    const config = { 'some.key': [1] };
    for (const [plugin, shown] of [
      [{ config }, { name: 'pf', config }],
      [{ name: null }, { name: '', config }],
      [{}, { name: '', config }],
      [
        { name: 'x', config: null },
        { name: 'x', config: {} },
      ],
    ])
      expect((await change({ plugin })).plugin).toEqual(shown);
    expect(await change({ plugin: null, privateIP: null, device_id: null })).toMatchObject({
      plugin: { name: '', config: {} },
      privateIP: '',
      device_id: '',
    });
  });

  test('is not deleted as an edge protection of the same id', async () => {
    const id = await BLOCKER.build(gateway.app.database, organizationId);
    await rows('delete from cloud_defender where id = $1', [id]);
    const { remove } = operationsOf(EDGE);
    expectFailure(await callThrough(api, gateway, remove, { id }, testData.manager.token), 'NOT_FOUND');
    dataOf(await call('remove', { id }));
  });
});
