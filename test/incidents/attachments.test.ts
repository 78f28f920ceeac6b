import { beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import {
  APIS,
  callThrough,
  dataOf,
  expectConflict,
  expectFailure,
  type Operation,
  uploadThrough,
} from '../support/apis.js';
import { sha256Of } from '../support/bytes.js';
import { expectData } from '../support/matchers.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { rawRequest } from '../support/rest.js';
import { sample, samples, type SampleFile } from '../support/sample-files.js';
import { buildIncident, buildOrganization, join, type Person } from '../support/test-data.js';

const FILE = `id: databaseId original_name: filename content_type: contentType size created_at: createdAt download_url: downloadUrl`;
const PATH = '/api/v1/v-ciso/incidents/{organization_id}/{incident_id}/attachments';

const OPERATIONS = {
  list: {
    rest: `GET ${PATH}`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!, $first: Int) { incident(organizationId: $organizationId, id: $incidentId) {
      attachments(first: $first) { totalCount nodes { ${FILE} } } } }`,
    at: 'incident.attachments',
  },
  read: {
    rest: `GET ${PATH}/{id}`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!, $id: ID!) {
      incidentAttachment(organizationId: $organizationId, incidentId: $incidentId, id: $id) { ${FILE} } }`,
    at: 'incidentAttachment',
  },
  attach: mutation(`POST ${PATH}`, 'uploadIncidentAttachment', `attachment { ${FILE} }`),
  remove: mutation(`DELETE ${PATH}/{id}`, 'deleteIncidentAttachment', `attachment { ${FILE} }`, { id: 'attachmentId' }),
} satisfies Record<string, Operation>;

const MOST_BYTES = 26_214_400;

let incident: number;

const { gateway, testData } = await startSeededGateway();
beforeEach(async () => {
  incident = await buildIncident(gateway.app.database, testData.organizationId);
});

const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);
const text = (content: string, filename = 'a.txt') => sample(filename, 'text/plain', content);

async function download(url: string) {
  const { status, headers, bytes } = await rawRequest(gateway.url, 'GET', url.slice(gateway.url.length));
  return { status, type: headers['content-type'], bytes };
}

interface File {
  id: number;
  original_name: string;
  created_at: string;
  download_url: string;
}

/** Without the expiry in an address, which may be a second later. */
const lasting = (file: File) => ({ ...file, download_url: file.download_url.replace(/\?.*/, '') });

