import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { LIMITS } from '../../src/values/limits.js';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { sha256Of } from '../support/bytes.js';
import { someoneWaits } from '../support/lock-waits.js';
import { settled } from '../support/settled.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { rawRequest } from '../support/rest.js';
import { buildOrganization, buildWorkflow, join, type Person } from '../support/test-data.js';

const VERSION = `id: databaseId artifact_id: artifactId original_name: filename size content_type: contentType source
  created_by: createdBy { username } created_at: createdAt download_url: downloadUrl`;
const DOCUMENT = `id: databaseId workflow_id: workflowId artifact_id: artifactId original_name: filename size content_type: contentType
  source sha256 created_by: createdBy { username } created_at: createdAt effective_at: effectiveAt valid_until: validUntil evidence_state: evidenceState note download_url: downloadUrl`;
const PATH = '/api/v1/v-ciso/organizations/{organization_id}';
const VERSIONS = `${PATH}/workflows/{workflow_id}/documents/{artifact_id}/versions`;

const OPERATIONS = {
  upload: mutation(`POST ${VERSIONS}`, 'uploadDocumentVersion', `documentVersion { ${VERSION} } created`),
  versions: {
    rest: `GET ${VERSIONS}`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!, $artifactId: ID!, $first: Int) {
      artifactVersions(organizationId: $organizationId, workflowId: $workflowId, artifactId: $artifactId, first: $first) {
        totalCount nodes { ${DOCUMENT} } } }`,
    at: 'artifactVersions',
  },
  list: {
    rest: `GET ${PATH}/documents`,
    graphql: `query ($organizationId: ID!, $first: Int, $offset: Int, $orderBy: DocumentVersionOrder, $filter: DocumentVersionFilter) {
      organization(id: $organizationId) { documentVersions(first: $first, offset: $offset, orderBy: $orderBy, filter: $filter) {
        totalCount nodes { ${DOCUMENT} } } } }`,
    at: 'organization.documentVersions',
  },
  read: {
    rest: `GET ${PATH}/documents/{id}`,
    graphql: `query ($organizationId: ID!, $id: ID!) { documentVersion(organizationId: $organizationId, id: $id) { ${DOCUMENT} } }`,
    at: 'documentVersion',
  },
  update: mutation(`PATCH ${PATH}/documents/{id}`, 'updateDocumentVersion', `documentVersion { ${DOCUMENT} }`, {
    id: 'documentVersionId',
  }),
  remove: mutation(`DELETE ${PATH}/documents/{id}`, 'deleteDocumentVersion', `documentVersion { ${DOCUMENT} }`, {
    id: 'documentVersionId',
  }),
  dissociate: mutation(`DELETE ${PATH}/workflows/{workflow_id}`, 'dissociateWorkflow', 'organizationWorkflow { id }'),
} satisfies Record<string, Operation>;

const WORKFLOW = 'iso-27001-2022';
/** Created for each case. */
let organizationId: number;

const { gateway, testData } = await startSeededGateway();
beforeEach(async () => {
  const { database } = gateway.app;
  organizationId = await buildOrganization(database, 'Of one case');
  await join(database, testData.officer, organizationId, 'SECURITY_OFFICER');
  await join(database, testData.analyst, organizationId, 'SECURITY_ANALYST');
  await join(database, testData.viewer, organizationId, 'VIEWER');
  await buildWorkflow(database, organizationId, WORKFLOW);
});

const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);
const download = (url: string) => rawRequest(gateway.url, 'GET', url.slice(gateway.url.length));

interface Version {
  id: number;
  original_name: string;
  created_at: string;
  download_url: string;
}

/** Without the expiry in an address, which may be a second later. */
const lasting = <Shown extends Version>(version: Shown) => ({
  ...version,
  download_url: version.download_url.replace(/\?.*/, ''),
});

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object = {}, { token }: Person = testData.analyst) =>
    callThrough(api, gateway, OPERATIONS[name], { organization_id: organizationId, ...input }, token);
  const data = async (name: keyof typeof OPERATIONS, input: object, person?: Person) =>
    dataOf(await call(name, input, person));
  const artifact = (artifact_id: string, workflow_id = WORKFLOW) => ({ workflow_id, artifact_id });
  const send = (content: string, artifact_id = 'A.5.1', by = testData.analyst) => {
    const file = { filename: 'a.txt', content: Buffer.from(content).toString('base64') };
    return call('upload', { ...artifact(artifact_id), ...file }, by);
  };
  const upload = async (content: string, artifact_id?: string): Promise<Version> =>
    dataOf(await send(content, artifact_id));
  const read = (id: number) => call('read', { id }, testData.viewer);

  describe('reading a version', () => {
    test('shows every field, and an address at which its bytes are', async () => {
      const content = `every field through ${api}`;
      const { id, created_at } = await upload(content);
      const version = dataOf(await read(id));
      const { download_url } = version;
      expect(JSON.stringify(version)).toBe(
        JSON.stringify({
          id,
          workflow_id: WORKFLOW,
          artifact_id: 'A.5.1',
          original_name: 'a.txt',
          size: content.length,
          content_type: 'text/plain',
          source: 'attached',
          sha256: sha256Of(content),
          created_by: testData.analyst.username,
          created_at,
          effective_at: null,
          valid_until: null,
          evidence_state: 'FRESH',
          note: null,
          download_url,
        }),
      );
      expect((await download(download_url)).text).toBe(content);
    });

    test('finds no version of another organization, and none that never existed', async () => {
      const { id } = await upload('of one organization');
      await sql('delete from membership where user_id = $1 and organization_id = $2', [
        testData.viewer.id,
        testData.otherOrganizationId,
      ]);
      await join(gateway.app.database, testData.viewer, testData.otherOrganizationId, 'VIEWER');
      for (const other of [{ id, organization_id: testData.otherOrganizationId }, { id: 2147483647 }])
        expectFailure(await call('read', other, testData.viewer), 'NOT_FOUND');
    });
  });

  describe('the versions of an artifact', () => {
    const versions = (where: object) => call('versions', where, testData.viewer);

    test('are those of this artifact alone, newest first', async () => {
      const uploaded = [await upload('first'), await upload('second'), await upload('third')];
      await upload('elsewhere', 'A.5.2');
      const { data: listed, total } = await versions(artifact('A.5.1'));
      expect(listed.map(lasting)).toMatchObject(uploaded.toReversed().map(lasting));
      const alone = dataOf(await read(uploaded[2]!.id));
      expect(JSON.stringify(lasting(listed[0]))).toBe(JSON.stringify(lasting(alone)));
      const texts = await Promise.all((listed as Version[]).map(({ download_url }) => download(download_url)));
      expect([total, texts.map(({ text }) => text)]).toEqual([3, ['third', 'second', 'first']]);
    });

    test('are none for a control without documents, and not found for what is no control of the organization', async () => {
      expect(await versions(artifact('A.5.5'))).toMatchObject({ total: 0, data: [] });
      for (const where of [artifact('A.99'), artifact('21.2.a', 'nis2-directive'), artifact('A.5.5', 'nothing')])
        expectFailure(await versions(where), 'NOT_FOUND');
    });

    test('have none that was stored behind the end of the association, which waits for an upload', async () => {
      const { database } = gateway.app;
      await join(database, testData.manager, organizationId, 'ORGANIZATION_MANAGER');
      const dissociate = () => call('dissociate', { workflow_id: WORKFLOW }, testData.manager);
      await settled(database);
      const begun: ReturnType<typeof call>[] = [];
      await database.transaction(async (tx) => {
        await tx.rows('lock table document_version in share mode', []);
        begun.push(send('just before'));
        await someoneWaits(tx);
        begun.push(dissociate());
        await Promise.race([begun[1], someoneWaits(tx, 2)]);
      });
      for (const answer of await Promise.all(begun)) dataOf(answer);
      const trail = await database.rows<{ action: string }>(
        `select e.action from audit_entry e join audit_log l on l.id = e.log_id
          where l.organization_id = $1 and e.action in ('DOCUMENT_UPLOADED', 'WORKFLOW_DISSOCIATED') order by e.position`,
        [organizationId],
      );
      expect(trail.map(({ action }) => action)).toEqual(['DOCUMENT_UPLOADED', 'WORKFLOW_DISSOCIATED']);
    });

    test('stay readable when the workflow was dissociated', async () => {
      await upload('kept');
      await sql('delete from organization_workflow where organization_id = $1', [organizationId]);
      expect((await versions(artifact('A.5.1'))).total).toBe(1);
      expectFailure(await versions(artifact('A.5.5')), 'NOT_FOUND');
    });
  });

  describe('the list of documents', () => {
    let listed: number;
    beforeAll(async () => {
      listed = await buildDocuments();
    });
    const list = ({ sort, ...query }: { sort?: string; limit?: number; offset?: number }) => {
      // GraphQL sorts by its own name of the field.
      const field = api === 'REST' ? sort : sort?.replace('original_name', 'filename');
      return call('list', { organization_id: listed, ...query, ...(sort && { sort: field }) }, testData.viewer);
    };
    const names = async (query: object) =>
      (dataOf(await list(query)) as Version[]).map(({ original_name }) => original_name).join('');

    test.each([
      [{}, 'dbeac'],
      [{ sort: 'created_at' }, 'caebd'],
      [{ sort: '-created_at' }, 'dbeac'],
      [{ sort: 'effective_at' }, 'ecbda'],
      [{ sort: '-effective_at' }, 'adbce'],
      [{ sort: 'original_name' }, 'abcde'],
      [{ sort: '-original_name' }, 'edcba'],
      [{ workflow_id: WORKFLOW }, 'dac'],
      [{ artifact_id: 'A.5.1' }, 'dc'],
      [{ workflow_id: 'nis2-directive', artifact_id: 'A.5.1' }, ''],
      [{ created_by: 'ann' }, 'dbec'],
      [{ created_from: '2026-03-03T10:00:00Z' }, 'dbe'],
      [{ created_before: '2026-03-03T10:00:00Z' }, 'ac'],
      [{ created_from: '2026-03-02T12:00:00+02:00', created_before: '2026-03-03T10:00:00.001Z' }, 'ea'],
      [
        {
          workflow_id: WORKFLOW,
          artifact_id: 'A.5.1',
          created_by: 'ann',
          created_from: '2026-03-02T00:00:00Z',
          sort: 'original_name',
        },
        'd',
      ],
      [{ created_by: 'no one' }, ''],
      [{ artifact_id: '' }, ''],
    ])('of %j is %s on pages of any size, and the total counts them', async (query, expected) => {
      expect(await names(query)).toBe(expected);
      const pages = await Promise.all([0, 2, 4].map((offset) => names({ ...query, limit: 2, offset })));
      expect(pages.join('')).toBe(expected);
      expect((await list({ ...query, limit: 1 })).total).toBe(expected.length);
    });

    test('shows each version as it is read by itself', async () => {
      for (const version of dataOf(await list({})) as Version[]) {
        const alone = await data('read', { organization_id: listed, id: version.id }, testData.viewer);
        expect(JSON.stringify(lasting(alone))).toBe(JSON.stringify(lasting(version)));
      }
    });
  });

  describe('changing a version', () => {
    let id: number;
    beforeEach(async () => {
      id = (await upload('changed')).id;
    });
    const change = async (fields: object) => lasting(await data('update', { id, ...fields }));

    test('leaves what is absent, and empties what is null', async () => {
      const set = { effective_at: '2026-02-03T00:00:00+01:00', note: 'Line one\nLine two' };
      const changed = await change(set);
      expect(changed).toMatchObject({ effective_at: '2026-02-02T23:00:00.000Z', note: 'Line one\nLine two' });
      expect(await change({})).toEqual(changed);
      expect(await change({ note: null })).toEqual({ ...changed, note: null });
      expect(await change({ effective_at: null, note: '' })).toEqual({ ...changed, note: null, effective_at: null });
      expect(lasting(dataOf(await read(id)))).toEqual({ ...changed, note: null, effective_at: null });
    });

    test.each([
      [
        { effective_at: 'soon', note: 1, checksum: 'x' },
        [
          'effective_at must be a date-time such as 2026-11-20T08:15:30Z',
          'note must be a string',
          'checksum is not a known field',
        ],
      ],
      [{ note: '\u0007' }, ['note must not contain control characters']],
    ])('is refused with every error at once: %j', async (fields, messages) => {
      expectFailure(await call('update', { id, ...fields }), 'BAD_USER_INPUT', messages);
    });

    test('accepts a note of 2,000 characters and no more', async () => {
      expect(await change({ note: '💥'.repeat(2000) })).toMatchObject({ note: '💥'.repeat(2000) });
      const messages = ['note must not be longer than 2000 characters'];
      expectFailure(await call('update', { id, note: 'n'.repeat(2001) }), 'BAD_USER_INPUT', messages);
    });

    test('stores every change of requests that arrive at once', async () => {
      await Promise.all([
        change({ note: 'one' }),
        data('update', { id, effective_at: '2026-05-05T00:00:00Z' }, testData.officer),
      ]);
      expect(dataOf(await read(id))).toMatchObject({ note: 'one', effective_at: '2026-05-05T00:00:00.000Z' });
    });

    test('finds no version of another organization, and none that never existed', async () => {
      expectFailure(await call('update', { id: 2147483647, note: 'n' }), 'NOT_FOUND');
      const other = { id, organization_id: testData.otherOrganizationId, note: 'n' };
      expectFailure(await call('update', other, testData.nonMember), 'NOT_FOUND');
    });
  });

  describe('deleting a version', () => {
    const remove = (id: number, person?: Person) => call('remove', { id }, person);
    const isStored = (content: string) => {
      const sha256 = sha256Of(content);
      return existsSync(joinPath(gateway.dataDir, 'files/blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256));
    };

    test('answers the version as it was, which is not found from then on', async () => {
      const { id } = await upload('short-lived');
      const before = dataOf(await read(id));
      expect(lasting(dataOf(await remove(id)))).toEqual(lasting(before));
      expect((await download(before.download_url)).status).toBe(404);
      expectFailure(await read(id), 'NOT_FOUND');
      expectFailure(await remove(id), 'NOT_FOUND');
    });

    test('removes the bytes with the last version that has them', async () => {
      const content = `shared through ${api}`;
      const [here, there] = [await upload(content), await upload(content, 'A.5.2')];
      dataOf(await remove(here.id));
      expect(isStored(content)).toBe(true);
      dataOf(await remove(there.id));
      expect(isStored(content)).toBe(false);
      await upload(content);
      expect(isStored(content)).toBe(true);
    });

    test('is allowed to the user who uploaded it and to an officer, and not to another user of the same name', async () => {
      const { id } = await upload('of the analyst');
      expectFailure(await remove(id, testData.viewer), 'FORBIDDEN');
      await sql('update document_version set uploader_id = $2 where id = $1', [id, testData.owner.id]);
      expectFailure(await remove(id), 'FORBIDDEN');
      dataOf(await remove(id, testData.officer));
      dataOf(await remove((await upload('mine')).id));
    });

    test('happens once when many requests are sent at once, also beside uploads of the same content', async () => {
      const content = `again and again through ${api}`;
      const { id } = await upload(content);
      const four = <Answer>(request: () => Promise<Answer>) => Promise.all(Array.from({ length: 4 }, request));
      const [removals, uploads] = await Promise.all([four(() => remove(id)), four(() => send(content))]);
      expect(removals.map(({ code }) => code).toSorted()).toEqual([...Array<string>(3).fill('NOT_FOUND'), 'OK']);
      const left = (await call('versions', artifact('A.5.1'))).total!;
      expect(uploads.filter(({ created }) => created)).toHaveLength(left);
      if (left > 0) expect(isStored(content)).toBe(true);
    });
  });

  const notified = async ({ id }: Person, title = '%') =>
    (
      await sql(
        `select title, message from notification
          where type = 'DOCUMENT' and user_id = $1 and organization_id = $2 and title like $3 order by id`,
        [id, organizationId, title],
      )
    ).map(({ title, message }) => `${title}: ${message}`);

  test('members who want alerts are notified of uploads and deletions by others, not of the same content again', async () => {
    await join(gateway.app.database, testData.manager, organizationId, 'ORGANIZATION_MANAGER');
    await sql('update membership set alert_v_ciso = false where user_id = $1 and organization_id = $2', [
      testData.manager.id,
      organizationId,
    ]);
    const { id } = await upload('notified');
    expect((await send('notified')).created).toBe(false);
    dataOf(await call('remove', { id }, testData.officer));
    await gateway.settled();
    const uploaded = `New document version: ${testData.analyst.username} has uploaded “a.txt” for A.5.1.`;
    const deleted = `Document version deleted: ${testData.officer.username} has deleted “a.txt” from A.5.1.`;
    expect(await notified(testData.viewer)).toEqual([uploaded, deleted]);
    expect(await notified(testData.analyst)).toEqual([deleted]);
    expect(await notified(testData.officer)).toEqual([uploaded]);
    expect(await notified(testData.manager)).toEqual([]);
  });

  test('a version that makes way for a newer one: its uploader and those who may delete it are notified once', async () => {
    const colleague = testData.manager;
    await join(gateway.app.database, colleague, organizationId, 'SECURITY_ANALYST');
    dataOf(await send('first', 'A.5.1', testData.officer));
    dataOf(await send('second', 'A.5.1', colleague));
    for (let count = 0; count < LIMITS.document.versionsKept; count += 1) await upload(`newer ${count}`);
    await gateway.settled();
    const { officer, analyst, viewer } = testData;
    const removed = `Document version removed: “a.txt” was the oldest version of A.5.1 and was removed when ${analyst.username} uploaded a newer one.`;
    for (const [person, titles] of [
      [officer, [removed, removed]],
      [colleague, [removed]],
      [analyst, []],
      [viewer, []],
    ] as const)
      expect(await notified(person, 'Document version removed')).toEqual(titles);
  });
});

/** An organization with five documents that the viewer may read. */
async function buildDocuments(): Promise<number> {
  const id = await buildOrganization(gateway.app.database, 'Listed');
  await join(gateway.app.database, testData.viewer, id, 'VIEWER');
  // Name, workflow, control, uploader, day of upload, day of validity.
  for (const row of [
    ['c', WORKFLOW, 'A.5.1', 'ann', 1, null],
    ['a', WORKFLOW, 'A.5.2', 'bob', 2, 9],
    ['e', 'nis2-directive', '21.2.a', 'ann', 3, 1],
    ['b', 'nis2-directive', '21.2.b', 'ann', 4, null],
    ['d', WORKFLOW, 'A.5.1', 'ann', 4, null],
  ])
    await sql(
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source,
                                     sha256, created_by, created_at, effective_at)
       values ($1, $3, $4, $2, 1, 'text/plain', 'attached',
               encode(sha256(convert_to($2, 'UTF8')), 'hex'), $5, make_timestamptz(2026, 3, $6, 10, 0, 0, 'UTC'),
               make_timestamptz(2026, 3, $7, 0, 0, 0, 'UTC'))`,
      [id, ...row],
    );
  return id;
}
