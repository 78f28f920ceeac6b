import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR } from '../../src/common/time.js';
import { digestToken, isWellFormedToken } from '../../src/auth/token.js';
import { Database } from '../../src/database/database.js';
import { type DemoFacts, seedDemo } from '../../src/demo/demo.js';
import type { ComplianceFramework, Contact, CustomColors } from '../../src/entities/organizations.js';
import { organizationErrors } from '../support/organization-errors.js';
import { toWorkflow, type WorkflowFile } from '../../src/services/workflows/catalog-file.js';
import { catalogDocumentOf } from '../../src/services/workflows/catalog-text.js';
import { incidentFacts } from '../../src/services/incidents/incidents.service.js';
import { reportingClock } from '../../src/services/incidents/reporting-clock.js';
import { IncidentReminderService } from '../../src/services/incidents/reminders.service.js';
import { openLogo } from '../../src/services/organizations/logo.js';
import { NOTIFICATION_ICONS } from '../../src/services/notifications/notifier.js';
import { restorableSince } from '../../src/services/shared/accessible-organizations.js';
import { controlOf, leavesOf } from '../../src/services/workflows/catalog.js';

import { LocalBlobStore } from '../../src/storage/local-blob-store.js';
import { VerifiedContent } from '../../src/storage/verified-content.js';
import {
  CHECK_STATUSES,
  CONTROL_STATUSES,
  DOCUMENT_SOURCES,
  IMPORT_MODES,
  INCIDENT_STATUSES,
  INVITATION_STATUSES,
  NOTIFICATION_TYPES,
  type NotificationType,
  SEVERITIES,
} from '../../src/values/enums.js';

import { LIMITS } from '../../src/values/limits.js';

import { readAll, sha256Of } from '../support/bytes.js';
import { CATALOG, REGIMES } from '../support/catalog.js';
import { createTestDatabase } from '../support/database.js';
import { someoneWaits } from '../support/lock-waits.js';
import { contentUnderTest } from '../support/stored-content.js';

const NOW = new Date('2026-03-04T10:20:30.456Z');
const PERSONS = ['owner', 'manager', 'officer', 'analyst', 'viewer', 'stranger', 'newcomer'] as const;

/** A separate database and data folder, closed and removed after the tests of its block. */
interface Place {
  url: string;
  database: Database;
  dataDir: string;
  seed(changes?: { dataDir?: string; storageUrl?: string; now?: () => Date }): Promise<DemoFacts | undefined>;
}

const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-demo-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function newPlace(): Promise<Place> {
  const dataDir = await newFolder();
  const { url, drop } = await createTestDatabase();
  cleanups.push(drop);
  const database = await Database.open(url, 3);
  cleanups.push(() => database.close());
  const seed: Place['seed'] = ({ now = () => NOW, ...changes } = {}) => {
    const config = { dataDir, storageUrl: `file:${join(dataDir, 'files')}`, ...changes };
    return seedDemo({ databaseUrl: url, config, catalog: CATALOG, now });
  };
  return { url, database, dataDir, seed };
}

async function count(database: Database, table: string): Promise<number> {
  const [row] = await database.rows<{ n: number }>(`select count(*)::int as n from ${table}`);
  return row?.n ?? -1;
}

const TABLES = [
  'app_user',
  'organization',
  'membership',
  'api_token',
  'notification',
  'organization_workflow',
  'control_state',
  'document_version',
  'incident',
  'incident_attachment',
  'incident_report',
  'incident_note',
  'incident_reminder',
  'invitation',
  'token_block',
  'workflow_import',
  'workflow_progress',
  'outgoing_mail',
  'weekly_report',
  'weekly_report_run',
  'cloud_defender',
  'cloud_defender_check',
  'threat_blocker',
  'threat_blocker_check',
  'threat_blocker_traffic',
];

async function countAll(database: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) counts[table] = await count(database, table);
  return counts;
}

/** An arbitrary number: the lock that blocks a seeding. */
const HELD = 4_711;

const factsPath = (dataDir: string) => join(dataDir, 'demo.json');

