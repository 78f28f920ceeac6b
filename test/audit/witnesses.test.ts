import { expect, test } from '@jest/globals';
import { CheckpointKey } from '../../src/services/audit/checkpoint-key.js';
import type { SignedCheckpoint } from '../../src/services/audit/trails.js';
import { verifyOffline } from '../support/audit.js';
import { TestClock } from '../support/clock.js';
import { postedMails } from '../support/jobs.js';
import { inTurnBehind } from '../support/lock-waits.js';
import { expectData } from '../support/matchers.js';
import { startSharedReceiver } from '../support/receivers.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { buildPerson, type Person } from '../support/test-data.js';

const clock = new TestClock();
const { gateway } = await startSeededGateway({
  now: clock.now,
  config: { auditCheckpointMail: 'operator@example.com' },
});
const receiver = await startSharedReceiver();
const { database, jobs, webhooks } = gateway.app;

interface Witnessed {
  id: number;
  owner: Person;
  rename(name: string): Promise<unknown>;
}

async function newOrganization(sandbox = false): Promise<Witnessed> {
  const owner = await buildPerson(database, 'owner');
  const made = await gateway.rest.post('/api/v1/organizations', {
    token: owner.token,
    body: { name: 'Seen <b>', sandbox },
  });
  const { id } = made.body.data as { id: number };
  const rename = (name: string) =>
    gateway.rest.call('PATCH', `/api/v1/organizations/${id}`, { token: owner.token, body: { name } });
  return { id, owner, rename };
}

const setWitness = ({ id, owner }: Witnessed, body: object) =>
  gateway.rest.call('PATCH', `/api/v1/organizations/${id}/settings`, { token: owner.token, body });

async function nextDay(day: number) {
  clock.set(24 * day);
  await jobs.run('auditCheckpoints.createDue');
  await jobs.run('checkpointWitnesses.notifyDue');
}

const mailsTo = async (email: string) => (await postedMails(database)).filter(({ recipient }) => recipient === email);

const entriesOf = ({ id }: Witnessed) =>
  database.rows<{ position: number; entry: string }>(
    `select e.position, e.entry from audit_entry e join audit_log l on l.id = e.log_id
      where l.organization_id = $1 and e.action = 'AUDIT_CHECKPOINT_SIGNED' order by e.position`,
    [id],
  );

test('a witness is mailed a checkpoint for each day on which something was recorded, with which exports agree', async () => {
  const organization = await newOrganization();
  const { id, owner } = organization;
  await setWitness(organization, { audit_witness_email: 'witness@example.com' });
  await nextDay(1);
  // On the second day only the record of the checkpoint is new, and on the third nothing.
  await nextDay(2);
  await nextDay(3);
  expect(await mailsTo('witness@example.com')).toHaveLength(1);
  await organization.rename('Changed');
  await nextDay(4);
  const mails = await mailsTo('witness@example.com');
  expect(mails).toHaveLength(2);
  expect(await entriesOf(organization)).toHaveLength(2);

  const { content } = mails[0]!;
  const lines = content!.text.split('\n');
  const fact = lines.find((line) => /^[0-9a-f]{64}@\d+$/.test(line))!;
  const checkpoint = JSON.parse(lines.find((line) => line.startsWith('{'))!) as SignedCheckpoint;
  expect(fact).toBe(`${checkpoint.hash}@${checkpoint.position}`);
  expect(new CheckpointKey(gateway.config.secretKey).isSigned(checkpoint)).toBe(true);
  expect(content!.text).toContain(checkpoint.keyId);
  expect(content!.html).not.toContain('<b>');

  const exported = await gateway.rest.get(`/api/v1/organizations/${id}/audit-trail.ndjson`, { token: owner.token });
  const keys = (await gateway.rest.get('/.well-known/audit-keys.json')).body;
  const agreed = await verifyOffline(exported.text, keys, [fact, JSON.stringify(checkpoint)]);
  expect(agreed).toMatchObject({ exitCode: 0, output: expect.stringContaining(`\nagrees with ${fact}`.repeat(2)) });
  const other = `${'0'.repeat(64)}@${checkpoint.position}`;
  expect(await verifyOffline(exported.text, keys, [other])).toEqual({
    exitCode: 1,
    output: `not valid: entry ${checkpoint.position} is not the one of ${'0'.repeat(64)}`,
  });
  const later = `${'0'.repeat(64)}@100000`;
  expect((await verifyOffline(exported.text, keys, [later])).output).toMatch(/is missing: it was there earlier$/);
});

test('a webhook endpoint that names the event is a witness, and gets hash and signature', async () => {
  const organization = await newOrganization();
  const { id, owner } = organization;
  const body = { url: receiver.url, event_types: ['audit_trail.checkpoint_signed'] };
  const made = await gateway.rest.post(`/api/v1/organizations/${id}/webhooks`, { token: owner.token, body });
  expect(made.status).toBe(201);
  await nextDay(5);
  const [entry] = await entriesOf(organization);
  const { after: signed } = (JSON.parse(entry!.entry) as { changes: { checkpoint: { after: SignedCheckpoint } } })
    .changes.checkpoint;
  await settled(database, 'events');
  await webhooks.sendDue();
  const event = JSON.parse(receiver.received[0]!.body) as object;
  expect(event).toMatchObject({
    ...{ id: `${id}/${entry!.position}`, type: 'audit_trail.checkpoint_signed', changed_fields: ['checkpoint'] },
    checkpoint: { hash: signed.hash, position: signed.position, key_id: signed.keyId, signature: signed.signature },
  });
});

