import { describe, expect, test } from '@jest/globals';
import { multipart } from '../support/rest.js';
import { inRestValues } from '../support/rest-values.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, withStory } from '../support/matchers.js';
import { buildCloudDefender, buildIncident, buildThreatBlocker, buildWorkflow } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId);

type Call = [method: string, path: string, token?: string, body?: object];

async function answered(calls: readonly Call[]): Promise<[number, string][]> {
  const answers: [number, string][] = [];
  for (const [method, path, token, body] of calls) {
    const { status, text } = await gateway.rest.call(method, path, { ...(token && { token }), ...(body && { body }) });
    answers.push([status, text]);
  }
  return answers;
}

const EMPTY = '{"error":1,"messages":[]}';

describe('failures without an integer code', () => {
  test('are those of branding', async () => {
    const path = `/api/v1/organizations/${testData.organizationId}/branding`;
    const colors = { custom_colors: { primary: '#1F6FEB' } };
    expect(
      await answered([
        ['GET', path],
        ['GET', path, testData.nonMember.token],
        ['GET', path, testData.tokens.writeOnly],
        ['PUT', path, testData.viewer.token, colors],
        ['DELETE', path, testData.owner.token],
        ['GET', '/api/v1/organizations/x/branding', testData.owner.token],
        ['GET', '/api/v1/organizations/%ff/branding', testData.owner.token],
      ]),
    ).toEqual([401, 404, 403, 403, 405, 404, 404].map((status) => [status, EMPTY]));
    expect(await answered([['PUT', path, testData.owner.token, { palette: ' ' }]])).toEqual([
      [400, '{"error":1,"messages":["palette is required"]}'],
    ]);
    const error = await gateway.graphql.error(
      `{ organization(id: ${testData.organizationId}) { branding { palette } } }`,
      {
        token: testData.nonMember.token,
      },
    );
    expect(error).toEqual({ code: 'NOT_FOUND', messages: [1004] });
  });

  test('are those of the attachments of an incident, and of no other path', async () => {
    const incident = await buildIncident(gateway.app.database, testData.organizationId);
    const path = `/api/v1/v-ciso/incidents/${testData.organizationId}/${incident}/attachments`;
    expect(
      await answered([
        ['GET', path],
        ['GET', path, testData.nonMember.token],
        ['POST', path, testData.viewer.token],
        ['PUT', path, testData.owner.token],
        ['POST', path.replace(/\d+(?=\/attachments)/, '%zz'), testData.owner.token],
      ]),
    ).toEqual([401, 404, 403, 405, 404].map((status) => [status, EMPTY]));
    expect(await answered([['GET', `${path}/999999`, testData.owner.token]])).toEqual([
      [404, '{"error":1,"messages":[1004]}'],
    ]);
    const upload = multipart([{ name: 'other', filename: 'a.txt', content: 'x' }]);
    const odd = await gateway.rest.post(path, { token: testData.analyst.token, ...upload });
    withStory(odd, () => expect(odd.body.messages).toEqual(['Invalid data provided']));
  });
});

test('the stat of a device that never reported is an object of zeros and its time of creation', async () => {
  const { token } = testData.owner;
  const edge = await buildCloudDefender(gateway.app.database, testData.organizationId);
  const blocker = await buildThreatBlocker(gateway.app.database, testData.organizationId);
  const rows = await gateway.app.database.rows<{ at: string }>(
    'select created_at as at from cloud_defender where id = $1 union all select created_at from threat_blocker where id = $2',
    [edge, blocker],
  );
  const [edgeStat, blockerStat] = [
    { fqdn: 0, proxy: 0, endpoint: 0, datetime: rows[0]!.at },
    { vpn: 0, dnsbl: 0, iplist: 0, datetime: rows[1]!.at },
  ];
  expect(expectData(await gateway.rest.get(`/api/v1/cloud-defender/${edge}`, { token })).check.stat).toEqual(edgeStat);
  expect(expectData(await gateway.rest.get(`/api/v1/atb/${blocker}`, { token })).check.stat).toEqual(blockerStat);
  const query = `{ cloudDefender(id: ${edge}) { check { stat { fqdn proxy endpoint datetime } } }
    threatBlockers(organizationId: ${testData.organizationId}) { nodes { check { stat { vpn dnsbl iplist datetime } } } } }`;
  const data = inRestValues(query, await gateway.graphql.data(query, { token }));
  expect(data.cloudDefender.check.stat).toEqual(edgeStat);
  expect(data.threatBlockers.nodes[0].check.stat).toEqual(blockerStat);
});