describe('seeding an empty database', () => {
  let place: Place;
  let database: Database;
  let facts: DemoFacts;
  let store: LocalBlobStore;

  beforeAll(async () => {
    place = await newPlace();
    database = place.database;
    facts = (await place.seed()) as DemoFacts;
    store = new LocalBlobStore(join(place.dataDir, 'files'));
  });

  it('writes what it returns to demo.json, for its owner only, in its published keys and their order', async () => {
    const text = await readFile(factsPath(place.dataDir), 'utf8');
    expect(JSON.parse(text)).toEqual(facts);
    expect(Object.keys(JSON.parse(text) as object)).toEqual([
      'tokens',
      'organization_id',
      'other_organization_id',
      'cloud_defender_id',
      'atb_id',
      'workflow_id',
      'artifact_id',
      'incident_id',
    ]);
    expect(Object.keys(facts.tokens)).toEqual(PERSONS);
    expect((await stat(factsPath(place.dataDir))).mode & 0o777).toBe(0o600);
  });

  it('gives each person a well-formed token for reading and writing that is valid for 365 days', async () => {
    for (const token of Object.values(facts.tokens)) {
      expect(isWellFormedToken(token)).toBe(true);
      const rows = await database.rows(
        'select scopes, expires_at, revoked_at, prefix from api_token where digest = $1',
        [digestToken(token)],
      );
      const expires_at = new Date(NOW.getTime() + 365 * DAY).toISOString();
      expect(rows).toEqual([{ scopes: ['read', 'write'], expires_at, revoked_at: null, prefix: token.slice(0, 8) }]);
    }
    expect(new Set(Object.values(facts.tokens)).size).toBe(7);
  });

  it('stores no token in the database', async () => {
    const [row] = await database.rows<{ all: string }>('select json_agg(t)::text as all from api_token t');
    for (const token of Object.values(facts.tokens)) expect(row?.all).not.toContain(token.slice(8));
  });

  it('makes the five roles of the first organization, the owner of the second, and a user without organization', async () => {
    const roles: Record<string, object[]> = {};
    for (const person of PERSONS) {
      roles[person] = await database.rows(
        `select m.organization_id as id, m.role from api_token t join membership m on m.user_id = t.user_id
           join organization o on o.id = m.organization_id and o.deleted_at is null
          where t.digest = $1`,
        [digestToken(facts.tokens[person])],
      );
    }
    const id = facts.organization_id;
    expect(roles).toEqual({
      owner: [{ id, role: 'ORGANIZATION_OWNER' }],
      manager: [{ id, role: 'ORGANIZATION_MANAGER' }],
      officer: [{ id, role: 'SECURITY_OFFICER' }],
      analyst: [{ id, role: 'SECURITY_ANALYST' }],
      viewer: [{ id, role: 'VIEWER' }],
      stranger: [{ id: facts.other_organization_id, role: 'ORGANIZATION_OWNER' }],
      newcomer: [],
    });
  });

  it('fills every field of the first organization by the rules of creation', async () => {
    const [first, ...others] = await organizationInputs(database, 'https://gateway.example.com');
    for (const organization of [first, ...others]) expect(organizationErrors(organization)).toEqual([]);
    for (const [field, value] of Object.entries(first ?? {})) expect([field, value]).not.toEqual([field, EMPTY]);
  });

  it('gives the first organization a branding and a logo that can be opened, and leaves the second to the defaults', async () => {
    const rows = await database.rows<{ id: number; logo: string; palette: string | null; colors: CustomColors | null }>(
      'select id, logo, palette, custom_colors as colors from organization order by id',
    );
    expect(rows[0]).toMatchObject({ id: facts.organization_id, palette: expect.stringMatching(/^\w+$/) });
    const hex = expect.stringMatching(/^#[0-9A-F]{6}$/);
    expect(rows[0]?.colors).toEqual({ primary: hex, primaryHover: hex, primaryDark: hex });
    const { content, mediaType } = await openLogo(
      database,
      new VerifiedContent(store),
      rows[0]?.logo.replace('/logos/', '') ?? '',
    );
    expect(mediaType).toBe('image/png');
    expect(`/logos/${sha256Of(await readAll(content))}.png`).toBe(rows[0]?.logo);
    expect(rows[1]).toEqual({ id: facts.other_organization_id, logo: '', palette: null, colors: null });
  });

  it('associates the frameworks, and names only controls that the catalogue has', async () => {
    const associated = await database.rows<{ workflow_id: string }>(
      'select workflow_id from organization_workflow where organization_id = $1 order by 1',
      [facts.organization_id],
    );
    expect(associated.map((row) => row.workflow_id)).toEqual(['iso-27001-2022', 'nis2-directive', 'nis2-it-baseline']);
    const controls = await database.rows<{ workflow_id: string; id: string }>(
      `select workflow_id, control_id as id from control_state
        union select d.workflow_id, d.artifact_id from document_version d
         join organization_workflow w on w.organization_id = d.organization_id and w.workflow_id = d.workflow_id`,
    );
    expect(controls.length).toBeGreaterThan(25);
    for (const { workflow_id, id } of controls) expect(controlOf(CATALOG.find(workflow_id)!, id)).toBeDefined();

    // The newest progress of each workflow counts the present states.
    const latest = await database.rows<{ workflow: string; done: number; inProgress: number; toDo: number }>(
      `select distinct on (workflow_id) workflow_id as workflow, done, in_progress as "inProgress", to_do as "toDo"
         from workflow_progress where organization_id = $1 order by workflow_id, day desc`,
      [facts.organization_id],
    );
    for (const { workflow, done, inProgress, toDo } of latest) {
      const leaves = [...leavesOf(CATALOG.find(workflow)!)];
      const [count] = await database.rows(
        `select count(*) filter (where status = 'DONE') as done, count(*) filter (where status = 'IN_PROGRESS') as "inProgress",
                $3::int - count(*) filter (where status <> 'TO_DO') as "toDo"
           from control_state where organization_id = $1 and workflow_id = $2 and control_id = any($4)`,
        [facts.organization_id, workflow, leaves.length, leaves],
      );
      expect({ workflow, done, inProgress, toDo }).toEqual({ workflow, ...count });
    }
    expect(latest).toHaveLength(3);
  });

  it('has controls in every status, with a justification exactly where one does not apply', async () => {
    const states = await database.rows<{
      status: string;
      justified: boolean;
      due: string | null;
      owner: string | null;
    }>(`select status, justification <> '' as justified, due_date as due, owner_id as owner from control_state`);
    expect(states.length).toBeGreaterThanOrEqual(25);
    expect(new Set(states.map(({ status }) => status))).toEqual(new Set(CONTROL_STATUSES));
    for (const { status, justified } of states) expect(justified).toBe(status === 'NOT_APPLICABLE');
    expect(states.some(({ due }) => due !== null && due > '2026-03-04')).toBe(true);
    expect(states.some(({ due }) => due !== null && due < '2026-03-04')).toBe(true);
    expect(states.some(({ owner }) => owner !== null)).toBe(true);
  });

  it('stores the bytes of every document and attachment under their SHA-256, of the type that they are', async () => {
    const rows = await database.rows<{ name: string; sha256: string; size: number; type: string }>(
      `select original_name as name, sha256, size, content_type as type from document_version
        union all select original_name, sha256, size, content_type from incident_attachment`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(10);
    for (const { name, sha256, size, type } of rows) {
      const content = await readAll(await store.open(sha256));
      expect({ name, size: content.length, sha256: sha256Of(content) }).toEqual({ name, size, sha256 });
      expect(type).toBe(TYPES[name.slice(name.lastIndexOf('.'))]);
    }
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(Object.values(TYPES)));
  });

  it('stores PDFs whose table of objects points at the objects', async () => {
    const [row] = await database.rows<{ sha256: string }>(
      `select sha256 from document_version where content_type = 'application/pdf' limit 1`,
    );
    const pdf = (await readAll(await store.open(row?.sha256 ?? ''))).toString('latin1');
    const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf)?.[1]);
    expect(pdf.slice(table, table + 4)).toBe('xref');
    const places = [...pdf.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]));
    expect(places).toHaveLength(5);
    places.forEach((at, index) => expect(pdf.slice(at)).toMatch(new RegExp(`^${index + 1} 0 obj\n`)));
    const [, length, stream] = /\/Length (\d+) >>\nstream\n([^]*?)\nendstream/.exec(pdf) ?? [];
    expect(stream).toHaveLength(Number(length));
  });

  it('has several versions of the artifact of demo.json, the newest with the highest id', async () => {
    const versions = await database.rows<{ created_at: string }>(
      `select created_at from document_version where organization_id = $1 and workflow_id = $2 and artifact_id = $3
        order by id`,
      [facts.organization_id, facts.workflow_id, facts.artifact_id],
    );
    const times = versions.map((row) => row.created_at);
    expect(times.length).toBeGreaterThanOrEqual(2);
    expect(times).toEqual(times.toSorted());
    const artifacts = await database.rows(
      'select distinct workflow_id, artifact_id from document_version where organization_id = $1',
      [facts.organization_id],
    );
    expect(artifacts.length).toBeGreaterThanOrEqual(4);
  });

  it('has an incident of each status and severity, and each state of the clock', async () => {
    const ids = (await database.rows<{ id: number }>('select id from incident')).map(({ id }) => id);
    const rows = await incidentFacts(database, ids);
    const states = rows.map((row) => {
      const { stages } = reportingClock(REGIMES.all, row, NOW);
      const owed = stages.filter(({ state }) => state !== 'NOT_REQUIRED' && state !== 'TO_BE_DECIDED');
      const clock = owed.map(({ state }) => state);
      return { id: row.id, status: row.status, clock };
    });
    expect(states).toHaveLength(4);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(INCIDENT_STATUSES));
    expect(new Set(rows.map(({ severity }) => severity))).toEqual(new Set(SEVERITIES));
    expect(states).toContainEqual(
      expect.objectContaining({ status: 'OPEN', clock: ['OVERDUE', 'PENDING', 'PENDING'] }),
    );
    expect(states).toContainEqual({
      id: facts.incident_id,
      status: 'CONTAINED',
      clock: ['SENT', 'PENDING', 'PENDING'],
    });
    expect(states).toContainEqual(expect.objectContaining({ status: 'CLOSED', clock: ['SENT', 'SENT', 'SENT'] }));
    const running = rows.find(({ id }) => id === facts.incident_id);
    expect(running).toMatchObject({ significant: true, awareAt: '2026-03-02T22:20:30.456Z' });
    const attached = await database.rows('select incident_id from incident_attachment');
    expect(attached).toEqual([{ incident_id: facts.incident_id }]);
  });

  it('has a record of each report that the clocks show, and one that was corrected with its reason', async () => {
    const records = await database.rows<{ stage: string; sent: string; reason: string }>(
      'select stage, sent_at as sent, reason from incident_report order by id',
    );
    expect(records.map(({ stage }) => stage)).toEqual([
      ...['EARLY_WARNING', 'NOTIFICATION', 'NOTIFICATION', 'FINAL_REPORT', 'EARLY_WARNING'],
    ]);
    expect(records.filter(({ reason }) => reason !== '')).toEqual([
      { stage: 'NOTIFICATION', sent: expect.any(String), reason: expect.stringMatching(/^\w.+\.$/) },
    ]);
  });

  it('sends no reminder again that its notifications show as sent', async () => {
    expect(await new IncidentReminderService(database, REGIMES, () => NOW).remind()).toBe(0);
  });

  it.each(['cloud_defender', 'threat_blocker'])(
    'has a healthy and a degraded %s with a week of reports',
    async (kind) => {
      const devices = await database.rows<{ id: number; status: number }>(
        `select id, status from ${kind} where organization_id = $1 and status in (1, 2) and deleted_at is null order by id`,
        [facts.organization_id],
      );
      expect(devices.map(({ status }) => status)).toEqual([1, 2]);
      expect(devices[0]?.id).toBe(kind === 'cloud_defender' ? facts.cloud_defender_id : facts.atb_id);
      for (const { id } of devices) {
        const reports = await database.rows<{ datetime: string; requests: number; stopped: number }>(
          `select datetime, total_managed_requests as requests, waf_protection as stopped from ${kind}_check
          where device_id = $1 order by datetime`,
          [id],
        );
        const times = reports.map(({ datetime }) => new Date(datetime).getTime());
        const newest = Date.parse('2026-03-04T10:00:00.000Z');
        expect(times).toEqual(Array.from({ length: 168 }, (_, index) => newest - (167 - index) * HOUR));
        for (const { requests, stopped } of reports) expect(requests).toBeGreaterThan(stopped);
        expect(trafficAt(reports, 3)).toBeLessThan(trafficAt(reports, 15) / 2);
      }
    },
  );

  it('has devices of every status, the one that is down with the reports that came before', async () => {
    const live = await database.rows<{ status: number; seen: string | null; reports: number }>(
      `select d.status, d.last_seen_at as seen, count(c.device_id) as reports from cloud_defender d
         left join cloud_defender_check c on c.device_id = d.id where d.deleted_at is null group by d.id order by d.status`,
    );
    expect(live.map(({ status }) => status)).toEqual(Object.values(CHECK_STATUSES));
    expect(live.at(0)).toMatchObject({ seen: null, reports: 0 });
    const silent = NOW.getTime() - Date.parse(live.at(-1)?.seen ?? '');
    expect(silent).toBeGreaterThan(LIMITS.check.silentMinutes * 60_000);
    expect(live.at(-1)?.reports).toBe(168);
  });

  it.each(['cloud_defender', 'threat_blocker'])('has a %s that was deleted and may be restored', async (kind) => {
    const deleted = await database.rows(
      `select 1 from ${kind} d where organization_id = $1 and deleted_at > $2
          and exists (select from ${kind}_check c where c.device_id = d.id and c.datetime < d.deleted_at)`,
      [facts.organization_id, restorableSince(NOW)],
    );
    expect(deleted).toHaveLength(1);
  });

  it('has the traffic of threat blockers in adjoining buckets of an hour', async () => {
    const buckets = await database.rows<{ begin: number; end: number; total: number; malicious: number }>(
      `select bucket_start as begin, bucket_end as end, total_requests as total, malicious_requests as malicious
         from threat_blocker_traffic where device_id = $1 order by 1`,
      [facts.atb_id],
    );
    expect(buckets).toHaveLength(168);
    buckets.forEach(({ begin, end }, index) => {
      expect(end - begin).toBe(3600);
      if (index > 0) expect(begin).toBe(buckets[index - 1]?.end);
    });
    expect(buckets.at(-1)?.end).toBe(Date.parse('2026-03-04T10:00:00Z') / 1000);
    for (const { total, malicious } of buckets) expect(total).toBeGreaterThan(malicious);
    expect(await count(database, 'threat_blocker_traffic')).toBe(3 * 168);
  });

  it('leaves the names of plugin settings as they are', async () => {
    const rows = await database.rows<{ config: object }>(
      'select plugin_config as config from threat_blocker where deleted_at is null order by id',
    );
    expect(rows.map(({ config }) => config)).toEqual([PERIMETER, WEB_SHIELD]);
  });

  it('has notifications for the owner as the gateway sends them, of all types, read and unread, of the last ten days', async () => {
    const rows = await database.rows<{
      type: NotificationType;
      read: boolean;
      at: string;
      icon: string;
      action: string;
      href: string;
      texts: string;
    }>(
      `select n.type, n.read, n.created_at as at, n.icon, n.action, n.href, n.title || ': ' || n.message as texts from notification n
         join api_token t on t.user_id = n.user_id where t.digest = $1 order by n.id`,
      [digestToken(facts.tokens.owner)],
    );
    expect(rows).toHaveLength(30);
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(NOTIFICATION_TYPES));
    expect(new Set(rows.map(({ read }) => read))).toEqual(new Set([true, false]));
    expect(rows.at(-1)!.texts).toBe(
      'Early warning (NIS 2, Italy) overdue: The early warning (NIS 2, Italy) on “Supplier reports stolen credentials” was due on 4 March 2026, 05:20:30 (Europe/Rome, UTC+1) and has not been recorded as sent.',
    );
    for (const { type, at, icon, action, href, texts } of rows) {
      expect(NOW.getTime() - Date.parse(at)).toBeLessThan(10 * DAY);
      expect(Date.parse(at)).toBeLessThanOrEqual(NOW.getTime());
      expect(icon).toBe(NOTIFICATION_ICONS[type]);
      expect([action, href]).toEqual(['OPEN', expect.stringMatching(/^\/[a-z]/)]);
      expect(href + texts).not.toMatch(/undefined|null|NaN|[{}]/);
    }
    const times = rows.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });

  it('has an invitation in each state, and one that was sent again', async () => {
    const rows = await database.rows<{ state: string; mails: number; joined: boolean }>(
      `select case when i.accepted_at is not null then 'ACCEPTED' when i.closed_at is not null then 'CANCELLED'
                   when i.expires_at <= $2 then 'EXPIRED' else 'OPEN' end as state, cardinality(i.sent_at) as mails,
              exists (select from membership m join app_user u on u.id = m.user_id
                       where m.organization_id = i.organization_id and u.email = i.email and m.role = i.role) as joined
         from invitation i where i.organization_id = $1`,
      [facts.organization_id, NOW],
    );
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(INVITATION_STATUSES));
    for (const { state, joined } of rows) expect(joined).toBe(state === 'ACCEPTED');
    expect(Math.max(...rows.map(({ mails }) => mails))).toBeGreaterThan(1);
    expect(Math.max(...rows.map(({ mails }) => mails))).toBeLessThanOrEqual(LIMITS.invitation.mails);
  });

  it('has a deactivated member without tokens', async () => {
    const rows = await database.rows<{ tokens: number }>(
      `select (select count(*) from api_token t where t.user_id = m.user_id) as tokens from membership m
        where m.organization_id = $1 and m.deactivated_at < $2`,
      [facts.organization_id, NOW],
    );
    expect(rows).toEqual([{ tokens: 0 }]);
  });

  it('has a token in each state: about to end, in its grace period, blocked, revoked and expired', async () => {
    const rows = await database.rows<{ name: string; state: string }>(
      `select t.name, case when t.revoked_at is not null then 'revoked' when t.expires_at <= $1 then 'expired'
                           when t.replaced_at is not null then 'replaced' when b.id is not null then 'blocked'
                           when t.expires_at < $1::timestamptz + interval '7 days' then 'ending' else 'good' end as state
         from api_token t left join token_block b on b.token_id = t.id and b.organization_id = $2
          join app_user u on u.id = t.user_id and u.kind = 'PERSON'
        where t.name not like 'Demo token%'`,
      [NOW, facts.organization_id],
    );
    const states = rows.map(({ state }) => state).toSorted();
    expect(states).toEqual(['blocked', 'ending', 'expired', 'good', 'replaced', 'revoked']);
    const nameOf = (wanted: string) => rows.find(({ state }) => state === wanted)?.name;
    expect(nameOf('replaced')).toBe(nameOf('good'));
    const [limited] = await database.rows<{ ips: string[] }>(
      `select allowed_ips as ips from api_token where scopes = '{telemetry}'`,
    );
    expect(limited?.ips).not.toEqual([]);
  });

  it('has an organization that its owner may restore', async () => {
    const rows = await database.rows<{ user: string; deleted: string }>(
      `select m.user_id as user, o.deleted_at as deleted from organization o
         join membership m on m.organization_id = o.id and m.role = 'ORGANIZATION_OWNER' where o.deleted_at > $1`,
      [restorableSince(NOW)],
    );
    const [owner] = await database.rows<{ user: string }>('select user_id as user from api_token where digest = $1', [
      digestToken(facts.tokens.owner),
    ]);
    expect(rows.map(({ user }) => user)).toEqual([owner?.user]);
  });

  it('has imports of all modes, each as the rules of imports require', async () => {
    const imports = await database.rows<{ mode: string; id: string; content: Record<string, unknown> }>(
      'select mode, workflow_id as id, content from workflow_import where organization_id = $1',
      [facts.organization_id],
    );
    expect(imports.map(({ mode }) => mode).toSorted()).toEqual(IMPORT_MODES.toSorted());
    const own = imports.find(({ mode }) => mode === 'WORKFLOW')!.content as unknown as WorkflowFile;
    const known = (id: string) => (id === own.id ? toWorkflow(own) : CATALOG.find(id));
    for (const { mode, id, content } of imports) {
      const document = catalogDocumentOf(content);
      const { rules } = CATALOG;
      expect(mode === 'MAPPING' ? rules.mappingErrors(document, known) : rules.workflowErrors(document)).toEqual([]);
      expect(CATALOG.find(id) !== undefined).toBe(mode === 'TITLES');
    }
  });

  it('has weekly reports that were delivered at once, after several tries, and not at all', async () => {
    const rows = await database.rows<{ state: string; attempts: number; error: string | null }>(
      `select m.state, m.attempts, m.last_error as error from weekly_report r join outgoing_mail m on m.id = r.mail_id
        where r.organization_id = $1`,
      [facts.organization_id],
    );
    expect(rows).toContainEqual({ state: 'SENT', attempts: 1, error: null });
    expect(rows).toContainEqual({ state: 'SENT', attempts: 3, error: null });
    expect(rows).toContainEqual({
      state: 'FAILED',
      attempts: 1,
      error: expect.stringMatching(/^The mail server.+\.$/),
    });
  });

  it('has documents from every source, effective on another day, with a note, and of a workflow that was dissociated', async () => {
    const rows = await database.rows<{ source: string; effective: boolean; noted: boolean; kept: boolean }>(
      `select d.source, d.effective_at < d.created_at as effective, d.note <> '' as noted, w.id is null as kept
         from document_version d left join organization_workflow w
           on w.organization_id = d.organization_id and w.workflow_id = d.workflow_id where d.organization_id = $1`,
      [facts.organization_id],
    );
    expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(DOCUMENT_SOURCES));
    for (const key of ['effective', 'noted', 'kept'] as const) expect(rows.some((row) => row[key])).toBe(true);
  });

  it('has something to show in every column of every table, but for what only comes about by itself', async () => {
    const columns = await database.rows<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
        where table_schema = 'public' and table_name <> 'mikro_orm_migrations'
          and not (select relispartition from pg_class where oid = table_name::regclass)
          -- Audit trails have what happens after the start: what the demo shows has never happened.
          and not starts_with(table_name, 'audit_') and table_name <> 'event'
          -- An identity provider or a directory of the demo could only be one that does not answer.
          and table_name not in ('identity_provider', 'identity_domain', 'user_identity', 'sign_in_code')
          and not starts_with(table_name, 'scim_') order by 1, 2`,
    );
    const empty: string[] = [];
    for (const { table, column } of columns) {
      const shown = await database.rows(`select 1 from "${table}" where "${column}" is not null limit 1`);
      if (shown.length === 0) empty.push(`${table}.${column}`);
    }
    expect(empty).toEqual(FILLED_LATER);
  });

  it('gives the second organization a device, a document and a notification of its own', async () => {
    const id = [facts.other_organization_id];
    for (const table of ['cloud_defender', 'document_version', 'notification']) {
      expect(await database.rows(`select 1 from ${table} where organization_id = $1`, id)).toHaveLength(1);
    }
  });

  it('has no time in the future but of what expires', async () => {
    for (const table of TABLES) {
      for (const column of PAST_COLUMNS) {
        const known = await database.rows(
          `select 1 from information_schema.columns
            where table_name = $1 and column_name = $2 and data_type = 'timestamp with time zone'`,
          [table, column],
        );
        if (known.length === 0) continue;
        const later = await database.rows(`select 1 from ${table} where ${column} > $1`, [NOW]);
        expect({ table, column, later: later.length }).toEqual({ table, column, later: 0 });
      }
    }
  });

  it('is left as it is by another start, which returns the same facts', async () => {
    const before = await countAll(database);
    const written = await stat(factsPath(place.dataDir));
    expect(await place.seed()).toEqual(facts);
    expect(await countAll(database)).toEqual(before);
    expect((await stat(factsPath(place.dataDir))).mtimeMs).toBe(written.mtimeMs);
  });
});

describe('a database that contains something', () => {
  it('is not seeded when there is a user, and nothing is written', async () => {
    const { database, dataDir, seed } = await newPlace();
    await database.rows(
      `insert into app_user (id, username, email) values (gen_random_uuid(), 'first', 'first@example.com')`,
    );
    expect(await seed()).toBeUndefined();
    expect(await countAll(database)).toMatchObject({ app_user: 1, organization: 0, api_token: 0 });
    await expect(stat(factsPath(dataDir))).rejects.toThrow('ENOENT');
  });

  it('is not seeded when there is an organization, a deleted one included', async () => {
    const { database, seed } = await newPlace();
    await database.rows(
      `insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips, deleted_at)
       values ('Gone', '{}', '{}', '[]', '[]', '{}', '{}', now())`,
    );
    expect(await seed()).toBeUndefined();
    expect(await countAll(database)).toMatchObject({ app_user: 0, organization: 1 });
  });

  it('ignores the demo.json of another database', async () => {
    const [here, elsewhere] = [await newPlace(), await newPlace()];
    await here.seed();
    await elsewhere.seed();
    expect(await here.seed({ dataDir: elsewhere.dataDir })).toBeUndefined();
  });

  it("ignores a demo.json whose owner's token was revoked or has expired", async () => {
    const { database, seed } = await newPlace();
    const facts = (await seed()) as DemoFacts;
    expect(await seed({ now: () => new Date(NOW.getTime() + 364 * DAY) })).toEqual(facts);
    expect(await seed({ now: () => new Date(NOW.getTime() + 366 * DAY) })).toBeUndefined();
    await database.rows('update api_token set revoked_at = $2 where digest = $1', [
      digestToken(facts.tokens.owner),
      NOW,
    ]);
    expect(await seed()).toBeUndefined();
  });

  it('ignores a demo.json that is broken or lacks the token of the owner', async () => {
    const { dataDir, seed } = await newPlace();
    const facts = (await seed()) as DemoFacts;
    const mistyped = { ...facts, tokens: { ...facts.tokens, owner: `${facts.tokens.owner}x` } };
    for (const text of ['', '{"tokens":', 'null', '{}', JSON.stringify(mistyped)]) {
      await writeFile(factsPath(dataDir), text);
      expect(await seed()).toBeUndefined();
    }
  });
});

describe('a seeding that does not come to its end', () => {
  it('leaves no rows when demo.json cannot be written', async () => {
    const { database, dataDir, seed } = await newPlace();
    await writeFile(join(dataDir, 'taken'), '');
    const storageUrl = `file:${join(dataDir, 'files')}`;
    const failing = seed({ dataDir: join(dataDir, 'taken', 'below'), storageUrl });
    await expect(failing).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringContaining('demo.json'),
    });
    expect(Object.values(await countAll(database))).toEqual(TABLES.map(() => 0));
  });

  it('leaves no rows when the storage is away', async () => {
    const { database, dataDir, seed } = await newPlace();
    const failing = seed({ storageUrl: 's3://key:secret@127.0.0.1:1/bucket?tls=0' });
    const sentence = expect.stringMatching(/^[^\n]*STORAGE_URL[^\n]*$/);
    await expect(failing).rejects.toMatchObject({ name: 'StartupError', message: sentence });
    expect(Object.values(await countAll(database))).toEqual(TABLES.map(() => 0));
    await expect(stat(factsPath(dataDir))).rejects.toThrow('ENOENT');
  });

  it('has written the tokens down before it commits, and the next start replaces them', async () => {
    const { database, dataDir, seed } = await newPlace();
    await database.rows(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no commit'; end $$`,
    );
    await database.rows(
      `create constraint trigger refuse after insert on organization deferrable initially deferred
         for each row execute function refuse()`,
    );
    await expect(seed()).rejects.toThrow('no commit');
    expect(Object.values(await countAll(database))).toEqual(TABLES.map(() => 0));
    const stale = await readFile(factsPath(dataDir), 'utf8');
    expect(isWellFormedToken((JSON.parse(stale) as DemoFacts).tokens.owner)).toBe(true);

    await database.rows('drop trigger refuse on organization');
    const facts = await seed();
    expect(facts?.tokens.owner).not.toBe((JSON.parse(stale) as DemoFacts).tokens.owner);
    expect(JSON.parse(await readFile(factsPath(dataDir), 'utf8'))).toEqual(facts);
  });
});

