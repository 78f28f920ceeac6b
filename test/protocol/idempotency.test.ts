import { describe, expect, test } from '@jest/globals';
import { hash as digestOf } from 'node:crypto';
import { Access } from '../../src/auth/access.js';
import type { UserCaller } from '../../src/auth/caller.js';
import { digestToken } from '../../src/auth/token.js';
import { accessRecords } from '../../src/database/access-records.js';
import { IdempotentAnswers } from '../../src/services/shared/idempotent-answers.js';
import { LIMITS } from '../../src/values/limits.js';
import type { Answer } from '../support/clients.js';
import { TestClock } from '../support/clock.js';
import { testConfig } from '../support/gateway.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, expectError, expectStatus, withStory } from '../support/matchers.js';
import { newMember } from '../support/people.js';
import { samples } from '../support/sample-files.js';
import { buildIncident, buildToken, buildWorkflow } from '../support/test-data.js';
import { multipart } from '../support/rest.js';
import { expectReason, expectReplay, expectReused, newKey } from '../support/idempotency.js';

const clock = new TestClock();
const { gateway, testData } = await startSeededGateway({ now: clock.now });
await buildWorkflow(gateway.app.database, testData.organizationId);

const CREATE =
  'mutation ($name: String!) { createOrganization(input: { name: $name }) { organization { id: databaseId name } } }';
const CREATE_TOKEN =
  'mutation ($name: String!) { createApiToken(input: { name: $name }) { token apiToken { id: databaseId name } } }';

const rows = (text: string, values: unknown[]) => gateway.app.database.rows<{ count: number }>(text, values);
const organizationsCalled = async (name: string) =>
  (await rows('select count(*) as count from organization where name = $1', [name]))[0]!.count;
const tokensCalled = async (name: string) =>
  (await rows('select count(*) as count from api_token where name = $1', [name]))[0]!.count;

const createOverRest = (name: string, headers: Record<string, string>, token = testData.owner.token) =>
  gateway.rest.post('/api/v1/organizations', { token, headers, body: { name } });
const createOverGraphQL = (name: string, headers: Record<string, string>, token = testData.owner.token) =>
  gateway.graphql.call(CREATE, { token, headers, variables: { name } });

