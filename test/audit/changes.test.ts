import { describe, expect, test } from '@jest/globals';
import type { AuditAction } from '../../src/values/audit.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { withStory } from '../support/matchers.js';
import { buildCloudDefender, buildThreatBlocker, buildWorkflow, type Person } from '../support/test-data.js';

interface Entry {
  action: AuditAction;
  actor: { type: string; id: string };
  subject: { type: string; id: string; name: unknown; parent?: { type: string; id: string } };
  changes?: Record<string, { before?: unknown; after?: unknown }>;
  reason?: string;
}

const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');

/** What `work` has added to the trails of the organization and of users, oldest first. */
async function added(work: () => Promise<unknown>): Promise<{ text: string; entries: Entry[] }> {
  const since = new Date();
  await work();
  const rows = await gateway.app.database.rows<{ entry: string }>(
    `select entry from audit_entry where at >= $1 order by log_id, position`,
    [since.toISOString()],
  );
  return { text: rows.map(({ entry }) => entry).join('\n'), entries: rows.map(({ entry }) => JSON.parse(entry)) };
}

async function mutate(document: string, variables: object, { token } = testData.owner) {
  const answer = await gateway.graphql.call(document, { token, variables });
  withStory(answer, () => expect(answer.body.errors).toBeUndefined());
  return answer.body.data;
}

