import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Queryable } from '../../src/database/sql.js';
import { LIMITS } from '../../src/values/limits.js';
import {
  APIS,
  callThrough,
  dataOf,
  expectConflict,
  expectFailure,
  type Api,
  type Operation,
  FOR_PERSONS,
} from '../support/apis.js';
import { oscalErrors } from '../support/oscal-rules.js';
import { rawRequest } from '../support/rest.js';
import { unzipped } from '../support/unzip.js';
import { inTurnBehind, someoneWaits } from '../support/lock-waits.js';
import { mutation } from '../support/operations.js';
import { buildServiceAccount, newMember, titlesOf } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildWorkflow, join, type Person } from '../support/test-data.js';

const ATTESTATION = `id: databaseId workflow_id: workflowId control_id: controlId state statement attested_by: attestedBy { username }
  attested_at: attestedAt evidence { document_version_id: documentVersionId workflow_id: workflowId control_id: controlId sha256 }
  position countersigned_by: countersignedBy { username } countersigned_at: countersignedAt stale_at: staleAt
  changes { kind workflow_id: workflowId control_id: controlId document_version_id: documentVersionId sha256 }
  withdrawn_by: withdrawnBy { username } withdrawn_at: withdrawnAt withdrawal_reason: withdrawalReason superseded_at: supersededAt
  viewer_can: viewerCan { countersign withdraw }`;
const SUMMARY = `attestation { id: databaseId state attested_by: attestedBy { username } attested_at: attestedAt
  countersigned_by: countersignedBy { username } countersigned_at: countersignedAt }`;
const CONTROL_PATH = '/api/v1/v-ciso/organizations/{organization_id}/workflows/{workflow_id}/controls';
const ALL = `${CONTROL_PATH}/{control_id}/attestations`;
const KEY = 'organizationId: $organizationId, workflowId: $workflowId, controlId: $controlId';
const KEYS = '$organizationId: ID!, $workflowId: ID!, $controlId: ID!';
const NAMES = { id: 'attestationId' };

