import { afterAll, describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentChecker, documents } from '../../src/app/documents-command.js';
import { deprecated } from '../../src/common/deprecation.js';
import { StartupError } from '../../src/errors.js';
import { LIMITS } from '../../src/values/limits.js';
import { createEmptyDatabase } from '../support/database.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const VIEWER = 'query Viewer { viewer { user { username } } }';
const NAME = 'query Name($id: ID!) { organization(id: $id) { name } }';
const digest = (text: string) => createHash('sha256').update(text).digest('hex');

const { gateway } = await startSeededGateway();
const { database } = gateway.app;
const folder = await mkdtemp(join(tmpdir(), 'documents-command-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const env = { DATABASE_URL: gateway.database.url, DATA_DIR: folder, SECRET_KEY: 'a key for tests that is long enough' };

/** Runs the command in this process. */
async function run(...args: string[]) {
  const written = { stdout: '', stderr: '' };
  const to = (stream: keyof typeof written) => ({ write: (text: string) => (written[stream] += text) });
  const code = await documents(args, env, { stdout: to('stdout'), stderr: to('stderr') });
  return { code, output: written.stdout, complaint: written.stderr };
}

/** Publishes a manifest. */
async function publish(manifest: object | string, application = 'web', label = '1') {
  const file = join(folder, 'manifest.json');
  await writeFile(file, typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
  return run('publish', file, '--app', application, '--app-version', label);
}

const withdraw = (application = 'web', label = '1') => run('withdraw', '--app', application, '--app-version', label);
const stored = async () =>
  (await database.rows<{ text: string }>('select text from trusted_document order by id')).map((each) => each.text);

const MANIFESTS = {
  Apollo: {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [
      { id: digest(VIEWER), name: 'Viewer', type: 'query', body: VIEWER },
      { id: digest(NAME), name: 'Name', type: 'query', body: NAME },
    ],
  },
  Relay: { [digest(VIEWER)]: VIEWER, [digest(NAME)]: NAME },
  'GraphQL Code Generator': { [`sha256:${digest(VIEWER)}`]: VIEWER, [`sha256:${digest(NAME)}`]: NAME },
};

test.each(Object.entries(MANIFESTS))(
  'a manifest of %s is published, listed, checked and withdrawn',
  async (_maker, manifest) => {
    expect(await publish(manifest)).toEqual({
      code: 0,
      output: 'Version 1 of web is published, with 2 documents.\n',
      complaint: '',
    });
    expect(await stored()).toEqual([VIEWER, NAME]);
    expect((await run('list')).output).toMatch(/^web 1: 2 documents, published \d{4}-\S+Z\n/);
    expect(await run('check')).toMatchObject({ code: 0, output: expect.stringContaining('Registered: 2 documents.') });
    expect(await withdraw()).toMatchObject({
      code: 0,
      output: expect.stringContaining('2 documents that no other version has'),
    });
    expect(await stored()).toEqual([]);
    // The published version remains recorded.
    expect((await run('list')).output).toMatch(/^web 1: 2 documents, published \S+, withdrawn \d{4}-\S+Z\n/);
  },
);

test('one text is stored once, and removed with the last version that has it', async () => {
  await publish(MANIFESTS.Relay, 'web', '1');
  await publish({ [digest(VIEWER)]: VIEWER }, 'mobile', '1');
  expect(await stored()).toEqual([VIEWER, NAME]);
  await withdraw('web', '1');
  expect(await stored()).toEqual([VIEWER]);
  await withdraw('mobile', '1');
  expect(await stored()).toEqual([]);
});

test('the same again changes nothing, and other documents of the same version are refused', async () => {
  await publish(MANIFESTS.Relay);
  expect(await publish(MANIFESTS.Apollo)).toMatchObject({
    code: 0,
    output: expect.stringContaining('was published before'),
  });
  expect(await publish({ [digest(NAME)]: NAME })).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/other documents.*Nothing was changed/),
  });
  expect(await stored()).toEqual([VIEWER, NAME]);
  await withdraw();
  expect(await withdraw()).toMatchObject({
    code: 1,
    complaint: 'No version 1 of web is published. Nothing was changed.\n',
  });
});