describe('instances that start together', () => {
  it('lose no bytes to the sweep of the one that does not seed', async () => {
    const { database, dataDir, seed } = await newPlace();
    await database.rows(
      `create function linger() returns trigger language plpgsql as
         $$ begin perform pg_advisory_xact_lock(${HELD}); return null; end $$`,
    );
    await database.rows(
      `create constraint trigger linger after insert on incident_attachment deferrable initially deferred
         for each row execute function linger()`,
    );
    const store = new LocalBlobStore(join(dataDir, 'files'));
    const work = await database.transaction(async (tx) => {
      await tx.rows(`select pg_advisory_xact_lock(${HELD})`);
      const seeding = seed();
      // Before its commit: the bytes are stored, and the rows are invisible to other transactions.
      await someoneWaits(tx);
      expect(await count(database, 'document_version')).toBe(0);
      const sweeping = contentUnderTest(database, store, {
        ...{ dataDir, storageUrl: `file:${join(dataDir, 'files')}` },
      }).sweepAll();
      await someoneWaits(tx, 2);
      return { seeding, sweeping };
    });
    await work.seeding;
    expect(await work.sweeping).toBe(0);
    const shown = await database.rows<{ sha256: string }>(
      `select sha256 from document_version union select sha256 from incident_attachment
        union select substr(logo, 8, 64) from organization where logo <> ''`,
    );
    for (const { sha256 } of shown) expect(await store.has(sha256)).toBe(true);
  });

  it('seed once, and all of one data folder know the facts', async () => {
    const { database, seed } = await newPlace();
    const [one, two, three] = await Promise.all([seed(), seed(), seed()]);
    expect(one).toBeDefined();
    expect(two).toEqual(one);
    expect(three).toEqual(one);
    expect(await countAll(database)).toMatchObject({ app_user: 10, organization: 3, api_token: 14 });
  });

  it('seed once when each has a data folder of its own, and only one of them has the tokens', async () => {
    const { database, dataDir, seed } = await newPlace();
    const other = join(await newFolder(), 'data');
    await mkdir(other);
    const results = await Promise.all([seed(), seed({ dataDir: other, storageUrl: `file:${join(dataDir, 'files')}` })]);
    expect(results.filter((facts) => facts !== undefined)).toHaveLength(1);
    expect(await count(database, 'organization')).toBe(3);
  });
});