const OPERATIONS = {
  attest: mutation(`POST ${ALL}`, 'attestControl', `attestation { ${ATTESTATION} }`, {
    if_match: 'controlVersion',
  }),
  countersign: mutation(
    `POST ${ALL}/{id}/countersignature`,
    'countersignAttestation',
    `attestation { ${ATTESTATION} }`,
    NAMES,
  ),
  withdraw: mutation(`POST ${ALL}/{id}/withdrawal`, 'withdrawAttestation', `attestation { ${ATTESTATION} }`, NAMES),
  read: {
    rest: `GET ${ALL}/{id}`,
    graphql: `query (${KEYS}, $id: ID!) { controlAttestation(${KEY}, id: $id) { ${ATTESTATION} } }`,
    at: 'controlAttestation',
  },
  list: {
    rest: `GET ${ALL}`,
    graphql: `query (${KEYS}, $first: Int) { organizationControl(${KEY}) { attestations(first: $first) { totalCount nodes { ${ATTESTATION} } } } }`,
    at: 'organizationControl.attestations',
  },
  control: {
    rest: `GET ${CONTROL_PATH}/{control_id}`,
    graphql: `query (${KEYS}) { organizationControl(${KEY}) { id: controlId ${SUMMARY} } }`,
    at: 'organizationControl',
  },
  controls: {
    rest: `GET ${CONTROL_PATH}`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!, $first: Int, $offset: Int) {
      organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) { controls(first: $first, offset: $offset) { totalCount nodes { id: controlId ${SUMMARY} } } } }`,
    at: 'organizationWorkflow.controls',
  },
} satisfies Record<string, Operation>;

const ISO = 'iso-27001-2022';
const DIRECTIVE = 'nis2-directive';
/** Backups, mapped from 21.2.c of the directive. */
const CONTROL = 'A.8.13';

const { gateway } = await startSeededGateway();
const { database, services } = gateway.app;

let organizationId: number;
let owner: Person;
let officer: Person;
let manager: Person;
let key: { organization_id: number; workflow_id: string; control_id: string };

beforeEach(async () => {
  organizationId = await buildOrganization(database, 'Attesting');
  for (const id of [ISO, DIRECTIVE]) await buildWorkflow(database, organizationId, id);
  owner = await newMember(database, organizationId, 'VIEWER');
  officer = await newMember(database, organizationId, 'SECURITY_OFFICER');
  manager = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
  key = { organization_id: organizationId, workflow_id: ISO, control_id: CONTROL };
  await setState('DONE', owner.id);
});

async function setState(status: string, ownerId: string | null, controlId = CONTROL) {
  await database.rows(
    `insert into control_state (organization_id, workflow_id, control_id, status, owner_id) values ($1, $2, $3, $4, $5)
     on conflict (organization_id, workflow_id, control_id) do update set status = excluded.status, owner_id = excluded.owner_id`,
    [organizationId, ISO, controlId, status, ownerId],
  );
}

/** Stores a document like the use case. */
async function upload(text: string, workflow = ISO, control = CONTROL) {
  const path = `/api/v1/v-ciso/organizations/${organizationId}/workflows/${workflow}/documents/${control}/versions`;
  const body = { filename: 'd.txt', content: Buffer.from(text).toString('base64'), content_type: 'text/plain' };
  const { body: answer } = await gateway.rest.post(path, { token: manager.token, body });
  return answer.data as { id: number; sha256?: string };
}

const deleteDocument = (id: number) =>
  gateway.rest.call('DELETE', `/api/v1/v-ciso/organizations/${organizationId}/documents/${id}`, manager);

const run = (api: Api, name: keyof typeof OPERATIONS, input: object, { token }: { token: string }) =>
  callThrough(api, gateway, OPERATIONS[name], { ...key, ...input }, token);

const attest = async (api: Api, statement = 'Restored in June.') =>
  dataOf(await run(api, 'attest', { statement }, owner)) as { id: number; position: number };

async function entriesOf(action: string) {
  return database.rows<{ position: number; changes: Record<string, { after?: unknown; before?: unknown }> }>(
    `select e.position, e.entry::jsonb -> 'changes' as changes from audit_entry e join audit_log l on l.id = e.log_id
      where l.organization_id = $1 and e.action = $2 order by e.position`,
    [organizationId, action],
  );
}

describe.each(APIS)('through %s', (api) => {
  const stateOf = async (id: number) => dataOf(await run(api, 'read', { id }, officer));
  const ofControls = (input: object) =>
    callThrough(
      api,
      gateway,
      OPERATIONS.controls,
      { organization_id: organizationId, workflow_id: ISO, ...input },
      officer.token,
    );
  const newest = async () => dataOf(await run(api, 'control', {}, officer)).attestation;

  test('the owner attests, another person countersigns, and both stand on the control, in lists and in the trail', async () => {
    expect(await newest()).toBeNull();
    const own = await upload('own');
    const mapped = await upload('mapped', DIRECTIVE, '21.2.c');
    const made = dataOf(await run(api, 'attest', { statement: ' Restored in June.\u202e ' }, owner));
    expect(made).toMatchObject({
      ...{ workflow_id: ISO, control_id: CONTROL, state: 'ATTESTED', statement: 'Restored in June.' },
      ...{ attested_by: owner.username, countersigned_by: null, changes: [], stale_at: null, withdrawn_at: null },
      viewer_can: { countersign: false, withdraw: true },
    });
    const documents = made.evidence.map(({ document_version_id: id }: { document_version_id: number }) => id);
    expect(documents.toSorted()).toEqual([own.id, mapped.id].toSorted());
    const sums = await database.rows<{ sha256: string }>(
      'select sha256 from document_version where organization_id = $1',
      [organizationId],
    );
    expect(made.evidence.map(({ sha256 }: { sha256: string }) => sha256).toSorted()).toEqual(
      sums.map(({ sha256 }) => sha256).toSorted(),
    );
    const [entry] = await entriesOf('CONTROL_ATTESTED');
    expect(entry).toMatchObject({ position: made.position, changes: { statement: { after: 'Restored in June.' } } });
    expect((entry!.changes['evidence']!.after as unknown[]).length).toBe(2);

    const signed = dataOf(await run(api, 'countersign', { id: made.id }, officer));
    expect(signed).toMatchObject({ id: made.id, state: 'COUNTERSIGNED', countersigned_by: officer.username });
    expect(dataOf(await run(api, 'read', { id: made.id }, owner))).toMatchObject({ ...signed, viewer_can: {} });
    const shown = {
      id: made.id,
      state: 'COUNTERSIGNED',
      attested_by: owner.username,
      countersigned_by: officer.username,
    };
    expect(await newest()).toMatchObject(shown);
    const controls = dataOf(await ofControls({ limit: 100, offset: 50 }));
    const attested = controls.filter(({ attestation }: { attestation: object | null }) => attestation !== null);
    expect(attested).toMatchObject([{ id: CONTROL, attestation: shown }]);
    expect(dataOf(await run(api, 'list', { limit: 10 }, owner))).toEqual([
      dataOf(await run(api, 'read', { id: made.id }, owner)),
    ]);
    expect(await titlesOf(database, officer)).toContain('A control was attested');
    expect(await titlesOf(database, owner)).toContain('An attestation was countersigned');
    expect(await entriesOf('ATTESTATION_COUNTERSIGNED')).toHaveLength(1);
  });

  test('a control is attested on evidence of an equivalent one, until its own review', async () => {
    const { id } = await upload('mapped', DIRECTIVE, '21.2.c');
    expect(await attest(api)).toMatchObject({ evidence: [{ document_version_id: id, workflow_id: DIRECTIVE }] });
    await database.rows(`update document_version set effective_at = '2020-01-01' where id = $1`, [id]);
    await database.rows('update control_state set review_interval_months = 1 where organization_id = $1', [
      organizationId,
    ]);
    expectConflict(await run(api, 'attest', { statement: 'In place.' }, owner), 'EVIDENCE_NOT_FRESH');
  });

  test('only the owner attests, for a control that is done on evidence that is fresh, in the version that was read', async () => {
    const statement = { statement: 'In place.' };
    expectConflict(await run(api, 'attest', statement, owner), 'EVIDENCE_NOT_FRESH');
    const { id } = await upload('own');
    await database.rows(`update document_version set valid_until = '2020-01-01' where id = $1`, [id]);
    expectConflict(await run(api, 'attest', statement, owner), 'EVIDENCE_NOT_FRESH');
    await database.rows('update document_version set valid_until = null where id = $1', [id]);
    for (const person of [officer, manager]) expectFailure(await run(api, 'attest', statement, person), 'FORBIDDEN');
    await setState('DONE', null);
    expectFailure(await run(api, 'attest', statement, owner), 'FORBIDDEN');
    await setState('IN_PROGRESS', owner.id);
    expectConflict(await run(api, 'attest', statement, owner), 'CONTROL_NOT_DONE');
    await setState('DONE', owner.id);
    const account = await buildServiceAccount(database, organizationId, manager, 'ORGANIZATION_MANAGER');
    await setState('DONE', account.id);
    expectFailure(await run(api, 'attest', statement, account), 'FORBIDDEN', FOR_PERSONS);
    await setState('DONE', owner.id);
    const [{ version }] = (await database.rows<{ version: number }>(
      'select version from control_state where organization_id = $1',
      [organizationId],
    )) as [{ version: number }];
    const stale = await run(api, 'attest', { ...statement, if_match: version + 1 }, owner);
    expect(stale.code === 'PRECONDITION_FAILED' || stale.reason === 'STALE_VERSION').toBe(true);
    expectFailure(await run(api, 'attest', { ...statement, control_id: 'A.99' }, owner), 'NOT_FOUND');
    expect(await entriesOf('CONTROL_ATTESTED')).toEqual([]);
    expect(dataOf(await run(api, 'attest', { ...statement, if_match: version }, owner)).state).toBe('ATTESTED');
  });

  test('a statement has a text of limited length', async () => {
    await upload('own');
    const { statementCharacters: most } = LIMITS.attestation;
    for (const statement of ['', ' \n ', 'x'.repeat(most + 1)])
      expect((await run(api, 'attest', { statement }, owner)).code).toBe('BAD_USER_INPUT');
    expect(await attest(api, 'x'.repeat(most))).toMatchObject({ statement: 'x'.repeat(most) });
  });

  test('one person never signs twice, nor its own statement, and an ended one is final', async () => {
    await upload('own');
    await database.rows(`update membership set role = 'SECURITY_OFFICER' where user_id = $1`, [owner.id]);
    const { id } = await attest(api);
    expectConflict(await run(api, 'countersign', { id }, owner), 'OWN_ATTESTATION');
    dataOf(await run(api, 'countersign', { id }, officer));
    for (const person of [officer, manager])
      expectConflict(await run(api, 'countersign', { id }, person), 'ATTESTATION_COUNTERSIGNED');
    const second = await attest(api, 'Again.');
    await upload('more');
    expect(await stateOf(id)).toMatchObject({ state: 'SUPERSEDED', changes: [] });
    for (const name of ['countersign', 'withdraw'] as const)
      expectConflict(await run(api, name, { id }, officer), 'ATTESTATION_ENDED');
    const withdrawn = dataOf(await run(api, 'withdraw', { id: second.id, reason: ' Wrong. ' }, owner));
    expect(withdrawn).toMatchObject({ state: 'WITHDRAWN', withdrawn_by: owner.username, withdrawal_reason: 'Wrong.' });
    expectConflict(await run(api, 'withdraw', { id: second.id }, officer), 'ATTESTATION_ENDED');
    expect(await entriesOf('ATTESTATION_WITHDRAWN')).toMatchObject([
      { changes: { attestation: { before: second.id } } },
    ]);
    const anew = await attest(api, 'Anew.');
    // A withdrawn one is not superseded.
    const attested = await entriesOf('CONTROL_ATTESTED');
    expect(attested.map(({ changes }) => changes['supersedes']?.after)).toEqual([undefined, id, undefined]);
    dataOf(await run(api, 'countersign', { id: anew.id }, officer));
    dataOf(await run(api, 'withdraw', { id: anew.id }, owner));
    expect(await titlesOf(database, officer)).toContain('An attestation was withdrawn');
  });

  test('others withdraw from rank 3 on, and of another control or organization nothing is found', async () => {
    await upload('own');
    const { id } = await attest(api);
    const analyst = await newMember(database, organizationId, 'SECURITY_ANALYST');
    for (const name of ['withdraw', 'countersign'] as const) {
      expectFailure(await run(api, name, { id }, analyst), 'FORBIDDEN');
      expectFailure(await run(api, name, { id, control_id: 'A.5.1' }, officer), 'NOT_FOUND');
      expectFailure(await run(api, name, { id: id + 1 }, officer), 'NOT_FOUND');
      const other = await buildOrganization(database, 'Other');
      await join(database, officer, other, 'SECURITY_OFFICER');
      await buildWorkflow(database, other, ISO);
      expectFailure(await run(api, name, { id, organization_id: other }, officer), 'NOT_FOUND');
    }
    expectFailure(await run(api, 'read', { id, control_id: 'A.5.1' }, officer), 'NOT_FOUND');
    expect(dataOf(await run(api, 'withdraw', { id }, officer)).state).toBe('WITHDRAWN');
    expect(await titlesOf(database, owner)).toContain('An attestation was withdrawn');
  });

  test('it is stale at once when evidence is added, deleted or mapped, and names what', async () => {
    const own = await upload('own');
    const { id } = await attest(api);
    const added = await upload('more');
    const document = { workflow_id: ISO, control_id: CONTROL, document_version_id: added.id };
    expect(await stateOf(id)).toMatchObject({
      state: 'STALE',
      stale_at: null,
      changes: [{ kind: 'DOCUMENT_ADDED', ...document }],
    });
    expect(await newest()).toMatchObject({ id, state: 'STALE' });
    expectConflict(await run(api, 'countersign', { id }, officer), 'ATTESTATION_STALE');
    // Nothing was recorded: it is about the same documents again.
    await deleteDocument(added.id);
    expect(await stateOf(id)).toMatchObject({ state: 'ATTESTED', changes: [] });
    await deleteDocument(own.id);
    expect((await stateOf(id)).changes).toMatchObject([{ kind: 'DOCUMENT_REMOVED', document_version_id: own.id }]);
    const third = await upload('third');
    const { id: second } = await attest(api);
    const mapped = await upload('mapped', DIRECTIVE, '21.2.c');
    expect((await stateOf(second)).changes).toMatchObject([
      { kind: 'DOCUMENT_ADDED', workflow_id: DIRECTIVE, control_id: '21.2.c', document_version_id: mapped.id },
    ]);
    await deleteDocument(mapped.id);
    await setState('IN_PROGRESS', owner.id);
    expect((await stateOf(second)).changes).toMatchObject([{ kind: 'STATUS_CHANGED', control_id: CONTROL }]);
    await setState('DONE', owner.id);
    for (let count = 0; count < LIMITS.document.versionsKept; count += 1) await upload(`trimming ${count}`);
    expect((await stateOf(second)).changes).toContainEqual(
      expect.objectContaining({ kind: 'DOCUMENT_REMOVED', document_version_id: third.id }),
    );
  });

  test('a mapping that is imported or deleted, and a workflow that is dissociated, make it stale', async () => {
    await upload('own');
    const { id } = await attest(api);
    const mappings = `/api/v1/v-ciso/organizations/${organizationId}/available-workflows`;
    const mapping = {
      ...{ mode: 'MAPPING', source: { text: 'Ours' }, licence: 'Ours' },
      id: 'ours',
      from: ISO,
      to: DIRECTIVE,
      pairs: [{ control: CONTROL, matches: ['20.1'] }],
    };
    const { status } = await gateway.rest.post(mappings, { token: manager.token, body: mapping });
    expect(status).toBe(201);
    const added = { kind: 'MAPPING_ADDED', workflow_id: DIRECTIVE, control_id: '20.1' };
    expect((await stateOf(id)).changes).toMatchObject([added]);
    const second = await attest(api);
    await gateway.rest.call('DELETE', `${mappings}/ours`, manager);
    expect((await stateOf(second.id)).changes).toMatchObject([{ ...added, kind: 'MAPPING_REMOVED' }]);
    const third = await attest(api);
    await database.rows('delete from organization_workflow where organization_id = $1 and workflow_id = $2', [
      organizationId,
      ISO,
    ]);
    expect((await stateOf(third.id)).changes).toMatchObject([{ kind: 'CONTROL_REMOVED', control_id: CONTROL }]);
    await services.attestationWatch.noticeStale();
    await gateway.settled();
    const newest = `select message from notification where user_id = $1 and title = 'An attestation is out of date' order by id desc limit 1`;
    expect(await database.rows(newest, [owner.id])).toEqual([
      {
        message:
          'A.8.13 “Copy data regularly and test that it can be restored” is no longer attested: its workflow no longer contains it.',
      },
    ]);
  });
});

test('evidence that is removed while it is attested is noticed', async () => {
  const { id: document } = await upload('own');
  const lock = ['select from audit_log where organization_id = $1 for update', [organizationId]] as const;
  const [, attested] = await inTurnBehind<unknown>(database, lock, [
    () => deleteDocument(document),
    () => attest('GraphQL'),
  ]);
  expect(attested).toMatchObject({ evidence: [{ document_version_id: document }] });
  // Nothing is recorded while the organization is deleted.
  await database.rows('update organization set deleted_at = now() where id = $1', [organizationId]);
  await services.attestationWatch.noticeStale();
  expect(await entriesOf('ATTESTATION_STALE')).toEqual([]);
  await database.rows('update organization set deleted_at = null where id = $1', [organizationId]);
  await services.attestationWatch.noticeStale();
  const [entry] = await entriesOf('ATTESTATION_STALE');
  expect(entry?.changes).toMatchObject({ changes: { after: [{ kind: 'DOCUMENT_REMOVED' }] } });
});

test.each(APIS)('evidence that is deleted before it is judged is not attested, through %s', async (api) => {
  const { id: document } = await upload('own');
  const attested = await database.transaction(async (tx) => {
    await tx.rows('lock table workflow_import in access exclusive mode');
    const begun = run(api, 'attest', { statement: 'In place.' }, owner);
    await someoneWaits(tx);
    await database.rows('delete from document_version where id = $1', [document]);
    return { begun };
  });
  expectConflict(await attested.begun, 'EVIDENCE_NOT_FRESH');
  expect(await entriesOf('CONTROL_ATTESTED')).toEqual([]);
});

test('what has become stale is recorded once, notifies each of whom it was, and stays so', async () => {
  await upload('own');
  const attested = await attest('GraphQL');
  dataOf(await run('GraphQL', 'countersign', { id: attested.id }, officer));
  await services.attestationWatch.noticeStale();
  expect(await services.attestationWatch.noticeStale()).toBe(0);
  const successor = await newMember(database, organizationId, 'SECURITY_ANALYST');
  await setState('DONE', successor.id);
  const added = await upload('more');
  await services.attestationWatch.noticeStale();
  await services.attestationWatch.noticeStale();
  await deleteDocument(added.id);
  const [entry, ...others] = await entriesOf('ATTESTATION_STALE');
  expect(others).toEqual([]);
  expect(entry!.changes).toMatchObject({
    attestation: { after: attested.id },
    changes: { after: [{ kind: 'DOCUMENT_ADDED', documentVersionId: added.id }] },
    attesterId: { after: owner.id },
    countersignerId: { after: officer.id },
    ownerId: { after: successor.id },
  });
  const read = dataOf(await run('REST', 'read', { id: attested.id }, owner));
  expect(read).toMatchObject({ state: 'STALE', changes: [{ kind: 'DOCUMENT_ADDED', document_version_id: added.id }] });
  expect(read.stale_at).not.toBeNull();
  for (const person of [owner, officer, successor])
    expect(
      (await titlesOf(database, person)).filter((title) => title === 'An attestation is out of date'),
    ).toHaveLength(1);
  const [{ message }] = (await database.rows(
    `select message from notification where user_id = $1 and title = 'An attestation is out of date'`,
    [owner.id],
  )) as [{ message: string }];
  expect(message).toBe(
    'A.8.13 “Copy data regularly and test that it can be restored” has to be attested again: a document of iso-27001-2022/A.8.13 was added.',
  );
});

test('an upload that is under way when a control is attested waits for nothing, and makes the attestation stale', async () => {
  await upload('own');
  const uploaded = Promise.withResolvers<void>();
  const committed = Promise.withResolvers<void>();
  const uploading = database.transaction(async (tx) => {
    await tx.rows(
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
       values ($1, $2, $3, 'd', 1, 'text/plain', 'attached', repeat('1', 64), 'y')`,
      [organizationId, ISO, CONTROL],
    );
    uploaded.resolve();
    await committed.promise;
  });
  await uploaded.promise;
  const { id } = await attest('GraphQL');
  committed.resolve();
  await uploading;
  expect(dataOf(await run('GraphQL', 'read', { id }, owner))).toMatchObject({
    ...{ state: 'STALE', changes: [{ kind: 'DOCUMENT_ADDED' }] },
  });
});

