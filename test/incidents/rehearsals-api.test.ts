import { beforeEach, describe, expect, test } from '@jest/globals';
import { extractText } from 'unpdf';
import { IncidentReminderService } from '../../src/services/incidents/reminders.service.js';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Operation } from '../support/apis.js';
import { REGIMES } from '../support/catalog.js';
import { TestClock } from '../support/clock.js';
import { expectData } from '../support/matchers.js';
import { newMember, titlesOf } from '../support/people.js';
import { rawRequest } from '../support/rest.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { cellsOf } from '../support/spreadsheets.js';
import { buildPerson, buildWorkflow, type Person } from '../support/test-data.js';
import { unzipped } from '../support/unzip.js';

const OPERATIONS = {
  open: {
    rest: 'POST /api/v1/v-ciso/incidents/{organization_id}',
    graphql: `mutation ($input: OpenIncidentInput!) { openIncident(input: $input) { incident {
      id: databaseId rehearsal clock { stages { stage due_at: dueAt state } } } } }`,
    at: 'openIncident.incident',
  },
  report: {
    rest: 'GET /api/v1/v-ciso/incidents/{organization_id}/{incident_id}/rehearsal-report',
    graphql: `query ($organizationId: ID!, $incidentId: ID!) {
      rehearsalReport(organizationId: $organizationId, incidentId: $incidentId) {
        incident_id: incidentId title opened_at: openedAt closed_at: closedAt speed first_note_at: firstNoteAt
        stages { regime_id: regimeId regime_name: regimeName stage number state due_at: dueAt sent_at: sentAt
          sent_by: sentBy { username } late_seconds: lateSeconds }
        reactions { user { username } action at seconds_after_opening: secondsAfterOpening } } }`,
    at: 'rehearsalReport',
  },
} satisfies Record<string, Operation>;

const clock = new TestClock();
const { gateway, testData } = await startSeededGateway({ now: clock.now });
const { database } = gateway.app;
const reminders = new IncidentReminderService(database, REGIMES, clock.now);

let owner: Person;
let analyst: Person;
let organizationId: number;

const at = (minutes: number) => clock.at(minutes / 60).toISOString();
const wait = (minutes: number) => clock.set(minutes / 60);

async function create(sandbox: boolean): Promise<number> {
  const body = { name: 'Trial', sandbox, nis2_sector: 'Infrastrutture digitali' };
  return expectData(await gateway.rest.post('/api/v1/organizations', { token: owner.token, body }), 201).id;
}

beforeEach(async () => {
  clock.set(0);
  owner = await buildPerson(database, 'owner');
  organizationId = await create(true);
  analyst = await newMember(database, organizationId, 'SECURITY_ANALYST');
});

const path = (rest = '') => `/api/v1/v-ciso/incidents/${organizationId}${rest}`;
const INCIDENT = { title: 'Ransomware', severity: 'HIGH', significant: true };
const post = async ({ token }: Person, rest: string, body: object, status = 201) =>
  expectData(await gateway.rest.post(path(rest), { token, body }), status);
const rehearse = async (): Promise<number> => (await post(owner, '', { ...INCIDENT, rehearsal: true })).id;

/** Minutes from the beginning until the report of a stage is due. */
function dueMinutes(stages: { stage: string; due_at: string | null }[]): Record<string, number | null> {
  const minutes = (due: string | null) => due && (Date.parse(due) - clock.at(0).getTime()) / 60_000;
  return Object.fromEntries(stages.map(({ stage, due_at }) => [stage, minutes(due_at) as number | null]));
}

