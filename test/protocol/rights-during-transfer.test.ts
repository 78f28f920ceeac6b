import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { record } from '../../src/services/audit/record.js';
import { expectStatus } from '../support/matchers.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import {
  buildIncident,
  buildOrganization,
  buildPerson,
  buildWorkflow,
  join,
  type Person,
} from '../support/test-data.js';

/** More than the buffers of a connection, so that the rest is generated only when the client reads on. */
const ROWS = 1_400;
const ROW_CHARACTERS = 16_000;

const logged: { level: string; msg: string }[] = [];
const log = pino(
  { level: 'debug', formatters: { level: (level) => ({ level }) } },
  { write: (line: string) => void logged.push(JSON.parse(line)) },
);
const { gateway } = await startSeededGateway({ log });
const { database } = gateway.app;
const organizationId = await buildOrganization(database, 'Much to read');
const owner = await person('boss', 'ORGANIZATION_OWNER');
const agent = new Agent();
afterAll(() => agent.destroy());

async function person(name: string, role: 'ORGANIZATION_OWNER' | 'SECURITY_OFFICER'): Promise<Person> {
  const made = await buildPerson(database, name);
  await join(database, made, organizationId, role);
  return made;
}

const NOTIFICATIONS = '/api/v1/notifications?format=csv';
const TRAIL = `/api/v1/organizations/${organizationId}/audit-trail.ndjson`;

async function fill(userId: string): Promise<void> {
  await database.rows(
    `insert into notification (user_id, organization_id, title, message, type, action, created_at, icon, href)
     select $1, $2, 'Title', (select string_agg(md5((n * 1000 + k)::text), '') from generate_series(1, $4::int / 32) k), 'SYSTEM', 'OPEN', now(), '', '' from generate_series(1, $3::int) n`,
    [userId, organizationId, ROWS, ROW_CHARACTERS],
  );
}

/** The response, of which nothing was read yet. */
async function begin(path: string, { token }: Person): Promise<IncomingMessage> {
  const request = get(`${gateway.url}${path}`, { agent, headers: { 'x-service-token': token } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response;
}

/** Reads to the end: the number of bytes, and whether they are complete. */
async function rest(response: IncomingMessage): Promise<{ bytes: number; isWhole: boolean }> {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('error', () => undefined);
  if (!response.closed) await once(response, 'close').catch(() => undefined);
  return { bytes, isWhole: response.complete };
}

async function revoke({ id: userId, token }: Person): Promise<void> {
  const [row] = await database.rows<{ id: number }>('select id from api_token where user_id = $1', [userId]);
  expectStatus(await gateway.rest.delete(`/api/v1/tokens/${row!.id}`, { token }), 200);
}

test('a list breaks off when the token is revoked while it is sent, which is no error of ours', async () => {
  const reader = await person('revoked', 'SECURITY_OFFICER');
  await fill(reader.id);
  const response = await begin(NOTIFICATIONS, reader);
  await revoke(reader);
  const { bytes, isWhole } = await rest(response);
  expect(isWhole).toBe(false);
  expect(bytes).toBeLessThan(ROWS * ROW_CHARACTERS);
  expect(errors()).toEqual([]);
});

test('an audit trail breaks off when the caller loses the role that it needs', async () => {
  const reader = await person('demoted', 'SECURITY_OFFICER');
  const subject = { type: 'INCIDENT', id: 1, name: 'X' } as const;
  const changes = { description: { after: 'x'.repeat(ROW_CHARACTERS) } };
  await database.transaction(async (tx) => {
    for (let row = 0; row < ROWS; row += 1)
      await record(
        tx,
        { kind: 'system', name: 'job' },
        { organizationId, at: new Date(), action: 'INCIDENT_OPENED', subject, changes },
      );
  });
  const whole = await rest(await begin(TRAIL, owner));
  expect(whole.isWhole).toBe(true);
  expect(whole.bytes).toBeGreaterThan(ROWS * ROW_CHARACTERS);
  const response = await begin(TRAIL, reader);
  const member = `/api/v1/organizations/${organizationId}/users/${reader.id}`;
  expectStatus(await gateway.rest.patch(member, { token: owner.token, body: { role: 'VIEWER' } }), 200);
  const { bytes, isWhole } = await rest(response);
  expect(isWhole).toBe(false);
  expect(bytes).toBeLessThan(whole.bytes);
  expect(errors()).toEqual([]);
});

test('an evidence pack breaks off when the member whom its address was made out to is removed', async () => {
  const reader = await person('reader', 'SECURITY_OFFICER');
  await buildWorkflow(database, organizationId, 'nis2-directive');
  const incidentId = await buildIncident(database, organizationId);
  await database.rows(
    `insert into incident_note (organization_id, incident_id, text, created_by)
     select $1, $2, (select string_agg(md5((n * 1000 + k)::text), '') from generate_series(1, $4::int / 32) k), 'x' from generate_series(1, $3::int) n`,
    [organizationId, incidentId, ROWS, ROW_CHARACTERS],
  );
  const query = `{ organizationWorkflow(organizationId: ${organizationId}, workflowId: "nis2-directive") { evidencePackUrl } }`;
  const { token } = reader;
  const { evidencePackUrl } = (await gateway.graphql.data(query, { token })).organizationWorkflow;
  const response = await begin(evidencePackUrl.slice(gateway.url.length), { ...reader, token: '' });
  const member = `/api/v1/organizations/${organizationId}/users/${reader.id}`;
  expectStatus(await gateway.rest.delete(member, { token: owner.token }), 200);
  expect((await rest(response)).isWhole).toBe(false);
  expect(errors()).toEqual([]);
});

const errors = () => logged.filter(({ level }) => level === 'error' || level === 'fatal');
