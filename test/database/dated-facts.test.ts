import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { Database } from '../../src/database/database.js';
import { migrate } from '../../src/database/migrate.js';
import { ormOptions } from '../../src/database/orm-options.js';
import { IncidentJudgementService } from '../../src/services/incidents/judgements.service.js';
import { incidentFacts } from '../../src/services/incidents/incidents.service.js';
import { reportingClock } from '../../src/services/incidents/reporting-clock.js';
import { REGIMES } from '../support/catalog.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { anonymousAccess } from '../support/callers.js';

let empty: TestDatabase;
let database: Database;

beforeAll(async () => {
  empty = await createEmptyDatabase();
});

afterAll(async () => {
  await database.close();
  await empty.drop();
});

const NOW = new Date('2026-11-25T10:00:00Z');

test('an upgrade retains for each incident the facts, and for each report the evaluation, that it finds', async () => {
  const orm = await MikroORM.init(ormOptions({ url: empty.url }));
  await orm.migrator.up({ to: 'InitialSchema' });
  await orm.close(true);
  database = await Database.open(empty.url, 2);
  await database.rows(`
    insert into organization (id, name, sectors, industries, compliance_frameworks, contacts, domains, ips, country, time_zone, nis2_sector)
    values (1, 'Acme', '{Energy}', '{}', '[{"value": "NIS2", "fields": {"entity_type": "essential"}}]', '[]', '{}', '{}',
            'IT', 'Europe/Rome', 'Energia - Gas'),
           (2, 'Retail', '{}', '{}', '[]', '[]', '{}', '{}', null, 'UTC', '')`);
  await database.rows(`
    insert into incident (id, organization_id, title, severity, significant, personal_data_concerned, aware_at)
    values (1, 1, 'Breach', 'HIGH', true, true, '2026-08-01T08:00:00Z'),
           (3, 2, 'Before', 'HIGH', true, false, '2026-08-01T08:00:00Z')`);
  await database.rows(`
    insert into incident_report (organization_id, incident_id, regime_id, stage, number, sent_at, sent_by, recorded_by, reason)
    values (1, 1, 'gdpr', 'NOTIFICATION', 1, '2026-08-04T08:00:00Z', 'ada', 'ada', ''),
           (1, 1, 'gdpr', 'NOTIFICATION', 1, '2026-08-05T08:00:00Z', 'ada', 'bea', 'The receipt says so.'),
           (1, 1, 'nis2-it', 'EARLY_WARNING', 1, '2026-08-01T09:00:00Z', 'ada', 'ada', '')`);

  await migrate(empty.url);
  const service = new IncidentJudgementService(anonymousAccess(), { database, regimes: REGIMES, now: () => NOW });
  expect(await service.judgeRecorded()).toBe(2);
  expect(await service.judgeRecorded()).toBe(0);

  await database.rows(`update organization set country = 'DE', updated_at = $1 where id = 1`, [NOW]);
  await database.rows('update incident set personal_data_concerned = false');
  const [incident] = await incidentFacts(database, [1]);
  expect(incident!.organizationFacts.values).toEqual({
    ...{ country: ['IT'], time_zone: ['Europe/Rome'], entity_type: ['essential'], sector: ['Energy'] },
    ...{ nis2_sector: ['Energia - Gas'], trust_service_provider: ['false'] },
  });
  const { stages } = reportingClock(REGIMES.all, incident!, NOW);
  const sent = stages.filter(({ state }) => state === 'SENT');
  expect(sent.map(({ regimeId, dueAt, late }) => [regimeId, dueAt, late])).toEqual([
    ['gdpr', '2026-08-04T08:00:00.000Z', true],
    ['nis2-it', '2026-08-02T08:00:00.000Z', false],
  ]);
  const records = await database.rows(
    `select sent_at > due_at as late, judgement ->> 'regimeName' as regime from incident_report order by id`,
  );
  expect(records).toEqual([
    { late: false, regime: 'GDPR' },
    { late: true, regime: 'GDPR' },
    { late: false, regime: 'NIS 2, Italy' },
  ]);
  // Incidents opened after the upgrade have the facts of their own time.
  await database.rows(
    `insert into incident (id, organization_id, title, severity, aware_at) values (2, 1, 'New', 'LOW', $1)`,
    [new Date(NOW.getTime() + 1)],
  );
  const [, opened] = await incidentFacts(database, [1, 2]);
  expect(opened!.organizationFacts.values['country']).toEqual(['DE']);

  // Outside the scope of NIS 2 by its profile: earlier incidents retain their regime, new ones have none.
  await database.rows(`
    insert into incident (id, organization_id, title, severity, significant, aware_at) values (4, 2, 'Now', 'HIGH', true, now())`);
  const clocks = (await incidentFacts(database, [3, 4])).map((facts) => reportingClock(REGIMES.all, facts, new Date()));
  expect(clocks.map(({ applies, outOfScope }) => [applies, outOfScope.map(({ regimeId }) => regimeId)])).toEqual([
    [true, []],
    [false, ['nis2']],
  ]);
});