describe.each(APIS)('through %s', (api) => {
  const open = (input: object) =>
    callThrough(api, gateway, OPERATIONS.open, { organization_id: organizationId, ...INCIDENT, ...input }, owner.token);
  const report = ({ token }: Person, incidentId: number) =>
    callThrough(api, gateway, OPERATIONS.report, { organization_id: organizationId, incident_id: incidentId }, token);

  test('the periods of a rehearsal are sixty times shorter, and those of other incidents of the sandbox are not', async () => {
    const { rehearsal, clock: rehearsed } = dataOf(await open({ rehearsal: true }));
    expect(rehearsal).toBe(true);
    expect(dueMinutes(rehearsed.stages)).toMatchObject({ EARLY_WARNING: 24, NOTIFICATION: 72 });
    const other = dataOf(await open({}));
    expect(other.rehearsal).toBe(api === 'REST' ? undefined : false);
    expect(dueMinutes(other.clock.stages)).toMatchObject({ EARLY_WARNING: 24 * 60, NOTIFICATION: 72 * 60 });
  });

  test('what is no sandbox has no rehearsals', async () => {
    const real = await create(false);
    expectConflict(await open({ organization_id: real, rehearsal: true }), 'NOT_A_SANDBOX');
    expect(await database.rows('select id from incident where organization_id = $1', [real])).toEqual([]);
  });

  test('the report says who reacted when, and how late each report was', async () => {
    const id = await rehearse();
    wait(6);
    await post(analyst, `/${id}/notes`, { text: 'Both are isolated.' });
    wait(26.5);
    await post(analyst, `/${id}/reports`, { regime_id: 'nis2', stage: 'EARLY_WARNING' });
    wait(30);
    await post(owner, `/${id}/close`, { reason: 'The exercise is over.' }, 200);
    wait(90);
    const said = dataOf(await report(owner, id));
    const person = ({ username }: Person) => (api === 'REST' ? username : expect.anything());
    expect(said).toMatchObject({
      ...{ incident_id: id, title: 'Ransomware', opened_at: at(0), closed_at: at(30), speed: 60, first_note_at: at(6) },
      reactions: [
        { user: person(owner), action: 'INCIDENT_OPENED', at: at(0), seconds_after_opening: 0 },
        { user: person(analyst), action: 'NOTE_ADDED', at: at(6), seconds_after_opening: 360 },
      ],
    });
    const [warning, notification] = said.stages;
    expect(warning).toMatchObject({ stage: 'EARLY_WARNING', due_at: at(24), sent_at: at(26.5), late_seconds: 150 });
    expect(notification).toMatchObject({ stage: 'NOTIFICATION', due_at: at(72), sent_at: null, late_seconds: null });
  });

  test('a report that is late by a part of a second is late, as the clock has it', async () => {
    const id = await rehearse();
    wait(24.01);
    const { clock } = await post(analyst, `/${id}/reports`, { regime_id: 'nis2', stage: 'EARLY_WARNING' });
    expect(clock.stages[0]).toMatchObject({ stage: 'EARLY_WARNING', late: true });
    expect(dataOf(await report(owner, id)).stages[0]).toMatchObject({ sent_at: at(24.01), late_seconds: 1 });
  });

  test('a report that was recorded as not due is neither owed nor late', async () => {
    const { id } = await post(owner, '', {
      ...INCIDENT,
      rehearsal: true,
      significant: false,
      personal_data_concerned: true,
    });
    wait(80);
    const notDue = { regime_id: 'gdpr', stage: 'NOTIFICATION', not_due: true, reason: 'The laptop was encrypted.' };
    await post(owner, `/${id}/reports`, notDue);
    expect(dataOf(await report(owner, id)).stages).toEqual([]);
  });

  test('what is no rehearsal has no report, and those who may not read the audit trail get none', async () => {
    const { id } = await post(owner, '', INCIDENT);
    expectFailure(await report(owner, id), 'NOT_FOUND');
    expectFailure(await report(analyst, await rehearse()), 'FORBIDDEN');
    expectFailure(await report(testData.owner, await rehearse()), 'NOT_FOUND');
  });
});

test('members of a rehearsal are reminded as of any incident, ahead of the deadline and at it, with the mark', async () => {
  await database.rows("update incident set status = 'CLOSED'");
  await rehearse();
  const titles = async () => {
    await gateway.settled();
    return titlesOf(database, analyst);
  };
  wait(17.9);
  expect(await reminders.remind()).toBe(0);
  wait(18);
  expect(await reminders.remind()).toBe(1);
  wait(24);
  expect(await reminders.remind()).toBe(1);
  expect(await titles()).toEqual(
    expect.arrayContaining(['[Sandbox] Early warning (NIS 2) due soon', '[Sandbox] Early warning (NIS 2) overdue']),
  );
});