test('without a witness nothing is mailed and nothing is recorded', async () => {
  const organization = await newOrganization();
  await nextDay(6);
  expect(await entriesOf(organization)).toEqual([]);
  await setWitness(organization, { audit_witness_email: 'late@example.com' });
  await nextDay(7);
  await setWitness(organization, { audit_witness_email: null });
  await nextDay(8);
  expect([await mailsTo('late@example.com'), await entriesOf(organization)].map(({ length }) => length)).toEqual([
    1, 1,
  ]);
});

test('an endpoint that is disabled is no witness, and an organization that was deleted has none', async () => {
  const [silent, gone] = [await newOrganization(), await newOrganization()];
  const { token } = silent.owner;
  const path = `/api/v1/organizations/${silent.id}/webhooks`;
  const body = { url: receiver.url, event_types: ['audit_trail.checkpoint_signed'] };
  const { webhook_endpoint } = expectData(await gateway.rest.post(path, { token, body }), 201);
  expectData(await gateway.rest.patch(`${path}/${webhook_endpoint.id}`, { token, body: { status: 'DISABLED' } }));
  await setWitness(gone, { audit_witness_email: 'gone@example.com' });
  expectData(await gateway.rest.delete(`/api/v1/organizations/${gone.id}`, { token: gone.owner.token }));
  await nextDay(9);
  expect([...(await entriesOf(silent)), ...(await entriesOf(gone))]).toEqual([]);
  expect(await mailsTo('gone@example.com')).toEqual([]);
});

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'the mail has its day in the language and in %s',
  async (zone) => {
    const organization = await newOrganization();
    const email = `${zone.slice(8).toLowerCase()}@example.com`;
    await setWitness(organization, { audit_witness_email: email, language: 'it', time_zone: zone });
    await nextDay(50);
    const { subject, text } = (await mailsTo(email))[0]!.content!;
    const { at } = JSON.parse(text.split('\n').find((line) => line.startsWith('{'))!) as SignedCheckpoint;
    const day = new Intl.DateTimeFormat('it-IT', { dateStyle: 'long', timeZone: zone }).format(new Date(at));
    expect(subject).toMatch(new RegExp(`, ${day}$`));
    expect(text).toContain(`${day}, `);
    expect(text).toContain(`(${zone}, UTC`);
  },
);

test('the mail about a sandbox says that it is one', async () => {
  const sandbox = await newOrganization(true);
  await setWitness(sandbox, { audit_witness_email: 'trial@example.com' });
  await nextDay(40);
  const [mail] = await mailsTo('trial@example.com');
  expect(mail!.content!.subject).toMatch(/^\[Sandbox\] /);
  expect((await mailsTo('witness@example.com')).some(({ content }) => content!.subject.includes('Sandbox'))).toBe(
    false,
  );
});

test('a checkpoint is mailed and recorded once where two instances are at it', async () => {
  const organization = await newOrganization();
  await setWitness(organization, { audit_witness_email: 'once@example.com' });
  clock.set(24 * 41);
  await jobs.run('auditCheckpoints.createDue');
  const run = () => jobs.run('checkpointWitnesses.notifyDue');
  const head = ['select from audit_log where organization_id = $1 for update', [organization.id]] as const;
  await inTurnBehind(database, head, [run, run]);
  expect(await mailsTo('once@example.com')).toHaveLength(1);
  expect(await entriesOf(organization)).toHaveLength(1);
});

test('one that cannot be recorded prevents no witness from receiving the checkpoints of others', async () => {
  const [broken, other] = [await newOrganization(), await newOrganization()];
  for (const [each, email] of [
    [broken, 'broken@example.com'],
    [other, 'other@example.com'],
  ] as const)
    await setWitness(each, { audit_witness_email: email });
  await database.rows(
    `alter table audit_entry add constraint broken check (action <> 'AUDIT_CHECKPOINT_SIGNED' or subject <> 'ORGANIZATION/${broken.id}') not valid`,
  );
  try {
    await expect(nextDay(42)).rejects.toThrow(`not notified of their checkpoints: organizations ${broken.id}`);
  } finally {
    await database.rows('alter table audit_entry drop constraint broken');
  }
  expect(await mailsTo('broken@example.com')).toEqual([]);
  expect(await mailsTo('other@example.com')).toHaveLength(1);
});

test('the operator is mailed each checkpoint once where two instances are at it', async () => {
  const organization = await newOrganization();
  clock.set(24 * 43);
  await jobs.run('auditCheckpoints.createDue');
  const post = () => jobs.run('checkpointMails.postDue');
  const seal = [
    'select from audit_seal where log_id = (select id from audit_log where organization_id = $1) for update',
    [organization.id],
  ] as const;
  await inTurnBehind(database, seal, [post, post]);
  const mails = await mailsTo('operator@example.com');
  const mailed = mails.flatMap(({ content }) => content!.text.split('\n').filter((line) => line.startsWith('{')));
  expect(mailed.filter((line) => line.includes(`"organization/${organization.id}"`))).toHaveLength(1);
});
