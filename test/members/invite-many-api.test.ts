import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Role } from '../../src/values/enums.js';
import { APIS, callThrough, dataOf, expectFailure } from '../support/apis.js';
import { mutation } from '../support/operations.js';
import { newMember } from '../support/people.js';
import { HIGH_QUOTAS } from '../support/gateway.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, type Person } from '../support/test-data.js';

const INVITE_MANY = mutation(
  'POST /api/v1/organizations/{organization_id}/invitations/batch',
  'inviteMembers',
  'rows { row email outcome invitation { id: databaseId email role status } error { code field message } }',
);

const MAILS = 6;
const { gateway } = await startSeededGateway({ config: { quotas: { ...HIGH_QUOTAS, mailsPerSender: MAILS } } });
const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);
const newEmail = () => `invited-${randomUUID()}@example.com`;

let organizationId: number;
let manager: Person;
beforeEach(async () => {
  organizationId = await buildOrganization(gateway.app.database, 'Another');
  await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER');
  manager = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_MANAGER');
});

const person = (email = newEmail(), role: Role = 'VIEWER') => ({ email, role });
const invitedIn = async () =>
  (await sql('select email from invitation where organization_id = $1 order by id', [organizationId])).map(
    ({ email }) => email,
  );
const mailsTo = async (emails: readonly string[]) =>
  (await sql('select 1 from outgoing_mail where recipient = any($1)', [emails])).length;
const entries = async () =>
  (
    await sql(
      `select 1 from audit_entry e join audit_log l on l.id = e.log_id
                where l.organization_id = $1 and action = 'MEMBER_INVITED'`,
      [organizationId],
    )
  ).length;

describe.each(APIS)('through %s', (api) => {
  const inviteAll = (invitations: object[], token = manager.token) =>
    callThrough(api, gateway, INVITE_MANY, { organization_id: organizationId, invitations }, token);
  const rowsOf = async (invitations: object[]) => dataOf(await inviteAll(invitations));

  test('each row is invited or refused alone, with one mail and one entry for each that is invited', async () => {
    const [first, last] = [newEmail(), newEmail()];
    const rows = await rowsOf([
      person(first, 'SECURITY_OFFICER'),
      person('not an address'),
      person(`${manager.username}@example.com`),
      person(first.toUpperCase()),
      person(newEmail(), 'ORGANIZATION_OWNER'),
      person(last),
    ]);
    expect(rows).toMatchObject([
      {
        row: 1,
        outcome: 'INVITED',
        invitation: { email: first, role: 'SECURITY_OFFICER', status: 'OPEN' },
        error: null,
      },
      {
        row: 2,
        outcome: 'REFUSED',
        invitation: null,
        error: { code: 'BAD_USER_INPUT', field: 'email', message: 'email must be an e-mail address' },
      },
      { row: 3, outcome: 'ALREADY_MEMBER', invitation: null, error: null },
      { row: 4, email: first.toUpperCase(), outcome: 'ALREADY_INVITED', invitation: null, error: null },
      { row: 5, outcome: 'REFUSED', error: { code: 'FORBIDDEN', field: 'role' } },
      { row: 6, outcome: 'INVITED', invitation: { email: last } },
    ]);
    expect(await invitedIn()).toEqual([first, last]);
    expect(await mailsTo([first, last])).toBe(2);
    expect(await entries()).toBe(2);
  });

  test('a row beyond the mails of its sender is refused, and the rest goes on', async () => {
    const known = newEmail();
    await rowsOf([person(known)]);
    const rows = await rowsOf([...Array.from({ length: MAILS }, () => person()), person(known), person('wrong')]);
    expect(rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...Array<string>(MAILS - 1).fill('INVITED'),
      ...['REFUSED', 'ALREADY_INVITED', 'REFUSED'],
    ]);
    expect(rows.at(MAILS - 1).error).toEqual({
      code: 'MAIL_LIMIT',
      field: null,
      message: expect.stringContaining('The limit of invitation mails'),
    });
  });

  test('the same rows again invite none a second time', async () => {
    const people = [person(), person()];
    await rowsOf(people);
    const again = await rowsOf(people);
    expect(again.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['ALREADY_INVITED', 'ALREADY_INVITED']);
    expect(await mailsTo(people.map(({ email }) => email))).toBe(2);
  });

  test('refuses none and more than a hundred rows, and a caller who may not invite, before anything is done', async () => {
    for (const invitations of [[], Array.from({ length: 101 }, () => person())])
      expect((await inviteAll(invitations)).code).toBe('BAD_USER_INPUT');
    const analyst = await newMember(gateway.app.database, organizationId, 'SECURITY_ANALYST');
    expectFailure(await inviteAll([person()], analyst.token), 'FORBIDDEN');
    expect(await invitedIn()).toEqual([]);
  });
});

test('with an Idempotency-Key the same request is answered again, and what was refused stays so', async () => {
  const request = {
    token: manager.token,
    headers: { 'idempotency-key': randomUUID() },
    body: { invitations: [person(), person('wrong')] },
  };
  const path = `/api/v1/organizations/${organizationId}/invitations/batch`;
  const first = await gateway.rest.post(path, request);
  const second = await gateway.rest.post(path, request);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(await invitedIn()).toHaveLength(1);
  expect(await entries()).toBe(1);
});

test('says why a row was refused in the language that the client requests', async () => {
  const { body } = await gateway.rest.post(`/api/v1/organizations/${organizationId}/invitations/batch`, {
    token: manager.token,
    headers: { 'accept-language': 'de' },
    body: { invitations: [person('wrong')] },
  });
  expect(body.data).toMatchObject([{ error: { message: expect.stringMatching(/^email muss /) } }]);
});