test.each([
  ['is removed', 'delete from membership where user_id = $1', 'NOT_FOUND'],
  ['is deactivated', 'update membership set deactivated_at = now() where user_id = $1', 'NOT_FOUND'],
] as const)('a member who %s while attesting states nothing', async (_what, change, code) => {
  await upload('own');
  const { attesting, end } = await during(change, owner, () => run('GraphQL', 'attest', { statement: 'x' }, owner));
  await end();
  expectFailure(await attesting, code);
  expect(await entriesOf('CONTROL_ATTESTED')).toEqual([]);
});

test('an officer whose role ends while countersigning confirms nothing', async () => {
  await upload('own');
  const { id } = await attest('GraphQL');
  const lower = `update membership set role = 'SECURITY_ANALYST' where user_id = $1`;
  const { attesting, end } = await during(lower, officer, () => run('GraphQL', 'countersign', { id }, officer));
  await end();
  expectFailure(await attesting, 'FORBIDDEN');
  expect(await entriesOf('ATTESTATION_COUNTERSIGNED')).toEqual([]);
});

/** Runs an operation while a change of its caller's membership is uncommitted, until it waits for that. */
async function during<Value>(change: string, { id }: Person, operation: () => Promise<Value>) {
  const changed = Promise.withResolvers<Queryable>();
  const committed = Promise.withResolvers<void>();
  const changing = database.transaction(async (tx) => {
    await tx.rows(change, [id]);
    changed.resolve(tx);
    await committed.promise;
  });
  const tx = await changed.promise;
  const attesting = operation();
  await someoneWaits(tx);
  const end = async () => {
    committed.resolve();
    await changing;
  };
  return { attesting, end };
}

