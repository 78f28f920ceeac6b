import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isWellFormedToken } from '../../src/auth/token.js';
import { RestClient } from '../support/clients.js';
import { expectData, expectError } from '../support/matchers.js';
import { build, GatewayProcess, ROOT } from './support/gateway-process.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const started: GatewayProcess[] = [];
const folders: string[] = [];

beforeAll(build);

afterAll(async () => {
  for (const each of started) await each.end('SIGKILL');
  await until('no database is left', () => folders.every((folder) => serverOf(folder) === undefined));
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'start-'));
  folders.push(folder);
  return folder;
}

/** A gateway with the embedded database, like `npm start` runs it. */
async function start(dataDir: string, env: Record<string, string> = {}): Promise<GatewayProcess> {
  const gateway = await GatewayProcess.ready({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...env });
  started.push(gateway);
  return gateway;
}

/** Runs one that is expected not to start; returns its standard error. */
async function refused(env: Record<string, string>, nodeArguments?: readonly string[]): Promise<string> {
  const gateway = new GatewayProcess(env, nodeArguments);
  started.push(gateway);
  expect(await gateway.ended).toEqual({ code: 1, signal: null });
  expect(gateway.out).toBe('');
  return gateway.complaint;
}

/** Node arguments for a gateway that sends itself a signal at the first statement with this text. */
function signalledAt(statement: string, signal: NodeJS.Signals): string[] {
  const program = `
    import pg from ${JSON.stringify(import.meta.resolve('pg'))};
    const { query } = pg.Client.prototype;
    let isSent = false;
    pg.Client.prototype.query = function (asked, ...rest) {
      if (!isSent && (asked.text ?? asked).includes?.(${JSON.stringify(statement)})) {
        isSent = true;
        process.kill(process.pid, '${signal}');
      }
      return query.call(this, asked, ...rest);
    };`;
  return ['--import', `data:text/javascript,${encodeURIComponent(program)}`];
}

/** Process id of the running PostgreSQL of a data folder; its file remains after a kill. */
function serverOf(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postgres/files/postmaster.pid'), 'utf8').split('\n', 1)[0]);
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

interface Facts {
  tokens: Record<string, string>;
  organization_id: number;
  other_organization_id: number;
  cloud_defender_id: number;
  atb_id: number;
  workflow_id: string;
  artifact_id: string;
  incident_id: number;
}

const factsOf = async (dataDir: string) => JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Facts;

/** Runs the printed line: with curl, or equivalently where the machine has none. */
async function runCurlLine(line: string): Promise<{ status: number; body: string }> {
  const [, header = '', url = ''] = /^ *curl -H '([^']+)' (\S+)$/.exec(line) ?? [];
  expect([header, url]).not.toContain('');
  try {
    const { stdout } = await run('curl', ['-s', '-w', '\n%{http_code}', '-H', header, url]);
    const end = stdout.lastIndexOf('\n');
    return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const [name = '', value = ''] = header.split(': ');
    const answer = await fetch(url, { headers: { [name]: value } });
    return { status: answer.status, body: await answer.text() };
  }
}

test.each(['20.20.2', '22.16.0'])('an older Node (%s) is refused in one sentence', async (version) => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const complaint = await refused({}, ['--import', `data:text/javascript,${encodeURIComponent(older)}`]);
  expect(complaint).toBe(
    `The gateway needs Node 22.17 or newer, this is Node ${version}: npm start finds the one that is installed with it.\n`,
  );
});

test.each([
  ['migrate', '--dry-run'],
  ['serve', '--port=4001'],
])('%s with %s is refused in one sentence', async (...args) => {
  const { PATH = '' } = process.env;
  // With an unreachable address, both would only report an error.
  const env = {
    PATH,
    DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/none',
    SECRET_KEY: 'a key of more than 32 characters',
  };
  const started = run(process.execPath, [join(ROOT, 'dist/main.js'), ...args], { env });
  await expect(started).rejects.toMatchObject({ code: 1, stderr: `${args[0]} takes no arguments.\n` });
});