describe('a record that was read can be sent back as it is, and nothing changes:', () => {
  const without = (record: object, names: readonly string[]) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

  async function expectSame(path: string, token: string, readOnly: readonly string[], method = 'PATCH') {
    const before = expectData(await gateway.rest.get(path, { token }));
    const answer = await gateway.rest.call(method, path, { token, body: without(before, readOnly) });
    const ignored = ['updated_at', 'version', 'clock'];
    withStory(answer, () => {
      expect(answer.status).toBe(200);
      expect(without(answer.body.data, ignored)).toEqual(without(before, ignored));
    });
    return before;
  }

  test('an organization with nothing but its name, and the same record creates another', async () => {
    const { token } = testData.owner;
    const made = expectData(await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Bare' } }), 201);
    const readOnly = ['id', 'created_at', 'updated_at', 'version'];
    const record = await expectSame(`/api/v1/organizations/${made.id}`, token, readOnly);
    expect([record.website, record.logo, record.infrastructure]).toEqual(['', '', '']);
    const again = await gateway.rest.post('/api/v1/organizations', { token, body: without(record, readOnly) });
    withStory(again, () => expect(again.status).toBe(201));
    const { name, description, website, logo } = record;
    const input = { organizationId: made.id, name, description, website, logo, infrastructure: null };
    const mutation =
      'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { website logo infrastructure } } }';
    const data = await gateway.graphql.data(mutation, { token, variables: { input } });
    expect(data.updateOrganization.organization).toEqual({ website: null, logo: null, infrastructure: null });
  });

  test('devices', async () => {
    const { token } = testData.owner;
    const readOnly = [
      'id',
      'organization',
      'check',
      'atb_key',
      'created_at',
      'updated_at',
      'last_seen_at',
      'deleted_at',
    ];
    const edge = await buildCloudDefender(gateway.app.database, testData.organizationId);
    await expectSame(`/api/v1/cloud-defender/${edge}`, token, readOnly);
    const body = {
      organization_id: testData.organizationId,
      type: 'box',
      email: 'a@example.com',
      endpoint: '192.0.2.1',
    };
    const bare = expectData(await gateway.rest.post('/api/v1/atb', { token, body }), 201);
    const record = await expectSame(`/api/v1/atb/${bare.id}`, token, readOnly);
    expect([record.privateIP, record.device_id, record.plugin.name]).toEqual(['', '', '']);
  });

  test('incidents, controls, branding and settings', async () => {
    const { token } = testData.owner;
    const incident = await buildIncident(gateway.app.database, testData.organizationId);
    const readOnly = 'id organization clock opened_by created_at updated_at closed_at closed_by'.split(' ');
    await expectSame(`/api/v1/v-ciso/incidents/${testData.organizationId}/${incident}`, token, readOnly);
    const organization = `/api/v1/organizations/${testData.organizationId}`;
    await expectSame(`${organization}/branding`, token, [], 'PUT');
    await expectSame(`${organization}/settings`, token, []);
    const control = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/iso-27001-2022/controls/A.5.1`;
    const { status, justification, note, due_date } = expectData(await gateway.rest.get(control, { token }));
    const body = { status, justification, note, due_date };
    const answer = await gateway.rest.patch(control, { token, body });
    withStory(answer, () => expect(answer.body.data).toMatchObject(body));
  });
});

test('empty fields of a form in brackets are none, and empty framework fields are an empty object', async () => {
  const parts = Object.entries({
    'data[name]': 'Form',
    'data[website]': '',
    'data[infrastructure]': '',
    'data[compliance_frameworks][0][value]': 'ISO 27001:2023',
    'data[compliance_frameworks][0][fields]': '',
  }).map(([name, content]) => ({ name, content }));
  const answer = await gateway.rest.post('/api/v1/organizations', {
    token: testData.userWithoutOrganization.token,
    ...multipart(parts),
  });
  withStory(answer, () =>
    expect(answer.body.data).toMatchObject({
      website: '',
      infrastructure: '',
      compliance_frameworks: [{ value: 'ISO 27001:2023', fields: {} }],
    }),
  );
});