describe('nothing is published of a manifest', () => {
  const deep = `{ ${'viewer { '.repeat(20)} user ${'} '.repeat(20)} }`;
  test.each([
    ['that is no JSON', 'nonsense', /The file is no manifest/],
    ['that is a list', '[]', /The file is no manifest/],
    ['without documents', {}, /has no document/],
    ['of another version', { ...MANIFESTS.Apollo, version: 2 }, /The file is no manifest/],
    [
      'with ids of MD5',
      { [createHash('md5').update(VIEWER).digest('hex')]: VIEWER },
      /is no SHA-256: set algorithm 'SHA256'/,
    ],
    ['with an id that is not that of its text', { [digest(NAME)]: VIEWER }, /is not the SHA-256 of its text/],
    [
      'with a document that the schema has not',
      { ...MANIFESTS.Relay, [digest('query Wrong { nothing }')]: 'query Wrong { nothing }' },
      /^query Wrong:\n  - Cannot query field "nothing" on type "Query"\.\nNothing was published\.\n$/,
    ],
    ['with a document above the limits', { [digest(deep)]: deep }, /exceeds the limit of 15 levels/],
  ])('%s', async (_what, manifest, complaint) => {
    expect(await publish(manifest)).toEqual({ code: 1, output: '', complaint: expect.stringMatching(complaint) });
    expect(await stored()).toEqual([]);
  });

  test('that exceeds what may be registered', async () => {
    const texts = Array.from(
      { length: LIMITS.trustedDocument.documents + 1 },
      (_each, n) => `query Q${n} { __typename }`,
    );
    const { code, complaint } = await publish(Object.fromEntries(texts.map((text) => [digest(text), text])));
    expect([code, complaint]).toEqual([
      1,
      expect.stringMatching(/2001 documents were published, and 2000 is the limit/),
    ]);
    expect(await stored()).toEqual([]);
  });
});

test.each([
  [[]],
  [['publish', '--app', 'web', '--app-version', '1']],
  [['publish', 'a', 'b', '--app', 'web', '--app-version', '1']],
  [['publish', 'a', '--app', 'web']],
  [['withdraw', 'a', '--app', 'web', '--app-version', '1']],
  [['list', '--app', 'web']],
  [['list', '--all']],
  [['withdraw', '--app', 'web', '--app', 'app', '--app-version', '1']],
])('%j shows how the command is used', async (args) => {
  expect(await run(...args)).toEqual({
    code: 2,
    output: '',
    complaint: expect.stringMatching(/^Usage: npm run documents/),
  });
});

test('names have letters, digits and few other characters', async () => {
  expect(await run('withdraw', '--app', 'my app', '--app-version', '1')).toMatchObject({
    code: 2,
    complaint: expect.stringMatching(/--app and --app-version are/),
  });
});

test('a check names what this version refuses, with the versions that have it, and changes nothing', async () => {
  await publish(MANIFESTS.Relay);
  const gone = 'query Gone { viewer { fax } }';
  await database.rows('update trusted_document set text = $1 where text = $2', [gone, VIEWER]);
  expect(await run('check')).toEqual({
    code: 1,
    output: 'Registered: 2 documents. Refused by this version, or using what it has deprecated: 1.\n',
    complaint: 'query Gone (web 1):\n  - Cannot query field "fax" on type "Viewer".\n',
  });
  await withdraw();
});

test('a check of a database that is of no gateway says so, where it could say that nothing is registered', async () => {
  const empty = await createEmptyDatabase();
  try {
    const unread = { write: () => undefined };
    const checked = documents(['check'], { ...env, DATABASE_URL: empty.url }, { stdout: unread, stderr: unread });
    await expect(checked).rejects.toThrow(StartupError);
    await expect(checked).rejects.toThrow(
      /^The database has no register of documents: it is of no gateway, or of a version before /,
    );
  } finally {
    await empty.drop();
  }
});

test('what a document uses that is deprecated is named, of each of its operations once', () => {
  const { deprecationReason: reason } = deprecated({ since: '2026-12-01', sunset: '2027-12-01', use: 'Use `b`.' });
  const check = documentChecker(buildSchema(`type Query { a: Int @deprecated(reason: "${reason}"), b: Int }`), 'token');
  expect(check('query A { a } query B { a b }')).toEqual({
    errors: [],
    deprecated: [`Query.a is deprecated. ${reason}`],
    tokens: 11,
  });
  expect(check('{ b }')).toEqual({ errors: [], deprecated: [], tokens: 3 });
});
