import { describe, expect, test } from '@jest/globals';
import { APIS } from '../support/apis.js';
import { verifyProofOffline } from '../support/audit.js';
import { TestClock } from '../support/clock.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { newMember } from '../support/people.js';
import { proofAddress, proofAddressAnswer, proofAnswer, proofThrough, type ProofQuery } from '../support/proofs.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { seedOrganization } from '../support/seeded-organization.js';
import { buildOrganization, buildPerson, join } from '../support/test-data.js';

const clock = new TestClock();
const { gateway, testData } = await startSeededGateway({ now: clock.now });
const { database, services } = gateway.app;
const at = (hours: number) => clock.at(hours).toISOString();
const { organizationId, owner } = testData;

clock.set(0);
const patch = async (path: string, body: object) =>
  expectData(await gateway.rest.patch(path, { token: owner.token, body }));
const seeded = await seedOrganization(database, organizationId, owner);
await patch(`/api/v1/organizations/${organizationId}`, { description: 'Seeded' });
// An organization that was not created through the gateway is recorded as a whole.
await services.recordedStates.recordMissing();
clock.set(1);
await patch(`/api/v1/v-ciso/incidents/${organizationId}/${seeded.incidentId}`, { title: 'Changed' });
clock.set(2);

async function verified(text: string): Promise<string> {
  const keys = (await gateway.rest.get('/.well-known/audit-keys.json')).body;
  const { exitCode, output } = await verifyProofOffline(text, { keys });
  return `${exitCode} ${output}`;
}

/** An object of each type, and the tables of the rows in its proof. */
const OBJECTS: readonly (readonly [object: string, tables: readonly string[]])[] = [
  [`ORGANIZATION/${organizationId}`, ['organization']],
  [`MEMBER/${seeded.memberId}`, ['membership']],
  [`SERVICE_ACCOUNT/${seeded.serviceAccountId}`, ['membership']],
  ['WORKFLOW/nis2-directive', ['control_attestation', 'control_state', 'document_version', 'organization_workflow']],
  ['CONTROL/nis2-directive/21.2.a', ['control_attestation', 'control_state', 'document_version']],
  [`DOCUMENT_VERSION/${seeded.documentVersionId}`, ['document_version']],
  [`INCIDENT/${seeded.incidentId}`, ['incident', 'incident_attachment', 'incident_note', 'incident_report']],
  [`INCIDENT_ATTACHMENT/${seeded.attachmentId}`, ['incident_attachment']],
  [`ENGAGEMENT/${seeded.engagementId}`, ['engagement', 'engagement_auditor', 'evidence_request']],
  [`CLOUD_DEFENDER/${seeded.cloudDefenderId}`, ['cloud_defender']],
  [`THREAT_BLOCKER/${seeded.threatBlockerId}`, ['threat_blocker']],
];

describe.each(APIS)('a proof through %s', (api) => {
  const sent = async (query: ProofQuery, { token } = owner) => {
    const answer = await proofThrough(api, gateway, organizationId, query, token);
    expectStatus(answer, 200);
    return answer.text;
  };
  const refused = async (query: ProofQuery, { token }: { token: string }) => {
    if (api === 'REST') return (await proofThrough(api, gateway, organizationId, query, token)).status;
    const { body } = await proofAddressAnswer(gateway, organizationId, query, token);
    return { FORBIDDEN: 403, NOT_FOUND: 404, BAD_USER_INPUT: 400 }[String(body.errors?.[0]?.extensions.code)];
  };

  test('has what was there at its instant, and verifies', async () => {
    for (const [hours, title] of [
      [0.5, 'Phishing wave'],
      [1.5, 'Changed'],
    ] as const) {
      const text = await sent({ as_of: at(hours) });
      expect(proofAnswer(text)['incident']).toMatchObject([{ title }]);
      expect(await verified(text)).toMatch(`0 valid: all of organization/${organizationId} as of ${at(hours)}`);
    }
  });

  test.each(OBJECTS)('of %s has its rows alone, and verifies', async (object, tables) => {
    const text = await sent({ as_of: at(1.5), object });
    const answer = proofAnswer(text);
    expect(
      Object.keys(answer)
        .filter((table) => answer[table]!.length > 0)
        .toSorted(),
    ).toEqual(tables);
    expect(await verified(text)).toMatch(`0 valid: ${object} of organization/${organizationId}`);
  });

  test('is refused to whom the audit trail is, and for what was not there', async () => {
    const { analyst, nonMember, officer } = testData;
    expect(await refused({}, analyst)).toBe(403);
    expect(await refused({}, nonMember)).toBe(404);
    for (const object of ['INCIDENT/987654', 'MEMBER/7', 'CONTROL/nis2-directive'])
      expect([object, await refused({ object }, officer)]).toEqual([object, 404]);
    for (const object of ['toString/1', 'INCIDENT', 'INCIDENT/', 'TOKEN/1', '7'])
      expect([object, await refused({ object }, officer)]).toEqual([object, 400]);
    for (const hours of [1000, -1000]) expect(await refused({ as_of: at(hours) }, officer)).toBe(400);
  });
});

