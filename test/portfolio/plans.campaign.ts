import { afterAll, beforeAll, test } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { IncidentService } from '../../src/services/incidents/incidents.service.js';
import { IncidentTables } from '../../src/services/incidents/incident-tables.js';
import { PortfolioService } from '../../src/services/portfolio/portfolio.service.js';
import { WorkService } from '../../src/services/portfolio/work.service.js';
import { OrganizationCatalogs } from '../../src/services/workflows/organization-catalogs.js';
import { anonymousAccess, selecting, userCaller } from '../support/callers.js';
import { CATALOG, REGIMES } from '../support/catalog.js';
import { PlannedDatabase } from '../support/planned-database.js';
import { fillPortfolio } from '../support/portfolio.js';

const publicUrl = 'https://gateway.example';
const now = () => new Date();
/** Organizations of the caller and of 99 others; the rest have a few. */
const OWN = 20;

let planned: PlannedDatabase;
let userId: string;

beforeAll(async () => {
  planned = await PlannedDatabase.open();
  const users = await planned.database.rows<{ id: string }>(
    `insert into app_user (id, username, email, first_name, last_name)
     select gen_random_uuid(), 'u' || n, n || '@example.com', 'a', 'b' from generate_series(1, 4000) n returning id`,
  );
  for (const { id } of users.slice(0, 100)) await planned.fillWith((tx) => fillPortfolio(tx, id, OWN));
  await planned.fillOrganizations(8_000);
  await planned.fill(
    `insert into membership (user_id, organization_id, role)
     select ($1::uuid[])[1 + o.id % 4000], o.id, 'VIEWER' from organization o on conflict do nothing`,
    [users.map(({ id }) => id)],
  );
  await planned.fill(
    `insert into organization_workflow (organization_id, workflow_id)
     select o.id, w from organization o, unnest('{iso-27001-2022,nis2-directive,nis2-it-baseline}'::text[]) w on conflict do nothing`,
  );
  await planned.fill(
    `insert into incident_note (organization_id, incident_id, text, created_by)
     select organization_id, id, 'Seen', 'u1' from incident cross join generate_series(1, 3)`,
  );
  await planned.analyze([
    ...['organization', 'membership', 'organization_workflow', 'control_state', 'incident', 'cloud_defender'],
    ...['incident_note', 'document_version'],
  ]);
  userId = users[0]!.id;
});

afterAll(() => planned?.close());

function services(database: Database) {
  const catalogs = new OrganizationCatalogs(database, CATALOG, { isFresh: () => false });
  const incidents = new IncidentService(database, anonymousAccess(), { publicUrl, regimes: REGIMES, now });
  const deps = { catalogs, incidents, publicUrl, now };
  return {
    portfolio: new PortfolioService(database, anonymousAccess(), deps),
    work: new WorkService(database, anonymousAccess(), deps),
  };
}

const ALL = selecting(
  ...['organization', 'name', 'role', 'progress', 'overdueControls', 'incidents', 'open', 'contained', 'resolved'],
  ...['closed', 'overdue', 'nextDeadline', 'incident', 'title', 'devicesDown'],
);

test('the figures of a portfolio are found without reading any table from one end to the other', () =>
  planned.expectPagesIndexed((recorder, page) =>
    services(recorder).portfolio.list(userCaller(userId), { page }, { items: ALL, total: true }),
  ));

test.each(['NEXT_DEADLINE', 'OVERDUE_CONTROLS'] as const)('a portfolio in the order %s reads no table whole', (field) =>
  planned.expectIndexed((recorder) =>
    services(recorder).portfolio.list(
      userCaller(userId),
      { page: {}, orderBy: { field, direction: 'DESC' } },
      { items: ALL, total: true },
    ),
  ),
);

test.each([{ assignee: 'ME' }, { assignee: 'ANYONE' }, { assignee: 'ME', assigneeId: crypto.randomUUID() }] as const)(
  'the work of %j is found without reading any table from one end to the other',
  (whose) =>
    planned.expectIndexed((recorder) =>
      services(recorder).work.list(userCaller(userId), { page: {}, ...whose }, { items: ALL, total: true }),
    ),
);

test('the incidents of an archive are found without reading any table from one end to the other', () =>
  planned.expectIndexed(async (recorder) => {
    const tables = new IncidentTables({ regimes: REGIMES, now });
    for (const period of [{}, { from: new Date('2020-01-01'), to: now() }]) {
      await tables.copies(recorder, { organizationId: 1, ...period });
      for (const [, rows] of tables.of(recorder, { organizationId: 1, ...period }, () => undefined))
        for await (const batch of rows()) void batch;
    }
  }));
