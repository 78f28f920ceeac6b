import { beforeEach, describe, expect, test } from '@jest/globals';
import { ControlReminderService } from '../../src/services/workflows/control-reminders.service.js';
import { OrganizationCatalogs } from '../../src/services/workflows/organization-catalogs.js';
import { english } from '../../src/messages/language.js';
import { TestClock } from '../support/clock.js';
import { CATALOG } from '../support/catalog.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { newMember, titlesOf } from '../support/people.js';
import { buildWorkflow } from '../support/test-data.js';

const clock = new TestClock();

const { gateway, testData } = await startSeededGateway({ now: clock.now });
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');
const catalogs = new OrganizationCatalogs(gateway.app.database, CATALOG, { isFresh: () => false });
const reminders = new ControlReminderService(gateway.app.database, catalogs, clock.now);

beforeEach(async () => {
  clock.set(0);
  await gateway.settled();
  await gateway.app.database.rows('delete from notification');
  await gateway.app.database.rows('delete from control_state');
});

const day = (hours: number) => clock.at(hours).toISOString().slice(0, 10);
const heard = () => titlesOf(gateway.app.database, testData.analyst);

async function assign(controlId: string, dueDate: string, { status = 'TO_DO', owner = testData.analyst.id } = {}) {
  await gateway.app.database.rows(
    `insert into control_state (organization_id, workflow_id, control_id, status, owner_id, due_date)
     values ($1, 'nis2-directive', $2, $3, $4, $5)
     on conflict (organization_id, workflow_id, control_id) do update set due_date = excluded.due_date, status = excluded.status`,
    [testData.organizationId, controlId, status, owner, dueDate],
  );
}

test('reminds the responsible member when the day has passed in UTC, once, and of what', async () => {
  await assign('20.1', day(0));
  const midnight = Date.parse(`${day(24)}T00:00:00Z`) - clock.at(0).getTime();
  clock.set(0, midnight - 1);
  expect(await reminders.remindOverdue()).toBe(0);
  clock.set(0, midnight);
  expect(await reminders.remindOverdue()).toBe(1);
  clock.set(24 * 30);
  expect(await reminders.remindOverdue()).toBe(0);
  await gateway.settled();
  const rows = await gateway.app.database.rows('select user_id, title, message, href from notification');
  expect(rows).toEqual([
    {
      user_id: testData.analyst.id,
      title: 'Control overdue',
      message: `NIS 2 Directive, 20.1: Management bodies approve the security measures, oversee them and can be held liable. It was due by ${english.day(day(0))}.`,
      href: `/organizations/${testData.organizationId}/workflows/nis2-directive/controls/20.1`,
    },
  ]);
});

test('reminds again when another day was set and has passed, and not when the same was set again', async () => {
  await assign('20.1', day(-48));
  await reminders.remindOverdue();
  await assign('20.1', day(-48));
  expect(await reminders.remindOverdue()).toBe(0);
  await assign('20.1', day(-24));
  expect(await reminders.remindOverdue()).toBe(1);
  expect(await heard()).toEqual(['Control overdue', 'Control overdue']);
});

test('is silent about controls that are done, not applicable, without an owner, dissociated, or of a deleted organization', async () => {
  const { database } = gateway.app;
  await assign('20.1', day(-24), { status: 'DONE' });
  await assign('20.2', day(-24), { status: 'NOT_APPLICABLE' });
  await database.rows(
    `insert into control_state (organization_id, workflow_id, control_id, status, due_date) values ($1, 'nis2-directive', '21.1', 'TO_DO', $2)`,
    [testData.organizationId, day(-24)],
  );
  expect(await reminders.remindOverdue()).toBe(0);
  await assign('21.3', day(-24));
  await database.rows('update organization set deleted_at = now() where id = $1', [testData.organizationId]);
  expect(await reminders.remindOverdue()).toBe(0);
  await database.rows('update organization set deleted_at = null where id = $1', [testData.organizationId]);
  await database.rows('delete from organization_workflow');
  expect(await reminders.remindOverdue()).toBe(0);
  await buildWorkflow(database, testData.organizationId, 'nis2-directive');
  expect(await reminders.remindOverdue()).toBe(1);
});

test('waits for a deactivated member, or a deactivated user, to be active again', async () => {
  const { database } = gateway.app;
  const member = await newMember(database, testData.organizationId, 'VIEWER');
  await assign('20.1', day(-24), { owner: member.id });
  for (const place of ['membership where user_id', 'app_user where id']) {
    const [table, condition] = place.split(' where ');
    const set = (when: string) =>
      database.rows(`update ${table} set deactivated_at = ${when} where ${condition} = $1`, [member.id]);
    await set('now()');
    expect(await reminders.remindOverdue()).toBe(0);
    await set('null');
  }
  expect(await reminders.remindOverdue()).toBe(1);
  expect(await titlesOf(database, member)).toEqual(['Control overdue']);
});

