import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../src/common/time.js';
import { LIMITS } from '../../src/values/limits.js';
import {
  APIS,
  callThrough,
  dataOf,
  expectConflict,
  expectFailure,
  type Api,
  type Operation,
  FOR_PERSONS,
} from '../support/apis.js';
import { inTurnBehind, someoneWaits } from '../support/lock-waits.js';
import { mutation } from '../support/operations.js';
import { buildEngagement, buildServiceAccount, mailedSecrets, newMember, titlesOf } from '../support/people.js';
import { settled } from '../support/settled.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildPerson, buildWorkflow, type Person } from '../support/test-data.js';

const ENGAGEMENT = `id: databaseId organization_id: organizationId organization: organizationName time_zone: timeZone name workflows: workflowIds from to until as_of: asOf
  auditors { user_id: userId username } created_by: createdBy { username } created_at: createdAt`;
const REQUEST = `id: databaseId workflow_id: workflowId control_id: controlId text created_by: createdBy { username }
  created_at: createdAt answer answered_by: answeredBy { username } answered_at: answeredAt closed_at: closedAt`;
const SIGN_OFF = `id: signOffId workflow_id: workflowId control_id: controlId statement created_by: createdBy { username }
  created_at: createdAt`;
const INVITATION = 'id: databaseId email role engagement_id: engagementId status';
const PATH = '/api/v1/organizations/{organization_id}/engagements';
const ONE = `${PATH}/{engagement_id}`;
const KEY = 'organizationId: $organizationId, id: $engagementId';

const listIn = (name: string, path: string, fields: string): Operation => ({
  rest: `GET ${ONE}/${path}`,
  graphql: `query ($organizationId: ID!, $engagementId: ID!, $first: Int) { engagement(${KEY}) {
    ${name}(first: $first) { totalCount nodes { ${fields} } } } }`,
  at: `engagement.${name}`,
});

const OPERATIONS = {
  own: {
    rest: 'GET /api/v1/engagements',
    graphql: `query ($first: Int) { engagements(first: $first) { totalCount nodes { ${ENGAGEMENT} } } }`,
    at: 'engagements',
  },
  list: {
    rest: `GET ${PATH}`,
    graphql: `query ($organizationId: ID!, $first: Int) { organization(id: $organizationId) {
      engagements(first: $first) { totalCount nodes { ${ENGAGEMENT} } } } }`,
    at: 'organization.engagements',
  },
  read: {
    rest: `GET ${ONE}`,
    graphql: `query ($organizationId: ID!, $engagementId: ID!) { engagement(${KEY}) { ${ENGAGEMENT} } }`,
    at: 'engagement',
  },
  create: mutation(`POST ${PATH}`, 'createEngagement', `engagement { ${ENGAGEMENT} }`, { workflows: 'workflowIds' }),
  update: mutation(`PATCH ${ONE}`, 'updateEngagement', `engagement { ${ENGAGEMENT} }`),
  invite: mutation(`POST ${ONE}/invitations`, 'inviteAuditor', `invitation { ${INVITATION} }`),
  remove: mutation(`DELETE ${ONE}/auditors/{user_id}`, 'removeAuditor', 'auditor { user_id: userId username }'),
  request: mutation(`POST ${ONE}/requests`, 'requestEvidence', `request { ${REQUEST} }`),
  readRequest: {
    rest: `GET ${ONE}/requests/{id}`,
    graphql: `query ($organizationId: ID!, $engagementId: ID!, $id: ID!) { evidenceRequest(organizationId: $organizationId, engagementId: $engagementId, id: $id) { ${REQUEST} } }`,
    at: 'evidenceRequest',
  },
  answer: mutation(`PATCH ${ONE}/requests/{id}`, 'answerEvidenceRequest', `request { ${REQUEST} }`, {
    id: 'evidenceRequestId',
  }),
  requests: listIn('requests', 'requests', REQUEST),
  signOff: mutation(`POST ${ONE}/sign-offs`, 'signOff', `signOff { ${SIGN_OFF} }`),
  signOffs: listIn('signOffs', 'sign-offs', SIGN_OFF),
} satisfies Record<string, Operation>;

const { gateway } = await startSeededGateway();
const { database } = gateway.app;

type Input = Record<string, unknown>;
const run = (api: Api, name: keyof typeof OPERATIONS, input: Input, { token }: { token: string }) =>
  callThrough(api, gateway, OPERATIONS[name], input, token);

const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const CONTROL = { workflow_id: 'nis2-directive', control_id: '21.2.a' };
const NEVER = 2_147_483_647;

