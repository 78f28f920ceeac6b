import { beforeEach, describe, expect, test } from '@jest/globals';
import { IncidentReminderService } from '../../src/services/incidents/reminders.service.js';
import { DateTime } from 'luxon';
import { english } from '../../src/messages/language.js';
import { REGIMES } from '../support/catalog.js';
import { TestClock } from '../support/clock.js';
import { someoneWaits } from '../support/lock-waits.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectStatus } from '../support/matchers.js';
import { buildIncident, buildOrganization, join } from '../support/test-data.js';

const clock = new TestClock();
let id: number;

const { gateway, testData } = await startSeededGateway({ now: clock.now });
const reminders = new IncidentReminderService(gateway.app.database, REGIMES, clock.now);

beforeEach(async () => {
  const { database } = gateway.app;
  await gateway.settled();
  await database.rows('delete from notification');
  await database.rows('delete from incident');
  id = await incident(0);
  clock.set(0);
});

async function incident(awareAt: number, organizationId = testData.organizationId): Promise<number> {
  const made = await buildIncident(gateway.app.database, organizationId);
  await gateway.app.database.rows('update incident set aware_at = $2, next_reminder_at = $2 where id = $1', [
    made,
    clock.at(awareAt),
  ]);
  return made;
}

/** Titles of the analyst's notifications, oldest first. */
const heard = () => heardBy(testData.analyst.id);

async function heardBy(userId: string): Promise<string[]> {
  await gateway.settled();
  const rows = await gateway.app.database.rows<{ title: string }>(
    'select title from notification where user_id = $1 order by id',
    [userId],
  );
  return rows.map(({ title }) => title);
}

async function remindAt(hours: number, milliseconds = 0): Promise<number> {
  clock.set(hours, milliseconds);
  return reminders.remind();
}

async function record(stage: string): Promise<void> {
  const path = `/api/v1/v-ciso/incidents/${testData.organizationId}/${id}/reports`;
  expectStatus(await gateway.rest.post(path, { token: testData.owner.token, body: { regime_id: 'nis2', stage } }), 201);
}