describe('the same request with the same key', () => {
  test('creates one organization over REST and repeats status, body and Location', async () => {
    const key = newKey();
    const first = await createOverRest('Once over REST', key);
    expectStatus(first, 201);
    expect(first.headers.get('location')).toMatch(/\/api\/v1\/organizations\/\d+$/);
    expectReplay(await createOverRest('Once over REST', key), first);
    expect(await organizationsCalled('Once over REST')).toBe(1);
  });

  test('creates one organization over GraphQL and repeats the answer', async () => {
    const key = newKey();
    const first = await createOverGraphQL('Once over GraphQL', key);
    withStory(first, () => expect(first.body.errors).toBe(undefined));
    expectReplay(await createOverGraphQL('Once over GraphQL', key), first);
    expect(await organizationsCalled('Once over GraphQL')).toBe(1);
  });

  test('is recognised in multipart whatever the boundary, and the logo counts', async () => {
    const key = newKey();
    const send = (boundary: string, logo: Uint8Array) => {
      const { headers, body } = multipart([
        { name: 'data[name]', content: 'With a logo' },
        { name: 'logo', filename: 'logo.png', type: 'image/png', content: Buffer.from(logo) },
      ]);
      const text = body.toString('latin1').replaceAll('a-boundary-of-the-tests', boundary);
      return gateway.rest.post('/api/v1/organizations', {
        token: testData.owner.token,
        headers: { 'content-type': headers['content-type']!.replace('a-boundary-of-the-tests', boundary), ...key },
        body: Buffer.from(text, 'latin1'),
      });
    };
    const first = await send('one', samples.PNG.bytes);
    expectStatus(first, 201);
    expectReplay(await send('another', samples.PNG.bytes), first);
    expectReused(await send('one', samples.JPEG.bytes));
    expect(await organizationsCalled('With a logo')).toBe(1);
  });

  test.each<[string, (name: string, headers: Record<string, string>) => Promise<Answer<unknown>>]>([
    [
      'REST',
      (name, headers) => gateway.rest.post('/api/v1/tokens', { token: testData.owner.token, headers, body: { name } }),
    ],
    [
      'GraphQL',
      (name, headers) =>
        gateway.graphql.call(CREATE_TOKEN, { token: testData.owner.token, headers, variables: { name } }),
    ],
  ])('shows the secret of a new token again over %s, and the database cannot read it', async (api, create) => {
    const key = newKey();
    const name = `Shown twice over ${api}`;
    const first = await create(name, key);
    const [secret] = /scp_[0-9A-Za-z]{36}/.exec(first.text) ?? [];
    if (secret === undefined) throw new Error(first.story);
    expectReplay(await create(name, key), first);
    expect(await tokensCalled(name)).toBe(1);
    expect((await gateway.rest.get('/api/v1/tokens', { token: secret })).status).toBe(200);
    const stored = await gateway.app.database.rows<{ sealed: Buffer; keyDigest: string }>(
      'select sealed, key_digest as "keyDigest" from idempotent_answer order by created_at desc',
    );
    expect(stored.length).toBeGreaterThan(0);
    for (const row of stored) {
      const bytes = row.sealed.toString('latin1');
      for (const plain of [secret, name, digestToken(secret), 'scp_']) expect(bytes).not.toContain(plain);
      expect(row.keyDigest).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test('repeats the ETag', async () => {
    const { token } = testData.owner;
    const { id } = expectData(await createOverRest('Restored', newKey()), 201);
    expectStatus(await gateway.rest.delete(`/api/v1/organizations/${id}`, { token }), 200);
    const key = newKey();
    const restore = () => gateway.rest.post(`/api/v1/organizations/${id}/restore`, { token, headers: key });
    const first = await restore();
    expectStatus(first, 200);
    expect(first.headers.get('etag')).toMatch(/^"/);
    expectReplay(await restore(), first);
  });

  test('repeats an answer that changed nothing, as long as it was a success', async () => {
    const key = newKey();
    const mark = () =>
      gateway.rest.post('/api/v1/notifications/read', {
        token: testData.userWithoutOrganization.token,
        headers: key,
        body: { all: true },
      });
    const first = await mark();
    expectStatus(first, 200);
    expectReplay(await mark(), first);
  });

  test('repeats that the result of a change could not be read, which was made once', async () => {
    const mutation = `mutation { openIncident(input: { organizationId: ${testData.organizationId}, title: "Not read", severity: LOW }) {
      incident { id notes { totalCount } } } }`;
    const [key, token] = [newKey(), testData.tokens.writeOnly];
    const first = await gateway.graphql.call(mutation, { token, headers: key });
    withStory(first, () => {
      expect(first.body.data).toEqual({ openIncident: null });
      expect(first.body.errors).toEqual([
        expect.objectContaining({
          path: ['openIncident', 'incident', 'notes'],
          extensions: expect.objectContaining({ code: 'FORBIDDEN' }),
        }),
      ]);
    });
    expectReplay(await gateway.graphql.call(mutation, { token, headers: key }), first);
    expect(await rows('select count(*) as count from incident where title = $1', ['Not read'])).toEqual([{ count: 1 }]);
  });

  test('is the same in quotes and bare', async () => {
    const first = await createOverRest('Quoted and bare', { 'idempotency-key': '"2f1c-bare"' });
    expectReplay(await createOverRest('Quoted and bare', { 'idempotency-key': '2f1c-bare' }), first);
  });

  test('is another one after 24 hours, and the purge takes the old answer', async () => {
    const key = newKey();
    const first = await createOverRest('Each day', key);
    clock.set(24, -1);
    expectReplay(await createOverRest('Each day', key), first);
    clock.set(24);
    const second = await createOverRest('Each day', key);
    expectStatus(second, 201);
    expect(second.headers.get('idempotency-replayed')).toBe(null);
    expect(await organizationsCalled('Each day')).toBe(2);
    expectReplay(await createOverRest('Each day', key), second);
    clock.set(48);
    await gateway.app.services.idempotency.purgeOld();
    expect(await rows('select count(*) as count from idempotent_answer', [])).toEqual([{ count: 0 }]);
    // The bytes of an hour count while its last response is stored.
    clock.set(49);
    await gateway.app.services.idempotency.purgeOld();
    expect(await rows('select count(*) as count from idempotency_volume', [])).toEqual([{ count: 0 }]);
  });
});

describe('the same key', () => {
  test('with another body is refused over both APIs, and changes nothing', async () => {
    const [rest, graphql] = [newKey(), newKey()];
    expectStatus(await createOverRest('First body', rest), 201);
    expectReused(await createOverRest('Second body', rest));
    await createOverGraphQL('First body', graphql);
    expectReason(await createOverGraphQL('Second body', graphql), 'IDEMPOTENCY_KEY_REUSED');
    expect(await organizationsCalled('Second body')).toBe(0);
  });

  test.each([
    ['REST', createOverRest],
    ['GraphQL', createOverGraphQL],
  ] as const)('sent six times at once over %s creates one organization', async (api, create) => {
    const key = newKey();
    const name = `Six at once over ${api}`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(name, key)));
    expect(await organizationsCalled(name)).toBe(1);
    const done = answers.filter(({ status }) => status < 300);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers) if (!done.includes(answer)) expectStatus(answer, 409);
  });

  test('on another route, and in the other API, is refused', async () => {
    const key = newKey();
    expectStatus(await createOverRest('One route', key), 201);
    expectReused(
      await gateway.rest.post('/api/v1/tokens', {
        token: testData.owner.token,
        headers: key,
        body: { name: 'One route' },
      }),
    );
    expectReason(await createOverGraphQL('One route', key), 'IDEMPOTENCY_KEY_REUSED');
    const { token } = testData.owner;
    const incident = await buildIncident(gateway.app.database, testData.organizationId);
    const path = `/api/v1/v-ciso/incidents/${testData.organizationId}/${incident}`;
    const alike = newKey();
    expectStatus(await gateway.rest.post(`${path}/reopen`, { token, headers: alike }), 200);
    expectReused(await gateway.rest.post(`${path}/close`, { token, headers: alike, body: {} }));
    expect(await tokensCalled('One route')).toBe(0);
  });

  test('for another operation of the same document is refused', async () => {
    const document = ['Make', 'Test'].map((name) => CREATE.replace('mutation', `mutation ${name}`)).join('\n');
    const headers = newKey();
    const run = (operationName: string) =>
      gateway.graphql.call(document, {
        ...{ token: testData.owner.token, headers, operationName, variables: { name: 'One operation' } },
      });
    expect((await run('Make')).body.errors).toBeUndefined();
    expectReason(await run('Test'), 'IDEMPOTENCY_KEY_REUSED');
    expect(await organizationsCalled('One operation')).toBe(1);
  });

  test('of a request that another version of the gateway has executed is answered where it looks the same, and refused as such otherwise', async () => {
    const { database } = gateway.app;
    const access = new Access(accessRecords(database), { isFresh: () => true }, () => undefined);
    const { quotas } = testConfig('http://localhost', '/nowhere');
    const other = new IdempotentAnswers(database, access, quotas, clock.now, '0.0.1');
    const { token } = testData.owner;
    const caller = (await access.authenticate(token)) as UserCaller;
    const reply = { status: 201, headers: {}, body: '' };
    const key = newKey();
    const request = { key: key['idempotency-key'].slice(1, -1), caller, token };
    const repeat = (answers = other) =>
      answers.run(
        request,
        () => 'made in another way',
        async () => ({ reply, outcome: 'done' }),
      );
    expect(await repeat()).toMatchObject({ isReplayed: false });
    // Another version that describes the request in the same way replays the response.
    const later = new IdempotentAnswers(database, access, quotas, clock.now, '0.0.2');
    expect(await repeat(later)).toMatchObject({ isReplayed: true });
    const answer = await createOverRest('Upgraded', key);
    expectStatus(answer, 409);
    withStory(answer, () => expect(answer.headers.get('conflict-reason')).toBe('IDEMPOTENCY_OTHER_VERSION'));
    expectReason(await createOverGraphQL('Upgraded', key), 'IDEMPOTENCY_OTHER_VERSION');
    expect(await organizationsCalled('Upgraded')).toBe(0);
  });

  test('opens the answer with the token that it was given to alone, and where it was stored', async () => {
    const { database } = gateway.app;
    const access = new Access(accessRecords(database), { isFresh: () => true }, () => undefined);
    const { quotas } = testConfig('http://localhost', '/nowhere');
    const answers = new IdempotentAnswers(database, access, quotas, clock.now, '0.0.1');
    const { token } = testData.owner;
    const caller = (await access.authenticate(token)) as UserCaller;
    const reply = { status: 201, headers: {}, body: 'a secret' };
    const run = (key: string, by = token) =>
      answers.run(
        { key, caller, token: by },
        () => 'the same',
        async () => ({ reply, outcome: 'done' }),
      );
    expect(await run('here')).toMatchObject({ isReplayed: false });
    expect(await run('here')).toMatchObject({ isReplayed: true, reply });
    await expect(run('here', testData.viewer.token)).rejects.toThrow('unable to authenticate data');
    await rows('update idempotent_answer set key_digest = $2 where key_digest = $1', [
      digestOf('sha256', 'here'),
      digestOf('sha256', 'there'),
    ]);
    await expect(run('there')).rejects.toThrow('unable to authenticate data');
    await rows('delete from idempotent_answer where key_digest = $1', [digestOf('sha256', 'there')]);
  });

  test('of another token is another key, be it of the same user', async () => {
    const key = newKey();
    const other = await buildToken(gateway.app.database, testData.owner, {});
    for (const token of [testData.owner.token, other, testData.userWithoutOrganization.token]) {
      const answer = await createOverRest('For each token', key, token);
      expectStatus(answer, 201);
      expect(answer.headers.get('idempotency-replayed')).toBe(null);
    }
    expect(await organizationsCalled('For each token')).toBe(3);
  });

  test('may be used again after a refusal, which is not stored', async () => {
    const [rest, graphql] = [newKey(), newKey()];
    expectStatus(await createOverRest(' ', rest), 400);
    expectStatus(await createOverRest('Corrected', rest), 201);
    const refused = await createOverGraphQL(' ', graphql);
    withStory(refused, () => expect(refused.body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT'));
    const corrected = await createOverGraphQL('Corrected', graphql);
    withStory(corrected, () => expect(corrected.body.errors).toBe(undefined));
    expect(await organizationsCalled('Corrected')).toBe(2);
  });
});

describe('a key', () => {
  test.each([
    ['empty', ''],
    ['an empty string', '""'],
    ['an open quote', '"abc'],
    ['two of them', 'abc, def'],
    ['a space', 'a b'],
    ['a character that is no ASCII', 'abc\u00e9'],
    ['256 characters', 'a'.repeat(256)],
    ['256 characters in quotes', `"${'a'.repeat(256)}"`],
  ])('that is malformed is refused over both APIs: %s', async (_what, text) => {
    const headers = { 'idempotency-key': text };
    const rest = await createOverRest('Malformed', headers);
    expectError(rest, 400, [MALFORMED]);
    const graphql = await createOverGraphQL('Malformed', headers);
    withStory(graphql, () => {
      expect(graphql.status).toBe(400);
      expect(graphql.body.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', messages: [MALFORMED] });
    });
    expect(await organizationsCalled('Malformed')).toBe(0);
  });

  test('that is malformed is refused by a route without a body, as the interface description says', async () => {
    const headers = { 'idempotency-key': 'two words' };
    const path = `/api/v1/organizations/${testData.organizationId}/leave`;
    expectError(await gateway.rest.post(path, { token: testData.viewer.token, headers }), 400, [MALFORMED]);
  });

  test.each([`"${'a'.repeat(255)}"`, 'b'.repeat(255), '"with \\"quotes\\" and \\\\"', '!#$%&()*+-./:;<=>?@[]^_`{|}~'])(
    'is taken: %s',
    async (text) => {
      const headers = { 'idempotency-key': text };
      const first = await createOverRest('Well-formed', headers);
      expectStatus(first, 201);
      expectReplay(await createOverRest('Well-formed', headers), first);
    },
  );

  test('is ignored by what reads', async () => {
    const headers = newKey();
    const { token } = testData.owner;
    for (const path of ['/api/v1/organizations', '/api/v1/tokens'])
      expectStatus(await gateway.rest.get(path, { token, headers }), 200);
    for (const query of ['{ viewer { user { id: databaseId } } }', '{ __typename }']) {
      const answer = await gateway.graphql.call(query, { token, headers });
      withStory(answer, () => expect(answer.body.errors).toBe(undefined));
    }
    expectStatus(await createOverRest('After queries', headers), 201);
  });

  test('is ignored without a token, malformed or not', async () => {
    for (const headers of [newKey(), { 'idempotency-key': '' }]) {
      expectError(
        await gateway.rest.post('/api/v1/invitations/accept', { headers, body: { secret: 'inv_none' } }),
        404,
        [1004],
      );
    }
  });
});

describe('PATCH, PUT and DELETE with a key', () => {
  const { rest } = gateway;
  const { token } = testData.owner;
  const newOrganization = async (name: string) => {
    const { id } = expectData(await createOverRest(name, newKey()), 201);
    return `/api/v1/organizations/${id}`;
  };
  const logo = () =>
    multipart([{ name: 'logo', filename: 'logo.png', type: 'image/png', content: Buffer.from(samples.PNG.bytes) }]);

  test('are answered again although the record has another version by now', async () => {
    const path = await newOrganization('Versioned');
    const read = await rest.get(path, { token });
    const condition = { 'if-match': read.headers.get('etag')! };
    const headers = { ...newKey(), ...condition };
    // With read-only fields, some of which the change itself has updated.
    const body = { ...expectData(read), name: 'Renamed once' };
    clock.set(49);
    const first = await rest.patch(path, { token, headers, body });
    expectStatus(first, 200);
    expect(first.headers.get('etag')).not.toBe(read.headers.get('etag'));
    expectReplay(await rest.patch(path, { token, headers, body }), first);
    expect((await rest.get(path, { token })).headers.get('etag')).toBe(first.headers.get('etag'));
    expectStatus(await rest.patch(path, { token, headers: condition, body: { name: 'Renamed twice' } }), 412);
  });

  test('belong to one request: another value, another record, another method, a value that cannot be changed', async () => {
    const [path, other] = [await newOrganization('One'), await newOrganization('Another')];
    const headers = newKey();
    expectStatus(await rest.patch(path, { token, headers, body: { name: 'Once' } }), 200);
    expectReused(await rest.patch(path, { token, headers, body: { name: 'Twice' } }));
    expectReused(await rest.patch(path, { token, headers, body: { name: 'Once', id: 1 } }));
    expectReused(await rest.patch(other, { token, headers, body: { name: 'Once' } }));
    expectReused(await rest.delete(path, { token, headers }));
    const unchanged = newKey();
    expectStatus(await rest.patch(path, { token, headers: unchanged, body: {} }), 200);
    expectReused(await rest.delete(path, { token, headers: unchanged }));
    expect(expectData(await rest.get(other, { token })).name).toBe('Another');
  });

  test.each([
    ['a member', async () => `/api/v1/organizations/${testData.organizationId}/users/${(await member()).id}`, 404],
    ['an organization, with the right to it', async () => newOrganization('Deleted'), 404],
    ['a token', async () => `/api/v1/tokens/${expectData(await newToken(), 201).api_token.id}`, 200],
  ])('delete once: %s', async (_what, made, withoutKey) => {
    const path = await made();
    const headers = newKey();
    const first = await rest.delete(path, { token, headers });
    expectStatus(first, 200);
    expectReplay(await rest.delete(path, { token, headers }), first);
    expectStatus(await rest.delete(path, { token }), withoutKey);
  });

  test('store a logo once', async () => {
    const path = `${await newOrganization('With a logo by PUT')}/logo`;
    const { headers, body } = logo();
    const key = newKey();
    const put = () => rest.call('PUT', path, { token, headers: { ...headers, ...key }, body });
    const first = await put();
    expectStatus(first, 200);
    expectReplay(await put(), first);
    const large = multipart([
      {
        ...{ name: 'logo', filename: 'logo.png', type: 'image/png' },
        content: Buffer.concat([samples.PNG.bytes, Buffer.alloc(LIMITS.logo.maxBytes)]),
      },
    ]);
    // It is not read to its end.
    const again = await rest.call('PUT', path, { token, headers: { ...large.headers, ...key }, body: large.body });
    expectStatus(again, 413);
  });

  test('cannot be repeated with a token that they have ended', async () => {
    const person = await member();
    const headers = newKey();
    const erase = () => rest.delete(`/api/v1/profile?username=${person.username}`, { token: person.token, headers });
    expectStatus(await erase(), 200);
    expectError(await erase(), 401, [1001]);
  });

  const member = () => newMember(gateway.app.database, testData.organizationId, 'VIEWER');
  const newToken = () => rest.post('/api/v1/tokens', { token, body: { name: 'To be revoked' } });
});

describe('an upload', () => {
  const versions = () =>
    `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/iso-27001-2022/documents/A.5.1/versions`;
  const storedVersions = async () => (await rows('select count(*) as count from document_version', []))[0]!.count;

  test('of a version is stored once, in whatever form it is sent again', async () => {
    const { token } = testData.analyst;
    const key = newKey();
    const before = await storedVersions();
    const fields = {
      filename: 'once.txt',
      content_type: 'text/plain',
      content: Buffer.from('once').toString('base64'),
    };
    const send = (body: object) => gateway.rest.post(versions(), { token, headers: key, body });
    const first = await send(fields);
    expectStatus(first, 201);
    expectReplay(await send(fields), first);
    const form = multipart([{ name: 'file', filename: 'once.txt', type: 'text/plain', content: Buffer.from('once') }]);
    const again = await gateway.rest.post(versions(), { token, headers: { ...form.headers, ...key }, body: form.body });
    expectReplay(again, first);
    expectReused(await send({ ...fields, content: Buffer.from('twice').toString('base64') }));
    expectReused(await send({ ...fields, filename: 'twice.txt' }));
    expectReused(await send({ ...fields, source: 'Elsewhere' }));
    expect(await storedVersions()).toBe(before + 1);
  });

  test('of an attachment is stored once', async () => {
    const { token } = testData.analyst;
    const incident = await buildIncident(gateway.app.database, testData.organizationId);
    const path = `/api/v1/v-ciso/incidents/${testData.organizationId}/${incident}/attachments`;
    const key = newKey();
    const send = (content: string) => {
      const form = multipart([
        { name: 'file', filename: 'log.txt', type: 'text/plain', content: Buffer.from(content) },
      ]);
      return gateway.rest.post(path, { token, headers: { ...form.headers, ...key }, body: form.body });
    };
    const first = await send('what happened');
    expectStatus(first, 201);
    expectReplay(await send('what happened'), first);
    expectReused(await send('something else'), []);
    expect(await rows('select count(*) as count from incident_attachment where incident_id = $1', [incident])).toEqual([
      { count: 1 },
    ]);
  });

  test('over GraphQL multipart is stored once', async () => {
    const key = newKey();
    const before = await storedVersions();
    const send = (content: string, name = 'g.txt', type = 'text/plain') =>
      gateway.graphql.uploadAll(
        'mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { created documentVersion { id: databaseId size } } }',
        {
          input: {
            organizationId: testData.organizationId,
            workflowId: 'iso-27001-2022',
            artifactId: 'A.5.2',
            file: null,
          },
        },
        [['variables.input.file', { name, type, bytes: Buffer.from(content) }]],
        testData.analyst.token,
        key,
      );
    const first = await send('by GraphQL');
    withStory(first, () => expect(first.body.data?.uploadDocumentVersion.created).toBe(true));
    expectReplay(await send('by GraphQL'), first);
    expectReason(await send('by GraphQL, changed'), 'IDEMPOTENCY_KEY_REUSED');
    expectReason(await send('by GraphQL', 'h.txt'), 'IDEMPOTENCY_KEY_REUSED');
    expectReason(await send('by GraphQL', 'g.txt', 'text/csv'), 'IDEMPOTENCY_KEY_REUSED');
    expect(await storedVersions()).toBe(before + 1);
  });

  test('that is refused leaves its key and no bytes', async () => {
    const { token } = testData.analyst;
    const key = newKey();
    const send = (content: string, filename: string) =>
      gateway.rest.post(versions(), {
        token,
        headers: key,
        body: { filename, content_type: '', content: Buffer.from(content).toString('base64') },
      });
    expectStatus(await send('no programs', 'program.exe'), 415);
    expectStatus(await send('a text', 'text.txt'), 201);
  });
});

const MALFORMED = 'Idempotency-Key must be 1 to 255 printable ASCII characters, in double quotes or bare';
