import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf } from '../support/apis.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { mutation } from '../support/operations.js';
import {
  buildOrganization,
  buildPerson,
  buildToken,
  buildWorkflow,
  seedTestData,
  join,
  type Person,
  type TestData,
} from '../support/test-data.js';
import { buildServiceAccount } from '../support/people.js';
import { personOf, rolesFrom } from '../support/rest.js';

const SEARCH = {
  rest: 'GET /api/v1/search',
  graphql: `query ($q: String!, $types: [SearchType!], $organizationId: ID, $first: Int, $offset: Int) {
    search(query: $q, types: $types, organizationId: $organizationId, first: $first, offset: $offset) {
      totalCount nodes { type id: recordId title snippet href organization { id: databaseId name logo } } } }`,
  at: 'search',
};

const REMOVE = mutation(
  'DELETE /api/v1/organizations/{organization_id}/users/{user_id}',
  'removeMember',
  'member { username }',
);

let gateway: TestGateway;
let testData: TestData;
let second: number;
let mario: Person;
const sql = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);

interface Item {
  type: string;
  id: string;
  title: string;
  snippet: string;
  href: string;
  organization: { id: number; name: string; logo: string };
}

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

describe.each(APIS)('a search through %s', (api) => {
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

  const search = (q: string, options: object = {}, { token }: { token: string } = testData.owner) =>
    callThrough(api, gateway, SEARCH, { q, ...options }, token);
  const items = async (q: string, options: object = {}, person: { token: string } = testData.owner): Promise<Item[]> =>
    dataOf(await search(q, options, person));
  const found = async (q: string, options: object = {}, person: { token: string } = testData.owner) =>
    (await items(q, options, person)).map(({ type, title }) => `${type} ${title}`);

  test('finds every kind of record in any case and accents, with a link to it', async () => {
    const rest = { organization_id: testData.organizationId };
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

  test('searches all organizations of the caller, in each the records that its role there may read', async () => {
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
    // A viewer there: no members. The workflow is not associated there: no controls.
    expect(byOrganization(second)).toEqual(['DOCUMENT', 'ORGANIZATION', 'INCIDENT', 'NOTIFICATION']);
    expect(byOrganization(testData.otherOrganizationId)).toEqual([]);
    expect((await search('citta')).total).toBe(all.length);
  });

  test('finds members only for roles that may list them', async () => {
    for (const role of ['VIEWER', 'SECURITY_ANALYST', ...rolesFrom('SECURITY_OFFICER')] as const) {
      const types = (await items('mario', { organization_id: testData.organizationId }, personOf(testData, role))).map(
        ({ type }) => type,
      );
      expect([role, types]).toEqual([role, rolesFrom('SECURITY_OFFICER').includes(role) ? ['MEMBER'] : []]);
    }
  });

  test('finds no service account as a member', async () => {
    const { organizationId, owner } = testData;
    const { username } = await buildServiceAccount(gateway.app.database, organizationId, owner);
    expect(await found(username, { organization_id: organizationId, types: ['MEMBER'] })).toEqual([]);
  });

  test('finds only notifications of the caller', async () => {
    expect(await found('citta', { types: 'NOTIFICATION' }, testData.manager)).toEqual(['NOTIFICATION Città']);
    expect(await found('citta', { types: 'NOTIFICATION' }, testData.viewer)).toEqual([]);
    expect(await found('castello', { types: 'NOTIFICATION' })).toEqual(['NOTIFICATION Avviso', 'NOTIFICATION Avviso']);
  });

  test('finds no notification by a member who was removed, in the organization that it was removed from', async () => {
    const { id, username } = await buildPerson(gateway.app.database, 'Quirin');
    const { organizationId } = testData;
    const address = `${username}@example.com`;
    for (const place of [organizationId, second]) {
      await join(gateway.app.database, { id }, place, 'VIEWER');
      await notification('Uploaded', place, testData.owner, `${username} has uploaded a policy.`);
      await notification(`Asked ${address}.`, place, testData.owner);
      await notification('Kept', place, testData.owner, `The team of ${username}s.`);
    }
    const foundIn = async (q: string) => {
      const { data, total } = await search(q, { types: 'NOTIFICATION' });
      expect(total).toBe(data.length);
      const titles = (data as Item[]).map(({ title, organization }) => [organization.id, title.split(' ')[0]]);
      return [organizationId, second].map((place) => titles.filter(([of]) => of === place).map(([, title]) => title));
    };
    const all = ['Asked', 'Uploaded', 'Kept'];
    expect(await foundIn('quirin')).toEqual([all, all]);
    const removal = { organization_id: organizationId, user_id: id };
    dataOf(await callThrough(api, gateway, REMOVE, removal, testData.owner.token));
    for (const q of ['quirin', username.toUpperCase(), username.slice(3)])
      expect([q, await foundIn(q)]).toEqual([q, [['Kept'], all]]);
    expect(await foundIn(address)).toEqual([[], ['Asked']]);
    expect(await foundIn(`${username} has`)).toEqual([[], ['Uploaded']]);
    expect(await foundIn('uploaded a policy')).toEqual([['Uploaded'], ['Uploaded']]);
    await join(gateway.app.database, { id }, organizationId, 'VIEWER');
    expect(await foundIn('quirin')).toEqual([all, all]);
  });

  test('finds nothing for a user without organization', async () => {
    expect(await search('citta', {}, testData.userWithoutOrganization)).toMatchObject({ data: [], total: 0 });
  });

  test('finds only records of the kind that is named', async () => {
    for (const type of ['ORGANIZATION', 'MEMBER', 'CONTROL', 'DOCUMENT', 'INCIDENT', 'NOTIFICATION']) {
      const of = await items('citta', { types: type });
      expect(of.length).toBeGreaterThan(0);
      expect(new Set(of.map((item) => item.type))).toEqual(new Set([type]));
    }
  });

  test('orders exact titles first, then titles that begin with the text, that contain it, then other fields', async () => {
    for (const [title, description] of [
      ['zero', 'orde elsewhere'],
      ['a orde b', ''],
      ['Ordeal', ''],
      ['ORDE', ''],
      ['órdé', ''],
    ] as const)
      await incident(title, second, description);
    await document('orde', second);
    expect(await found('orde', { organization_id: second })).toEqual([
      'DOCUMENT orde',
      'INCIDENT ORDE',
      'INCIDENT órdé',
      'INCIDENT Ordeal',
      'INCIDENT a orde b',
      'INCIDENT zero',
    ]);
  });

  test('takes wildcards and other characters of patterns literally', async () => {
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
      expect([q, await found(q, { types: 'INCIDENT', organization_id: second })]).toEqual([
        q,
        expected.map((title) => `INCIDENT ${title}`),
      ]);
  });

  test('finds controls by id and by label while the workflow is associated', async () => {
    const rest = { types: 'CONTROL', organization_id: testData.organizationId };
    expect((await items('21.2.a', rest))[0]).toMatchObject({ id: `${testData.organizationId}/nis2-directive/21.2.a` });
    const label = (await items('21.2.a', rest))[0]!.title.slice('21.2.a '.length);
    expect((await items(label, rest)).map(({ id }) => id)).toContain(
      `${testData.organizationId}/nis2-directive/21.2.a`,
    );
    expect(await found('citta vecchia', { types: 'CONTROL' })).toHaveLength(1);
  });

  test('finds nothing of an organization that was deleted, has blocked the token or has deactivated the caller', async () => {
    const other = await buildOrganization(gateway.app.database, 'Vanishing');
    await join(gateway.app.database, testData.viewer, other, 'VIEWER');
    await incident('Vanishing act', other);
    const titles = () => found('vanishing', {}, testData.viewer);
    expect(await titles()).toEqual(['ORGANIZATION Vanishing', 'INCIDENT Vanishing act']);
    const token = await buildToken(gateway.app.database, testData.viewer, {});
    await sql('insert into token_block (token_id, organization_id) select max(id), $1 from api_token', [other]);
    expect(await found('vanishing', {}, { token })).toEqual([]);
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

  test('counts up to 1,000 results, and looks for two characters in the newest 1,000 incidents of an organization', async () => {
    const place = await buildOrganization(gateway.app.database, 'Large');
    await join(gateway.app.database, testData.owner, place, 'VIEWER');
    const many = (title: string, count: number) =>
      sql(
        `insert into incident (organization_id, title, severity, aware_at) select $1, $2, 'LOW', now() from generate_series(1, $3::int)`,
        [place, title, count],
      );
    await many('Qzv old', 1);
    await many('Repeated', 999);
    const totals = async (...texts: string[]) => {
      const answers = await Promise.all(texts.map((q) => search(q, { organization_id: place })));
      return answers.map(({ total }) => total);
    };
    expect(await totals('qz', 'qzv', 'repeated')).toEqual([1, 1, 999]);
    await many('Repeated', 100);
    await notification('Repeated', place, testData.owner);
    expect(await totals('qz', 'qzv', 'repeated', 're')).toEqual([0, 1, 1_000, 1_000]);
  });

  test('puts 1,000 controls in order, also where more of the last workflow contain the text', async () => {
    const reader = await buildPerson(gateway.app.database, 'reader');
    await sql(
      `with places as (insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips)
         select 'Place', '{}', '{}', '[]', '[]', '{}', '{}' from generate_series(1, 20) returning id),
       members as (insert into membership (user_id, organization_id, role) select $1, id, 'VIEWER' from places)
       insert into organization_workflow (organization_id, workflow_id) select id, 'iso-27001-2022' from places`,
      [reader.id],
    );
    const last = await search('a.', { types: 'CONTROL', offset: 999, limit: 10 }, reader);
    expect([last.data.length, last.total]).toEqual([1, 1_000]);
  });

  test('looks for two characters in fewer incidents of each, where the caller has many organizations', async () => {
    const reader = await buildPerson(gateway.app.database, 'reader');
    await sql(
      `with places as (insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips)
         select 'Place', '{}', '{}', '[]', '[]', '{}', '{}' from generate_series(1, 100) returning id)
       insert into membership (user_id, organization_id, role) select $1, id, 'VIEWER' from places`,
      [reader.id],
    );
    const later = (count: number) =>
      sql(
        `insert into incident (organization_id, title, severity, aware_at)
         select max(organization_id), 'Later', 'LOW', now() from membership, generate_series(1, $2::int) n
          where user_id = $1 group by n`,
        [reader.id, count],
      );
    await later(1);
    await sql(`update incident set title = 'Qzw' where title = 'Later'`);
    await later(199);
    expect(await found('qz', {}, reader)).toEqual(['INCIDENT Qzw']);
    await later(1);
    expect(await found('qz', {}, reader)).toEqual([]);
    expect(await found('qzw', {}, reader)).toEqual(['INCIDENT Qzw']);
  });

  test('searches the newest 5,000 notifications of the caller', async () => {
    const reader = await buildPerson(gateway.app.database, 'reader');
    await join(gateway.app.database, reader, second, 'VIEWER');
    await notification('Heard long ago', second, reader);
    const later = (count: number) =>
      sql(
        `insert into notification (user_id, organization_id, title, message, type, action, created_at)
         select $1, $2, 'Later', '', 'SYSTEM', 'NONE', now() + interval '1 minute' from generate_series(1, $3::int)`,
        [reader.id, second, count],
      );
    await later(4_999);
    expect(await found('heard long', {}, reader)).toEqual(['NOTIFICATION Heard long ago']);
    await later(1);
    expect(await found('heard long', {}, reader)).toEqual([]);
  });

  test('has every result on exactly one page, in one order', async () => {
    const whole = await items('it', { limit: 100 });
    expect(whole.length).toBeGreaterThan(20);
    for (const size of [1, 7, 100]) {
      const seen: Item[] = [];
      for (let offset = 0; ; offset += size) {
        const page = await search('it', { limit: size, offset });
        expect(page.total).toBe(whole.length);
        seen.push(...page.data);
        if (page.data.length < size) break;
      }
      expect(seen).toEqual(whole);
    }
  });
});