describe('the address of a proof', () => {
  const object = `INCIDENT/${seeded.incidentId}`;
  const statusOf = async (address: string, token?: string) =>
    (await gateway.rest.get(address, token === undefined ? {} : { token })).status;

  test('that was changed anywhere leads nowhere, with and without a token', async () => {
    const address = await proofAddress(gateway, organizationId, { as_of: at(1.5), object }, owner.token);
    const changed = (name: string, value?: string) => {
      const [path = '', query = ''] = address.split('?');
      const parameters = new URLSearchParams(query);
      if (value === undefined) parameters.delete(name);
      else parameters.set(name, value);
      return `${path}?${parameters}`;
    };
    const body = { name: 'Of the same owner' };
    const made = await gateway.rest.post('/api/v1/organizations', { token: owner.token, body });
    const { id: other } = expectData(made, 201) as { id: number };
    const [whole, ofOther] = await Promise.all(
      [organizationId, other].map((each) => proofAddress(gateway, each, {}, owner.token)),
    );
    const others = [
      changed('object', `MEMBER/${seeded.memberId}`),
      changed('object'),
      changed('as_of', at(0.5)),
      changed('as_of'),
      changed('for', testData.officer.username),
      changed('for'),
      changed('expires', '9999999999'),
      changed('expires'),
      changed('signature', 'x'.repeat(43)),
      changed('signature', ''),
      `${changed('object', object)}&object=MEMBER/${seeded.memberId}`,
      whole!.replace(`organizations/${organizationId}/`, `organizations/${other}/`),
    ];
    for (const each of others)
      for (const token of [undefined, owner.token]) expect([each, await statusOf(each, token)]).toEqual([each, 404]);
    for (const each of [whole!, ofOther!]) expect(await statusOf(each)).toBe(200);
    expect(await statusOf(changed('signature'))).toBe(401);
    expect(await statusOf(changed('object', object))).toBe(200);
  });

  test('is good for fifteen minutes', async () => {
    const address = await proofAddress(gateway, organizationId, { object }, owner.token);
    clock.set(2 + 14.9 / 60);
    expect(await statusOf(address)).toBe(200);
    clock.set(2 + 15.1 / 60);
    expect(await statusOf(address)).toBe(404);
    clock.set(2);
  });

  test('leads nowhere any more when its member has lost the right to the audit trail, of which the file has newer entries', async () => {
    const officer = await newMember(database, organizationId, 'SECURITY_OFFICER');
    clock.set(3);
    const address = await proofAddress(gateway, organizationId, { object }, officer.token);
    await patch(`/api/v1/organizations/${organizationId}`, { description: 'Newer' });
    const { status, text } = await gateway.rest.get(address);
    expect([status, text.includes('Newer')]).toEqual([200, true]);
    const member = `/api/v1/organizations/${organizationId}/users/${officer.id}`;
    const body = { role: 'SECURITY_ANALYST' };
    expectData(await gateway.rest.patch(member, { token: owner.token, body }));
    expect(await statusOf(address)).toBe(404);
  });

  test('leads nowhere any more when the organization was deleted', async () => {
    const founder = await buildPerson(database, 'founder');
    const id = await buildOrganization(database, 'Deleted');
    await join(database, founder, id, 'ORGANIZATION_OWNER');
    const address = await proofAddress(gateway, id, {}, founder.token);
    expectStatus(await gateway.rest.delete(`/api/v1/organizations/${id}`, { token: founder.token }), 200);
    expect(await statusOf(address)).toBe(404);
  });
});