test('they are in the evidence pack, in OSCAL assessment results and in the figures of the overview', async () => {
  await upload('own');
  const { id, position } = await attest('GraphQL');
  dataOf(await run('GraphQL', 'countersign', { id }, officer));
  const path = `/api/v1/v-ciso/organizations/${organizationId}/workflows/${ISO}`;
  const get = async (file: string) => (await rawRequest(gateway.url, 'GET', `${path}/${file}`, ofOwner())).bytes;
  const pack = unzipped(await get('evidence-pack'));
  const table = pack.get('attestations.csv')!.content.toString();
  const signed = `${id},${CONTROL},COUNTERSIGNED,Restored in June.,${owner.username},`;
  expect(table).toContain(signed);
  expect(table).toMatch(new RegExp(`,${position},\\d+ [0-9a-f]{64}\r\n$`));
  expect(pack.get('controls.csv')!.content.toString()).toMatch(new RegExp(`\n${CONTROL},.*,1,0,COUNTERSIGNED\r\n`));

  const exported = async () => JSON.parse((await get('oscal/assessment-results')).toString());
  const results = await exported();
  expect(oscalErrors('assessment-results', results)).toEqual([]);
  const {
    metadata,
    results: [result],
  } = results['assessment-results'];
  const observation = result.observations.find(({ title }: { title: string }) => title === 'Attestation');
  expect(observation).toMatchObject({ description: 'Restored in June.', methods: ['INTERVIEW'] });
  const nameOf = (uuid: string) => metadata.parties.find((party: { uuid: string }) => party.uuid === uuid).name;
  const actors = observation.origins[0].actors as { 'actor-uuid': string; 'role-id': string }[];
  expect(actors.map((actor) => [nameOf(actor['actor-uuid']), actor['role-id']])).toEqual([
    [owner.username, 'attester'],
    [officer.username, 'countersigner'],
  ]);
  const finding = result.findings.find(({ title }: { title: string }) => title.startsWith(`${CONTROL} `));
  expect(finding['related-observations']).toContainEqual({ 'observation-uuid': observation.uuid });

  const figures = async () => {
    const { body } = await gateway.rest.get('/api/v1/v-ciso/overview', { token: owner.token });
    return body.data[0].attestations;
  };
  expect(await figures()).toEqual({ attested: 1, countersigned: 1, stale: 0 });
  await upload('more');
  expect(await figures()).toEqual({ attested: 0, countersigned: 0, stale: 1 });
  const stale = await exported();
  expect(oscalErrors('assessment-results', stale)).toEqual([]);
  expect(JSON.stringify(stale)).toContain('"value":"STALE"');
  // A dissociated workflow is not counted.
  await database.rows('delete from organization_workflow where organization_id = $1', [organizationId]);
  expect(await figures()).toEqual({ attested: 0, countersigned: 0, stale: 0 });
  await buildWorkflow(database, organizationId, ISO);
  dataOf(await run('GraphQL', 'withdraw', { id }, owner));
  expect(await figures()).toEqual({ attested: 0, countersigned: 0, stale: 0 });
  expect(JSON.stringify(await exported())).not.toContain('"title":"Attestation"');
});

