import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stateTexts } from '../../src/services/search/control-search.js';
import { statementsFor, type SearchScope, type StoredType } from '../../src/services/search/search-sources.js';
import { PlannedDatabase } from '../support/planned-database.js';
import { planNodes, wholeReads, type PlanMode, type Statement } from '../support/plans.js';
import { buildOrganization, buildPerson, seedTestData, join, type TestData } from '../support/test-data.js';

let planned: PlannedDatabase;
let testData: TestData;
let scope: SearchScope;
const TYPES: StoredType[] = ['ORGANIZATION', 'MEMBER', 'DOCUMENT', 'INCIDENT', 'NOTIFICATION'];

/** One large organization among many others. */
beforeAll(async () => {
  planned = await PlannedDatabase.open();
  testData = await seedTestData(planned.database);
  const own = [testData.organizationId, await buildOrganization(planned.database, 'Another')];
  await join(planned.database, testData.owner, own[1]!, 'ORGANIZATION_OWNER');
  scope = {
    userId: testData.owner.id,
    organizationIds: own,
    memberIds: own,
    formerNames: ['', ''],
    formerPatterns: ['', ''],
  };
  const others = await planned.database.rows<{ id: number }>(
    `insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips)
     select 'Org ' || n, '{}', '{}', '[]', '[]', '{}', '{}' from generate_series(1, 3000) n returning id`,
  );
  const [first, last] = [others[0]!.id, others.at(-1)!.id];
  // Every other row is the large organization's.
  const organization = `case when n % 2 = 0 then ${testData.organizationId} else ${first} + n % ${last - first} end`;
  const words = `md5(n::text) || ' ' || md5((n * 7)::text)`;
  await planned.fill(
    `insert into incident (organization_id, title, description, severity, aware_at)
     select ${organization}, ${words}, ${words}, 'LOW', now() from generate_series(1, 20000) n`,
  );
  await planned.fill(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     select ${organization}, 'w', 'a', ${words}, 1, 'text/plain', 'attached', n::text, 'x' from generate_series(1, 20000) n`,
  );
  await planned.fill(
    `insert into control_state (organization_id, workflow_id, control_id, status, justification, note)
     select ${first} + n % ${last - first}, 'w' || n, 'c', 'TO_DO', '', ${words} from generate_series(1, 20000) n`,
  );
  await planned.fill(
    `insert into app_user (id, username, email, first_name, last_name)
     select gen_random_uuid(), md5(n::text), md5(n::text) || '@example.com', md5(n::text), 'x' from generate_series(1, 20000) n`,
  );
  await planned.fill(
    `insert into membership (user_id, organization_id, role)
     select id, ${first} + (row_number() over ()) % ${last - first}, 'VIEWER' from app_user where last_name = 'x'`,
  );
  const people = [testData.owner, await buildPerson(planned.database, 'other')];
  for (const { id } of people)
    await planned.fill(
      `insert into notification (user_id, organization_id, title, message, type, action)
       select $1, $2, ${words}, '', 'SYSTEM', 'NONE' from generate_series(1, 10000) n`,
      [id, testData.organizationId],
    );
  for (const table of [
    'organization',
    'incident',
    'document_version',
    'control_state',
    'app_user',
    'membership',
    'notification',
  ])
    await planned.database.rows(`vacuum analyze ${table}`);
});
afterAll(() => planned?.close());

const nodesOf = (statement: Statement, mode: PlanMode) => planNodes(planned.database, statement, mode);
const QUERY = 'c4ca4238';

test.each(['custom', 'generic'] as const)(
  'a %s plan of a search reads no large table from end to end',
  async (mode) => {
    const statements = [
      statementsFor(QUERY)
        .first(TYPES)
        .bind({ ...scope, query: QUERY, limit: 51 }),
      statementsFor(QUERY)
        .after(TYPES)
        .bind({ ...scope, query: QUERY, limit: 51, rank: 2, key: '4:0000000001' }),
      statementsFor(QUERY)
        .count(TYPES)
        .bind({ ...scope, query: QUERY }),
      stateTexts.trigrams.bind({ organizationIds: scope.organizationIds, query: QUERY }),
      stateTexts.newest.bind({ organizationIds: scope.organizationIds, query: 'c4' }),
    ];
    for (const statement of statements)
      expect([statement.text, wholeReads(await nodesOf(statement, mode))]).toEqual([statement.text, []]);
  },
);

test('what is looked for in a large organization is found by its trigrams', async () => {
  for (const [type, index] of [
    ['INCIDENT', 'incident_search_index'],
    ['DOCUMENT', 'document_version_search_index'],
  ] as const) {
    const statement = statementsFor(QUERY)
      .first([type])
      .bind({ ...scope, query: QUERY, limit: 51 });
    expect((await nodesOf(statement, 'custom')).map((node) => node['Index Name'])).toContain(index);
  }
});

test('two characters, which have no trigram, are looked for in the newest records of the own organizations', async () => {
  const read = statementsFor('c4');
  for (const mode of ['custom', 'generic'] as const) {
    for (const statement of [read.first(TYPES), read.count(TYPES)].map((one) =>
      one.bind({ ...scope, query: 'c4', limit: 51 }),
    )) {
      const nodes = await nodesOf(statement, mode);
      const indexes = nodes.map((node) => node['Index Name']);
      expect(wholeReads(nodes)).toEqual([]);
      expect(indexes.filter((name) => name?.endsWith('_search_index'))).toEqual([]);
      expect(indexes).toContain('incident_organization_id_id_index');
    }
  }
});

test('notifications of one user are read newest first, in one index', async () => {
  for (const mode of ['custom', 'generic'] as const) {
    const statement = statementsFor(QUERY)
      .first(['NOTIFICATION'])
      .bind({ ...scope, query: QUERY, limit: 51 });
    const indexes = (await nodesOf(statement, mode)).map((node) => node['Index Name']);
    expect(indexes).toContain('notification_user_id_created_at_id_index');
  }
});
