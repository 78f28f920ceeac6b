import { beforeEach, describe, expect, test } from '@jest/globals';
import { MemberImportService } from '../../src/services/members/member-import.service.js';
import type { Role } from '../../src/values/enums.js';
import { APIS, dataOf, expectFailure, uploadThrough, type Api } from '../support/apis.js';
import { anonymousAccess, SYSTEM } from '../support/callers.js';
import { HIGH_QUOTAS, startGateway, type TestGateway } from '../support/gateway.js';
import { mutation } from '../support/operations.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectData } from '../support/matchers.js';
import { newMember } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { cellsOf, csvOf, type AnsweredRow } from '../support/spreadsheets.js';
import { buildOrganization, buildToken, join, type Person } from '../support/test-data.js';
import { until } from '../support/until.js';

const ROWS = 'rows { row key outcome changes { column before after } error { code field message } }';
const IMPORT = mutation('POST /api/v1/organizations/{organization_id}/users/import', 'importMembers', ROWS);

const { gateway } = await startSeededGateway({ config: { quotas: HIGH_QUOTAS } });
const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);

let organizationId: number;
let owner: Person;
let manager: Person;
let viewer: Person;
let analyst: Person;
beforeEach(async () => {
  const { database } = gateway.app;
  organizationId = await buildOrganization(database, 'Another');
  owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
  manager = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
  viewer = await newMember(database, organizationId, 'VIEWER');
  analyst = await newMember(database, organizationId, 'SECURITY_ANALYST');
});

/** The list of members as it is exported. */
const exported = async () =>
  (await gateway.rest.get(`/api/v1/organizations/${organizationId}/users?format=csv`, { token: owner.token })).text;

/** The same with other cells: by user and column. */
async function edited(
  changes: Readonly<Record<string, Readonly<Record<string, string>>>>,
  delimiter = ',',
): Promise<string> {
  const [names = [], ...rows] = cellsOf(await exported());
  const changed = rows.map((cells) => cells.map((cell, at) => changes[cells[0]!]?.[names[at]!] ?? cell));
  return csvOf([names, ...changed], delimiter);
}

const roles = async () =>
  Object.fromEntries(
    (
      await sql('select user_id, role, deactivated_at is null as active from membership where organization_id = $1', [
        organizationId,
      ])
    ).map(({ user_id: id, role, active }) => [id, active ? role : `${role} off`]),
  );
const entries = async () =>
  (
    await sql(
      `select 1 from audit_entry e join audit_log l on l.id = e.log_id
                where l.organization_id = $1 and action = 'MEMBER_UPDATED'`,
      [organizationId],
    )
  ).length;
const isRow = (key: string) => (row: AnsweredRow) => row.key === key;