const ofOwner = () => ({ headers: { 'x-service-token': owner.token } });

test('of two who countersign at once, one does', async () => {
  await upload('own');
  const { id } = await attest('GraphQL');
  const results = await Promise.all([officer, manager].map((person) => run('GraphQL', 'countersign', { id }, person)));
  expect(results.map(({ code }) => code).toSorted()).toEqual(['CONFLICT', 'OK']);
  expect(await entriesOf('ATTESTATION_COUNTERSIGNED')).toHaveLength(1);
});

test('an overview counts the newest attestation of a control alone', async () => {
  await upload('own');
  for (let time = 0; time < 2; time += 1) await attest('GraphQL');
  const { body } = await gateway.rest.get('/api/v1/v-ciso/overview', { token: owner.token });
  expect(body.data[0].attestations).toEqual({ attested: 1, countersigned: 0, stale: 0 });
});

test('an overview counts no attestation of a control that a later edition of an imported workflow lacks', async () => {
  const own = `/api/v1/v-ciso/organizations/${organizationId}`;
  const send = async (path: string, body: object) =>
    (await gateway.rest.post(own + path, { token: manager.token, body })).body.data;
  const edition = (...ids: string[]) => ({
    ...{ id: 'house-rules', name: 'House rules', version: '1', source: { text: 'Our handbook' }, licence: 'Ours' },
    controls: ids.map((id) => ({ id, label: `Do ${id}`, kind: 'control' })),
  });
  await send('/available-workflows', edition('H1', 'H2'));
  await send('/workflows', { id: 'house-rules' });
  key = { organization_id: organizationId, workflow_id: 'house-rules', control_id: 'H2' };
  await upload('own', 'house-rules', 'H2');
  const body = { status: 'DONE', owner_id: owner.id };
  await gateway.rest.patch(`${own}/workflows/house-rules/controls/H2`, { token: manager.token, body });
  await attest('GraphQL');
  const counted = async () =>
    (await gateway.rest.get('/api/v1/v-ciso/overview', { token: owner.token })).body.data[0].attestations;
  expect(await counted()).toEqual({ attested: 1, countersigned: 0, stale: 0 });
  const { digest } = await send('/workflow-import-previews', edition('H1'));
  await send('/available-workflows', { ...edition('H1'), preview_digest: digest });
  expect(await counted()).toEqual({ attested: 0, countersigned: 0, stale: 0 });
});

test('of two attestations at once, the later one stands, and what was attested is never changed', async () => {
  await upload('own');
  const made = await Promise.all(['One.', 'Two.'].map((statement) => attest('GraphQL', statement)));
  const states = await Promise.all(made.map(async ({ id }) => dataOf(await run('REST', 'read', { id }, owner)).state));
  expect(states.toSorted()).toEqual(['ATTESTED', 'SUPERSEDED']);
  for (const change of [`statement = 'Other'`, `evidence = '{}'`, 'attested_at = now()'])
    await expect(
      database.rows(`update control_attestation set ${change} where id = $1`, [made[0]!.id]),
    ).rejects.toThrow('What was attested is never changed');
});
