import { describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure } from '../support/apis.js';
import { mutation } from '../support/operations.js';
import { multipart } from '../support/rest.js';
import { samples } from '../support/sample-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();
const { token } = testData.nonMember;
const organizationId = testData.otherOrganizationId;

const UPDATE = mutation(
  'PATCH /api/v1/organizations/{organization_id}',
  'updateOrganization',
  'organization { name logo website }',
);
const CREATE = mutation('POST /api/v1/organizations', 'createOrganization', 'organization { name logo }');

const local = [
  'http://localhost/logo.png',
  'http://localhost:4000/logo.png',
  'http://LOCALHOST./logo.png',
  'http://a.localhost/logo.png',
  'http://printer/logo.png',
  'http://printer.local/logo.png',
  'http://wiki.internal/logo.png',
  'http://wiki.corp./logo.png',
  'http://router.home.arpa/logo.png',
  'http://127.0.0.1/logo.png',
  'http://127.1/logo.png',
  'http://127.0.0.1./logo.png',
  'http://2130706433/logo.png',
  'http://0x7f000001/logo.png',
  'http://0177.0.0.1/logo.png',
  'http://%31%32%37.0.0.1/logo.png',
  'http://１２７.0.0.1/logo.png',
  'http://0/logo.png',
  'http://10.0.0.1/logo.png',
  'http://100.64.0.1/logo.png',
  'http://169.254.169.254/latest/meta-data',
  'http://172.31.255.255/logo.png',
  'http://192.168.1.1/logo.png',
  'http://224.0.0.1/logo.png',
  'http://255.255.255.255/logo.png',
  'http://[::]/logo.png',
  'http://[::1]/logo.png',
  'http://[::ffff:127.0.0.1]/logo.png',
  'http://[::ffff:a9fe:a9fe]/logo.png',
  'http://[::ffff:0:127.0.0.1]/logo.png',
  'http://[64:ff9b::7f00:1]/logo.png',
  'http://[2002:7f00:1::]/logo.png',
  'http://[2001::1]/logo.png',
  'http://[fe80::1]/logo.png',
  'http://[fd00::1]/logo.png',
  'http://[ff02::1]/logo.png',
];
const MESSAGE = ['logo must be on a public host, not on a local one'];

describe.each(APIS)('through %s', (api) => {
  const update = (values: object) =>
    callThrough(api, gateway, UPDATE, { organization_id: organizationId, ...values }, token);
  const stored = async () =>
    (
      await gateway.app.database.rows<{ logo: string }>('select logo from organization where id = $1', [organizationId])
    )[0]?.logo;

  test.each(local)('the logo %s is refused, on creation as well', async (logo) => {
    const before = await stored();
    expectFailure(await update({ logo }), 'BAD_USER_INPUT', MESSAGE);
    expect(await stored()).toBe(before);
    const name = `Created with ${logo}`;
    expectFailure(await callThrough(api, gateway, CREATE, { name, logo }, token), 'BAD_USER_INPUT', MESSAGE);
    expect(await gateway.app.database.rows('select 1 from organization where name = $1', [name])).toEqual([]);
  });

  test.each([
    'https://www.rossi-energia.example/logo.png',
    'http://cdn.acme.example:8080/logo.png',
    'https://8.8.8.8/logo.png',
    'https://[2606:4700:4700::1111]/logo.png',
    'https://xn--mnchen-3ya.de/logo.png',
    'https://localhost.example.com/logo.png',
    '',
  ])('the logo %j is stored', async (logo) => {
    expect(dataOf(await update({ logo })).logo).toBe(logo);
  });

  test('a local logo that was stored before is still read, and can be sent back as it is', async () => {
    const logo = 'http://localhost/old.png';
    await gateway.app.database.rows('update organization set logo = $2 where id = $1', [organizationId, logo]);
    expect(dataOf(await update({ name: 'Sent back', logo }))).toMatchObject({ name: 'Sent back', logo });
    expectFailure(await update({ logo: `${logo}?new` }), 'BAD_USER_INPUT', MESSAGE);
  });

  test("the gateway's own logos are good on any host, and what only begins like one is not", async () => {
    const { filename, contentType: type, bytes: content } = samples.PNG;
    const { headers, body } = multipart([{ name: 'logo', filename, type, content }]);
    const answer = await gateway.rest.call('PUT', `/api/v1/organizations/${organizationId}/logo`, {
      token,
      headers,
      body,
    });
    const { logo } = answer.body.data;
    expect(new URL(logo).hostname).toBe('127.0.0.1');
    expect(dataOf(await update({ logo })).logo).toBe(logo);
    const created = await callThrough(api, gateway, CREATE, { name: `Copied by ${api}`, logo }, token);
    expect(dataOf(created).logo).toBe(logo);
    for (const other of [`${gateway.url}/other.png`, `${gateway.url}/logos/other.png`])
      expectFailure(await update({ logo: other }), 'BAD_USER_INPUT', MESSAGE);
  });

  test('a website may be a local one: it is only linked to', async () => {
    expect(dataOf(await update({ website: 'http://intranet/start' })).website).toBe('http://intranet/start');
  });
});