async function upload(content: string, { token }: Person) {
  const path = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/nis2-directive/documents/21.2.a/versions`;
  const body = {
    filename: `${content}.txt`,
    content: Buffer.from(content).toString('base64'),
    content_type: 'text/plain',
  };
  const answer = await gateway.rest.post(path, { token, body });
  withStory(answer, () => expect(answer.status).toBe(201));
  return answer.body.data;
}

describe('changes of a state that is there already', () => {
  const organizationId = () => testData.organizationId;

  test('deleting and restoring a device leaves one entry each, repeating it none', async () => {
    const id = await buildCloudDefender(gateway.app.database, organizationId());
    const { entries } = await added(async () => {
      await mutate(
        'mutation ($id: ID!) { deleteCloudDefender(input: { cloudDefenderId: $id }) { cloudDefender { id } } }',
        { id },
      );
      const restore =
        'mutation ($id: ID!) { restoreCloudDefender(input: { cloudDefenderId: $id }) { cloudDefender { id } } }';
      await mutate(restore, { id });
      await mutate(restore, { id });
    });
    expect(entries.map(({ action }) => action)).toEqual(['DEVICE_DELETED', 'DEVICE_RESTORED']);
    expect(entries[0]!.subject).toMatchObject({ type: 'CLOUD_DEFENDER', id: String(id) });
  });

  test('closing and reopening an incident leaves one entry each, repeating it none', async () => {
    const open = `mutation ($id: ID!) { openIncident(input: { organizationId: $id, title: "Twice", severity: LOW }) { incident { databaseId } } }`;
    const { openIncident } = await mutate(open, { id: organizationId() });
    const variables = { id: openIncident.incident.databaseId, organization: organizationId() };
    const { entries } = await added(async () => {
      for (const name of ['closeIncident', 'closeIncident', 'reopenIncident', 'reopenIncident'])
        await mutate(
          `mutation ($organization: ID!, $id: ID!) { ${name}(input: { organizationId: $organization, incidentId: $id }) { incident { id } } }`,
          variables,
        );
    });
    expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
      ['INCIDENT_CLOSED', { status: { before: 'OPEN', after: 'CLOSED' } }],
      ['INCIDENT_REOPENED', { status: { before: 'CLOSED', after: 'OPEN' } }],
    ]);
  });

  test('alert preferences leave an entry when one of them is another', async () => {
    const set = (atb: boolean) =>
      mutate(
        'mutation ($id: ID!, $atb: Boolean) { updateAlerts(input: { organizationId: $id, atb: $atb }) { alerts { atb } } }',
        { id: organizationId(), atb },
      );
    const { entries } = await added(async () => {
      await set(false);
      await set(false);
    });
    expect(entries).toMatchObject([{ action: 'MEMBER_UPDATED', changes: { atb: { before: true, after: false } } }]);
  });

  test('mail preferences leave an entry when one of them is another', async () => {
    const set = (incident: string) =>
      mutate(
        'mutation ($id: ID!, $incident: MailDelivery) { updateMailPreferences(input: { organizationId: $id, incident: $incident }) { mailPreferences { incident } } }',
        { id: organizationId(), incident },
      );
    const { entries } = await added(async () => {
      await set('NEVER');
      await set('NEVER');
    });
    expect(entries).toMatchObject([
      {
        action: 'MEMBER_UPDATED',
        changes: { mailPreferences: { before: { incident: 'URGENT_ONLY' }, after: { incident: 'NEVER' } } },
      },
    ]);
  });

  test('an organization that is sent back as it is leaves no entry', async () => {
    const path = `/api/v1/organizations/${organizationId()}`;
    const { token } = testData.owner;
    const { name, website, sectors, contacts } = (await gateway.rest.get(path, { token })).body.data;
    const { entries } = await added(() =>
      gateway.rest.call('PATCH', path, { token, body: { name, website, sectors, contacts } }),
    );
    expect(entries).toEqual([]);
  });
});

describe('what no trail may hold', () => {
  test('the key and the plug-in configuration of a threat blocker show as changed', async () => {
    const id = await buildThreatBlocker(gateway.app.database, testData.organizationId);
    const { text, entries } = await added(async () => {
      await mutate(
        'mutation ($id: ID!) { updateThreatBlocker(input: { threatBlockerId: $id, plugin: { name: "p", config: { password: "hunter2" } } }) { threatBlocker { id } } }',
        { id },
      );
      await mutate('mutation ($id: ID!) { rotateAtbKey(input: { threatBlockerId: $id }) { threatBlocker { id } } }', {
        id,
      });
    });
    expect(entries.map(({ action }) => action)).toEqual(['DEVICE_UPDATED', 'DEVICE_KEY_ROTATED']);
    expect(entries[0]!.changes).toMatchObject({ pluginConfig: { after: 'changed' } });
    expect(entries[1]!.changes).toEqual({ atbKey: { after: 'changed' } });
    expect(text).not.toContain('hunter2');
  });

  test('tokens, invited addresses, contacts and names of users do not stand in a trail', async () => {
    const { token } = testData.owner;
    const { text, entries } = await added(async () => {
      const made = await mutate(
        'mutation { createApiToken(input: { name: "Backup", scopes: [READ] }) { token apiToken { id } } }',
        {},
      );
      expect(made.createApiToken.token).toMatch(/^scp_/);
      await mutate(
        'mutation ($id: ID!) { inviteMember(input: { organizationId: $id, email: "new.person@example.com", role: VIEWER }) { invitation { id } } }',
        { id: testData.organizationId },
      );
      await mutate('mutation { updateProfile(input: { firstName: "Wilhelmina" }) { user { firstName } } }', {});
      await gateway.rest.call('PATCH', `/api/v1/organizations/${testData.organizationId}`, {
        token,
        body: {
          contacts: [
            { name: 'Contact Person', role: 'CISO', email: 'contact@example.com', phone: '', email_report: false },
          ],
        },
      });
    });
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'MEMBER_INVITED',
      'ORGANIZATION_UPDATED',
      'PROFILE_UPDATED',
      'TOKEN_CREATED',
    ]);
    for (const secret of [
      'scp_',
      'inv_',
      'new.person',
      'Wilhelmina',
      'Contact Person',
      'contact@',
      token,
      testData.owner.username,
    ])
      expect(text).not.toContain(secret);
  });
});

test('a version that makes way for a newer one leaves a tombstone and notifies its uploader and the officers', async () => {
  const first = await upload('policy of the officer', testData.officer);
  const { entries } = await added(async () => {
    for (let number = 0; number < 10; number += 1) await upload(`junk ${number}`, testData.analyst);
  });
  const trimmed = entries.filter(({ action }) => action === 'DOCUMENT_TRIMMED');
  expect(trimmed).toMatchObject([
    {
      actor: { type: 'USER', id: testData.analyst.id },
      subject: {
        type: 'DOCUMENT_VERSION',
        id: String(first.id),
        name: 'policy of the officer.txt',
        parent: { type: 'CONTROL', id: 'nis2-directive/21.2.a' },
      },
      changes: {
        sha256: { before: expect.stringMatching(/^[0-9a-f]{64}$/) },
        uploader: { before: testData.officer.id },
      },
    },
  ]);
  const titles = async ({ token }: Person) =>
    (await gateway.rest.get('/api/v1/notifications?limit=100', { token })).body.data.map(
      ({ title }: { title: string }) => title,
    ) as string[];
  expect(await titles(testData.officer)).toContain('Version removed');
  expect(await titles(testData.owner)).toContain('Version removed');
  expect(await titles(testData.viewer)).not.toContain('Version removed');
});
