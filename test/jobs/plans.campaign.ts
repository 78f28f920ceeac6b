import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Access } from '../../src/auth/access.js';
import { VERSION } from '../../src/common/version.js';
import type { Database } from '../../src/database/database.js';
import { accessRecords, TokenUsage } from '../../src/database/access-records.js';
import { MailOutbox } from '../../src/mail/mail-outbox.js';
import { CheckpointKey } from '../../src/services/audit/checkpoint-key.js';
import { Consumer, reading, type ConsumerSettings } from '../../src/services/audit/consumer.js';
import { appendEvents } from '../../src/services/events/event-records.js';
import { AuditPruningService } from '../../src/services/audit/pruning.service.js';
import { NotificationMails } from '../../src/services/notifications/notification-mails.js';
import { eventsOf, notify, type NotificationRules } from '../../src/services/notifications/notifier.js';
import { IdempotentAnswers } from '../../src/services/shared/idempotent-answers.js';
import { UnsubscribeLinks } from '../../src/services/shared/unsubscribe-links.js';
import { TokenRecoveryService } from '../../src/services/tokens/recovery.service.js';
import { testConfig } from '../support/gateway.js';
import { PlannedDatabase } from '../support/planned-database.js';
import { planNodes } from '../support/plans.js';
import { recording, type SentStatement } from '../support/recorded-statements.js';
import { createLogger } from '../../src/logger.js';

const NOW = new Date('2026-11-23T09:00:00Z');
const now = () => NOW;
const publicUrl = 'https://gateway.example';
const COUNT = 5_000;
const ADDRESS = 'user-7@example.com';

let planned: PlannedDatabase;

beforeAll(async () => {
  planned = await PlannedDatabase.open();
  await planned.fillOrganizations(COUNT);
  await planned.fill(
    `insert into app_user (id, username, email, email_verified_at, first_name, last_name)
     select md5(n::text)::uuid, 'user-' || n, 'user-' || n || '@example.com', $2, '', '' from generate_series(1, $1::int) n`,
    [COUNT, NOW],
  );
  const perRow = [
    `membership (user_id, organization_id, role)
       select md5((1 + (n + 13 * k) % $1)::text)::uuid, n, 'ORGANIZATION_OWNER' from generate_series(1, 8) k,`,
    `mail_allowance (membership_id, hour, mails, held) select n, $2, 1, '{}'`,
    `api_token (user_id, name, digest, prefix, scopes, expires_at) select md5(n::text)::uuid, '', md5(n::text), '', '{read}', $2`,
    `idempotency_volume (owner, hour, bytes) select 'user ' || n, $2::timestamptz - make_interval(mins => n % 1505), 1`,
    `idempotent_answer (token_id, key_digest, sealed, created_at) select n, md5(n::text), '', $2::timestamptz - make_interval(mins => n)`,
    `token_recovery (email, network, created_at, user_id, digest, expires_at)
       select 'user-' || n || '@example.com', 'network ' || n, $2::timestamptz - make_interval(mins => n), md5(n::text)::uuid, md5(n::text), $2`,
    `audit_log (organization_id, position, hash) select n, 3, ''`,
    `event_consumer (consumer, log_id, position) select consumer, n, 2 from unnest('{events,notifications,mails}'::text[]) consumer,`,
  ];
  for (const rows of perRow)
    await planned.fill(
      `insert into ${rows} ${rows.endsWith(',') ? '' : 'from'} generate_series(1, $1::int) n where $2::timestamptz is not null`,
      [COUNT, NOW],
    );
  await planned.fill(
    `insert into audit_entry (log_id, position, entry, hash)
     select id, place, $1::text, '' from audit_log, generate_series(1, 3) place`,
    [
      JSON.stringify({
        action: 'INCIDENT_OPENED',
        actor: { id: 'job', type: 'SYSTEM' },
        at: NOW.toISOString(),
        changes: {},
        subject: { id: '1', name: 'Phishing', type: 'INCIDENT' },
      }),
    ],
  );
  await planned.fill(`update organization set audit_retention_days = 365 where id % 10 = 0`);
  await planned.analyze([
    ...['app_user', 'membership', 'mail_allowance', 'api_token', 'idempotent_answer', 'token_recovery'],
    'idempotency_volume',
    ...['audit_log', 'event_consumer', 'audit_entry'],
  ]);
});