test('drafts of a sandbox say that they must not be sent, as a page and as JSON, and those of others do not', async () => {
  for (const sandbox of [true, false]) {
    organizationId = sandbox ? organizationId : await create(false);
    const { id } = await post(owner, '', INCIDENT);
    const draft = path(`/${id}/reports/nis2/EARLY_WARNING/draft`);
    const said = expectData(await gateway.rest.get(draft, owner));
    expect(said.sandbox).toBe(sandbox ? true : undefined);
    const { text } = await gateway.rest.get(`${draft}.html`, owner);
    expect(text.includes('[Sandbox] Early warning')).toBe(sandbox);
    expect(text.includes('must not be sent')).toBe(sandbox);
  }
});

test('the report as PDF is evidence of an exercise in another organization of the same owner', async () => {
  const id = await rehearse();
  wait(30);
  await post(owner, `/${id}/close`, { reason: 'The exercise is over.' }, 200);
  const headers = { 'X-Service-Token': owner.token };
  const download = async () =>
    (await rawRequest(gateway.url, 'GET', path(`/${id}/rehearsal-report.pdf`), { headers })).bytes;
  const pdf = await download();
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  wait(60);
  expect(await download()).toEqual(pdf);
  const real = await create(false);
  const workflow = `/api/v1/v-ciso/organizations/${real}/workflows`;
  const { token } = owner;
  expectData(await gateway.rest.post(workflow, { token, body: { id: 'iso-27001-2022' } }), 201);
  const body = { filename: 'rehearsal.pdf', source: 'generated', content: pdf.toString('base64') };
  const uploaded = await gateway.rest.post(`${workflow}/iso-27001-2022/documents/A.5.24/versions`, { token, body });
  expect(expectData(uploaded, 201)).toMatchObject({ original_name: 'rehearsal.pdf', source: 'generated' });
});

test('the report as PDF says what people did in the language and the time zone of the sandbox, which it names', async () => {
  const settings = { token: owner.token, body: { language: 'de', time_zone: 'Pacific/Auckland' } };
  expectData(await gateway.rest.patch(`/api/v1/organizations/${organizationId}/settings`, settings), 200);
  const id = await rehearse();
  await post(analyst, `/${id}/notes`, { text: 'The plug was pulled.' });
  // Those of the reader say nothing.
  const headers = { 'X-Service-Token': owner.token, 'Accept-Language': 'it' };
  const { bytes } = await rawRequest(gateway.url, 'GET', path(`/${id}/rehearsal-report.pdf`), { headers });
  const { text: pages } = await extractText(new Uint8Array(bytes));
  // A line may end after a hyphen in a name.
  const text = pages.join(' ').replaceAll(/\s+/g, ' ').replaceAll('- ', '-');
  expect(text).toContain(`${owner.username} (Vorfall eröffnet)`);
  expect(text).toContain(`${analyst.username} (Notiz hinzugefügt)`);
  const times = text.match(/\d\d:\d\d(?::\d\d)? \S+/g) ?? [];
  expect(times.length).toBeGreaterThan(2);
  expect(times.filter((time) => !time.endsWith(' (Pacific/Auckland,'))).toEqual([]);
});

test('the incidents of an evidence pack say which ones are rehearsed', async () => {
  const rehearsed = await rehearse();
  const real = (await post(owner, '', INCIDENT)).id as number;
  await buildWorkflow(database, organizationId, 'iso-27001-2022');
  const pack = `/api/v1/v-ciso/organizations/${organizationId}/workflows/iso-27001-2022/evidence-pack`;
  const { bytes } = await rawRequest(gateway.url, 'GET', pack, { headers: { 'x-service-token': owner.token } });
  const [names = [], ...rows] = cellsOf(unzipped(bytes).get('incidents.csv')!.content.toString());
  expect(rows.map((row) => [row[names.indexOf('id')], row[names.indexOf('rehearsal')]])).toEqual([
    [`${rehearsed}`, 'true'],
    [`${real}`, 'false'],
  ]);
});
