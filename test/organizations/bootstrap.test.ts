import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile, type ExecFileException } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digestToken, isWellFormedToken } from '../../src/auth/token.js';
import { bootstrap } from '../../src/app/bootstrap.js';
import { Database } from '../../src/database/database.js';
import { seedDemo } from '../../src/demo/demo.js';
import { lockDataDir } from '../../src/database/embedded/data-dir-lock.js';
import { CATALOG } from '../support/catalog.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { build, ROOT, SECRET_KEY } from '../resilience/support/gateway-process.js';

interface Outcome {
  code: number;
  output: string;
  complaint: string;
}

/** Runs the command in this process. */
async function run(args: string[], env: Record<string, string>): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const to = (stream: keyof typeof written) => ({ write: (text: string) => (written[stream] += text) });
  const code = await bootstrap(args, env, { stdout: to('stdout'), stderr: to('stderr') });
  return { code, output: written.stdout, complaint: written.stderr };
}

function tokensIn(output: string): string[] {
  return output.match(/scp_\w+/g) ?? [];
}

let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'gateway-bootstrap-'))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe("bootstrap on a database of one's own", () => {
  let test: TestDatabase;
  let database: Database;
  let env: Record<string, string>;

  beforeEach(async () => {
    test = await createTestDatabase();
    database = await Database.open(test.url, 2);
    env = { DATABASE_URL: test.url, DATA_DIR: dataDir, SECRET_KEY, DEMO: '1' };
  });
  afterEach(async () => {
    await database.close();
    await test.drop();
  });

  const users = () =>
    database.rows('select username, email, first_name as first, last_name as last from app_user order by email');

  it('makes the first user and shows a token for reading and writing, once', async () => {
    const args = ['--email', 'Ada.Byron@Example.com', '--username', 'ada', '--name', 'Ada  Byron King'];
    const { code, output, complaint } = await run(args, env);
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(await users()).toEqual([
      { username: 'ada', email: 'ada.byron@example.com', first: 'Ada', last: 'Byron King' },
    ]);
    const [token = '', ...more] = tokensIn(output);
    expect(more).toEqual([]);
    expect(isWellFormedToken(token)).toBe(true);
    const rows = await database.rows<{ days: number }>(
      `select t.scopes, t.revoked_at, round(extract(epoch from t.expires_at - now()) / 86400)::int as days, u.username
         from api_token t join app_user u on u.id = t.user_id where t.digest = $1`,
      [digestToken(token)],
    );
    expect(rows).toEqual([{ scopes: ['read', 'write'], revoked_at: null, days: 90, username: 'ada' }]);
  });

  it('takes the user name from the e-mail address, never seeds, and prevents the demo from seeding later', async () => {
    expect((await run(['--email', 'ada@example.com'], env)).code).toBe(0);
    expect(await users()).toEqual([{ username: 'ada', email: 'ada@example.com', first: '', last: '' }]);
    expect(await readdir(dataDir)).toEqual([]);
    const config = { dataDir, storageUrl: `file:${join(dataDir, 'files')}` };
    expect(await seedDemo({ databaseUrl: test.url, config, catalog: CATALOG })).toBeUndefined();
    expect(await users()).toHaveLength(1);
  });

  it('changes nothing when there are users, and says so in one sentence', async () => {
    await database.rows(
      `insert into app_user (id, username, email) values (gen_random_uuid(), 'first', 'first@example.com')`,
    );
    const { code, output, complaint } = await run(['--email', 'ada@example.com'], env);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(complaint).toMatch(/^This database has users already[^\n]*\n$/);
    expect(await users()).toHaveLength(1);
    expect(await database.rows('select 1 from api_token')).toEqual([]);
  });

  it('makes a first user again where all were erased, because none of them can invite others', async () => {
    expect((await run(['--email', 'ada@example.com'], env)).code).toBe(0);
    expect((await run(['--erase', 'ada@example.com'], env)).code).toBe(0);
    expect(await run(['--email', 'ada@example.com'], env)).toMatchObject({ code: 0, complaint: '' });
    expect((await users()).map(({ username }) => username)).toEqual(['ada', expect.stringMatching(/^erased-/)]);
    expect((await run(['--email', 'eva@example.com'], env)).code).toBe(1);
  });

  it('makes a new token for a user who has lost every other, shows it once, and notifies the owners', async () => {
    expect((await run(['--email', 'ada@example.com'], env)).code).toBe(0);
    await database.rows(`with made as (insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips)
        values ('Byron', '{}', '{}', '[]', '[]', '{}', '{}') returning id)
      insert into membership (user_id, organization_id, role) select u.id, made.id, 'ORGANIZATION_OWNER' from app_user u, made`);
    const { code, output, complaint } = await run(['--recover', ' Ada@example.com'], env);
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    const [token = '', ...more] = tokensIn(output);
    expect(more).toEqual([]);
    expect(await database.rows('select name, scopes from api_token where digest = $1', [digestToken(token)])).toEqual([
      { name: 'Recovered token', scopes: ['read', 'write'] },
    ]);
    const gateway = await startGateway({ database: test });
    await gateway.settled();
    // The operator has made it, and not the member.
    expect(await database.rows('select title, message from notification')).toEqual([
      {
        title: 'A member has recovered access',
        message: expect.stringMatching(/^A new token was created for /),
      },
    ]);
    await gateway.close();
    await database.rows('update app_user set deactivated_at = now()');
    for (const address of ['eva@example.com', 'ada@example.com']) {
      const unknown = await run(['--recover', address], env);
      expect([unknown.code, unknown.output]).toEqual([1, '']);
      expect(unknown.complaint).toBe('No active user has this e-mail address. Nothing was changed.\n');
    }
    expect((await run(['--recover', 'ada@example.com', '--name', 'Ada'], env)).code).toBe(2);
  });

  it('erases a user by its address, but not the last owner of an organization', async () => {
    await run(['--email', 'ada@example.com'], env);
    await database.rows(`with made as (insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips)
        values ('Byron', '{}', '{}', '[]', '[]', '{}', '{}') returning id)
      insert into membership (user_id, organization_id, role) select u.id, made.id, 'ORGANIZATION_OWNER' from app_user u, made`);
    expect(await run(['--erase', ' Ada@example.com'], env)).toEqual({
      ...{ code: 1, output: '' },
      complaint: 'The user is the last owner of an organization, which needs another one first. Nothing was changed.\n',
    });
    await database.rows(`update membership set role = 'VIEWER'`);
    const [mail] = await database.rows<{ id: string }>(
      `insert into outgoing_mail (id, recipient, state) values (gen_random_uuid(), 'ada@example.com', 'SENT') returning id`,
    );
    const mails = join(dataDir, 'mail');
    await mkdir(mails);
    await writeFile(join(mails, `2026-11-20T08-15-30-500Z-${mail!.id}.eml`), 'To: ada@example.com');
    const { code, output, complaint } = await run(['--erase', ' Ada@example.com'], env);
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(output).toMatch(/^The user was erased\. erased-[0-9a-f]{12} stands in place of its name from now on\.\n$/);
    expect(await database.rows('select first_name, personal_key from app_user')).toEqual([
      { first_name: '', personal_key: null },
    ]);
    expect(await database.rows('select action, actor from audit_entry order by log_id')).toEqual([
      { action: 'MEMBER_REMOVED', actor: 'operator' },
      { action: 'USER_ERASED', actor: 'operator' },
    ]);
    expect(await readdir(mails)).toEqual([]);
    const again = await run(['--erase', 'ada@example.com'], env);
    expect(again).toMatchObject({ code: 1, complaint: 'No user has this e-mail address. Nothing was changed.\n' });
    expect((await run(['--erase', 'ada@example.com', '--name', 'Ada'], env)).code).toBe(2);
  });

  it('erases an address that was invited and is no user', async () => {
    await run(['--email', 'ada@example.com'], env);
    await database.rows(`with made as (insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips)
        values ('Byron', '{}', '{}', '[]', '[]', '{}', '{}') returning id),
        job as (insert into import_job (organization_id, kind, user_id, rows, due_at)
          select made.id, 'INVITATIONS', u.id, 1, now() from made, app_user u returning *),
        waiting as (insert into import_row (organization_id, import_job_id, number, input)
          select organization_id, id, 1, '{"email":"Eva@example.com","role":"VIEWER"}' from job)
      insert into invitation (organization_id, email, role, digest, sent_at, expires_at, closed_at)
      select made.id, given.email, 'VIEWER', sha256(given.place::text::bytea), array[now()], now() + interval '7 days', given.closed_at
        from made, (values (1, 'eva@example.com', null), (2, 'eva@example.com', now()), (3, 'eve@example.com', null)) given (place, email, closed_at)`);
    const [mail] = await database.rows<{ id: string }>(
      `insert into outgoing_mail (id, recipient, state) values (gen_random_uuid(), 'eva@example.com', 'SENT') returning id`,
    );
    const mails = join(dataDir, 'mail');
    await mkdir(mails);
    await writeFile(join(mails, `2026-11-20T08-15-30-500Z-${mail!.id}.eml`), 'To: eva@example.com');
    const { code, output, complaint } = await run(['--erase', 'Eva@example.com'], env);
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    const pseudonym = /^The address was erased\. (erased-[0-9a-f]{12}) stands in place of it from now on\.\n$/.exec(
      output,
    )?.[1];
    expect(pseudonym).toBeDefined();
    const invitations = await database.rows('select email, closed_at is null as open from invitation order by id');
    expect(invitations).toEqual([
      { email: `${pseudonym}@erased.invalid`, open: false },
      { email: `${pseudonym}@erased.invalid`, open: false },
      { email: 'eve@example.com', open: true },
    ]);
    expect(await database.rows('select outcome, input from import_row')).toEqual([
      { outcome: 'NOT_DONE', input: null },
    ]);
    expect(await database.rows(`select id from outgoing_mail where recipient <> ''`)).toEqual([]);
    expect(await readdir(mails)).toEqual([]);
    expect(await database.rows('select action, actor from audit_entry order by log_id')).toEqual([
      { action: 'INVITATION_CANCELLED', actor: 'operator' },
    ]);
    const again = await run(['--erase', 'eva@example.com'], env);
    expect(again).toMatchObject({ code: 1, complaint: 'No user has this e-mail address. Nothing was changed.\n' });
  });

  it('lets one of two that run together be the first', async () => {
    const outcomes = await Promise.all([
      run(['--email', 'ada@example.com'], env),
      run(['--email', 'eva@example.com'], env),
    ]);
    expect(outcomes.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    expect(await users()).toHaveLength(1);
  });
});

describe('bootstrap when the database cannot be had', () => {
  const nowhere = () => ({
    DATABASE_URL: 'postgresql://gateway:hunter2@127.0.0.1:1/gateway',
    DATA_DIR: dataDir,
    SECRET_KEY,
  });

  it('says in one line that it cannot be reached, without the password', async () => {
    await build();
    const { PATH = '' } = process.env;
    const command = promisify(execFile)(process.execPath, ['dist/main.js', 'bootstrap', '--email', 'ada@example.com'], {
      cwd: ROOT,
      env: { PATH, ...nowhere() },
    });
    const { code, stdout, stderr } = (await command.catch((error: unknown) => error)) as ExecFileException;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The database cannot be reached or migrated \([^\n]+\)\.\n$/);
    expect(stderr).not.toContain('hunter2');
  });

  it.each([
    ['no address', []],
    ['an empty address', ['--email', ' ']],
    ['a text that is no address', ['--email', 'ada']],
    ['a flag without its value', ['--email']],
    ['no address to erase', ['--erase', ' ']],
    ['two persons to erase', ['--erase', 'ada@example.com', '--erase', 'bob@example.com']],
    ['an unknown flag', ['--email', 'ada@example.com', '--admin']],
    ['a user name with a space', ['--email', 'ada@example.com', '--username', 'ada b']],
    ['an address whose first part is no user name', ['--email', 'ada/b@example.com']],
    ['a name with control characters', ['--email', 'ada@example.com', '--name', 'A\u0007da']],
  ])('answers %s with its usage and code 2, before it asks for a database', async (_, args) => {
    const { code, output, complaint } = await run(args, nowhere());
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(complaint).toMatch(
      /^[^\n]+\nUsage: npm run bootstrap -- --email [^\n]+\n {7}npm run bootstrap -- --recover <address>\n {7}npm run bootstrap -- --erase <address>\n$/,
    );
  });

  it('refuses in one sentence while a gateway has the data folder locked', async () => {
    const lock = await lockDataDir(dataDir);
    try {
      const refused = run(['--email', 'ada@example.com'], { DATA_DIR: dataDir });
      await expect(refused).rejects.toThrow(/^Another gateway [^\n]+$/);
    } finally {
      await lock.release();
    }
  });
});
