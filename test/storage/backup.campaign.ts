import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import {
  appendFile,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { backupCommand } from '../../src/app/backup-command.js';
import { storage } from '../../src/app/storage-command.js';
import { ArchiveWriter } from '../../src/backup/archive.js';
import { readManifest, writeManifest } from '../../src/backup/manifest.js';
import { inspect, restore } from '../../src/backup/restore.js';
import { verifyRestored } from '../../src/backup/verify-restored.js';
import { migrate } from '../../src/database/migrate.js';
import { openBlobStore } from '../../src/storage/storage-location.js';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.js';
import { seedDemo, type DemoFacts } from '../../src/demo/demo.js';
import { CATALOG } from '../support/catalog.js';
import { adminUrl, createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { startS3 } from '../support/s3.js';
import { someoneWaits } from '../support/lock-waits.js';
import { storedContents } from '../support/stored-content.js';
import { blobPath, uploadText } from '../resilience/support/evidence.js';
import { build, ROOT } from '../resilience/support/gateway-process.js';

const KEY = 'a key for backups that is long enough to be one';
/** Triggers and constraints of the tables, and whether they are enabled and valid. */
const RULES = `
  select tgrelid::regclass::text as of, tgname as name, tgenabled::text as state from pg_trigger where not tgisinternal
   union all
  select conrelid::regclass::text, conname, convalidated || pg_get_constraintdef(oid) from pg_constraint
   where conrelid <> 0 order by 1, 2`;
/** Columns of documents that are copied; the others are generated. */
const COPIED = 'organization_id, workflow_id, artifact_id, original_name, content_type, size, source, created_by';
let folder: string;
let gateway: TestGateway;
let facts: DemoFacts;
let file: string;
let outcome: Outcome;
let cleanups: (() => Promise<unknown>)[];

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Errors that end the program, in its wording. */
async function command(args: string[], env: Record<string, string>): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const to = (stream: keyof typeof written) => ({ write: (text: string) => (written[stream] += text) });
  const terminal = { stdout: to('stdout'), stderr: to('stderr') };
  const code = await backupCommand(args, env, terminal).catch((error: Error) => {
    written.stderr += `${error.name}: ${error.message}\n`;
    return 1;
  });
  return { code, ...written };
}

const envOf = (databaseUrl: string, storageUrl: string, dataDir = folder) => ({
  ...{ DATABASE_URL: databaseUrl, STORAGE_URL: storageUrl, DATA_DIR: dataDir, SECRET_KEY: KEY, LOG_LEVEL: 'silent' },
});

const upload = (text: string) =>
  uploadText(
    gateway.rest,
    { organizationId: facts.organization_id, artifactId: 'A.5.9', token: facts.tokens.owner },
    text,
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
  gateway = await startGateway({ config: { secretKey: KEY } });
  const { config, database } = gateway;
  facts = (await seedDemo({ databaseUrl: database.url, config, catalog: CATALOG })) as DemoFacts;
  await gateway.app.services.auditCheckpoints.createDue();
  expectStatus(await upload('evidence that is backed up'), 201);
  file = join(folder, 'gateway.tar');
  outcome = await command(['backup', file], envOf(database.url, config.storageUrl));
});
afterAll(async () => {
  await gateway?.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => void (cleanups = []));
afterEach(async () => {
  for (const clean of cleanups.toReversed()) await clean();
});

/** An empty database, and an empty folder of files. */
async function newPlace() {
  const database = await createEmptyDatabase();
  cleanups.push(() => database.drop());
  const dataDir = await mkdtemp(join(folder, 'place-'));
  const files = join(dataDir, 'files');
  return { database, dataDir, files, env: envOf(database.url, `file:${files}`, dataDir) };
}

async function asOwnerOf<Result>({ url }: TestDatabase, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return use(client).finally(() => client.end());
}

async function tablesIn(database: TestDatabase): Promise<string[]> {
  return asOwnerOf(database, async (client) => {
    const { rows } = await client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`);
    return rows.map(({ relname }) => relname as string);
  });
}

test('a backup says what is in it, is readable by its owner only, and replaces no file', async () => {
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toMatch(/gateway\.tar is a backup of 2\d{3}-.*Z: \d{3,} rows of \d+ tables, \d+ files\.\n$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const again = await command(['backup', file], envOf(gateway.database.url, gateway.config.storageUrl));
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
  expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
});

test('a backup is refused where another one is being written or was broken off, and where none can be', async () => {
  const env = envOf(gateway.database.url, gateway.config.storageUrl);
  const path = join(folder, 'second.tar');
  await writeFile(`${path}.partial`, 'the beginning of another backup');
  expect(await command(['backup', path], env)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^StartupError: \S+second\.tar\.partial exists already: /),
  });
  expect(await readFile(`${path}.partial`, 'utf8')).toBe('the beginning of another backup');
  expect(await command(['backup', join(folder, 'no-folder', 'third.tar')], env)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^StartupError: \S+third\.tar cannot be written \(ENOENT\)\.$/m),
  });
});

test('a backup that breaks off leaves nothing in its place, where it is made when it can be', async () => {
  const { env, files } = await newPlace();
  await command(['restore', file], env);
  const path = join(folder, 'broken-off.tar');
  const [sha256 = ''] = await storedContents(await openBlobStore(env.STORAGE_URL, { stagingDir: folder }));
  const blob = blobPath(files, sha256);
  const content = await readFile(blob);
  await rm(blob);
  await mkdir(blob);
  expect(await command(['backup', path], env)).toMatchObject({ code: 1, stdout: '' });
  expect((await readdir(folder)).filter((name) => name.startsWith('broken-off'))).toEqual([]);
  await rm(blob, { recursive: true });
  await writeFile(blob, content);
  expect(await command(['backup', path], env)).toMatchObject({ code: 0, stderr: '' });
});

test('a backup that another one has begun in the meantime is not removed', async () => {
  const path = join(folder, 'begun.tar');
  await writeFile(`${path}.partial`, 'of another');
  const archive = new ArchiveWriter(path, new Date());
  await expect(archive.seal(() => Buffer.from('{}'))).rejects.toMatchObject({ code: 'EEXIST' });
  await archive.abandon();
  expect(await readFile(`${path}.partial`, 'utf8')).toBe('of another');
});

const PRLIMIT = '/usr/bin/prlimit';
(existsSync(PRLIMIT) ? test : test.skip)('an archive whose last bytes cannot be written is not sealed', async () => {
  await build();
  const program = `
    import { ArchiveWriter } from ${JSON.stringify(join(ROOT, 'dist/backup/archive.js'))};
    const archive = new ArchiveWriter(${JSON.stringify(join(folder, 'too-long.tar'))}, new Date());
    for (const name of ['a', 'b', 'c']) await archive.add(name, Buffer.alloc(3_000_001));
    await archive.seal(() => Buffer.from('{}')).catch(({ code }) => console.log(code));`;
  const words = ['--fsize=4000000', process.execPath, '--input-type=module', '--eval', program];
  expect((await promisify(execFile)(PRLIMIT, words)).stdout).toBe('EFBIG\n');
});

test.each([
  ['storage', { STORAGE_URL: 's3://key:secret@127.0.0.1:1/evidence?tls=0' }],
  ['database', { DATABASE_URL: 'postgresql://gateway:secret@127.0.0.1:1/gateway' }],
] as const)(
  'a %s that is away is named in one sentence by the program, with the reason, and no finding',
  async (service, away) => {
    await build();
    const path = join(folder, `without-${service}.tar`);
    const env = { ...envOf(gateway.database.url, gateway.config.storageUrl), ...away };
    await expect(
      promisify(execFile)(process.execPath, [join(ROOT, 'dist/main.js'), 'backup', path], { env }),
    ).rejects.toMatchObject({
      code: 2,
      stderr: `The ${service} is not available (ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1).\n`,
    });
  },
);

test('a backup is a tar archive of tables as COPY writes them, files by their SHA-256, and a manifest', async () => {
  const { stdout } = await promisify(execFile)('tar', ['tf', file]);
  const names = stdout.trim().split('\n');
  expect(names).toContain('tables/public.audit_entry/000001.copy');
  expect(names.filter((name) => /^files\/..\/..\/[0-9a-f]{64}$/.test(name)).length).toBeGreaterThan(5);
  expect(names.at(-1)).toBe('manifest.json');
});

test('a backup is restored into an empty place, which is equal and an installation of its own', async () => {
  const { database, dataDir, files, env } = await newPlace();
  const restored = await command(['restore', file, '--verify'], env);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toMatch(
    /^Equal to the backup of 2\S+Z: \d{3,} rows, \d+ files; \d+ audit trails with \d+ entries and \d+ checkpoints are valid\.\n/,
  );
  // Of both sentences; the row of the installation is its own.
  const [inBackup, inPlace] = [outcome, restored].map(({ stdout }) => Number(/Z: (\d+) rows/.exec(stdout)?.[1]));
  expect(inPlace).toBe(inBackup! - 1);
  expect(restored.stdout).toMatch(
    /\.\nOne row of the backup was left out, the id of its installation: this is another one\.\n$/,
  );
  // As in the storage of the original: these files show that a database was set back.
  const checkpoints = await asOwnerOf(database, (client) => client.query('select from audit_checkpoint'));
  const stored = join(files, 'audit-checkpoints');
  const names = (await readdir(stored, { recursive: true })).filter((name) => name.endsWith('.json'));
  const records = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(stored, name), 'utf8')) as unknown),
  );
  expect(records.flat()).toHaveLength(checkpoints.rowCount!);
  const place = await startGateway({
    ...{ database, dataDir },
    config: { secretKey: KEY, storageUrl: `file:${files}`, databaseUrl: database.url },
  });
  cleanups.push(() => place.close());
  const path = `/api/v1/organizations/${facts.organization_id}/audit-trail/verification`;
  const verification = expectData(await place.rest.get(path, { token: facts.tokens.owner }));
  expect(verification).toMatchObject({ valid: true });
  // Ids continue, and triggers and rules are restored.
  const before = await place.app.database.rows<{ id: number }>('select max(id)::int as id from incident');
  const opened = await place.rest.post(`/api/v1/v-ciso/incidents/${facts.organization_id}`, {
    token: facts.tokens.owner,
    body: { title: 'After the restore', severity: 'LOW' },
  });
  expect(expectData(opened, 201).id).toBe(before[0]!.id + 1);
  await expect(place.app.database.rows(`update audit_entry set entry = '{}'`)).rejects.toThrow();
  await expect(
    place.app.database.rows(
      `insert into incident (organization_id, title, severity, aware_at) values (0, 'x', 'LOW', now())`,
    ),
  ).rejects.toThrow();
  const rules = [gateway, place].map(({ app }) => app.database.rows(RULES));
  expect(await rules[1]).toEqual(await rules[0]);
  const ids = await Promise.all(
    [gateway, place].map(({ app }) => app.database.rows<{ id: string }>('select id from installation')),
  );
  expect(ids[0]).not.toEqual(ids[1]);
  expect(await place.app.services.storageSweep.sweep()).toBe(0);
});

test('a restore that replaces its original retains the id of the installation', async () => {
  const { database, env } = await newPlace();
  const restored = await command(['restore', file, '--verify', '--same-installation'], env);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toContain(`: ${/(\d+) rows/.exec(outcome.stdout)?.[1]} rows, `);
  expect(restored.stdout).not.toContain('One row');
  const ids = await Promise.all(
    [gateway.database, database].map((each) =>
      asOwnerOf(each, async (client) => (await client.query('select id from installation')).rows),
    ),
  );
  expect(ids[0]).toEqual(ids[1]);
});

test('a restore that was broken off after its rows leaves a storage that is taken over with all checkpoints', async () => {
  const { database, dataDir, files, env } = await newPlace();
  const store = await openBlobStore(env.STORAGE_URL, { stagingDir: dataDir });
  await migrate(database.url);
  await restore(file, await inspect(file, [KEY]), store, {
    ...{ databaseUrl: database.url, installation: 'new' },
    keys: { secretKey: KEY, earlierSecretKeys: [], isEarlierKeyLost: false },
  });
  const silent = { write: () => true };
  const terminal = { stdout: silent, stderr: silent };
  expect(await storage([], env, terminal)).toBe(1);
  expect(await storage(['--adopt'], env, terminal)).toBe(0);
  const records = (await readdir(join(files, 'audit-checkpoints'), { recursive: true })).filter((name) =>
    name.endsWith('.json'),
  );
  expect(records.length).toBeGreaterThan(0);
});

test('a backup of the time before a new SECRET_KEY is restored where the earlier one is named', async () => {
  const { env } = await newPlace();
  const keys = { SECRET_KEY: `a newer one: ${KEY}`, EARLIER_SECRET_KEYS: KEY };
  expect(await command(['restore', file, '--verify'], { ...env, ...keys })).toMatchObject({ code: 0, stderr: '' });
});

test('a backup is refused with a key that has not signed the audit trails, by which it could not be restored', async () => {
  const path = join(folder, 'other-key.tar');
  const env = envOf(gateway.database.url, gateway.config.storageUrl);
  const keys = { SECRET_KEY: `another ${KEY}` };
  expect(await command(['backup', path], { ...env, ...keys })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^StartupError: Audit trails of this database were signed with another SECRET_KEY: /),
  });
  expect((await readdir(folder)).filter((name) => name.startsWith('other-key'))).toEqual([]);
  const known = { ...keys, EARLIER_SECRET_KEYS: KEY };
  expect(await command(['backup', path], { ...env, ...known })).toMatchObject({ code: 0, stderr: '' });
});

test('a restore is refused without a key that has signed the audit trails, and leaves nothing', async () => {
  const path = join(folder, 'two-keys.tar');
  const newer = { SECRET_KEY: `a newer one: ${KEY}` };
  const both = { ...newer, EARLIER_SECRET_KEYS: KEY };
  const ofGateway = envOf(gateway.database.url, gateway.config.storageUrl);
  expect(await command(['backup', path], { ...ofGateway, ...both })).toMatchObject({ code: 0 });
  const { env } = await newPlace();
  expect(await command(['restore', path], { ...env, ...newer })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^StartupError: Audit trails of this database were signed with another SECRET_KEY: /),
  });
  expect(await command(['restore', path], { ...env, ...both })).toMatchObject({ code: 0, stderr: '' });
});

test.each(['verify', 'same_installation'])('a restore does nothing where npm took --%s for its own', async (option) => {
  const { env } = await newPlace();
  const outcome = await command(['restore', file], { ...env, [`npm_config_${option}`]: 'true' });
  const sentence = `npm has taken --${option.replace('_', '-')} for its own: options stand behind --. Nothing was done.`;
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
});

test('a backup goes from a folder into a bucket', async () => {
  const service = await startS3();
  cleanups.push(() => service.stop());
  const { env } = await newPlace();
  const restored = await command(['restore', file, '--verify'], { ...env, STORAGE_URL: service.url });
  expect(restored).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Equal to the backup/) });
});

test('a backup that is made beside writers is of one moment, with every file that its rows need', async () => {
  let writing = true;
  const writers = [0, 1].map(async (writer) => {
    for (let at = 0; writing; at += 1) {
      const version = expectData(await upload(`beside the backup ${writer} ${at}`), 201);
      if (at % 2 === 0) {
        const path = `/api/v1/v-ciso/organizations/${facts.organization_id}/documents/${version.id}`;
        await gateway.rest.delete(path, { token: facts.tokens.owner });
      }
    }
  });
  const beside = join(folder, 'beside.tar');
  const made = await command(['backup', beside], envOf(gateway.database.url, gateway.config.storageUrl));
  writing = false;
  await Promise.all(writers);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const { env } = await newPlace();
  expect(await command(['restore', beside, '--verify'], env)).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout: expect.stringMatching(/^Equal to the backup/),
  });
});

test('a file that is missing or changed in the storage is named, when it is backed up and when it is restored', async () => {
  const { body } = await upload('lost before the backup');
  const [{ sha256 } = { sha256: '' }] = await gateway.app.database.rows<{ sha256: string }>(
    'select sha256 from document_version where id = $1',
    [body.data.id],
  );
  const path = blobPath(join(gateway.dataDir, 'files'), sha256);
  await writeFile(path, 'other bytes');
  const incomplete = join(folder, 'incomplete.tar');
  const made = await command(['backup', incomplete], envOf(gateway.database.url, gateway.config.storageUrl));
  const sentence = `File ${sha256} is not in the backup: when it was made, its bytes were changed in the storage.\n`;
  expect(made).toMatchObject({ code: 1, stderr: sentence, stdout: expect.stringContaining('is a backup of') });
  const { env } = await newPlace();
  expect(await command(['restore', incomplete, '--verify'], env)).toMatchObject({ code: 0, stderr: sentence });
  await writeFile(path, 'lost before the backup');
});

test('large tables in parts of tables, and more files than are looked up at a time, are all in a backup', async () => {
  const { database, env } = await newPlace();
  await command(['restore', file], env);
  await asOwnerOf(database, async (client) => {
    await client.query(
      `insert into incident_note (organization_id, incident_id, text, created_by)
       select organization_id, id, repeat('Note ' || n || ' ', 100000), 'anna'
         from (select * from incident order by id limit 1) i, generate_series(1, 20) n`,
    );
    await client.query(
      `insert into document_version (${COPIED}, sha256)
       select ${COPIED}, encode(sha256(n::text::bytea), 'hex')
         from (select * from document_version order by id limit 1) d, generate_series(1, 1001) n`,
    );
  });
  const large = join(folder, 'large.tar');
  const made = await command(['backup', large], env);
  expect(made.stderr.match(/is not in the backup: when it was made, it is not in the storage\.\n/g)).toHaveLength(1001);
  const { stdout } = await promisify(execFile)('tar', ['tf', large]);
  expect(stdout).toContain('tables/public.incident_note/000002.copy\n');
  const place = await newPlace();
  expect(await command(['restore', large, '--verify'], place.env)).toMatchObject({
    ...{ code: 0, stderr: made.stderr },
    stdout: expect.stringMatching(/^Equal to the backup/),
  });
});

test('what is restored is compared with what was backed up: each table, and each file', async () => {
  const { database, dataDir, files, env } = await newPlace();
  await command(['restore', file], env);
  const store = await openBlobStore(env.STORAGE_URL, { stagingDir: dataDir });
  const manifest = await inspect(file, [KEY]);
  // Signed addresses of the original, which are valid.
  const { auditVerification: trails } = gateway.app.services;
  const compared = async () =>
    (await verifyRestored(manifest, { databaseUrl: database.url, store, trails, installation: 'new' })).defects;
  expect(await compared()).toEqual([]);
  const [changed, removed] = await storedContents(store);
  await writeFile(blobPath(files, changed!), 'other bytes');
  await rm(blobPath(files, removed!));
  await asOwnerOf(database, async (client) => {
    await client.query(`update incident set title = title || '.' where id = (select min(id) from incident)`);
    await client.query('delete from notification where id = (select min(id) from notification)');
  });
  expect(await compared()).toEqual([
    expect.stringMatching(/^Table incident has other rows \((\d+)\) than were backed up \(\1\)\.$/),
    expect.stringMatching(/^Table notification has other rows \(\d+\) than were backed up \(\d+\)\.$/),
    expect.stringMatching(/^Table notification_revision has other rows/),
    `File ${changed} has other bytes.`,
    `File ${removed} is missing.`,
  ]);
});

test('an audit trail that was changed before the backup is named by a restore that verifies', async () => {
  const { database, env } = await newPlace();
  await command(['restore', file], env);
  await asOwnerOf(database, (client) =>
    client.query(
      `alter table audit_entry disable trigger user;
       update audit_entry set entry = replace(entry, 'ORGANIZATION_', 'ORGANISATION_')
        where ctid = (select ctid from audit_entry where entry like '%ORGANIZATION\\_%' limit 1);
       alter table audit_entry enable trigger user`,
    ),
  );
  const tampered = join(folder, 'tampered.tar');
  expect(await command(['backup', tampered], env)).toMatchObject({ code: 0 });
  const place = await newPlace();
  expect(await command(['restore', tampered, '--verify'], place.env)).toMatchObject({
    ...{ code: 1, stdout: '' },
    stderr: expect.stringMatching(/^Audit trail \S+, entry \d+: .+\nNot equal to the backup of \S+, or not valid: /),
  });
});

test('a manifest of a newer version, or whose seal was cut, is refused', async () => {
  const manifest = await inspect(file, [KEY]);
  const written = (format: number) => writeManifest({ ...manifest, format } as never, KEY);
  expect(readManifest(written(1), [KEY])).toEqual(manifest);
  expect(() => readManifest(written(2), [KEY])).toThrow('The backup was made by a newer version of the gateway.');
  const { seal, ...rest } = JSON.parse(written(1).toString()) as { seal: string };
  for (const other of [undefined, '', seal.slice(1), seal.toUpperCase()]) {
    const cut = Buffer.from(JSON.stringify({ ...rest, seal: other }));
    expect(() => readManifest(cut, [KEY])).toThrow('The backup is damaged: its manifest.json is not what was written.');
  }
});

test('an owner of the tables that is no superuser restores, and the role of the gateway backs up what it then uses', async () => {
  const { database, env } = await newPlace();
  const suffix = randomBytes(6).toString('hex');
  const [owner, role] = [`owner_${suffix}`, `gateway_${suffix}`];
  const admin = { ...database, url: adminUrl() };
  const name = new URL(database.url).pathname.slice(1);
  const as = (user: string) => {
    const url = new URL(database.url);
    [url.username, url.password] = [user, 'secret'];
    return url.href;
  };
  cleanups.unshift(() => asOwnerOf(admin, (client) => client.query(`drop role ${owner}; drop role ${role}`)));
  await asOwnerOf(admin, (client) =>
    client.query(`create role ${owner} login password 'secret'; create role ${role} login password 'secret';
      alter database "${name}" owner to ${owner}`),
  );
  const both = { ...env, DATABASE_URL: as(role), MIGRATION_DATABASE_URL: as(owner) };
  expect(await command(['restore', file, '--verify'], both)).toMatchObject({ code: 0, stderr: '' });
  expect(await command(['restore', file], { ...both, MIGRATION_DATABASE_URL: '' })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^StartupError: The role of DATABASE_URL does not own the tables: /),
  });
  const again = join(folder, 'again.tar');
  expect(await command(['backup', join(folder, 'by-owner.tar')], both)).toMatchObject({ code: 0, stderr: '' });
  expect(await command(['backup', again], { ...both, MIGRATION_DATABASE_URL: '' })).toMatchObject({
    code: 0,
    stderr: '',
  });
  const place = await newPlace();
  expect(await command(['restore', again, '--verify'], place.env)).toMatchObject({ code: 0, stderr: '' });
});

test('a backup is refused where the owner of the tables is given in another database than the gateway works on', async () => {
  const { env } = await newPlace();
  await command(['restore', file], env);
  const path = join(folder, 'of-another-database.tar');
  const left = { ...envOf(gateway.database.url, gateway.config.storageUrl), MIGRATION_DATABASE_URL: env.DATABASE_URL };
  expect(await command(['backup', path], left)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'StartupError: MIGRATION_DATABASE_URL and DATABASE_URL lead to different databases: nothing was changed.\n',
  });
  expect((await readdir(folder)).filter((name) => name.startsWith('of-another-database'))).toEqual([]);
});

test('the embedded database is backed up while its gateway runs and while none does, and restored into a new folder', async () => {
  const [original, copy] = [join(folder, 'embedded'), join(folder, 'embedded-copy')];
  const env = (dataDir: string) => ({ DATA_DIR: dataDir, SECRET_KEY: KEY, LOG_LEVEL: 'silent' });
  expect(await command(['restore', file], env(original))).toMatchObject({ code: 0, stderr: '' });
  const [beside, alone] = [join(folder, 'beside-gateway.tar'), join(folder, 'alone.tar')];
  const running = await startEmbeddedPostgres({ dataDir: original });
  try {
    expect(await command(['backup', beside], env(original))).toMatchObject({ code: 0, stderr: '' });
    // By its files its server is that of the original, and so is its lock.
    const copied = join(folder, 'embedded-copied');
    await cp(original, copied, { recursive: true, filter: async (path) => !(await lstat(path)).isSocket() });
    expect(await command(['backup', join(folder, 'of-copy.tar')], env(copied))).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(/^StartupError: Another gateway/),
    });
  } finally {
    await running.stop();
  }
  expect(await command(['backup', alone], env(original))).toMatchObject({ code: 0, stderr: '' });
  expect(await command(['restore', beside, '--verify'], env(copy))).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout: expect.stringMatching(/^Equal to the backup/),
  });
  const nowhere = await command(['backup', join(folder, 'none.tar')], env(join(folder, 'nowhere')));
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no database in') });
});

describe('a backup is refused, and nothing is changed,', () => {
  const copyOf = async () => {
    const copy = join(await mkdtemp(join(folder, 'copy-')), 'gateway.tar');
    await cp(file, copy);
    return copy;
  };

  /** Flips one bit of the file. */
  async function flip(path: string, at: number): Promise<void> {
    const bytes = await readFile(path);
    bytes[at]! ^= 1 << (at % 8);
    await writeFile(path, bytes);
  }

  async function expectRefusal(path: string, env: Record<string, string>, complaint: RegExp): Promise<void> {
    const refused = await command(['restore', path, '--verify'], env);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(complaint);
  }

  test('when one bit of it is another, wherever that is, and the place is named', async () => {
    const { database, env, files } = await newPlace();
    const content = await readFile(file);
    const positions = {
      'the text of an entry': content.indexOf('ORGANIZATION_'),
      'a stored file': content.indexOf('evidence that is backed up'),
      'the manifest': content.lastIndexOf('"madeAt"') + 14,
      'the seal': content.lastIndexOf('"seal"') + 12,
      'the header of a file': content.indexOf('tables/public.audit_entry/000001.copy') + 120,
      'the padding of a file': content.indexOf('evidence that is backed up') + 100,
      'the end of the archive': content.length - 700,
    };
    for (const at of Object.values(positions)) {
      const copy = await copyOf();
      await flip(copy, at);
      await expectRefusal(copy, env, /^StartupError: (The backup is damaged: |\S+ cannot be read after )\S+/);
    }
    const copy = await copyOf();
    await flip(copy, positions['a stored file']);
    await expectRefusal(copy, env, /The backup is damaged: files\/..\/..\/[0-9a-f]{64} is not what was backed up\./);
    expect(await tablesIn(database)).toEqual([]);
    expect(await readdir(dirname(files))).toEqual([]);
  });

  test('when a bit at dozens of places all over it is another', async () => {
    const { env } = await newPlace();
    const copy = await copyOf();
    const { size } = await stat(copy);
    for (let at = 7; at < size; at += Math.ceil(size / 40)) {
      await flip(copy, at);
      await expectRefusal(copy, env, /^StartupError: \S+/);
      await flip(copy, at);
    }
  });

  test('when its end is missing', async () => {
    const { env } = await newPlace();
    const copy = await copyOf();
    await truncate(copy, (await stat(copy)).size - 20_000);
    await expectRefusal(copy, env, /cannot be read after|was not completed/);
  });

  test('when there is more behind its end, and if only empty blocks', async () => {
    const { env } = await newPlace();
    const copy = await copyOf();
    await appendFile(copy, Buffer.alloc(1024));
    await expectRefusal(copy, env, /^StartupError: The backup is damaged: its length is not as it was written/);
  });

  test('when SECRET_KEY is another', async () => {
    const { database, env } = await newPlace();
    await expectRefusal(file, { ...env, SECRET_KEY: `another ${KEY}` }, /SECRET_KEY is not that of the backup/);
    expect(await tablesIn(database)).toEqual([]);
  });

  test('when database or storage are not empty', async () => {
    const { env } = await newPlace();
    const used = { ...env, DATABASE_URL: gateway.database.url };
    await expectRefusal(file, used, /The database is not empty \(\w+\)/);
    await expectRefusal(file, { ...env, STORAGE_URL: gateway.config.storageUrl }, /The storage is not empty/);
  });

  test('when a gateway, or another restore, is writing into the database at that moment', async () => {
    const { database, env } = await newPlace();
    await migrate(database.url);
    const users = await asOwnerOf(database, async (client) => {
      await client.query('begin');
      await client.query(
        `insert into app_user (id, email, username) values (gen_random_uuid(), 'a@studiobruno.it', 'a.bruno')`,
      );
      const restored = command(['restore', file], env);
      await someoneWaits({ rows: async (text: string) => (await client.query(text)).rows } as never);
      await client.query('commit');
      expect(await restored).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('The database is not empty (app_user)'),
      });
      return (await client.query('select username from app_user')).rows;
    });
    expect(users).toEqual([{ username: 'a.bruno' }]);
  });

  test('when it has a part that its manifest does not list', async () => {
    const { database, env } = await newPlace();
    const manifest = await inspect(file, [KEY]);
    const more = join(folder, 'more.tar');
    const archive = new ArchiveWriter(more, new Date());
    await archive.add('tables/public.event/000001.copy', Buffer.from('1\n'));
    const content = { ...manifest, parts: {}, files: { count: 0, bytes: 0, missing: [] } };
    await archive.seal((before) => writeManifest({ ...content, before }, KEY));
    await expectRefusal(more, env, /^StartupError: .* tables\/public\.event\/000001\.copy is not what was backed up/);
    expect(await tablesIn(database)).toEqual([]);
  });

  test('when it was made by an older version, before a database is made that this one could not use', async () => {
    const { database, env } = await newPlace();
    const { migrations, ...manifest } = await inspect(file, [KEY]);
    const older = join(folder, 'older.tar');
    const [name, rows] = ['tables/public.event/000001.copy', Buffer.from('1\n')];
    const archive = new ArchiveWriter(older, new Date());
    await archive.add(name, rows);
    const parts = { [name]: { bytes: rows.length, sha256: createHash('sha256').update(rows).digest('hex') } };
    const content = { ...manifest, parts, files: { count: 0, bytes: 0, missing: [] } };
    await archive.seal((before) => writeManifest({ ...content, migrations: migrations.slice(0, -1), before }, KEY));
    await expectRefusal(older, env, /^StartupError: The backup was made by another version of the gateway: /);
    expect(await tablesIn(database)).toEqual([]);
  });

  test('when the storage is that of an installation which has stored no file yet', async () => {
    const { files, env } = await newPlace();
    await mkdir(files, { recursive: true });
    const marker = join(files, 'installation.json');
    const owner = JSON.stringify({ installation: randomUUID(), database: 'elsewhere' });
    for (const text of [owner, 'no JSON']) {
      await writeFile(marker, text);
      await expectRefusal(file, env, /^StartupError: The storage belongs to another installation/);
      expect(await readFile(marker, 'utf8')).toBe(text);
    }
  });

  test('when the database is of an older version, which stays so', async () => {
    const { database, env } = await newPlace();
    const names = (client: Client) => client.query('select name from schema_migration order by id');
    await command(['restore', file], env);
    const older = await asOwnerOf(database, async (client) => {
      await client.query('delete from schema_migration where id = (select max(id) from schema_migration)');
      return (await names(client)).rows;
    });
    await expectRefusal(file, env, /The database is of an older version of the gateway/);
    expect((await asOwnerOf(database, names)).rows).toEqual(older);
  });

  test('when it was made with another schema', async () => {
    const { database, env } = await newPlace();
    const other = await createEmptyDatabase();
    cleanups.push(() => other.drop());
    await command(['restore', file], env);
    await asOwnerOf(database, (client) => client.query('alter table incident add column another text'));
    const extended = join(folder, 'extended.tar');
    expect(await command(['backup', extended], env)).toMatchObject({ code: 0 });
    const place = await newPlace();
    await expectRefusal(extended, place.env, /made by another version of the gateway/);
  });
});

test('a command line that makes no sense is answered with the usage', async () => {
  for (const args of [[], ['backup'], ['restore'], ['backup', 'a', 'b'], ['backup', 'a', '--verify'], ['copy', 'a']])
    expect(await command(args, {})).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: npm run backup/) });
});