describe.each(APIS)('through %s', (api: Api) => {
  const send = (
    text: string | Buffer,
    {
      token = owner.token,
      dry_run,
      through = gateway,
    }: { token?: string; dry_run?: boolean; through?: TestGateway } = {},
  ) => {
    const path = `${IMPORT.rest}${dry_run ? '?dry_run=true' : ''}`;
    const file = { filename: 'users.csv', contentType: 'text/csv', bytes: Buffer.from(text) };
    const input = { organization_id: organizationId, ...(dry_run && api === 'GraphQL' && { dry_run }) };
    return uploadThrough(api, through, { ...IMPORT, rest: path }, input, file, token);
  };
  const rowsOf = async (text: string, options = {}): Promise<AnsweredRow[]> => dataOf(await send(text, options));

  test('what was exported changes nothing when it is sent back', async () => {
    const before = await roles();
    const rows = await rowsOf(await exported());
    expect(rows.map(({ row, outcome, changes, error }: AnsweredRow) => [row, outcome, changes, error])).toEqual(
      [2, 3, 4, 5].map((row) => [row, 'UNCHANGED', [], null]),
    );
    expect([await roles(), await entries()]).toEqual([before, 0]);
  });

  test('the day on which a member has joined is the last column, and is not looked at, however it is written', async () => {
    const [names = [], ...rows] = cellsOf(await exported());
    expect(names.at(-1)).toBe('joined_at');
    const joined = await sql('select user_id, created_at from membership where organization_id = $1', [organizationId]);
    const day = (id: string) => joined.find(({ user_id: userId }) => userId === id)?.created_at;
    expect(rows.map((cells) => Date.parse(cells.at(-1)!))).toEqual(rows.map(([id]) => Date.parse(day(id!))));
    const text = await edited({ [viewer.id]: { joined_at: '30/11/2026', role: 'SECURITY_OFFICER' } });
    const changes = [{ column: 'role', before: 'VIEWER', after: 'SECURITY_OFFICER' }];
    expect((await rowsOf(text)).find(isRow(viewer.id))).toMatchObject({ outcome: 'CHANGED', changes });
  });

  test('roles and activity become as the cells say, each with an entry, and the same file again changes nothing', async () => {
    const text = await edited({ [viewer.id]: { role: 'SECURITY_OFFICER' }, [analyst.id]: { active: 'FALSE' } });
    const rows = await rowsOf(text);
    expect(rows.find(isRow(viewer.id))).toMatchObject({
      outcome: 'CHANGED',
      changes: [{ column: 'role', before: 'VIEWER', after: 'SECURITY_OFFICER' }],
    });
    expect(rows.find(isRow(analyst.id))).toMatchObject({
      outcome: 'CHANGED',
      changes: [{ column: 'active', before: 'true', after: 'false' }],
    });
    expect(await roles()).toMatchObject({ [viewer.id]: 'SECURITY_OFFICER', [analyst.id]: 'SECURITY_ANALYST off' });
    expect(await entries()).toBe(2);
    const again = await rowsOf(text);
    expect(again.map(({ outcome }: AnsweredRow) => outcome)).toEqual(rows.map(() => 'UNCHANGED'));
    expect(await entries()).toBe(2);
  });

  test('a member who owns five sandboxes is not made the owner of this one, and other rows are done', async () => {
    const { database } = gateway.app;
    const sandboxes = [organizationId];
    for (let n = 1; n <= 5; n += 1) {
      const id = await buildOrganization(database, `Sandbox ${n}`);
      await join(database, viewer, id, 'ORGANIZATION_OWNER');
      sandboxes.push(id);
    }
    await sql('update organization set sandbox = true where id = any($1)', [sandboxes]);
    const text = await edited({ [viewer.id]: { role: 'ORGANIZATION_OWNER' }, [analyst.id]: { role: 'VIEWER' } });
    const rows = await rowsOf(text);
    expect(rows.find(isRow(viewer.id))).toMatchObject({ outcome: 'REFUSED', error: { code: 'SANDBOX_LIMIT' } });
    expect(rows.find(isRow(analyst.id))).toMatchObject({ outcome: 'CHANGED' });
    expect(await roles()).toMatchObject({ [viewer.id]: 'VIEWER', [analyst.id]: 'VIEWER' });
  });

  test('a dry run says what would become of each row, those before it included, and changes nothing', async () => {
    const second = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER');
    const before = await roles();
    const text = await edited({ [owner.id]: { role: 'VIEWER' }, [second.id]: { role: 'VIEWER' } });
    const outcomes = (rows: AnsweredRow[]) =>
      rows.map(({ key, outcome, error }) => [key, outcome, error?.code ?? null]);
    const said = await rowsOf(text, { dry_run: true });
    expect([await roles(), await entries()]).toEqual([before, 0]);
    const done = await rowsOf(text);
    expect(outcomes(done)).toEqual(outcomes(said));
    // The second row is refused: the caller may not manage owners any more, or is the last owner.
    expect(done.filter(({ outcome }: AnsweredRow) => outcome === 'CHANGED')).toHaveLength(1);
    expect(await entries()).toBe(1);
  });

  test('a row is refused alone: stale, unknown, of a wrong value, changed where it cannot be, or above the caller', async () => {
    const outsider = await newMember(
      gateway.app.database,
      await buildOrganization(gateway.app.database, 'Other'),
      'VIEWER',
    );
    const officer = await newMember(gateway.app.database, organizationId, 'SECURITY_OFFICER');
    const renamed = await newMember(gateway.app.database, organizationId, 'VIEWER');
    const text = await edited({
      [viewer.id]: { role: 'SECURITY_OFFICER' },
      [owner.id]: { role: 'VIEWER' },
      [analyst.id]: { role: 'CHIEF' },
      [renamed.id]: { email: 'other@example.com' },
      [officer.id]: { role: 'SECURITY_ANALYST' },
    });
    await sql(`update membership set role = 'ORGANIZATION_MANAGER' where organization_id = $1 and user_id = $2`, [
      organizationId,
      viewer.id,
    ]);
    const [line] = text.split('\r\n').filter((each) => each.startsWith(officer.id));
    const rows = await rowsOf(`${text}${line!.replace(officer.id, outsider.id)}\r\n`, { token: manager.token });
    const refused = (person: Person) => {
      const { outcome, changes, error } = rows.find(isRow(person.id))!;
      return [outcome, changes, error?.code, error?.field];
    };
    expect(refused(viewer)).toEqual(['REFUSED', [], 'STALE_VERSION', null]);
    expect(refused(owner)).toEqual(['REFUSED', [], 'FORBIDDEN', null]);
    expect(refused(analyst)).toEqual(['REFUSED', [], 'BAD_USER_INPUT', 'role']);
    expect(refused(renamed)).toEqual(['REFUSED', [], 'BAD_USER_INPUT', 'email']);
    expect(refused(outsider)).toEqual(['REFUSED', [], 'NOT_FOUND', null]);
    expect(rows.find(isRow(officer.id))!.outcome).toBe('CHANGED');
    expect(await entries()).toBe(1);
  });

  test.each(['revoked', 'blocked in the organization'])(
    'a token that is %s while its table is worked on changes nothing any more',
    async (end) => {
      const { database } = gateway.app;
      const token = await buildToken(database, owner, {});
      const lines = [viewer, analyst, manager].map(({ id }) => `${id},SECURITY_OFFICER\n`);
      const { body } = await gateway.rest.get('/api/v1/token', { token });
      const path = end === 'revoked' ? '/api/v1/tokens' : `/api/v1/organizations/${organizationId}/tokens`;
      const members = `/api/v1/organizations/${organizationId}/users`;
      let sent: ReturnType<typeof send> | undefined;
      await database.transaction(async (tx) => {
        await tx.rows('select 1 from membership where user_id = $1 for update', [analyst.id]);
        sent = send(`id,role\n${lines.join('')}`, { token });
        await someoneWaits(tx);
        expectData(await gateway.rest.delete(`${path}/${body.data.token.id}`, { token: owner.token }));
        await until(async () => (await gateway.rest.get(members, { token })).status !== 200);
      });
      const answer = await sent!;
      if (end === 'revoked') expectFailure(answer, 'UNAUTHENTICATED');
      else
        expect((dataOf(answer) as AnsweredRow[]).map(({ outcome, error }) => error?.code ?? outcome)).toEqual([
          ...['CHANGED', 'FORBIDDEN', 'FORBIDDEN'],
        ]);
      expect(await roles()).toMatchObject({ [analyst.id]: 'SECURITY_ANALYST', [manager.id]: 'ORGANIZATION_MANAGER' });
      expect(await entries()).toBe(1);
    },
  );

  test('a row that waits too long for another change ends the request, and those before it stay: the table may be sent again', async () => {
    const token = owner.token;
    const text = await edited({
      [viewer.id]: { role: 'SECURITY_OFFICER' },
      [analyst.id]: { role: 'VIEWER' },
      [manager.id]: { active: 'false' },
    });
    const [names = [], ...rows] = cellsOf(text);
    const table = csvOf([names, ...[viewer, analyst, manager].map(({ id }) => rows.find(([each]) => each === id)!)]);
    const config = { quotas: HIGH_QUOTAS, databaseStatementSeconds: 14 };
    const impatient = await startGateway({ database: gateway.database, config });
    await gateway.app.database.transaction(async (tx) => {
      await tx.rows('select 1 from membership where user_id = $1 for update', [analyst.id]);
      expectFailure(await send(table, { token, through: impatient }), 'UNAVAILABLE', []);
    });
    await impatient.close();
    expect(await roles()).toMatchObject({
      [viewer.id]: 'SECURITY_OFFICER',
      [analyst.id]: 'SECURITY_ANALYST',
      [manager.id]: 'ORGANIZATION_MANAGER',
    });
    const again = await rowsOf(table, { token });
    expect(again.map(({ outcome }) => outcome)).toEqual(['UNCHANGED', 'CHANGED', 'CHANGED']);
    expect(await entries()).toBe(3);
  });

  test('reads what spreadsheets write: semicolons, no byte order mark, fewer columns in another order', async () => {
    const short = `role;id\n"SECURITY_OFFICER";${viewer.id.toUpperCase()}\n\n`;
    expect(await rowsOf(short)).toMatchObject([{ row: 2, key: viewer.id.toUpperCase(), outcome: 'CHANGED' }]);
    expect(await rowsOf('\ufeffid,role\r\n')).toEqual([]);
    const whole = await edited({ [viewer.id]: { active: 'WAHR' }, [analyst.id]: { role: 'VIEWER' } }, ';');
    const rows = await rowsOf(whole.replace('\ufeff', '').replaceAll('\r\n', '\n'));
    expect(rows.filter(({ outcome }: AnsweredRow) => outcome !== 'UNCHANGED')).toMatchObject([
      { key: analyst.id, outcome: 'CHANGED' },
    ]);
  });

  test('a table that cannot be judged is refused as a whole, and so is a caller without the right', async () => {
    const wrong: [text: string | Buffer, message: string][] = [
      [Buffer.from(`id,role\n${viewer.id},Prüfer\n`, 'latin1'), 'file must be text in UTF-8'],
      [Buffer.from(`\ufeffid\trole\n${viewer.id}\tVIEWER\n`, 'utf16le'), 'file must be text in UTF-8'],
      ['\ufeff', 'file must begin with the names of the columns'],
      ['\n,\n\n', 'file must begin with the names of the columns'],
      ['id,rank\n', 'rank is not a known column'],
      ['id,role,role\n', 'role is named twice'],
      ['role\nVIEWER\n', 'id is required'],
      [`id,role\n${viewer.id},"VIE"WER\n`, 'file is no CSV: line 2 has a quotation mark in the wrong place'],
      [`id,role\n${`${viewer.id},VIEWER\n`.repeat(2_001)}`, 'file must not have more than 2000 rows'],
      [`id,role\n${viewer.id},VIEWER\0\n`, 'file must not contain a NUL character'],
      [`id,role\n${viewer.id},${'x'.repeat(100_001)}\n`, 'file must not have more than 100000 characters in a row'],
      [`id,role\n${viewer.id}${','.repeat(100_001)}\n`, 'file must not have more than 100000 characters in a row'],
      [`id${','.repeat(100_001)}\n`, 'file must not have more than 100000 characters in a row'],
    ];
    for (const [text, message] of wrong) expectFailure(await send(text), 'BAD_USER_INPUT', [message]);
    expectFailure(await send('id\n', { token: analyst.token }), 'FORBIDDEN');
    expectFailure(await send('id\n'.padEnd(5 * 1024 * 1024 + 1, '\n')), 'FILE_TOO_LARGE', [
      'File too large. Maximum size is 5 MB.',
    ]);
    const twice = `id,role\n${viewer.id},VIEWER\n${viewer.id},SECURITY_OFFICER\n,VIEWER\n${analyst.id}\n`;
    expect((await rowsOf(twice)).map(({ outcome, error }) => [outcome, error?.message])).toEqual([
      ['REFUSED', 'id is in more than one row'],
      ['REFUSED', 'id is in more than one row'],
      ['REFUSED', 'id is required'],
      ['REFUSED', 'The row must have as many cells as there are columns'],
    ]);
    const written = `id,role\n${viewer.id},SECURITY_ANALYST\n${viewer.id.toUpperCase()},SECURITY_OFFICER\n`;
    expect((await rowsOf(written)).map(({ error }) => error?.message)).toEqual(
      Array(2).fill('id is in more than one row'),
    );
    expect(await entries()).toBe(0);
  });
});

test('the table is also the body itself, and a role that is given twice is answered again by its key', async () => {
  const text = await edited({ [viewer.id]: { role: 'SECURITY_OFFICER' satisfies Role } });
  const request = {
    token: owner.token,
    headers: { 'content-type': 'text/csv', 'idempotency-key': 'one-key' },
    body: Buffer.from(text),
  };
  const path = `/api/v1/organizations/${organizationId}/users/import`;
  const first = await gateway.rest.post(path, request);
  expect(first.body.data.find(isRow(viewer.id)).outcome).toBe('CHANGED');
  const second = await gateway.rest.post(path, request);
  expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
  expect(await entries()).toBe(1);
});

test('a request that takes too long leaves the rest of the table', async () => {
  const { database, services } = gateway.app;
  const imports = new MemberImportService(database, anonymousAccess(), services.memberUpdates, 0);
  const text = await edited({ [viewer.id]: { role: 'SECURITY_OFFICER' } });
  const check = () => ({ fields: {}, errors: [] });
  const { rows } = await imports.import(SYSTEM, { organizationId, text, check });
  expect(rows.map(({ outcome }) => outcome)).toEqual(Array(4).fill('NOT_DONE'));
  expect(await entries()).toBe(0);
});