describe('a gateway that brings its own database', () => {
  let dataDir: string;
  let gateway: GatewayProcess;
  let port: number;

  beforeAll(async () => {
    dataDir = join(await freshFolder(), 'deep/data');
    folders.unshift(dataDir);
    gateway = await start(dataDir, { PORT: '0' });
    port = gateway.port;
  });

  test('makes DATA_DIR for its owner only', async () => {
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(gateway.out).not.toContain('chmod');
  });

  test('writes the demo facts, readable by its owner only, with exactly the documented keys', async () => {
    expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);
    const facts = await factsOf(dataDir);
    expect(Object.keys(facts)).toEqual([
      'tokens',
      'organization_id',
      'other_organization_id',
      'cloud_defender_id',
      'atb_id',
      'workflow_id',
      'artifact_id',
      'incident_id',
    ]);
    expect(Object.keys(facts.tokens)).toEqual([
      'owner',
      'manager',
      'officer',
      'analyst',
      'viewer',
      'stranger',
      'newcomer',
    ]);
    expect(Object.values(facts.tokens).every((token) => isWellFormedToken(token))).toBe(true);
    expect(new Set(Object.values(facts.tokens)).size).toBe(7);
    const { organization_id: own, other_organization_id: other, cloud_defender_id, atb_id, incident_id } = facts;
    for (const id of [own, other, cloud_defender_id, atb_id, incident_id]) expect(Number.isInteger(id)).toBe(true);
    expect([typeof facts.workflow_id, typeof facts.artifact_id]).toEqual(['string', 'string']);
  });

  test("prints the addresses, the owner's token and one curl line, which works", async () => {
    const { tokens, organization_id: id } = await factsOf(dataDir);
    const base = `http://localhost:${port}`;
    for (const address of [`${base}/graphql`, `${base}/api/v1`, `${base}/docs`, `${base}/health/ready`])
      expect(gateway.out).toContain(address);
    const lines = gateway.out.split('\n').filter((line) => line.includes('curl '));
    expect(lines).toEqual([`  curl -H 'X-Service-Token: ${tokens['owner']}' ${base}/api/v1/organizations/${id}/users`]);
    const { status, body } = await runCurlLine(lines[0]!);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ error: 0, messages: [], total: 6 });
  });

  test('names the port that it was given where any would do, also in what it links to', async () => {
    const { tokens, organization_id: id, workflow_id, artifact_id } = await factsOf(dataDir);
    expect(port).toBeGreaterThan(0);
    expect(gateway.out).not.toContain(':0');
    const path = `/api/v1/v-ciso/organizations/${id}/workflows/${workflow_id}/documents/${artifact_id}/versions`;
    const answer = await new RestClient(gateway.url).get(path, { token: tokens['owner'] });
    const [{ download_url: address }] = expectData(answer);
    expect(new URL(address).origin).toBe(`http://localhost:${port}`);
    expect((await fetch(address.replace('localhost', '127.0.0.1'))).status).toBe(200);
  });

  test('retains the tokens and all that was committed when it is stopped and when it is killed', async () => {
    const before = await factsOf(dataDir);
    const owner = { token: before.tokens['owner']! };
    const names = ['Before the stop', 'Before the kill'];
    const created: number[] = [];
    for (const [at, signal] of (['SIGTERM', 'SIGKILL'] as const).entries()) {
      const answer = await new RestClient(gateway.url).post('/api/v1/organizations', {
        ...owner,
        body: { name: names[at]! },
      });
      created.push(expectData(answer, 201).id);
      const server = serverOf(dataDir);
      expect(server).toBeDefined();
      const ended = await gateway.end(signal);
      expect(ended).toEqual(signal === 'SIGTERM' ? { code: 0, signal: null } : { code: null, signal });
      await until('the database has ended, too', () => serverOf(dataDir) === undefined);
      gateway = await start(dataDir, { PORT: String(port) });
      expect(gateway.port).toBe(port);
      expect(await factsOf(dataDir)).toEqual(before);
      expect(gateway.out).toContain(`Owner's token   ${owner.token} `);
    }
    for (const id of created) {
      expectData(await new RestClient(gateway.url).get(`/api/v1/organizations/${id}/branding`, owner));
    }
  });

  test('answers 503 while its database is being started again, and then as before', async () => {
    const { tokens, organization_id: id } = await factsOf(dataDir);
    const rest = new RestClient(gateway.url);
    const send = () => rest.get(`/api/v1/organizations/${id}/users`, { token: tokens['officer'] });
    expectData(await send());
    const killed = serverOf(dataDir)!;
    process.kill(killed, 'SIGKILL');
    await until('another server has taken its place', async () => {
      const answer = await send();
      if (answer.status !== 200) expectError(answer, 503, []);
      const server = serverOf(dataDir);
      return answer.status === 200 && server !== undefined && server !== killed;
    });
    expect((await send()).body.total).toBe(6);
  });

  test('ends by an unexpected error with one line of the log, which has no values of rows', async () => {
    await gateway.end();
    const thrown = `Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(ada@example.com) already exists.' })`;
    const crash = `process.on('SIGUSR2', () => void Promise.reject(${thrown}))`;
    const crashing = await GatewayProcess.ready({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal' }, [
      '--import',
      `data:text/javascript,${encodeURIComponent(crash)}`,
    ]);
    started.push(crashing);
    expect(await crashing.end('SIGUSR2')).toEqual({ code: 1, signal: null });
    const { level, err, msg } = JSON.parse(crashing.out.trim().split('\n').at(-1)!);
    expect({ level, msg, err }).toMatchObject({
      ...{ level: 'fatal', msg: 'the gateway ends by an unexpected error' },
      err: { code: '23505', message: 'duplicate key' },
    });
    expect(crashing.out + crashing.complaint).not.toContain('ada@example.com');
    await until('the database has ended, too', () => serverOf(dataDir) === undefined);
    gateway = await start(dataDir, { PORT: String(port) });
  });

  test('refuses to start with another key than its audit trails were signed with, and with a clock that is wrong', async () => {
    await gateway.end();
    const keyFile = join(dataDir, 'secret.key');
    const key = await readFile(keyFile);
    await rm(keyFile);
    expect(await refused({ DATA_DIR: dataDir, PORT: '0' })).toMatch(
      /^Audit trails of this database were signed with another/,
    );
    await writeFile(keyFile, key);
    const later = 'const now = Date.now; Date.now = () => now() + 31 * 86_400_000';
    const ahead = ['--import', `data:text/javascript,${encodeURIComponent(later)}`];
    expect(await refused({ DATA_DIR: dataDir, PORT: '0' }, ahead)).toMatch(
      /^The clock of this machine is 26784\d\d seconds ahead of that of the database: [^\n]+\n$/,
    );
    gateway = await start(dataDir, { PORT: String(port) });
  });

  test('refuses a port that is taken in one sentence and leaves nothing behind', async () => {
    const untouched = await freshFolder();
    const complaint = await refused({ PORT: String(port), DATA_DIR: untouched });
    expect(complaint).toBe(
      `Port ${port} on 127.0.0.1 is taken; set PORT to another one or stop the program that uses it.\n`,
    );
    expect(readdirSync(untouched).filter((name) => name.startsWith('postgres'))).toEqual([]);
  });

  test('refuses the address of a link without its interface in one sentence', async () => {
    const complaint = await refused({ DATA_DIR: await freshFolder(), HOST: 'fe80::1' });
    expect(complaint).toBe('HOST fe80::1 is no address of this machine.\n');
  });

  test('refuses a second gateway on its data folder in one sentence', async () => {
    const complaint = await refused({ PORT: '0', DATA_DIR: dataDir });
    expect(complaint).toBe(`Another gateway (process ${gateway.pid}) is already running on ${dataDir}.\n`);
    expect(serverOf(dataDir)).toBeDefined();
  });
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s while the database is migrated is no failed start, and leaves nothing behind',
  async (signal) => {
    const dataDir = await freshFolder();
    const gateway = new GatewayProcess(
      { PORT: '0', DATA_DIR: dataDir },
      signalledAt("to_regclass('schema_migration')", signal),
    );
    started.push(gateway);
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(gateway.complaint).toBe('');
    expect(serverOf(dataDir)).toBeUndefined();
    expect(readdirSync(join(dataDir, 'lock'))).toEqual([]);
  },
);

