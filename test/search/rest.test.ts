import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import {
  buildOrganization,
  buildPerson,
  buildWorkflow,
  seedTestData,
  join,
  type Person,
  type TestData,
} from '../support/test-data.js';
import { pagingCases, personOf, rolesFrom } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
let second: number;
let mario: Person;
const PATH = '/api/v1/search';
const sql = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);

interface Item {
  type: string;
  id: string;
  title: string;
  snippet: string;
  href: string;
  organization: { id: number; name: string; logo: string };
}

const search = (q: string, rest = '', token = testData.owner.token) =>
  gateway.rest.get(`${PATH}?q=${encodeURIComponent(q)}${rest}`, { token });
const items = async (q: string, rest = '', token = testData.owner.token): Promise<Item[]> =>
  expectData(await search(q, rest, token));
const found = async (q: string, rest = '', token = testData.owner.token) =>
  (await items(q, rest, token)).map(({ type, title }) => `${type} ${title}`);

const document = async (name: string, organizationId: number, note: string | null = null) =>
  (
    await sql<{ id: number }>(
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by, note)
       values ($1, 'nis2-directive', '21.2.a', $2, 1, 'text/plain', 'attached', md5(random()::text), 'owner', $3) returning id`,
      [organizationId, name, note],
    )
  )[0]!.id;
const incident = async (title: string, organizationId: number, description = '') =>
  (
    await sql<{ id: number }>(
      `insert into incident (organization_id, title, description, severity, aware_at) values ($1, $2, $3, 'HIGH', now()) returning id`,
      [organizationId, title, description],
    )
  )[0]!.id;
const notification = (title: string, organizationId: number, { id }: Pick<Person, 'id'>, message = '') =>
  sql(
    `insert into notification (user_id, organization_id, title, message, type, action, href) values ($1, $2, $3, $4, 'SYSTEM', 'OPEN', '/there')`,
    [id, organizationId, title, message],
  );

beforeAll(async () => {
  gateway = await startGateway();
  const { database } = gateway.app;
  testData = await seedTestData(database);
  second = await buildOrganization(database, 'Seconda Città');
  await join(database, testData.owner, second, 'VIEWER');
  await buildWorkflow(database, testData.organizationId, 'nis2-directive');
  mario = await buildPerson(database, 'zzz');
  await sql(
    `update app_user set first_name = 'Márïo', last_name = 'Città', username = 'm.citta', email = 'mario@citta.example' where id = $1`,
    [mario.id],
  );
  for (const organization of [testData.organizationId, second, testData.otherOrganizationId]) {
    if (organization !== testData.otherOrganizationId) await join(database, mario, organization, 'VIEWER');
    await document('Città.pdf', organization, 'Verbale');
    await incident('Phishing in città', organization, 'Nessuno');
    await notification('Avviso', organization, testData.owner, 'Dalla Città di Castello');
    await sql(
      `insert into control_state (organization_id, workflow_id, control_id, status, justification, note)
       values ($1, 'nis2-directive', '21.2.b', 'IN_PROGRESS', '', 'Citta vecchia')`,
      [organization],
    );
  }
  await notification('Città', testData.organizationId, testData.manager);
});
afterAll(() => gateway.close());

describe('GET /api/v1/search', () => {
  pagingCases((query) => search('it', `&${query}`), 1_000);

  test('finds every kind of record, whatever its case and accents, with its place', async () => {
    const rest = `&organization_id=${testData.organizationId}`;
    for (const q of ['citta', 'CITTÀ', 'Citta\u0300', '  città ']) {
      const answer = await items(q, rest);
      expect(answer.map(({ type, title }) => [type, title])).toEqual([
        ['DOCUMENT', 'Città.pdf'],
        ['MEMBER', 'Márïo Città'],
        ['INCIDENT', 'Phishing in città'],
        ['CONTROL', expect.stringMatching(/^21\.2\.b /)],
        ['NOTIFICATION', 'Avviso'],
      ]);
    }
    const [file, member, event, control, message] = (await items('citta', rest)) as [Item, Item, Item, Item, Item];
    const organization = { id: testData.organizationId, name: 'First Organization', logo: '' };
    expect(member).toEqual({
      type: 'MEMBER',
      id: mario.id,
      title: 'Márïo Città',
      snippet: 'm.citta mario@citta.example',
      href: `/organizations/${testData.organizationId}/users/${mario.id}`,
      organization,
    });
    expect(control).toMatchObject({
      id: `${testData.organizationId}/nis2-directive/21.2.b`,
      href: `/organizations/${testData.organizationId}/workflows/nis2-directive/controls/21.2.b`,
      snippet: expect.stringContaining('Citta vecchia'),
      organization,
    });
    expect(file).toMatchObject({ snippet: '21.2.a Verbale', organization });
    expect(event.href).toBe(`/organizations/${testData.organizationId}/incidents/${event.id}`);
    expect(message).toMatchObject({ href: '/there', snippet: 'Dalla Città di Castello', organization });
  });

  test('searches all organizations of the caller, and in each what its role there lets it see', async () => {
    const all = await items('citta');
    const byOrganization = (id: number) =>
      all.filter(({ organization }) => organization.id === id).map(({ type }) => type);
    expect(byOrganization(testData.organizationId)).toEqual([
      'DOCUMENT',
      'MEMBER',
      'INCIDENT',
      'CONTROL',
      'NOTIFICATION',
    ]);
    // A viewer there: no members. The workflow was not taken up there: no controls.
    expect(byOrganization(second)).toEqual(['DOCUMENT', 'ORGANIZATION', 'INCIDENT', 'NOTIFICATION']);
    expect(byOrganization(testData.otherOrganizationId)).toEqual([]);
    expect((await search('citta')).body.total).toBe(all.length);
  });

  test('shows members to whom may list them, and to nobody else', async () => {
    for (const role of ['VIEWER', 'SECURITY_ANALYST', ...rolesFrom('SECURITY_OFFICER')] as const) {
      const types = (
        await items('mario', `&organization_id=${testData.organizationId}`, personOf(testData, role).token)
      ).map(({ type }) => type);
      expect([role, types]).toEqual([role, rolesFrom('SECURITY_OFFICER').includes(role) ? ['MEMBER'] : []]);
    }
  });

  test("shows one's own notifications and nobody else's", async () => {
    expect(await found('citta', '&type=NOTIFICATION', testData.manager.token)).toEqual(['NOTIFICATION Città']);
    expect(await found('citta', '&type=NOTIFICATION', testData.viewer.token)).toEqual([]);
    expect(await found('castello', '&type=NOTIFICATION')).toEqual(['NOTIFICATION Avviso', 'NOTIFICATION Avviso']);
  });

  test('shows nothing to who belongs to no organization', async () => {
    expect((await search('citta', '', testData.userWithoutOrganization.token)).body).toEqual({
      error: 0,
      messages: [],
      data: [],
      total: 0,
    });
  });

  test('keeps to one kind', async () => {
    for (const type of ['ORGANIZATION', 'MEMBER', 'CONTROL', 'DOCUMENT', 'INCIDENT', 'NOTIFICATION']) {
      const of = await items('citta', `&type=${type}`);
      expect(of.length).toBeGreaterThan(0);
      expect(new Set(of.map((item) => item.type))).toEqual(new Set([type]));
    }
  });

  test('puts the title itself first, then what begins with it, what contains it, and what says it elsewhere', async () => {
    for (const [title, description] of [
      ['zero', 'orde elsewhere'],
      ['a orde b', ''],
      ['Ordeal', ''],
      ['ORDE', ''],
      ['órdé', ''],
    ] as const)
      await incident(title, second, description);
    await document('orde', second);
    expect(await found('orde', `&organization_id=${second}`)).toEqual([
      'DOCUMENT orde',
      'INCIDENT ORDE',
      'INCIDENT órdé',
      'INCIDENT Ordeal',
      'INCIDENT a orde b',
      'INCIDENT zero',
    ]);
  });

  test('takes wildcards and what else patterns are made of literally', async () => {
    const made = ['100% sure', '100 sure', 'a_b', 'axb', 'back\\slash', "o'clock", '(x|y)*', '[a-z]'];
    for (const title of made) await incident(title, second);
    for (const [q, expected] of [
      ['0% su', ['100% sure']],
      ['a_b', ['a_b']],
      ['k\\s', ['back\\slash']],
      ["o'c", ["o'clock"]],
      ['(x|y)*', ['(x|y)*']],
      ['[a-z]', ['[a-z]']],
      ['%%', []],
      ['__', []],
      ['\\\\', []],
    ] as const)
      expect([q, await found(q, `&type=INCIDENT&organization_id=${second}`)]).toEqual([
        q,
        expected.map((title) => `INCIDENT ${title}`),
      ]);
  });

  test('finds controls by id and by label, as the organization sees them, while the workflow is taken up', async () => {
    const rest = `&type=CONTROL&organization_id=${testData.organizationId}`;
    expect((await items('21.2.a', rest))[0]).toMatchObject({ id: `${testData.organizationId}/nis2-directive/21.2.a` });
    const label = (await items('21.2.a', rest))[0]!.title.slice('21.2.a '.length);
    expect((await items(label, rest)).map(({ id }) => id)).toContain(
      `${testData.organizationId}/nis2-directive/21.2.a`,
    );
    expect(await found('citta vecchia', `&type=CONTROL`)).toHaveLength(1);
  });

  test('no longer finds what is gone', async () => {
    const other = await buildOrganization(gateway.app.database, 'Vanishing');
    await join(gateway.app.database, testData.viewer, other, 'VIEWER');
    await incident('Vanishing act', other);
    const titles = () => found('vanishing', '', testData.viewer.token);
    expect(await titles()).toEqual(['ORGANIZATION Vanishing', 'INCIDENT Vanishing act']);
    await sql('update membership set deactivated_at = now() where user_id = $1 and organization_id = $2', [
      testData.viewer.id,
      other,
    ]);
    expect(await titles()).toEqual([]);
    await sql('update membership set deactivated_at = null where user_id = $1 and organization_id = $2', [
      testData.viewer.id,
      other,
    ]);
    await sql('update organization set deleted_at = now() where id = $1', [other]);
    expect(await titles()).toEqual([]);
  });

  test('counts pages through everything once, in one order', async () => {
    const whole = await items('it', '&limit=100');
    expect(whole.length).toBeGreaterThan(20);
    for (const size of [1, 7, 100]) {
      const seen: Item[] = [];
      for (let offset = 0; ; offset += size) {
        const { body } = await search('it', `&limit=${size}&offset=${offset}`);
        expect(body.total).toBe(whole.length);
        seen.push(...body.data);
        if (body.data.length < size) break;
      }
      expect(seen).toEqual(whole);
    }
  });

  test('tells what is wrong with the question', async () => {
    const length = 'q must have from 2 to 100 characters';
    expectError(await gateway.rest.get(PATH, { token: testData.owner.token }), 400, ['q is required']);
    for (const q of ['', 'a', '   ', ' a ', 'x'.repeat(101)]) expectError(await search(q), 400, [length]);
    for (const q of ['ab', 'x'.repeat(100), '💥💥']) expectStatus(await search(q), 200);
    expect((await search('\u0300\u0301\u0302')).body).toMatchObject({ data: [], total: 0 });
    expectError(await search('ab', '&type=FILE&offset=1001&organization_id=x&limit=0'), 400, [
      'organization_id must be an integer of 1 or more',
      'type must be one of ORGANIZATION, MEMBER, CONTROL, DOCUMENT, INCIDENT, NOTIFICATION',
      'limit must be from 1 to 100',
      'offset must be from 0 to 1000',
    ]);
    expectStatus(await search('ab', '&offset=1000'), 200);
    expectError(await search('a\0b'), 400, ['q must not contain control characters']);
  });
});
