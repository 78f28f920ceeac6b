import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrations } from '../../src/database/migrations/index.js';
import { RestClient } from '../support/clients.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { expectStatus } from '../support/matchers.js';
import { until } from '../support/until.js';
import { build, GatewayProcess, ROOT, SECRET_KEY } from './support/gateway-process.js';

const run = promisify(execFile);

let folder: string;
let database: TestDatabase;
let previous: GatewayProcess | undefined;
let present: GatewayProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upgrade-'));
  database = await createEmptyDatabase();
  await build();
});

afterAll(async () => {
  await Promise.all([previous?.end('SIGKILL'), present?.end('SIGKILL')]);
  await database.drop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** The program before the last migration, or PREVIOUS_RELEASE (a commit or tag), built in a separate folder. */
async function buildPrevious(): Promise<string> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: ROOT })).stdout.trim();
  const last = migrations.at(-1)!.name;
  const added = await git(
    'log',
    '--first-parent',
    '-1',
    '--format=%H',
    `-S'${last}'`,
    '--',
    'src/database/migrations/index.ts',
  );
  const root = join(folder, 'previous');
  await mkdir(root);
  await git('archive', '--output', join(folder, 'previous.tar'), process.env.PREVIOUS_RELEASE ?? `${added}^`);
  await run('tar', ['-xf', join(folder, 'previous.tar'), '-C', root]);
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  expect(await readFile(join(root, 'src/database/migrations/index.ts'), 'utf8')).not.toContain(`'${last}'`);
  await build(root);
  return root;
}

/** Writes and reads until it is stopped, each request after the previous response. */
class Caller {
  readonly written: string[] = [];
  readonly failed: string[] = [];
  private isStopped = false;
  private readonly ended: Promise<void>;

  constructor(
    private readonly name: string,
    private readonly rest: RestClient,
    private readonly token: string,
  ) {
    this.ended = this.work();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.ended;
  }

  private async work(): Promise<void> {
    for (let n = 0; !this.isStopped; n += 1) {
      const title = `${this.name} ${n}`;
      const body = { title, severity: 'LOW', aware_at: new Date().toISOString() };
      if (await this.send('POST', INCIDENTS, body)) this.written.push(title);
      for (const path of [
        `${INCIDENTS}?limit=1`,
        '/api/v1/organizations',
        '/api/v1/notifications?limit=5',
        '/api/v1/profile',
      ])
        await this.send('GET', path);
    }
  }

  private async send(method: string, path: string, body?: object): Promise<boolean> {
    try {
      const { status, text } = await this.rest.call(method, path, { token: this.token, ...(body && { body }) });
      if (status < 300) return true;
      this.failed.push(`${method} ${path}: ${status} ${text}`);
    } catch (error) {
      this.failed.push(`${method} ${path}: ${String(error)}`);
    }
    return false;
  }
}

const INCIDENTS = '/api/v1/v-ciso/incidents/1';

test('a version takes over from the one before the last migration while both are read and written', async () => {
  const root = await buildPrevious();
  const shared = {
    DATABASE_URL: database.url,
    SECRET_KEY,
    STORAGE_URL: `file:${join(folder, 'files')}`,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_READS: 'off',
    RATE_LIMIT_WRITES: 'off',
    RATE_LIMIT_PER_USER: 'off',
    RATE_LIMIT_PER_ADDRESS: 'off',
  };
  const dataDir = join(folder, 'one');
  previous = await GatewayProcess.ready({ ...shared, DATA_DIR: dataDir, DEMO: '1' }, undefined, root);
  const { tokens } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as { tokens: { owner: string } };
  // Its responses follow its own OpenAPI document.
  const older = new Caller('Older', new RestClient(previous.url, undefined, []), tokens.owner);
  await until('the version before is in use', () => older.written.length > 20);

  // It migrates the database to the present schema while the other one runs.
  present = await GatewayProcess.ready({ ...shared, DATA_DIR: join(folder, 'two') });
  const rest = new RestClient(present.url);
  const newer = new Caller('Newer', rest, tokens.owner);
  const before = older.written.length;
  await until('both are in use', () => older.written.length > before + 50 && newer.written.length > 50);
  await older.stop();
  expect((await previous.end()).code).toBe(0);
  await newer.stop();

  expect([...older.failed, ...newer.failed]).toEqual([]);
  const titles: string[] = [];
  for (let offset = 0; ; offset += 100) {
    const page = await rest.get(`${INCIDENTS}?limit=100&offset=${offset}`, { token: tokens.owner });
    const items = page.body.data as { title: string }[];
    if (items.length === 0) break;
    titles.push(...items.map(({ title }) => title));
  }
  const of = (caller: string) => titles.filter((title) => title.startsWith(`${caller} `)).toSorted();
  expect(of('Older')).toEqual(older.written.toSorted());
  expect(of('Newer')).toEqual(newer.written.toSorted());
  const verified = await rest.get('/api/v1/organizations/1/audit-trail/verification', { token: tokens.owner });
  expectStatus(verified, 200);
  expect(verified.body.data).toMatchObject({ valid: true });
});

test('the version before refuses to start on the schema that came after it', async () => {
  const env = { DATABASE_URL: database.url, SECRET_KEY, DATA_DIR: join(folder, 'one'), PORT: '0' };
  const refused = new GatewayProcess(env, undefined, join(folder, 'previous'));
  expect((await refused.ended).code).toBe(1);
  expect(refused.complaint).toContain('was migrated by a newer version of the gateway');
});