test('SIGTERM while the devices of the demo report is not answered by a welcome', async () => {
  const gateway = new GatewayProcess(
    { PORT: '0', DATA_DIR: await freshFolder() },
    signalledAt("->> 'datetime' as newest", 'SIGTERM'),
  );
  started.push(gateway);
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
  expect(gateway.complaint).toBe('');
  expect(gateway.out).toContain('"stopping"');
  expect(gateway.out).not.toContain('is ready');
});

test('SIGTERM while the work on jobs begins is no error of the job queue', async () => {
  const nodeArguments = signalledAt('COALESCE(timezone', 'SIGTERM');
  const gateway = new GatewayProcess({ PORT: '0', DATA_DIR: await freshFolder(), LOG_LEVEL: 'warn' }, nodeArguments);
  started.push(gateway);
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
  expect(gateway.out).toContain('is ready');
  expect(gateway.out).not.toContain('"level"');
});

test('reports all errors of the configuration at once and starts nothing', async () => {
  const dataDir = await freshFolder();
  const env = { PORT: 'many', DEMO: 'yes', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://here/db', DATA_DIR: dataDir };
  expect(await refused({ ...env, STORAGE_URL: 'ftp://there' })).toBe(
    [
      'The configuration has errors:',
      '- DATABASE_URL must be a URL that begins with postgres:// or postgresql://',
      '- PORT must be a whole number from 0 to 65535',
      '- DEMO must be 1 or 0',
      '- STORAGE_URL: must begin with file: or s3://.',
      '- LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
      '',
    ].join('\n'),
  );
  expect(readdirSync(dataDir)).toEqual([]);
});

test('says in one sentence that the database of DATABASE_URL does not answer, without its password', async () => {
  const DATABASE_URL = `postgresql://someone:hunter2@127.0.0.1:${await freePort()}/nowhere`;
  const complaint = await refused({
    PORT: '0',
    DATABASE_URL,
    SECRET_KEY: 'k'.repeat(32),
    DATA_DIR: await freshFolder(),
  });
  expect(complaint).toMatch(/^The database [^\n]*cannot be reached or migrated[^\n]*ECONNREFUSED[^\n]*\n$/);
  expect(complaint).not.toContain('hunter2');
});

test('a DATA_DIR in which no folder can be made is one sentence, and no endless attempt', async () => {
  const complaint = await refused({ PORT: '0', DATA_DIR: '/proc/gateway/data' });
  expect(complaint).toMatch(/^The configuration has an error:\n- DATA_DIR cannot be written to \(\w+\)\n$/);
});

test('a DATA_DIR that is a file is one sentence, before the database is called', async () => {
  const file = join(await freshFolder(), 'file');
  await writeFile(file, '');
  const DATABASE_URL = `postgresql://someone@127.0.0.1:${await freePort()}/nowhere`;
  for (const DATA_DIR of [file, join(file, 'below')])
    expect(await refused({ PORT: '0', DATABASE_URL, SECRET_KEY: 'k'.repeat(32), DATA_DIR })).toBe(
      `The data folder ${DATA_DIR} cannot be written (ENOTDIR): set another DATA_DIR.\n`,
    );
});

test('the build has read every file of the catalogue, and an error in one still names its line', async () => {
  const catalog = join(ROOT, 'catalog');
  const known = JSON.parse(await readFile(join(ROOT, 'dist/catalog.json'), 'utf8')) as object;
  const names = readdirSync(catalog, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  const texts = names.map((name) => readFileSync(join(catalog, name), 'utf8'));
  expect(Object.keys(known).toSorted()).toEqual(texts.toSorted());

  const folder = await freshFolder();
  await cp(catalog, folder, { recursive: true });
  await rm(join(folder, 'nist-csf-2-0.yaml'));
  const program = join(ROOT, 'dist/services/workflows/catalog.js');
  const { WorkflowCatalog } = (await import(program)) as typeof import('../../src/services/workflows/catalog.js');
  expect(() => WorkflowCatalog.load(folder)).toThrow(
    'nis2-it-baseline-to-nist-csf-2-0.yaml:3 to: is no other workflow of the catalogue',
  );
});

describe('without demo data', () => {
  let DATA_DIR: string;
  let gateway: GatewayProcess;
  let token: string | undefined;
  const bootstrap = (program: string, ...args: string[]) => {
    const { PATH = '', HOME = tmpdir() } = process.env;
    const options = { cwd: ROOT, env: { PATH, HOME, DATA_DIR, DEMO: '0' } };
    return run(program, [...args, '--email', 'first@example.com'], options);
  };

  beforeAll(async () => {
    DATA_DIR = await freshFolder();
    const { stdout } = await bootstrap('npm', 'run', '--silent', 'bootstrap', '--');
    const tokens = stdout.match(/scp_\w+/g) ?? [];
    expect(tokens.map((token) => isWellFormedToken(token))).toEqual([true]);
    token = tokens[0];
    expect(serverOf(DATA_DIR)).toBeUndefined();
    for (const file of readdirSync(DATA_DIR, { recursive: true, withFileTypes: true })) {
      const isFound = file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(token!);
      expect([file.name, isFound]).toEqual([file.name, false]);
    }
    await chmod(DATA_DIR, 0o755);
    gateway = await start(DATA_DIR, { DEMO: '0' });
  });

  test('warns where other users can reach into DATA_DIR, and leaves its mode alone', async () => {
    expect(gateway.out).toContain(`Other users of this machine can reach into the data folder ${DATA_DIR} (mode 755)`);
    expect((await stat(DATA_DIR)).mode & 0o777).toBe(0o755);
  });

  test('the first user comes from the bootstrap command, once, and its token, which no file has, works', async () => {
    expect(gateway.out).not.toMatch(/curl|scp_/);
    expect(readdirSync(DATA_DIR)).not.toContain('demo.json');
    const notifications = await new RestClient(gateway.url).get('/api/v1/notifications', { token });
    expect(expectData(notifications)).toEqual([]);
    expect(await gateway.end()).toEqual({ code: 0, signal: null });
    await expect(bootstrap(process.execPath, 'dist/main.js', 'bootstrap')).rejects.toMatchObject({
      code: 1,
      stderr: 'This database has users already: an owner or manager among them invites others. Nothing was changed.\n',
    });
  });
});