/** Settings with names in many spellings. */
const PERIMETER = {
  mode: 'enforce',
  block_list: { 'dnsbl.zones': ['bl.example.net', 'zen.example.org'], refreshMinutes: 15, '2fa-exempt': [] },
  'GeoIP:deny': ['XX', 'ZZ'],
  VPN: { MTU: 1380, split_tunnel: false, 'allowed IPs': ['10.20.0.0/16'] },
  'Schwellenwert %': 0.85,
  on_failure: null,
};
const WEB_SHIELD = {
  'X-Real-IP': { trust: true, proxies: ['192.0.2.1', '192.0.2.2'] },
  rate_limit: { perMinute: 120, burst_size: 40, 'by-path': { '/login': 10, '/api/*': 300 } },
  Rules: [
    { ID: 'R-001', action: 'deny', match_any: ['*.php~', '.git/'] },
    { ID: 'R-002', action: 'log', matchAll: { User_Agent: 'curl/*', 'path.prefix': '/admin' } },
  ],
  __notes: 'Ask the control room before changing R-001',
};

/** Times that have come. */
const PAST_COLUMNS = [
  'created_at',
  'updated_at',
  'datetime',
  'aware_at',
  'effective_at',
  'accepted_at',
  'closed_at',
  'deactivated_at',
  'deleted_at',
  'imported_at',
  'last_seen_at',
  'last_used_at',
  'posted_at',
  'recorded_at',
  'replaced_at',
  'revoked_at',
  'sent_at',
  'warned_at',
];