test('leaves alone who wants no such alerts, and does not come back to it', async () => {
  const member = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
  await gateway.app.database.rows('update membership set alert_v_ciso = false where user_id = $1', [member.id]);
  await assign('20.1', day(-24), { owner: member.id });
  await reminders.remindOverdue();
  await gateway.settled();
  await gateway.app.database.rows('update membership set alert_v_ciso = true where user_id = $1', [member.id]);
  expect(await reminders.remindOverdue()).toBe(0);
  expect(await titlesOf(gateway.app.database, member)).toEqual([]);
});

test('reminds of each once when many instances do it at the same time, however many there are', async () => {
  await gateway.app.database.rows(
    `insert into control_state (organization_id, workflow_id, control_id, status, owner_id, due_date)
     select $1, 'iso-27001-2022', 'A.5.' || n, 'IN_PROGRESS', $2, $3 from generate_series(1, 37) n`,
    [testData.organizationId, testData.analyst.id, day(-24)],
  );
  await gateway.app.database.rows(
    `insert into control_state (organization_id, workflow_id, control_id, status, owner_id, due_date)
     select $1, 'nis2-directive', id, 'TO_DO', $2, $3 from unnest($4::text[]) id`,
    [testData.organizationId, testData.analyst.id, day(-24), ['20.1', '20.2', '21.1', '21.3']],
  );
  await buildWorkflow(gateway.app.database, testData.organizationId, 'iso-27001-2022');
  const notified = await Promise.all(Array.from({ length: 6 }, () => reminders.remindOverdue()));
  expect(notified.reduce((sum, count) => sum + count, 0)).toBe(41);
  expect(await heard()).toHaveLength(41);
  expect(await reminders.remindOverdue()).toBe(0);
});

describe('evidence of a control', () => {
  beforeEach(() => gateway.app.database.rows('delete from document_version'));

  const LAST_DAY = 90;

  async function storeDocument({ validUntil = null as string | null, createdAt = clock.at(0) } = {}) {
    await gateway.app.database.rows(
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by, created_at, valid_until)
       values ($1, 'nis2-directive', '21.2.c', 'd.txt', 1, 'text/plain', 'attached', gen_random_uuid()::text, 'y', $2, $3)`,
      [testData.organizationId, createdAt, validUntil],
    );
  }

  test('reminds its owner 30 days before its last day, once, of a control that is done as well', async () => {
    await assign('21.2.c', day(0), { status: 'DONE' });
    await storeDocument({ validUntil: day(LAST_DAY * 24) });
    clock.set((LAST_DAY - 31) * 24);
    expect(await reminders.remindExpiring()).toBe(0);
    clock.set((LAST_DAY - 30) * 24);
    expect(await reminders.remindExpiring()).toBe(1);
    clock.set((LAST_DAY + 1) * 24);
    expect(await reminders.remindExpiring()).toBe(0);
    await gateway.settled();
    const rows = await gateway.app.database.rows('select user_id, title, message, href from notification');
    expect(rows).toEqual([
      {
        user_id: testData.analyst.id,
        title: 'Evidence expiry',
        message: `NIS 2 Directive, 21.2.c: Continuity of business: backups, disaster recovery and crisis management. The last day of validity of its newest document is ${english.day(day(LAST_DAY * 24))}.`,
        href: `/organizations/${testData.organizationId}/workflows/nis2-directive/controls/21.2.c`,
      },
    ]);
  });

  test('reminds by the review interval of the control, and again of another last day', async () => {
    await assign('21.2.c', day(0));
    await storeDocument({ createdAt: new Date(clock.at(0).getTime() - 370 * 86_400_000) });
    expect(await reminders.remindExpiring()).toBe(0);
    await gateway.app.database.rows('update control_state set review_interval_months = 12');
    expect(await reminders.remindExpiring()).toBe(1);
    await storeDocument({ validUntil: day(24) });
    expect(await reminders.remindExpiring()).toBe(1);
    expect(await reminders.remindExpiring()).toBe(0);
  });

  test('is silent about older versions, controls that do not apply or have no owner, and dissociated workflows', async () => {
    const { database } = gateway.app;
    await assign('21.2.c', day(0));
    await storeDocument({ validUntil: day(24) });
    await storeDocument();
    expect(await reminders.remindExpiring()).toBe(0);
    await storeDocument({ validUntil: day(24) });
    await database.rows(`update control_state set status = 'NOT_APPLICABLE'`);
    expect(await reminders.remindExpiring()).toBe(0);
    await database.rows(`update control_state set status = 'DONE', owner_id = null`);
    expect(await reminders.remindExpiring()).toBe(0);
    await database.rows('update control_state set owner_id = $1', [testData.analyst.id]);
    await database.rows('delete from organization_workflow');
    expect(await reminders.remindExpiring()).toBe(0);
    await buildWorkflow(database, testData.organizationId, 'nis2-directive');
    expect(await reminders.remindExpiring()).toBe(1);
  });
});
