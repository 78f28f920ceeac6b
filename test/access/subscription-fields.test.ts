import { beforeAll, describe, expect, test } from '@jest/globals';
import { generateToken } from '../../src/auth/token.js';
import { encodeCursor } from '../../src/database/cursor.js';
import { buildAuditEntry } from '../support/audit.js';
import { buildEngagement } from '../support/people.js';
import { until } from '../support/until.js';
import { buildImportJob } from '../support/seeded-organization.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { follow, take, TRANSPORTS } from '../support/live.js';
import { buildNotifications, buildPerson, join } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
/** Former owner of the organization, deactivated in it. */
const deactivated = await buildPerson(gateway.app.database, 'deactivated');
await join(gateway.app.database, deactivated, testData.organizationId, 'ORGANIZATION_OWNER');
await gateway.app.database.rows('update membership set deactivated_at = now() where user_id = $1', [deactivated.id]);
const auditor = await buildPerson(gateway.app.database, 'auditor');
await buildEngagement(gateway.app.database, testData.organizationId, { auditor });
for (const caller of ['owner', 'manager', 'officer', 'analyst', 'viewer'] as const) {
  await buildNotifications(gateway.app.database, testData[caller], testData.organizationId, 1);
}

await buildAuditEntry(gateway.app.database, testData.organizationId);
await settled(gateway.app.database, 'events');
const importJob = await buildImportJob(gateway.app.database, testData.organizationId, testData.owner.id);
/** A cursor before every event. */
const FIRST = encodeCursor('EVENT', '1970-01-01T00:00:00.000Z', 0);

/** One line for each field of Subscription: of an organization with a matching event. */
const FIELDS: Readonly<Record<string, string>> = {
  notificationAdded:
    'subscription ($organization: ID!) { notificationAdded(organizationId: $organization, afterDatabaseId: 0) { id: databaseId } }',
  importJobChanged: `subscription ($organization: ID!) { importJobChanged(organizationId: $organization, importJobId: ${importJob}) { status } }`,
  eventAdded: `subscription ($organization: ID!) { eventAdded(organizationId: $organization, after: "${FIRST}") { cursor } }`,
};

test('the table has every field of Subscription, and no other', () => {
  const fields = Object.keys(gateway.app.executor.schema.getSubscriptionType()?.getFields() ?? {});
  expect(Object.keys(FIELDS).toSorted()).toEqual(fields.toSorted());
});

test.each(Object.keys(FIELDS))('%s refuses every caller without a valid token in the same way', async (field) => {
  const answers = new Set<string>();
  const { expired, revoked, deactivated: ofAnonymous } = testData.tokens;
  for (const token of ['', 'nonsense', generateToken(), expired, revoked, ofAnonymous]) {
    const query = encodeURIComponent(`subscription { ${field} { __typename } }`);
    const headers = { accept: 'text/event-stream', 'X-Service-Token': token };
    const answer = await fetch(`${gateway.url}/graphql/stream?query=${query}`, { headers });
    expect(answer.status).toBe(401);
    answers.add(await answer.text());
  }
  expect(answers.size).toBe(1);
});

describe.each(Object.keys(FIELDS).flatMap((field) => TRANSPORTS.map((transport) => [field, transport] as const)))(
  '%s over %s',
  (field, transport) => {
    async function firstResult(token: string, organization = testData.organizationId) {
      const results = follow(gateway, transport, {
        query: FIELDS[field] as string,
        variables: { organization },
        token,
      });
      const [first] = await take(results, 1);
      await results.return?.();
      return first;
    }
    const refusal = (code: string, message: number) => ({ code, messages: [message] });
    const errorsOf = async (result: ReturnType<typeof firstResult>) =>
      (await result)?.errors?.map(({ extensions }) => extensions);

    test.each(['owner', 'manager', 'officer', 'analyst', 'viewer'] as const)(
      'sends events to a member: %s',
      async (caller) => {
        expect((await firstResult(testData[caller].token))?.data).toEqual({ [field]: expect.anything() });
      },
    );

    test('sends events to a token that may only read', async () => {
      expect((await firstResult(testData.tokens.readOnly))?.data).toEqual({ [field]: expect.anything() });
    });

    test.each(['writeOnly', 'telemetry'] as const)('refuses a token that is %s', async (name) => {
      expect(await errorsOf(firstResult(testData.tokens[name]))).toEqual([refusal('FORBIDDEN', 1003)]);
    });

    test('is absent to non-members, auditors and deactivated users, and for an organization that never existed', async () => {
      const absent = [refusal('NOT_FOUND', 1004)];
      for (const { token } of [testData.nonMember, testData.userWithoutOrganization, auditor, deactivated]) {
        expect(await errorsOf(firstResult(token))).toEqual(absent);
      }
      expect(await errorsOf(firstResult(testData.owner.token, 2147483647))).toEqual(absent);
    });
  },
);

/** Last, because it deletes the organization. */
describe('an organization that was deleted', () => {
  beforeAll(async () => {
    await gateway.app.database.rows('update organization set deleted_at = now() where id = $1', [
      testData.organizationId,
    ]);
    // Its cache entries expire within a second.
    const query = `{ organization(id: ${testData.organizationId}) { id: databaseId } }`;
    const send = () => gateway.graphql.call(query, { token: testData.owner.token });
    await until(async () => (await send()).body.errors !== undefined);
  });

  test.each(TRANSPORTS)('is absent to its owner over %s', async (transport) => {
    for (const query of Object.values(FIELDS)) {
      const variables = { organization: testData.organizationId };
      const [first] = await take(follow(gateway, transport, { query, variables, token: testData.owner.token }), 1);
      expect(first?.errors?.[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
    }
  });
});