describe.each(APIS)('through %s', (api) => {
  const place = () => ({ organization_id: testData.organizationId, incident_id: incident });
  const call = (name: keyof typeof OPERATIONS, input: object = {}, { token }: Person = testData.analyst) =>
    callThrough(api, gateway, OPERATIONS[name], { ...place(), ...input }, token);
  const send = (file: SampleFile, where: object = {}, { token }: Person = testData.analyst) =>
    uploadThrough(api, gateway, OPERATIONS.attach, { ...place(), ...where }, file, token);
  const attach = async (file: SampleFile): Promise<File> => dataOf(await send(file));
  const list = async (): Promise<File[]> => dataOf(await call('list', {}, testData.viewer));

  describe('attaching a file', () => {
    test.each(Object.entries(samples))('stores a file of kind %s, whose bytes can be downloaded', async (_, file) => {
      const attached = await attach(file);
      expect(JSON.stringify(lasting(attached))).toBe(
        JSON.stringify({
          id: attached.id,
          original_name: file.filename,
          content_type: file.contentType,
          size: file.bytes.length,
          created_at: attached.created_at,
          download_url: `${gateway.url}/api/v1/downloads/attachments/${attached.id}`,
        }),
      );
      expect(attached.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const { status, type, bytes } = await download(attached.download_url);
      expect([status, type, bytes.equals(file.bytes)]).toEqual([200, file.contentType, true]);
    });

    test('accepts 25 MB, and refuses one byte more', async () => {
      const content = Buffer.alloc(MOST_BYTES, 'a line of a log\n');
      expect(await attach(sample('a.txt', 'text/plain', content))).toMatchObject({ size: MOST_BYTES });
      const more = sample('a.txt', 'text/plain', Buffer.concat([content, Buffer.from('x')]));
      expectFailure(await send(more), 'FILE_TOO_LARGE', ['File too large. Maximum size is 25 MB.']);
      expect(await list()).toHaveLength(1);
    });

    test.each([
      ['../../a.txt', 'a.txt'],
      ['C:\\x\\b.txt', 'b.txt'],
      ['c\r\n.txt', 'c.txt'],
      ['d\u202e.txt', 'd.txt'],
      [`${'e'.repeat(300)}.txt`, `${'e'.repeat(251)}.txt`],
      ['f"g.txt', 'f"g.txt'],
    ])('shows the name %j as %j, without path and control characters', async (filename, shown) => {
      expect(await attach(text('x', filename))).toMatchObject({ original_name: shown });
    });

    test.each([
      ['an empty file', text('')],
      ['a page', sample('a.html', 'text/html', '<!doctype html><p>x')],
      [
        'a program',
        sample('a.exe', 'application/x-msdownload', Buffer.from('4d5a90000300000004000000ffff0000', 'hex')),
      ],
      [
        'a drawing with a script',
        sample('a.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
      ],
      ['a file that is not what it says', sample('a.png', 'image/png', samples.PDF.bytes)],
      ['a text that is said to be an image', sample('a.png', 'image/png', 'text')],
    ])('refuses %s', async (_, file) => {
      expectFailure(await send(file), 'INVALID_DATA', ['Invalid data provided']);
      expect(await list()).toEqual([]);
    });

    test('finds no incident of another or of a deleted organization, and none that never existed', async () => {
      const { database } = gateway.app;
      const foreign = await buildIncident(database, testData.otherOrganizationId);
      const gone = await buildOrganization(database, 'Gone');
      await join(database, testData.owner, gone, 'ORGANIZATION_OWNER');
      const lost = await buildIncident(database, gone);
      await sql('update organization set deleted_at = now() where id = $1', [gone]);
      for (const [where, person] of [
        [{ incident_id: 999_999 }, testData.owner],
        [{ incident_id: foreign }, testData.owner],
        [{ incident_id: foreign, organization_id: testData.otherOrganizationId }, testData.owner],
        [{ organization_id: testData.otherOrganizationId }, testData.nonMember],
        [{ incident_id: lost, organization_id: gone }, testData.owner],
      ] as const)
        expectFailure(await send(text('x'), where, person), 'NOT_FOUND');
      expectFailure(await send(text('x'), { incident_id: 999_999 }, testData.viewer), 'FORBIDDEN');
    });
  });

  describe('reading files', () => {
    test('lists those of the incident, newest first, the same file twice as two', async () => {
      expect(await call('list')).toMatchObject({ data: [], total: 0 });
      const files = [await attach(text('one')), await attach(text('two')), await attach(text('two'))];
      expect((await call('list')).total).toBe(3);
      const listed = await list();
      expect(JSON.stringify(listed.map(lasting))).toBe(JSON.stringify(files.toReversed().map(lasting)));
      const contents = await Promise.all(listed.map(({ download_url }) => download(download_url)));
      expect(contents.map(({ bytes }) => String(bytes))).toEqual(['two', 'two', 'one']);
    });

    test('reads one as the list shows it, and not below another incident or organization', async () => {
      const { database } = gateway.app;
      const { id } = await attach(text('read me'));
      expect(lasting(dataOf(await call('read', { id }, testData.viewer)))).toEqual(lasting((await list())[0]!));
      const elsewhere = await buildOrganization(database, 'Elsewhere');
      await join(database, testData.viewer, elsewhere, 'VIEWER');
      const other = await buildIncident(database, testData.organizationId);
      for (const where of [{ incident_id: other }, { organization_id: elsewhere }])
        expectFailure(await call('read', { id, ...where }, testData.viewer), 'NOT_FOUND');
    });
  });

  describe('deleting a file', () => {
    const remove = (id: number, person?: Person, where: object = {}) => call('remove', { id, ...where }, person);
    const isStored = (content: string) => {
      const sha256 = sha256Of(content);
      return existsSync(joinPath(gateway.dataDir, 'files/blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256));
    };

    test('answers the file as it was, which is not found from then on', async () => {
      const file = await attach(text('short-lived'));
      expect(lasting(dataOf(await remove(file.id)))).toEqual(lasting(file));
      expect((await download(file.download_url)).status).toBe(404);
      expectFailure(await remove(file.id), 'NOT_FOUND');
      expectFailure(await call('read', { id: file.id }), 'NOT_FOUND');
    });

    test('removes the bytes with the last file that has them', async () => {
      const [one, other] = [await attach(text('shared bytes')), await attach(text('shared bytes'))];
      dataOf(await remove(one.id));
      expect(isStored('shared bytes')).toBe(true);
      dataOf(await remove(other.id));
      expect(isStored('shared bytes')).toBe(false);
    });

    test('is allowed to the member who attached it and to an officer, and not to a viewer', async () => {
      const files = [await attach(text('of the analyst')), await attach(text('of the analyst'))] as const;
      expectFailure(await remove(files[0].id, testData.viewer), 'FORBIDDEN');
      dataOf(await remove(files[0].id));
      dataOf(await remove(files[1].id, testData.officer));
    });

    test('finds a file below its own incident only', async () => {
      const { id } = await attach(text('mine'));
      const elsewhere = await buildIncident(gateway.app.database, testData.organizationId);
      expectFailure(await remove(id, testData.owner, { incident_id: elsewhere }), 'NOT_FOUND');
      expectFailure(await remove(999_999, testData.owner), 'NOT_FOUND');
    });

    test('leaves in the trail of which reports it was the copy', async () => {
      const { id } = await attach(text('the copy'));
      const path = `/api/v1/v-ciso/incidents/${testData.organizationId}/${incident}/reports`;
      const report = { regime_id: 'nis2', stage: 'EARLY_WARNING' };
      const body = { ...report, attachment_id: id };
      expectData(await gateway.rest.post(path, { token: testData.analyst.token, body }), 201);
      dataOf(await remove(id));
      const [row] = await sql('select entry from audit_entry where subject = $1 order by position desc limit 1', [
        `INCIDENT_ATTACHMENT/${id}`,
      ]);
      expect(JSON.parse(row!['entry'] as string).changes.copyOf).toEqual({
        before: [{ regimeId: 'nis2', stage: 'EARLY_WARNING', number: 1 }],
      });
    });

    test('is refused while the incident is closed', async () => {
      const { id } = await attach(text('evidence'));
      const setStatus = (status: string) => sql('update incident set status = $2 where id = $1', [incident, status]);
      await setStatus('CLOSED');
      expectConflict(await remove(id), 'INCIDENT_CLOSED');
      await setStatus('OPEN');
      dataOf(await remove(id));
    });

    test('notifies the other members, as attaching does, with a link to the incident', async () => {
      const { id } = await attach(text('notified'));
      dataOf(await remove(id, testData.officer));
      await gateway.settled();
      const href = `/organizations/${testData.organizationId}/incidents/${incident}`;
      const notified = async (person: Person) =>
        (
          await sql('select type, title, message from notification where user_id = $1 and href = $2 order by id', [
            person.id,
            href,
          ])
        ).map(({ type, title, message }) => `${type} ${title}: ${message}`);
      const attached = `INCIDENT File attached: ${testData.analyst.username} has attached “a.txt” to “Phishing wave”.`;
      const deleted = `INCIDENT Attachment deleted: ${testData.officer.username} has deleted “a.txt” from “Phishing wave”.`;
      expect(await notified(testData.viewer)).toEqual([attached, deleted]);
      expect(await notified(testData.analyst)).toEqual([deleted]);
      expect(await notified(testData.officer)).toEqual([attached]);
      expect(await notified(testData.nonMember)).toEqual([]);
    });

    test('happens once when many requests are sent at once', async () => {
      const { id } = await attach(text('once'));
      const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id)));
      expect(answers.map(({ code }) => code).toSorted()).toEqual([...Array<string>(4).fill('NOT_FOUND'), 'OK']);
    });
  });
});
