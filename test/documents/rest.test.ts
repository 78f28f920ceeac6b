import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { buildOrganization, buildWorkflow, seedTestData, join, type TestData } from '../support/test-data.js';
import { collectPages, expectExactly, pagingCases } from '../support/rest.js';

const WORKFLOW = 'iso-27001-2022';
let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
  await buildWorkflow(gateway.app.database, testData.organizationId, WORKFLOW);
});
afterAll(() => gateway.close());

const root = (organization = testData.organizationId) => `/api/v1/v-ciso/organizations/${organization}/documents`;
const one = (id: number, organization?: number) => `${root(organization)}/${id}`;
const versions = (artifact: string, workflow = WORKFLOW, organization = testData.organizationId) =>
  `/api/v1/v-ciso/organizations/${organization}/workflows/${workflow}/documents/${artifact}/versions`;

async function upload(content: string, artifact = 'A.5.1', token = testData.analyst.token) {
  const body = { filename: 'a.txt', content: Buffer.from(content).toString('base64'), content_type: 'text/plain' };
  return expectData(await gateway.rest.post(versions(artifact), { token, body }), 201) as {
    id: number;
    created_at: string;
    download_url: string;
  };
}

const bytesOf = (content: string) => {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return joinPath(gateway.dataDir, 'files', 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
};

async function heard(token: string, id: number): Promise<string[]> {
  const { data } = (await gateway.rest.get('/api/v1/notifications?type=DOCUMENT&limit=100', { token })).body;
  return data
    .map(({ title, message }: { title: string; message: string }) => `${title}: ${message}`)
    .filter((text: string) => text.includes(`A.8.${id}.`));
}

test('a version of another organization is absent below this one', async () => {
  const { id } = await upload('read by many', 'A.5.2');
  await join(gateway.app.database, testData.owner, testData.otherOrganizationId, 'VIEWER');
  for (const path of [one(id, testData.otherOrganizationId), one(999_999)]) {
    expectError(await gateway.rest.get(path, { token: testData.owner.token }), 404, [1004]);
  }
});

describe('a version', () => {
  test('is read with every field', async () => {
    const uploaded = await upload('every field', 'A.5.3');
    const answer = await gateway.rest.get(one(uploaded.id), { token: testData.viewer.token });
    const { download_url } = expectData(answer);
    expectExactly(answer, 200, {
      error: 0,
      messages: [],
      data: {
        id: uploaded.id,
        workflow_id: WORKFLOW,
        artifact_id: 'A.5.3',
        original_name: 'a.txt',
        size: 11,
        content_type: 'text/plain',
        source: 'attached',
        sha256: createHash('sha256').update('every field').digest('hex'),
        created_by: testData.analyst.username,
        created_at: uploaded.created_at,
        effective_at: null,
        note: null,
        download_url,
      },
    });
    expect(await (await fetch(download_url)).text()).toBe('every field');
  });
});

describe('the versions of an artifact', () => {
  const list = (path: string) => gateway.rest.get(path, { token: testData.viewer.token });

  beforeAll(async () => {
    for (const content of ['first', 'second', 'third']) await upload(content, 'A.5.4');
  });

  pagingCases((query) => list(`${versions('A.5.4')}?${query}`));

  test('are those of this artifact alone, newest first', async () => {
    const { data, total } = (await list(versions('A.5.4'))).body;
    const texts = await Promise.all(
      data.map(async ({ download_url }: { download_url: string }) => (await fetch(download_url)).text()),
    );
    expect([total, texts]).toEqual([3, ['third', 'second', 'first']]);
  });

  test('are none for a control without documents, and absent for what is no control of the organization', async () => {
    expect((await list(versions('A.5.5'))).body).toMatchObject({ total: 0, data: [] });
    for (const path of [versions('A.99'), versions('21.2.a', 'nis2-directive'), versions('A.5.5', 'nothing')]) {
      expectError(await list(path), 404, [1004]);
    }
  });

  test('stay readable when the workflow was dissociated', async () => {
    const { database } = gateway.app;
    await database.rows('delete from organization_workflow where workflow_id = $1', [WORKFLOW]);
    try {
      expect((await list(versions('A.5.4'))).body.total).toBe(3);
      expectError(await list(versions('A.5.5')), 404, [1004]);
    } finally {
      await buildWorkflow(database, testData.organizationId, WORKFLOW);
    }
  });
});

describe('the list', () => {
  let organization: number;
  const list = (query: string) => gateway.rest.get(`${root(organization)}?${query}`, { token: testData.owner.token });
  const names = async (query: string) =>
    (await collectPages<{ original_name: string }>(list, query, 2)).map(({ original_name }) => original_name).join('');

  beforeAll(async () => {
    const { database } = gateway.app;
    organization = await buildOrganization(database, 'Listed');
    await join(database, testData.owner, organization, 'VIEWER');
    // Name, workflow, control, uploader, day of upload, day when it was true.
    for (const row of [
      ['c', WORKFLOW, 'A.5.1', 'ann', 1, null],
      ['a', WORKFLOW, 'A.5.2', 'bob', 2, 9],
      ['e', 'nis2-directive', '21.2.a', 'ann', 3, 1],
      ['b', 'nis2-directive', '21.2.b', 'ann', 4, null],
      ['d', WORKFLOW, 'A.5.1', 'ann', 4, null],
    ]) {
      await database.rows(
        `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source,
                                       sha256, created_by, created_at, effective_at)
         values ($1, $3, $4, $2, 1, 'text/plain', 'attached',
                 encode(sha256(convert_to($2, 'UTF8')), 'hex'), $5, make_timestamptz(2026, 3, $6, 10, 0, 0, 'UTC'),
                 make_timestamptz(2026, 3, $7, 0, 0, 0, 'UTC'))`,
        [organization, ...row],
      );
    }
  });

  pagingCases(list);

  test.each([
    ['', 'dbeac'],
    ['sort=created_at', 'caebd'],
    ['sort=-created_at', 'dbeac'],
    ['sort=effective_at', 'ecbda'],
    ['sort=-effective_at', 'adbce'],
    ['sort=original_name', 'abcde'],
    ['sort=-original_name', 'edcba'],
    [`workflow_id=${WORKFLOW}`, 'dac'],
    ['artifact_id=A.5.1', 'dc'],
    ['created_by=ann', 'dbec'],
    ['created_from=2026-03-03T10:00:00Z', 'dbe'],
    ['created_before=2026-03-03T10:00:00Z', 'ac'],
    ['created_from=2026-03-02T12:00:00%2B02:00&created_before=2026-03-03T10:00:00.001Z', 'ea'],
    [
      `workflow_id=${WORKFLOW}&artifact_id=A.5.1&created_by=ann&created_from=2026-03-02T00:00:00Z&sort=original_name`,
      'd',
    ],
    ['created_by=nobody', ''],
    ['artifact_id=', ''],
  ])('%s is %s, and the total counts them', async (query, expected) => {
    expect(await names(query)).toBe(expected);
    expect((await list(`${query}&limit=1`)).body.total).toBe(expected.length);
  });

  test('refuses what is no filter and no order, all at once', async () => {
    expectError(await list('sort=size&created_from=2026-02-30T00:00:00Z&created_before=yesterday'), 400, [
      'sort must be one of created_at, -created_at, effective_at, -effective_at, original_name, -original_name',
      'created_from must be a date-time such as 2026-11-20T08:15:30Z',
      'created_before must be a date-time such as 2026-11-20T08:15:30Z',
    ]);
  });
});

describe('changing', () => {
  const change = (id: number, body?: object, token = testData.analyst.token) =>
    gateway.rest.patch(one(id), { token, ...(body && { body }) });
  let id: number;
  beforeAll(async () => {
    id = (await upload('changed', 'A.5.6')).id;
  });

  test('keeps absent and null apart', async () => {
    const set = { effective_at: '2026-02-03T00:00:00+01:00', note: 'Line one\nLine two' };
    const before = expectData(await change(id, set));
    expect(before).toMatchObject({ effective_at: '2026-02-02T23:00:00.000Z', note: 'Line one\nLine two' });
    const same = { ...before, download_url: expect.any(String) };
    expect(expectData(await change(id, {}))).toEqual(same);
    expect(expectData(await change(id))).toEqual(same);
    expect(expectData(await change(id, { note: null }))).toEqual({ ...same, note: null });
    expect(expectData(await change(id, { effective_at: null, note: '' }))).toEqual({
      ...same,
      note: null,
      effective_at: null,
    });
  });

  test('tells all errors, and takes a note of 2,000 characters', async () => {
    expectError(await change(id, { effective_at: 'soon', note: 1, sha256: 'x', id: 3 }), 400, [
      'effective_at must be a date-time such as 2026-11-20T08:15:30Z',
      'note must be a string',
      'sha256 is not a known field',
      'id is not a known field',
    ]);
    expectError(await change(id, { note: 'n'.repeat(2001) }), 400, ['note must not be longer than 2000 characters']);
    expectError(await change(id, { note: '\u0007' }), 400, ['note must not contain control characters']);
    expect(expectData(await change(id, { note: '💥'.repeat(2000) })).note).toBe('💥'.repeat(2000));
  });

  test('by two at once keeps what each of them said', async () => {
    await Promise.all([
      change(id, { note: 'one' }),
      change(id, { effective_at: '2026-05-05T00:00:00Z' }, testData.owner.token),
    ]);
    const { data } = (await gateway.rest.get(one(id), { token: testData.viewer.token })).body;
    expect(data).toMatchObject({ note: 'one', effective_at: '2026-05-05T00:00:00.000Z' });
  });

  test('finds nothing of another organization', async () => {
    expectError(await change(999_999, { note: 'n' }, testData.owner.token), 404, [1004]);
    const path = one(id, testData.otherOrganizationId);
    expectError(await gateway.rest.patch(path, { token: testData.nonMember.token, body: { note: 'n' } }), 404, [1004]);
  });
});

describe('deleting', () => {
  const remove = (id: number, token = testData.analyst.token) => gateway.rest.delete(one(id), { token });

  test('answers the version as it was; then it is absent, and its address leads nowhere', async () => {
    const { id } = await upload('short-lived', 'A.5.8');
    const before = expectData(await gateway.rest.get(one(id), { token: testData.viewer.token }));
    const deleted = expectData(await remove(id));
    expect(deleted).toEqual({ ...before, download_url: expect.any(String) });
    expect((await fetch(before.download_url)).status).toBe(404);
    expectError(await gateway.rest.get(one(id), { token: testData.viewer.token }), 404, [1004]);
    expectError(await remove(id), 404, [1004]);
  });

  test('takes the bytes away with the last version that has them', async () => {
    const [here, there] = [await upload('shared', 'A.5.9'), await upload('shared', 'A.5.10')];
    expectStatus(await remove(here.id), 200);
    expect(existsSync(bytesOf('shared'))).toBe(true);
    expectStatus(await remove(there.id), 200);
    expect(existsSync(bytesOf('shared'))).toBe(false);
    await upload('shared', 'A.5.9');
    expect(existsSync(bytesOf('shared'))).toBe(true);
  });

  test('is for who uploaded it, and for an officer; a name that somebody took over is not enough', async () => {
    const { id } = await upload('of the analyst', 'A.5.11');
    expectError(await remove(id, testData.viewer.token), 403, [1003]);
    await gateway.app.database.rows('update document_version set uploader_id = $2 where id = $1', [
      id,
      testData.owner.id,
    ]);
    expectError(await remove(id), 403, [1003]);
    expectStatus(await remove(id, testData.officer.token), 200);
    expectStatus(await remove((await upload('mine', 'A.5.11')).id), 200);
  });

  test('by many at once is done once, also beside uploads of the same content', async () => {
    const { id } = await upload('again and again', 'A.5.12');
    const [removals, uploads] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => remove(id))),
      Promise.all(
        Array.from({ length: 4 }, () =>
          gateway.rest.post(versions('A.5.12'), {
            token: testData.analyst.token,
            body: { filename: 'a.txt', content: Buffer.from('again and again').toString('base64') },
          }),
        ),
      ),
    ]);
    expect(removals.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
    const left = (await gateway.rest.get(versions('A.5.12'), { token: testData.viewer.token })).body.data;
    expect(uploads.filter(({ status }) => status === 201).length).toBe(left.length);
    if (left.length > 0) expect(existsSync(bytesOf('again and again'))).toBe(true);
  });
});

describe('members', () => {
  test('are told of uploads and deletions, except who did it and who wants no alerts; not of the same content again', async () => {
    const { database } = gateway.app;
    await database.rows('update membership set alert_v_ciso = false where user_id = $1', [testData.manager.id]);
    const { id } = await upload('told', 'A.8.1');
    const body = { filename: 'a.txt', content: Buffer.from('told').toString('base64') };
    expectStatus(await gateway.rest.post(versions('A.8.1'), { token: testData.analyst.token, body }), 200);
    expectStatus(await gateway.rest.delete(one(id), { token: testData.officer.token }), 200);
    const uploaded = `New version: ${testData.analyst.username} has uploaded “a.txt” for A.8.1.`;
    const deleted = `Version deleted: ${testData.officer.username} has deleted “a.txt” of A.8.1.`;
    expect(await heard(testData.viewer.token, 1)).toEqual([deleted, uploaded]);
    expect(await heard(testData.analyst.token, 1)).toEqual([deleted]);
    expect(await heard(testData.officer.token, 1)).toEqual([uploaded]);
    expect(await heard(testData.manager.token, 1)).toEqual([]);
  });
});