describe('reminders', () => {
  test('come six hours before the early warning is due and when it is, each once, to the second', async () => {
    expect(await remindAt(18, -1)).toBe(0);
    expect(await remindAt(18)).toBe(1);
    expect(await remindAt(23)).toBe(0);
    expect(await remindAt(24, -1)).toBe(0);
    expect(await heard()).toEqual(['Early warning (NIS 2) due soon']);
    expect(await remindAt(24)).toBe(1);
    expect(await remindAt(47)).toBe(0);
    expect(await heard()).toEqual(['Early warning (NIS 2) due soon', 'Early warning (NIS 2) overdue']);
  });

  test('come a day before the notification is due, and a week before the report a month later', async () => {
    await record('EARLY_WARNING');
    expect(await remindAt(47.99)).toBe(0);
    expect(await remindAt(48)).toBe(1);
    expect(await remindAt(72)).toBe(1);
    await record('NOTIFICATION');
    const due = DateTime.fromJSDate(clock.now(), { zone: 'utc' }).plus({ months: 1 }).toMillis();
    const hours = (due - clock.at(0).getTime()) / 3_600_000;
    expect(await remindAt(hours - 7 * 24, -1)).toBe(0);
    expect(await remindAt(hours - 7 * 24)).toBe(1);
    expect(await remindAt(hours)).toBe(1);
    expect((await heard()).filter((title) => title !== 'Report recorded')).toEqual([
      'Notification (NIS 2) due soon',
      'Notification (NIS 2) overdue',
      'Progress report (NIS 2) due soon',
      'Progress report (NIS 2) overdue',
    ]);
  });

  test('say which incident, which report and when', async () => {
    await remindAt(18);
    await gateway.settled();
    const [notified] = await gateway.app.database.rows(
      'select message, href, type, action from notification where user_id = $1',
      [testData.analyst.id],
    );
    const due = clock.at(24).toISOString();
    expect(notified).toEqual({
      message: `The early warning (NIS 2) on “Phishing wave” is due on ${english.instant(due, 'UTC')}.`,
      href: `/organizations/${testData.organizationId}/incidents/${id}`,
      type: 'INCIDENT',
      action: 'OPEN',
    });
  });

  test('go to those who may act and want alerts, in the organization of the incident alone', async () => {
    const { database } = gateway.app;
    await database.rows('update membership set alert_v_ciso = false where user_id = $1', [testData.officer.id]);
    await remindAt(18);
    for (const { id: notified } of [testData.owner, testData.manager, testData.analyst]) {
      expect(await heardBy(notified)).toEqual(['Early warning (NIS 2) due soon']);
    }
    for (const { id: unnotified } of [
      testData.officer,
      testData.viewer,
      testData.nonMember,
      testData.userWithoutOrganization,
    ]) {
      expect(await heardBy(unnotified)).toEqual([]);
    }
    await database.rows('update membership set alert_v_ciso = true where user_id = $1', [testData.officer.id]);
  });

  test('that were missed are sent once, with the state of that moment', async () => {
    expect(await remindAt(100)).toBe(2);
    expect(await heard()).toEqual(['Early warning (NIS 2) overdue', 'Notification (NIS 2) overdue']);
    expect(await remindAt(101)).toBe(0);
  });

  test('come from one of many instances at work at once', async () => {
    const others = await Promise.all(Array.from({ length: 3 }, () => incident(-0.1)));
    expect(others).toHaveLength(3);
    clock.set(18);
    const counts = await Promise.all(Array.from({ length: 5 }, () => reminders.remind()));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
    expect(await heard()).toHaveLength(4);
  });

  test('of an incident that is gone when its turn comes are none, and no error', async () => {
    clock.set(18);
    const begun = await gateway.app.database.transaction(async (tx) => {
      await tx.rows('delete from incident where id = $1', [id]);
      const reminding = reminders.remind();
      await someoneWaits(tx);
      return { reminding };
    });
    expect(await begun.reminding).toBe(0);
  });

  test('are recorded together with their mark: what cannot be recorded is recorded later', async () => {
    const { database } = gateway.app;
    await database.rows(`alter table audit_entry add constraint broken check (action <> 'REPORT_DUE_SOON') not valid`);
    try {
      clock.set(18);
      await expect(reminders.remind()).rejects.toThrow();
      expect(await database.rows('select 1 from incident_reminder')).toEqual([]);
    } finally {
      await database.rows('alter table audit_entry drop constraint broken');
    }
    expect(await reminders.remind()).toBe(1);
  });

  test('do not delay each other: of many incidents, one that fails leaves the rest reminded', async () => {
    const { database } = gateway.app;
    const other = await incident(0);
    await database.rows(
      `create function refuse_first() returns trigger language plpgsql as
       $$ begin if new.incident_id = ${id} then raise 'no'; end if; return new; end $$`,
    );
    await database.rows(
      'create trigger refuse_first before insert on incident_reminder for each row execute function refuse_first()',
    );
    try {
      clock.set(18);
      await expect(reminders.remind()).rejects.toThrow(`not reminded of: incidents ${id}`);
      expect(await database.rows('select incident_id as id from incident_reminder')).toEqual([{ id: other }]);
    } finally {
      await database.rows('drop function refuse_first() cascade');
    }
  });

  test('are not given for what was sent, is not significant, is closed, or belongs to a deleted organization', async () => {
    const { database } = gateway.app;
    await record('EARLY_WARNING');
    const [small, closed] = [await incident(0), await incident(0)];
    await database.rows('update incident set significant = false where id = $1', [small]);
    await database.rows(`update incident set status = 'CLOSED' where id = $1`, [closed]);
    const gone = await buildOrganization(database, 'Gone');
    await join(database, testData.userWithoutOrganization, gone, 'ORGANIZATION_OWNER');
    await incident(0, gone);
    await database.rows('update organization set deleted_at = now() where id = $1', [gone]);
    expect(await remindAt(24)).toBe(0);
  });

  test('come again when the deadline has moved', async () => {
    expect(await remindAt(18)).toBe(1);
    await gateway.app.database.rows('update incident set aware_at = $2, next_reminder_at = $2 where id = $1', [
      id,
      clock.at(2),
    ]);
    expect(await remindAt(19)).toBe(0);
    expect(await remindAt(20)).toBe(1);
    expect(await heard()).toEqual(['Early warning (NIS 2) due soon', 'Early warning (NIS 2) due soon']);
  });

  test('look only at incidents whose time has come, and not again at those of an organization that changes its profile', async () => {
    const { database } = gateway.app;
    const next = async () =>
      (await database.rows('select next_reminder_at as at from incident where id = $1', [id]))[0];
    await remindAt(1);
    expect(await next()).toEqual({ at: clock.at(18).toISOString() });
    await database.rows('update incident set aware_at = $2 where id = $1', [id, clock.at(-24)]);
    expect(await remindAt(1.5)).toBe(0);
    await database.rows(`update organization set country = 'FR' where id = $1`, [testData.organizationId]);
    expect(await remindAt(1.5)).toBe(0);
    expect(await next()).toEqual({ at: clock.at(18).toISOString() });
    expectStatus(
      await gateway.rest.post(`/api/v1/v-ciso/incidents/${testData.organizationId}/${id}/close`, {
        ...{ token: testData.owner.token, body: { reason: 'A duplicate.' } },
      }),
      200,
    );
    expect(await next()).toEqual({ at: null });
  });

  test('go with the first deadline of what is owed, which follows each change of an incident', async () => {
    const { database } = gateway.app;
    const { token } = testData.owner;
    const path = `/api/v1/v-ciso/incidents/${testData.organizationId}/${id}`;
    const noted = async () =>
      (await database.rows<{ at: string | null }>('select next_deadline_at as at from incident where id = $1', [id]))[0]
        ?.at;
    const due = (hours: number) => clock.at(hours).toISOString();
    const restart = () => new IncidentReminderService(database, REGIMES, clock.now).remind();
    expect(await noted()).toBeNull();
    await restart();
    expect(await noted()).toBe(due(24));
    clock.set(30);
    await record('EARLY_WARNING');
    expect(await noted()).toBe(due(72));
    await database.rows('update incident set next_deadline_at = now() where id = $1', [id]);
    await restart();
    expect(await noted()).toBe(due(72));
    const body = { significant: false, reason: 'It was a drill.' };
    expectStatus(await gateway.rest.patch(path, { token, body }), 200);
    expect(await noted()).toBeNull();
    expectStatus(await gateway.rest.patch(path, { token, body: { significant: true } }), 200);
    expect(await noted()).toBe(due(72));
    expectStatus(await gateway.rest.post(`${path}/close`, { token, body: { reason: 'A duplicate.' } }), 200);
    expect(await noted()).toBeNull();
    expectStatus(await gateway.rest.post(`${path}/reopen`, { token }), 200);
    expect(await noted()).toBe(due(72));
  });

  test('are scheduled without waiting for an incident that is being changed', async () => {
    const { database } = gateway.app;
    await incident(0, testData.otherOrganizationId);
    await database.rows('update incident set next_reminder_at = null');
    await database.transaction(async (tx) => {
      await tx.rows('select from incident where id = $1 for update', [id]);
      expect(await new IncidentReminderService(database, REGIMES, clock.now).remind()).toBe(0);
    });
    const scheduled = await database.rows('select id = $1 as held, next_reminder_at as at from incident order by id', [
      id,
    ]);
    expect(scheduled).toEqual([
      { held: true, at: null },
      { held: false, at: clock.at(18).toISOString() },
    ]);
  });

  test('follow regimes that have changed since they were scheduled', async () => {
    await remindAt(17.5);
    await gateway.app.database.rows('update incident set next_reminder_at = null where id = $1', [id]);
    expect(await remindAt(18.4)).toBe(0);
    expect(await new IncidentReminderService(gateway.app.database, REGIMES, clock.now).remind()).toBe(1);
  });

  test('that an instance without their regime has passed over during an upgrade come within an hour', async () => {
    await remindAt(1);
    clock.set(18);
    const older = { all: [] } as unknown as typeof REGIMES;
    expect(await new IncidentReminderService(gateway.app.database, older, clock.now).remind()).toBe(0);
    expect(await remindAt(19)).toBe(1);
    expect(await heard()).toEqual([expect.stringMatching(/^Early warning .* due soon$/)]);
  });

  test('reach more incidents than one statement reads', async () => {
    await gateway.app.database.rows(
      `insert into incident (organization_id, title, severity, aware_at, significant, next_reminder_at)
       select $1, 'Many ' || n, 'LOW', $2, true, $2 from generate_series(1, 201) n`,
      [testData.otherOrganizationId, clock.at(0)],
    );
    expect(await remindAt(18)).toBe(202);
    expect(await remindAt(18.5)).toBe(0);
  });
});
