import { beforeEach, describe, expect, test } from '@jest/globals';
import { ControlReminderService } from '../../src/services/workflows/control-reminders.service.js';
import { OrganizationCatalogs } from '../../src/services/workflows/organization-catalogs.js';
import { APIS, callThrough, dataOf, expectConflict, type Operation } from '../support/apis.js';
import { CATALOG } from '../support/catalog.js';
import { mutation } from '../support/operations.js';
import { until } from '../support/until.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildWorkflow, join } from '../support/test-data.js';

/** In Honolulu it is the 24th until ten in the morning of the 25th in UTC. */
const LAST = new Date('2026-11-25T09:59:59.999Z');
const NEXT = new Date('2026-11-25T10:00:00.000Z');
const DAY = '2026-11-24';

let now = LAST;
const { gateway, testData } = await startSeededGateway({ now: () => now });
const { database } = gateway.app;
const { owner } = testData;

const WORKFLOW = '/api/v1/v-ciso/organizations/{organization_id}/workflows/{workflow_id}';
const OPERATIONS = {
  settings: mutation(
    'PATCH /api/v1/organizations/{organization_id}/settings',
    'updateOrganizationSettings',
    'organization { id: databaseId }',
  ),
  control: {
    rest: `GET ${WORKFLOW}/controls/{control_id}`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!, $controlId: ID!) {
      organizationControl(organizationId: $organizationId, workflowId: $workflowId, controlId: $controlId) {
        overdue evidence_state: evidenceState evidence { valid_until: validUntil } } }`,
    at: 'organizationControl',
  },
  update: mutation(`PATCH ${WORKFLOW}/controls/{control_id}`, 'updateControl', 'control { overdue }'),
  attest: mutation(`POST ${WORKFLOW}/controls/{control_id}/attestations`, 'attestControl', 'attestation { state }'),
  progress: {
    rest: `GET ${WORKFLOW}/progress`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!) {
      organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) {
        progressHistory { days { day done in_progress: inProgress } } } }`,
    at: 'organizationWorkflow.progressHistory.days',
  },
  work: {
    rest: 'GET /api/v1/v-ciso/work',
    graphql: `query ($assignee: WorkAssignee!, $dueBefore: DateTime) { work(assignee: $assignee, dueBefore: $dueBefore) { totalCount nodes {
      overdue due_at: dueAt organization { id: databaseId } } } }`,
    at: 'work',
  },
} satisfies Record<string, Operation>;