/** Columns that devices, jobs and restoring fill. */
const FILLED_LATER = [
  'api_token.provider_id',
  'api_token.provider_session',
  'app_user.deactivated_at',
  'app_user.language',
  'application_document.application_version_id',
  'application_document.document_id',
  'application_version.application',
  'application_version.documents',
  'application_version.id',
  'application_version.label',
  'application_version.published_at',
  'application_version.withdrawn_at',
  'cloud_defender.restored_at',
  'control_attestation.attested_at',
  'control_attestation.attested_by',
  'control_attestation.attested_by_id',
  'control_attestation.changes',
  'control_attestation.compared_up_to',
  'control_attestation.control_id',
  'control_attestation.countersigned_at',
  'control_attestation.countersigned_by',
  'control_attestation.countersigned_by_id',
  'control_attestation.evidence',
  'control_attestation.id',
  'control_attestation.organization_id',
  'control_attestation.position',
  'control_attestation.stale_at',
  'control_attestation.statement',
  'control_attestation.superseded_at',
  'control_attestation.version',
  'control_attestation.withdrawal_reason',
  'control_attestation.withdrawn_at',
  'control_attestation.withdrawn_by',
  'control_attestation.workflow_id',
  'control_state.reminded_due_date',
  'control_state.reminded_last_day',
  'evidence_request.closed_at',
  'idempotency_volume.bytes',
  'idempotency_volume.hour',
  'idempotency_volume.owner',
  'idempotent_answer.created_at',
  'idempotent_answer.key_digest',
  'idempotent_answer.sealed',
  'idempotent_answer.token_id',
  'import_job.archive',
  'import_job.attempts',
  'import_job.changed',
  'import_job.created_at',
  'import_job.due_at',
  'import_job.ended_at',
  'import_job.failure',
  'import_job.id',
  'import_job.kind',
  'import_job.organization_id',
  'import_job.origin',
  'import_job.refused',
  'import_job.rows',
  'import_job.started_at',
  'import_job.status',
  'import_job.token_id',
  'import_job.unchanged',
  'import_job.user_id',
  'import_job.workflow_id',
  'import_row.changes',
  'import_row.error',
  'import_row.id',
  'import_row.import_job_id',
  'import_row.input',
  'import_row.key',
  'import_row.number',
  'import_row.organization_id',
  'import_row.outcome',
  'import_row.record_id',
  'import_row.row',
  'incident.classified_at',
  'incident.fix_available_at',
  'incident.intermediate_report_due_at',
  'incident_report.attachment_id',
  'incident_report.due_at',
  'incident_report.judgement',
  'invitation.engagement_id',
  'mail_allowance.held',
  'mail_allowance.hour',
  'mail_allowance.mails',
  'mail_allowance.membership_id',
  'mail_digest.day',
  'mail_digest.notification_id',
  'mail_digest.organization_id',
  'membership.mail_preferences',
  'organization.audit_retention_days',
  'organization.audit_witness_email',
  'organization.nis2_reporting_from',
  'organization.report_due_at',
  'organization.required_provider_id',
  'organization.restored_at',
  'outgoing_mail.content',
  'recorded_state.created_at',
  'recorded_state.mac',
  'recorded_state.organization_id',
  'recorded_state.position',
  'recorded_state.rows',
  'service_account.deleted_at',
  'threat_blocker.restored_at',
  'token_address.digest',
  'token_address.seen_at',
  'token_address.token_id',
  'token_recovery.created_at',
  'token_recovery.digest',
  'token_recovery.email',
  'token_recovery.expires_at',
  'token_recovery.id',
  'token_recovery.network',
  'token_recovery.used_at',
  'token_recovery.user_id',
  'trusted_document.id',
  'trusted_document.sha256',
  'trusted_document.text',
  'trusted_document.tokens',
  'unreferenced_content.seen_at',
  'unreferenced_content.sha256',
  'unreferenced_content.since',
  'webhook_attempt.answer',
  'webhook_attempt.attempted_at',
  'webhook_attempt.delivery_id',
  'webhook_attempt.error',
  'webhook_attempt.id',
  'webhook_attempt.milliseconds',
  'webhook_attempt.number',
  'webhook_attempt.status_code',
  'webhook_delivery.action',
  'webhook_delivery.answer',
  'webhook_delivery.attempted_at',
  'webhook_delivery.attempts',
  'webhook_delivery.created_at',
  'webhook_delivery.endpoint_id',
  'webhook_delivery.error',
  'webhook_delivery.id',
  'webhook_delivery.lease',
  'webhook_delivery.log_id',
  'webhook_delivery.milliseconds',
  'webhook_delivery.next_attempt_at',
  'webhook_delivery.organization_id',
  'webhook_delivery.position',
  'webhook_delivery.seq',
  'webhook_delivery.status',
  'webhook_delivery.status_code',
  'webhook_delivery.subject',
  'webhook_endpoint.actions',
  'webhook_endpoint.created_at',
  'webhook_endpoint.deleted_at',
  'webhook_endpoint.description',
  'webhook_endpoint.disabled_reason',
  'webhook_endpoint.enabled_by_id',
  'webhook_endpoint.failing_since',
  'webhook_endpoint.failures',
  'webhook_endpoint.format',
  'webhook_endpoint.host',
  'webhook_endpoint.host_paused_until',
  'webhook_endpoint.id',
  'webhook_endpoint.organization_id',
  'webhook_endpoint.paused_until',
  'webhook_endpoint.previous_secret',
  'webhook_endpoint.previous_secret_until',
  'webhook_endpoint.secret',
  'webhook_endpoint.status',
  'webhook_endpoint.token_id',
  'webhook_endpoint.updated_at',
  'webhook_endpoint.url',
  'webhook_endpoint.user_id',
  'webhook_endpoint.version',
];