afterAll(() => planned?.close());

const outbox = (recorder: Database) => new MailOutbox(recorder, async () => undefined, now);

const RULES: NotificationRules = {
  INCIDENT_OPENED: () => [
    {
      ...{ type: 'INCIDENT', title: 'Opened', message: '', urgentFrom: 'VIEWER' },
      to: { privilege: 'READ_ORGANIZATION' },
    },
  ],
};

/** Makes a consumer process the next entries of a trail. */
async function consume(recorder: Database, { name, handle }: Pick<ConsumerSettings, 'name' | 'handle'>): Promise<void> {
  let handled = 0;
  const consumer = new Consumer({
    ...{ database: recorder, name, actions: Object.keys(RULES), log: createLogger('silent'), pause: 0 },
    handle: async (tx, entries) => {
      handled += entries.length;
      await handle(tx, entries);
    },
  });
  consumer.wake([10, 20]);
  await consumer.close();
  expect(handled).toBe(2);
}

function recovery(recorder: Database): TokenRecoveryService {
  const queues = { enqueue: async () => undefined };
  return new TokenRecoveryService({
    database: recorder,
    mails: outbox(recorder),
    queues,
    config: testConfig(publicUrl, ''),
    now,
  });
}

const JOBS: Record<string, (recorder: Database) => Promise<unknown>> = {
  'notifications of entries': (recorder) =>
    consume(recorder, {
      name: 'notifications',
      handle: reading((tx, entries) => notify(tx, eventsOf(RULES, entries))),
    }),
  'events of entries': (recorder) => consume(recorder, { name: 'events', handle: appendEvents }),
  'mails of entries': (recorder) => {
    const links = new UnsubscribeLinks(publicUrl, 'a key');
    const mails = new NotificationMails(RULES, { mails: outbox(recorder), links, publicUrl, appUrl: publicUrl }, now);
    return consume(recorder, { name: 'mails', handle: reading((tx, entries) => mails.post(tx, entries)) });
  },
  'a request for recovery': (recorder) => recovery(recorder).request(ADDRESS, '192.0.2.1'),
  'the mail of a recovery': async (recorder) => {
    const [row] = await planned.database.rows<{ id: number }>(
      `update token_recovery set digest = null where email = $1 returning id`,
      [ADDRESS],
    );
    await recovery(recorder).deliver(row!.id);
  },
  'trails to prune': (recorder) =>
    new AuditPruningService(recorder, new CheckpointKey('a key'), now, async () => undefined).pruneDue(),
  'the use of tokens': async (recorder) => {
    const usage = new TokenUsage(recorder, createLogger('silent'), () => NOW.getTime());
    usage.used(7);
    await usage.close();
  },
};

test.each(Object.entries(JOBS))('%s: no large table is read from one end to the other', (_name, run) =>
  planned.expectIndexed(run),
);

test('old answers to repeated requests are found by index, a batch at a time', async () => {
  const statements: SentStatement[] = [];
  const { database } = planned;
  const access = new Access(accessRecords(database), { isFresh: () => true }, () => undefined);
  const { quotas } = testConfig(publicUrl, '/nowhere');
  await new IdempotentAnswers(recording(database, statements), access, quotas, now, VERSION).purgeOld();
  for (const mode of ['custom', 'generic'] as const)
    for (const statement of statements) {
      const nodes = await planNodes(planned.database, statement, mode);
      const index = statement.text.includes('idempotency_volume') ? 'volume_hour' : 'answer_created_at';
      expect(nodes.map((node) => node['Index Name'])).toContainEqual(expect.stringContaining(index));
    }
});