describe.each(APIS)('through %s', (api) => {
  let key: { organization_id: number; workflow_id: string };
  const call = (name: keyof typeof OPERATIONS, input: Record<string, unknown>) =>
    callThrough(api, gateway, OPERATIONS[name], input, owner.token).then(dataOf);
  const control = () => call('control', { ...key, control_id: '20.1' });

  beforeEach(async () => {
    now = LAST;
    const organization_id = await buildOrganization(database, 'Islands');
    await join(database, owner, organization_id, 'ORGANIZATION_OWNER');
    await buildWorkflow(database, organization_id, 'nis2-directive');
    key = { organization_id, workflow_id: 'nis2-directive' };
    await call('settings', { organization_id, time_zone: 'Pacific/Honolulu' });
  });

  test('a control is not overdue on the day itself, wherever the organization is, and is on the next one', async () => {
    expect((await call('update', { ...key, control_id: '20.1', due_date: DAY })).overdue).toBe(false);
    expect((await control()).overdue).toBe(false);
    const own = async () => {
      const items: { organization: { id: number } }[] = await call('work', {
        assignee: 'ANYONE',
      });
      return items.find(({ organization }) => organization.id === key.organization_id);
    };
    expect(await own()).toMatchObject({ overdue: false, due_at: LAST.toISOString() });
    now = NEXT;
    expect((await control()).overdue).toBe(true);
    expect(await own()).toMatchObject({ overdue: true, due_at: LAST.toISOString() });
  });

  test('the last day of all is due by its end in UTC, and work is listed until then', async () => {
    await call('update', { ...key, control_id: '20.1', due_date: '9999-12-31' });
    const ofIslands = async (filter = {}) => {
      const items: { organization: { id: number } }[] = await call('work', { assignee: 'ANYONE', ...filter });
      return items.filter(({ organization }) => organization.id === key.organization_id);
    };
    expect(await ofIslands()).toMatchObject([{ overdue: false, due_at: '9999-12-31T23:59:59.999Z' }]);
    expect(await ofIslands({ due_before: '9999-12-31T23:59:59.999Z' })).toEqual([]);
  });

  test('evidence counts until the end of its last day where the organization is', async () => {
    await database.rows(
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, content_type, size, sha256, created_by, source, valid_until)
       values ($1, 'nis2-directive', '20.1', 'a.txt', 'text/plain', 1, encode(sha256('a'), 'hex'), 'a', 'attached', $2)`,
      [key.organization_id, DAY],
    );
    await call('update', { ...key, control_id: '20.1', status: 'DONE', owner_id: owner.id });
    const statement = { ...key, control_id: '20.1', statement: 'In place.' };
    const dated = { evidence: { valid_until: DAY } };
    expect(await control()).toMatchObject({ evidence_state: 'EXPIRING', ...dated });
    expect((await call('attest', statement)).state).toBe('ATTESTED');
    now = NEXT;
    expect(await control()).toMatchObject({ evidence_state: 'STALE', ...dated });
    const late = await callThrough(api, gateway, OPERATIONS.attest, statement, owner.token);
    expectConflict(late, 'EVIDENCE_NOT_FRESH');
  });

  test.each([
    ['0001-01-01T00:00:00Z', 'Pacific/Honolulu', 'STALE', '0002-01-01'],
    ['9999-12-31T23:59:59Z', 'Pacific/Honolulu', 'FRESH', '9999-12-31'],
    ['9999-12-31T23:59:59Z', 'Pacific/Kiritimati', 'FRESH', '9999-12-31'],
  ])(
    'evidence that was true at %s in %s is %s, until a day that can be said',
    async (effectiveAt, zone, state, day) => {
      await call('settings', { organization_id: key.organization_id, time_zone: zone });
      await call('update', { ...key, control_id: '20.1', review_interval_months: 12 });
      await database.rows(
        `insert into document_version (organization_id, workflow_id, artifact_id, original_name, content_type, size, sha256, created_by, source, effective_at)
       values ($1, 'nis2-directive', '20.1', 'a.txt', 'text/plain', 1, encode(sha256('a'), 'hex'), 'a', 'attached', $2)`,
        [key.organization_id, effectiveAt],
      );
      expect(await control()).toMatchObject({ evidence_state: state, evidence: { valid_until: day } });
    },
  );

  test('the owner of a control is reminded when the day has passed where the organization is', async () => {
    await call('update', { ...key, control_id: '20.1', due_date: DAY, owner_id: owner.id });
    const catalogs = new OrganizationCatalogs(database, CATALOG, { isFresh: () => false });
    const reminders = new ControlReminderService(database, catalogs, () => now);
    expect(await reminders.remindOverdue()).toBe(0);
    now = NEXT;
    expect(await reminders.remindOverdue()).toBe(1);
  });

  test('another time zone of an organization is known to what is remembered of it', async () => {
    now = NEXT;
    await call('update', { ...key, control_id: '20.1', due_date: DAY });
    expect((await control()).overdue).toBe(true);
    await call('settings', { organization_id: key.organization_id, time_zone: 'Pacific/Niue' });
    await until(async () => !(await control()).overdue);
  });

  test('progress belongs to the day that it is where the organization is', async () => {
    await call('update', { ...key, control_id: '20.1', status: 'DONE' });
    const days = await database.rows('select day::text as day from workflow_progress where organization_id = $1', [
      key.organization_id,
    ]);
    expect(days).toEqual([{ day: DAY }]);
  });

  test('progress of a zone in which it is later is not that of a day to come', async () => {
    await call('settings', { organization_id: key.organization_id, time_zone: 'Pacific/Kiritimati' });
    await call('update', { ...key, control_id: '20.1', status: 'IN_PROGRESS' });
    await call('settings', { organization_id: key.organization_id, time_zone: 'Pacific/Honolulu' });
    await call('update', { ...key, control_id: '20.1', status: 'DONE' });
    now = new Date('2026-11-26T12:00:00Z');
    expect(await call('progress', key)).toMatchObject([{ day: DAY, done: 1, in_progress: 0 }]);
  });
});