const TYPES: Record<string, string> = {
  '.pdf': 'application/pdf',
  '.csv': 'text/csv',
  '.md': 'text/markdown',
  '.txt': 'text/plain',
};

/** Matches the values that count as "not filled". */
const EMPTY = {
  asymmetricMatch: (value: unknown) =>
    value === null || value === '' || value === undefined || (Array.isArray(value) && value.length === 0),
};

/** All requests that were reported at this hour of the day, in UTC. */
function trafficAt(reports: readonly { datetime: string; requests: number; stopped: number }[], hour: number): number {
  const ofHour = reports.filter(({ datetime }) => new Date(datetime).getUTCHours() === hour);
  return ofHour.reduce((sum, { requests, stopped }) => sum + requests - stopped, 0);
}

/** The stored organizations as the input that would create them (specification 2.2). */
async function organizationInputs(database: Database, publicUrl: string): Promise<Record<string, unknown>[]> {
  const rows = await database.rows<{ contacts: Contact[]; frameworks: ComplianceFramework[]; logo: string }>(
    `select name, description, number_employees, website, logo, sectors, industries, nis2_sector,
            compliance_frameworks as frameworks, infrastructure, contacts, domains, ips
       from organization order by id`,
  );
  return rows.map(({ contacts, frameworks, logo, ...rest }) => ({
    ...rest,
    ...(logo === '' ? {} : { logo: publicUrl + logo }),
    compliance_frameworks: frameworks,
    contacts: contacts.map(({ emailReport, ...contact }) => ({ ...contact, email_report: emailReport })),
  }));
}