async function audited() {
  const organizationId = await buildOrganization(database, 'Audited');
  await buildWorkflow(database, organizationId, 'nis2-directive');
  await buildWorkflow(database, organizationId, 'iso-27001-2022');
  const manager = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
  const analyst = await newMember(database, organizationId, 'SECURITY_ANALYST');
  const auditor = await buildPerson(database, 'auditor');
  const engagementId = await buildEngagement(database, organizationId, { auditor });
  return { manager, analyst, auditor, key: { organization_id: organizationId, engagement_id: engagementId } };
}

async function actionsIn(organizationId: number): Promise<string[]> {
  const rows = await database.rows<{ action: string }>(
    `select e.action from audit_entry e join audit_log l on l.id = e.log_id where l.organization_id = $1 order by e.position`,
    [organizationId],
  );
  return rows.map(({ action }) => action);
}

async function joined(api: Api, key: Input, manager: Person, email: string) {
  dataOf(await run(api, 'invite', { ...key, email }, manager));
  const [secret] = await mailedSecrets(database, email);
  return gateway.rest.call('POST', '/api/v1/invitations/accept', { body: { secret } });
}

describe.each(APIS)('engagements through %s', (api) => {
  test('are created for workflows and a period, read, renamed, extended and ended, each on record', async () => {
    const { manager, key } = await audited();
    const input = {
      ...{ organization_id: key.organization_id, name: ' Surveillance ', workflows: ['nis2-directive'] },
      ...{ from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z', until: at(30) },
    };
    const made = dataOf(await run(api, 'create', input, manager));
    expect(made).toMatchObject({ ...input, name: 'Surveillance', auditors: [], organization: 'Audited' });
    expect(made.time_zone).toBe('UTC');
    const one = { ...key, engagement_id: made.id };
    expect(dataOf(await run(api, 'read', one, manager))).toEqual(made);
    const listed = await run(api, 'list', { organization_id: key.organization_id }, manager);
    expect(dataOf(listed).map(({ id }: { id: number }) => id)).toEqual([made.id, key.engagement_id]);
    const until = at(60);
    const extended = dataOf(await run(api, 'update', { ...one, name: 'Audit', until }, manager));
    expect(extended).toEqual({ ...made, name: 'Audit', until });
    const ended = dataOf(await run(api, 'update', { ...one, until: at(-1) }, manager));
    expect(Math.abs(Date.parse(ended.until) - Date.now())).toBeLessThan(60_000);
    // A second end does not change the time of the first.
    expect(dataOf(await run(api, 'update', { ...one, until: at(-1) }, manager))).toEqual(ended);
    expect(dataOf(await run(api, 'update', { ...one, name: 'Audit' }, manager))).toEqual(ended);
    expect(await actionsIn(key.organization_id)).toEqual([
      ...['ENGAGEMENT_CREATED', 'ENGAGEMENT_UPDATED', 'ENGAGEMENT_UPDATED'],
    ]);
  });

  test('are refused with a scope that makes no sense, and beyond each limit', async () => {
    const { manager, key } = await audited();
    const { workflows, nameCharacters, maxDays, perOrganization } = LIMITS.engagement;
    const input = {
      ...{ organization_id: key.organization_id, name: 'x'.repeat(nameCharacters), workflows: ['nis2-directive'] },
      ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00.001Z', until: at(maxDays - 0.01) },
    };
    const create = (change: object) => run(api, 'create', { ...input, ...change }, manager);
    const own = dataOf(await create({}));
    for (const wrong of [
      { to: input.from },
      { until: at(-0.001) },
      { until: at(maxDays + 0.01) },
      { workflows: [] },
      { workflows: ['never-was'] },
      { workflows: ['rgpd'] },
      { workflows: Array.from({ length: workflows + 1 }, () => 'nis2-directive') },
      { name: 'x'.repeat(nameCharacters + 1) },
      { name: '\u200b ' },
    ])
      expect([wrong, (await create(wrong)).code]).toEqual([wrong, 'BAD_USER_INPUT']);
    const { messages } = await create({ workflows: ['never-was'] });
    expect(messages).toEqual(['workflows must be associated with the organization']);
    dataOf(await create({ workflows: Array.from({ length: workflows }, () => 'nis2-directive') }));
    await database.rows(
      `insert into engagement (organization_id, name, workflows, period_from, period_to, until)
       select $1, 'Audit', '{nis2-directive}', '2020-01-01', '2100-01-01', now() + interval '1 day' from generate_series(5, $2)`,
      [key.organization_id, perOrganization],
    );
    dataOf(await create({}));
    expectConflict(await create({}), 'ENGAGEMENT_LIMIT');
    // One of them may be extended. An ended one frees a slot, and cannot be reopened beyond the limit.
    const one = { ...key, engagement_id: own.id };
    dataOf(await run(api, 'update', { ...one, until: at(2) }, manager));
    dataOf(await run(api, 'update', { ...one, until: at(-1) }, manager));
    dataOf(await create({}));
    expectConflict(await run(api, 'update', { ...one, until: at(1) }, manager), 'ENGAGEMENT_LIMIT');
  });

  test('have auditors, who are invited by mail, join by its secret, are no members, and are removed at once', async () => {
    const { manager, analyst, key } = await audited();
    const email = `invited-${api}-${key.organization_id}@audit.example.com`.toLowerCase();
    expectFailure(await run(api, 'invite', { ...key, engagement_id: NEVER, email }, manager), 'NOT_FOUND');
    const invited = dataOf(await run(api, 'invite', { ...key, email: email.toUpperCase() }, manager));
    expect(invited).toMatchObject({ email, role: 'AUDITOR', engagement_id: key.engagement_id, status: 'OPEN' });
    expectConflict(await run(api, 'invite', { ...key, email }, manager), 'ALREADY_INVITED');
    expectConflict(
      await run(api, 'invite', { ...key, email: `${analyst.username}@example.com` }, manager),
      'ALREADY_MEMBER',
    );
    const [secret] = await mailedSecrets(database, email);
    const accepted = await gateway.rest.call('POST', '/api/v1/invitations/accept', { body: { secret } });
    expect(accepted.body.data).toMatchObject({ ...key, role: 'AUDITOR' });
    const { token, user_id: userId } = accepted.body.data as { token: string; user_id: string };
    expect(await database.rows('select id from membership where user_id = $1', [userId])).toEqual([]);
    expectConflict(await run(api, 'invite', { ...key, email }, manager), 'ALREADY_AUDITOR');
    const own = dataOf(await run(api, 'own', {}, { token }));
    expect(own.map(({ id, auditors }: { id: number; auditors: object[] }) => [id, auditors.length])).toEqual([
      [key.engagement_id, 2],
    ]);
    expect(dataOf(await run(api, 'remove', { ...key, user_id: userId }, manager))).toMatchObject({ user_id: userId });
    expectFailure(await run(api, 'remove', { ...key, user_id: userId }, manager), 'NOT_FOUND');
    expectFailure(await run(api, 'remove', { ...key, user_id: analyst.id }, manager), 'NOT_FOUND');
    expectFailure(await run(api, 'remove', { ...key, user_id: 'none' }, manager), 'NOT_FOUND');
    expectFailure(await run(api, 'read', key, { token }), 'NOT_FOUND');
    expect(dataOf(await run(api, 'own', {}, { token }))).toEqual([]);
    await settled(database);
    expect(await titlesOf(database, manager)).toContain('An auditor has joined');
    expect(await actionsIn(key.organization_id)).toEqual([
      ...['MEMBER_INVITED', 'AUDITOR_JOINED', 'ENGAGEMENT_READ', 'AUDITOR_REMOVED'],
    ]);
  });

  test('have as many auditors as there may be, and an invitation to one that has ended opens nothing', async () => {
    const { manager, key } = await audited();
    const name = `${api}-${key.organization_id}`.toLowerCase();
    await database.rows(
      `with people as (insert into app_user (id, username, email)
         select gen_random_uuid(), $2 || n, $2 || n || '@example.com' from generate_series(3, $3::int) n returning id)
       insert into engagement_auditor (engagement_id, user_id) select $1, id from people`,
      [key.engagement_id, name, LIMITS.engagement.auditors],
    );
    const late = `late-${name}@example.com`;
    dataOf(await run(api, 'invite', { ...key, email: late }, manager));
    expect((await joined(api, key, manager, `last-${name}@example.com`)).status).toBe(201);
    expectConflict(
      await run(api, 'invite', { ...key, email: `more-${name}@example.com` }, manager),
      'ENGAGEMENT_LIMIT',
    );
    const [secret] = await mailedSecrets(database, late);
    const accept = () => gateway.rest.call('POST', '/api/v1/invitations/accept', { body: { secret } });
    expect((await accept()).headers.get('conflict-reason')).toBe('ENGAGEMENT_LIMIT');
    dataOf(await run(api, 'update', { ...key, until: at(-1) }, manager));
    expect((await accept()).status).toBe(404);
    expectFailure(await run(api, 'invite', { ...key, email: `more-${name}@example.com` }, manager), 'NOT_FOUND');
    expect(await database.rows('select id from app_user where email = $1', [late])).toEqual([]);
  });

  test('have requests for evidence, which members answer and close, and auditors read', async () => {
    const { manager, analyst, auditor, key } = await audited();
    const requested = dataOf(await run(api, 'request', { ...key, ...CONTROL, text: ' Minutes, please ' }, auditor));
    expect(requested).toMatchObject({
      ...CONTROL,
      text: 'Minutes, please',
      created_by: auditor.username,
      closed_at: null,
    });
    for (const wrong of [
      { workflow_id: 'iso-27001-2022', control_id: 'A.5.1' },
      { workflow_id: 'never-was' },
      { control_id: 'never-was' },
    ])
      expectFailure(await run(api, 'request', { ...key, ...CONTROL, ...wrong, text: 'x' }, auditor), 'NOT_FOUND');
    const { textCharacters } = LIMITS.engagement;
    for (const [text, code] of [
      ['x'.repeat(textCharacters), 'OK'],
      ['x'.repeat(textCharacters + 1), 'BAD_USER_INPUT'],
      [' \u200b', 'BAD_USER_INPUT'],
    ] as const)
      expect((await run(api, 'request', { ...key, ...CONTROL, text }, auditor)).code).toBe(code);
    const one = { ...key, id: requested.id };
    expect(dataOf(await run(api, 'readRequest', one, auditor))).toEqual(requested);
    expectFailure(await run(api, 'answer', { ...one, answer: 'x' }, auditor), 'NOT_FOUND');
    const answered = dataOf(await run(api, 'answer', { ...one, answer: ' Uploaded ' }, analyst));
    expect(answered).toMatchObject({ answer: 'Uploaded', answered_by: analyst.username, closed_at: null });
    expect(dataOf(await run(api, 'answer', { ...one }, manager))).toEqual(answered);
    const closed = dataOf(await run(api, 'answer', { ...one, close: true }, manager));
    expect(closed).toEqual({ ...answered, closed_at: expect.any(String) });
    expectConflict(await run(api, 'answer', { ...one, answer: 'x' }, manager), 'REQUEST_CLOSED');
    expect(dataOf(await run(api, 'requests', key, auditor))[1]).toEqual(closed);
    const second = {
      ...key,
      id: dataOf(await run(api, 'request', { ...key, ...CONTROL, text: 'And this' }, auditor)).id,
    };
    dataOf(await run(api, 'answer', { ...second, answer: 'Mistaken' }, analyst));
    const none = { answer: '', answered_by: null, answered_at: null };
    expect(dataOf(await run(api, 'answer', { ...second, answer: null }, manager))).toMatchObject(none);
    const third = {
      ...key,
      id: dataOf(await run(api, 'request', { ...key, ...CONTROL, text: 'Or that' }, auditor)).id,
    };
    const unanswered = { ...none, answered_by: manager.username, closed_at: expect.any(String) };
    expect(dataOf(await run(api, 'answer', { ...third, close: true }, manager))).toMatchObject(unanswered);
    const other = await audited();
    expectFailure(
      await run(api, 'answer', { ...other.key, id: requested.id, answer: 'x' }, other.analyst),
      'NOT_FOUND',
    );
    expectFailure(await run(api, 'readRequest', { ...other.key, id: requested.id }, other.auditor), 'NOT_FOUND');
    await settled(database);
    expect(await titlesOf(database, manager)).toContain('An auditor requests evidence');
    expect(await titlesOf(database, auditor)).toEqual([]);
  });

  test('have statements about a control or a workflow, which are never changed', async () => {
    const { manager, auditor, key } = await audited();
    const signed = dataOf(await run(api, 'signOff', { ...key, ...CONTROL, statement: 'In force' }, auditor));
    expect(signed).toMatchObject({ ...CONTROL, statement: 'In force', created_by: auditor.username });
    const whole = { ...key, workflow_id: 'nis2-directive', statement: 'Reviewed' };
    expect(dataOf(await run(api, 'signOff', whole, auditor))).toMatchObject({ control_id: null });
    expectFailure(await run(api, 'signOff', { ...whole, workflow_id: 'iso-27001-2022' }, auditor), 'NOT_FOUND');
    expectFailure(await run(api, 'signOff', { ...whole, control_id: 'never-was' }, auditor), 'NOT_FOUND');
    expectFailure(await run(api, 'signOff', whole, manager), 'NOT_FOUND');
    expect(dataOf(await run(api, 'signOffs', key, manager))[1]).toEqual(signed);
    const change = database.rows(`update sign_off set statement = 'Changed' where id = $1`, [signed.id]);
    await expect(change).rejects.toThrow();
    await settled(database);
    expect(await titlesOf(database, manager)).toContain('An auditor has signed off');
  });

  test('end once: who waits while they end changes nothing', async () => {
    const { manager, key } = await audited();
    let waiting: ReturnType<typeof run> | undefined;
    const ended = await database.transaction(async (tx) => {
      await tx.rows('select from organization where id = $1 for update', [key.organization_id]);
      waiting = run(api, 'update', { ...key, until: at(-1) }, manager);
      await someoneWaits(tx);
      const [row] = await tx.rows<{ until: string }>(
        'update engagement set until = clock_timestamp() where id = $1 returning until',
        [key.engagement_id],
      );
      return row!.until;
    });
    expect(Date.parse(dataOf((await waiting)!).until)).toBe(Date.parse(ended));
    expect(await actionsIn(key.organization_id)).toEqual([]);
  });

  test('have no request and no statement that comes after their end, or after the end of their auditor', async () => {
    const { manager, auditor, key } = await audited();
    const { organization_id: organizationId, engagement_id: engagementId } = key;
    const request = () => run(api, 'request', { ...key, ...CONTROL, text: 'a' }, auditor);
    const sign = () => run(api, 'signOff', { ...key, ...CONTROL, statement: 'a' }, auditor);
    const inTurn = async (locked: string, end: () => ReturnType<typeof request>) => {
      const [ended, ...answers] = await inTurnBehind(database, [locked, [engagementId]], [end, request, sign]);
      dataOf(ended!);
      for (const answer of answers) expectFailure(answer, 'NOT_FOUND');
    };
    await inTurn('select from engagement where id = $1 for update', () =>
      run(api, 'update', { ...key, until: at(-1) }, manager),
    );
    dataOf(await run(api, 'update', { ...key, until: at(30) }, manager));
    await inTurn('select from engagement_auditor where engagement_id = $1 for update', () =>
      run(api, 'remove', { ...key, user_id: auditor.id }, manager),
    );
    expect(await actionsIn(organizationId)).toEqual([
      ...['ENGAGEMENT_UPDATED', 'ENGAGEMENT_UPDATED', 'AUDITOR_REMOVED'],
    ]);
  });

  test('end after the statements that their end has waited for', async () => {
    const { manager, auditor, key } = await audited();
    const lock = ['select from engagement where id = $1 for update', [key.engagement_id]] as const;
    const [signed, ended] = await inTurnBehind(database, lock, [
      () => run(api, 'signOff', { ...key, ...CONTROL, statement: 'a' }, auditor),
      () => run(api, 'update', { ...key, until: at(-1) }, manager),
    ]);
    expect(Date.parse(dataOf(ended!).until)).toBeGreaterThanOrEqual(Date.parse(dataOf(signed!).created_at));
  });

  test('have as many requests and statements as there may be', async () => {
    const { auditor, key } = await audited();
    const { organization_id: organizationId, engagement_id: engagementId } = key;
    for (const [table, text, control] of [
      ['evidence_request', 'text', `'21.2.a'`],
      ['sign_off', 'statement', 'null'],
    ])
      await database.rows(
        `insert into ${table} (organization_id, engagement_id, workflow_id, control_id, ${text}, created_by)
         select $1, $2, 'nis2-directive', ${control}, 'a', 'a' from generate_series(2, $3)`,
        [organizationId, engagementId, LIMITS.engagement.requests],
      );
    const request = () => run(api, 'request', { ...key, ...CONTROL, text: 'a' }, auditor);
    const sign = () => run(api, 'signOff', { ...key, ...CONTROL, statement: 'a' }, auditor);
    for (const write of [request, sign]) {
      dataOf(await write());
      expectConflict(await write(), 'ENGAGEMENT_LIMIT');
    }
  });

  test('are read by service accounts as by members, and have none as an auditor', async () => {
    const { manager, key } = await audited();
    const account = await buildServiceAccount(database, key.organization_id, manager, 'ORGANIZATION_MANAGER');
    expectFailure(await run(api, 'own', {}, account), 'FORBIDDEN', FOR_PERSONS);
    expect(dataOf(await run(api, 'read', key, account)).id).toBe(key.engagement_id);
    expectFailure(await run(api, 'request', { ...key, ...CONTROL, text: 'x' }, account), 'NOT_FOUND');
  });
});
