import { describe, expect, test } from '@jest/globals';
import { IncidentNoteService } from '../../src/services/incidents/notes.service.js';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { anonymousAccess, selecting, SYSTEM } from '../support/callers.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { buildIncident } from '../support/test-data.js';

const PATH = '/api/v1/v-ciso/incidents/{organization_id}/{incident_id}/notes';
const NOTE = 'id: databaseId text created_by: createdBy { username } created_at: createdAt';

const OPERATIONS = {
  add: mutation(`POST ${PATH}`, 'addIncidentNote', `note { ${NOTE} }`),
  list: {
    rest: `GET ${PATH}`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!, $first: Int, $offset: Int) {
      incident(organizationId: $organizationId, id: $incidentId) {
        notes(first: $first, offset: $offset) { totalCount nodes { ${NOTE} } } } }`,
    at: 'incident.notes',
  },
} satisfies Record<string, Operation>;

const { gateway, testData } = await startSeededGateway();

const sql = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);
const newIncident = () => buildIncident(gateway.app.database, testData.organizationId);

test('a list of an incident that is said to be of another organization is empty', async () => {
  const { owner, organizationId, otherOrganizationId } = testData;
  const id = await newIncident();
  const added = { organization_id: organizationId, incident_id: id, text: 'Found' };
  dataOf(await callThrough(APIS[0], gateway, OPERATIONS.add, added, owner.token));
  const notes = new IncidentNoteService(gateway.app.database, anonymousAccess(), () => new Date());
  const totals = [organizationId, otherOrganizationId].map(async (of) => {
    const incident = { id, organizationId: of };
    const selection = { items: selecting('id'), total: true };
    return (await notes.ofIncidents(SYSTEM, [incident], { page: {} }, selection)).get(incident)?.total;
  });
  expect(await Promise.all(totals)).toEqual([1, 0]);
});

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object, { token } = testData.analyst) =>
    callThrough(api, gateway, OPERATIONS[name], { organization_id: testData.organizationId, ...input }, token);
  const add = async (incident: number, text: string) => dataOf(await call('add', { incident_id: incident, text }));
  const list = (incident: number, query: object = {}) =>
    call('list', { incident_id: incident, ...query }, testData.viewer);

  test('a note is stored as it was written, and a viewer reads it, newest first', async () => {
    const incident = await newIncident();
    const text = '# Findings\r\n\n- `eng-ws-07`\t<b>isolated</b>\n- 👩‍💻 called';
    const first = await add(incident, `  ${text}\n`);
    expect(first).toEqual({
      id: expect.any(Number),
      text,
      created_by: testData.analyst.username,
      created_at: expect.any(String),
    });
    const second = await add(incident, 'Second');
    const { total, data } = await list(incident);
    expect([total, data]).toEqual([2, [second, first]]);
    expect(dataOf(await list(incident, { limit: 1, offset: 1 }))).toEqual([first]);
  });

  test('a closed incident takes notes', async () => {
    const incident = await newIncident();
    await sql(`update incident set status = 'CLOSED', closed_at = now() where id = $1`, [incident]);
    expect(await add(incident, 'Lessons learned')).toMatchObject({ text: 'Lessons learned' });
  });

  test('it is recorded in the audit trail with its text, and notified to other members', async () => {
    const incident = await newIncident();
    const { id } = await add(incident, 'Called the provider');
    const [row] = await sql<{ entry: string }>(
      'select entry from audit_entry where subject = $1 order by position desc limit 1',
      [`INCIDENT/${incident}`],
    );
    expect(JSON.parse(row!.entry)).toMatchObject({
      action: 'NOTE_ADDED',
      actor: { id: testData.analyst.id },
      changes: { note: { after: id }, text: { after: 'Called the provider' } },
    });
    await gateway.settled();
    const notified = await sql<{ message: string }>(
      `select message from notification where user_id = $1 and href like '/organizations/%/incidents/' || $2`,
      [testData.viewer.id, String(incident)],
    );
    expect(notified).toEqual([{ message: expect.stringMatching(/^\S+ has added a note to “.+”\.$/) }]);
  });

  test('it has at least one visible character and at most 10,000', async () => {
    const incident = await newIncident();
    expect((await add(incident, 'x'.repeat(10_000))).text).toHaveLength(10_000);
    for (const [text, message] of [
      ['x'.repeat(10_001), 'text must not be longer than 10000 characters'],
      ['', 'text is required'],
      [' \n\t ', 'text is required'],
      ['\u200b', 'text is required'],
      ['a\u0007b', 'text must not contain control characters'],
    ] as const)
      expectFailure(await call('add', { incident_id: incident, text }), 'BAD_USER_INPUT', [message]);
    expect((await list(incident)).total).toBe(1);
  });

  test('an incident of another organization, or none, takes no note and shows none', async () => {
    const { otherOrganizationId, nonMember } = testData;
    const theirs = await buildIncident(gateway.app.database, otherOrganizationId);
    const own = await newIncident();
    for (const input of [{ incident_id: theirs }, { incident_id: 2_000_000_000 }]) {
      expectFailure(await call('add', { ...input, text: 'Theirs' }), 'NOT_FOUND');
      expectFailure(await call('list', input), 'NOT_FOUND');
    }
    expectFailure(await call('add', { incident_id: own, text: 'Ours' }, nonMember), 'NOT_FOUND');
    expectFailure(await call('list', { incident_id: own }, nonMember), 'NOT_FOUND');
    expect(await sql('select 1 from incident_note where incident_id = any($1)', [[theirs, own]])).toEqual([]);
  });

  test('a viewer may not add one', async () => {
    const incident = await newIncident();
    expectFailure(await call('add', { incident_id: incident, text: 'No' }, testData.viewer), 'FORBIDDEN');
    expect((await list(incident)).total).toBe(0);
  });
});

describe('the table', () => {
  test.each([
    ['update', `update incident_note set text = 'Changed' where incident_id = $1`],
    ['change of the time', `update incident_note set created_at = '2020-01-01Z' where incident_id = $1`],
    ['deletion', 'delete from incident_note where incident_id = $1'],
  ])('refuses each %s', async (_what, statement) => {
    const incident = await newIncident();
    await sql(
      `insert into incident_note (organization_id, incident_id, text, created_by) values ($1, $2, 'Noted', 'ann')`,
      [testData.organizationId, incident],
    );
    await expect(sql(statement, [incident])).rejects.toThrow('append-only');
    expect(await sql('select text, created_by from incident_note where incident_id = $1', [incident])).toEqual([
      { text: 'Noted', created_by: 'ann' },
    ]);
  });

  test('lets notes go with their incident', async () => {
    const incident = await newIncident();
    await sql(
      `insert into incident_note (organization_id, incident_id, text, created_by) values ($1, $2, 'Noted', 'ann')`,
      [testData.organizationId, incident],
    );
    await sql('delete from incident where id = $1', [incident]);
    expect(await sql('select 1 from incident_note where incident_id = $1', [incident])).toEqual([]);
  });
});
