import { afterAll, expect, test } from '@jest/globals';
import { getNamedType, isLeafType, isNonNullType, type GraphQLField, type GraphQLObjectType } from 'graphql';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestToken } from '../../src/auth/token.js';
import { GraphQLClient, RestClient } from '../support/clients.js';
import { expectStatus } from '../support/matchers.js';
import { RandomChanges, seededRandom } from '../support/random-changes.js';
import { samples } from '../support/sample-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { seedOrganization, UPLOAD_RULES } from '../support/seeded-organization.js';
import type { Person } from '../support/test-data.js';
import { ANNOUNCED, Findings, followed, isChosen, placesOf, sample, seed } from './support/interrupted-runs.js';
import { selectionOf } from './support/pair-runs.js';
import { followSteps, INTERRUPTIONS } from './support/stepped-requests.js';

const { gateway, testData } = await startSeededGateway();
afterAll(followSteps());
const findings = new Findings();
const { database } = gateway.app;
/** Reads at once, without waiting for the consequences of changes. */
const rest = new RestClient(gateway.url);
const graphql = new GraphQLClient(gateway.url);

type Values = Readonly<Record<string, number | string>>;

interface Source {
  organizationId: number;
  owner: Person;
  /** By the name of a parameter, or with the part of the path before it where several have that name. */
  values: Values;
  /** For matching paths, instead of the above. */
  others: readonly (readonly [RegExp, Values])[];
}

/** With one object of each kind; only uploads through the API have bytes. */
async function seededSource(): Promise<Source> {
  const { organizationId, owner } = testData;
  const seeded = await seedOrganization(database, organizationId, owner);
  await database.rows('delete from document_version where id = $1', [seeded.documentVersionId]);
  await database.rows('delete from incident_attachment where id = $1', [seeded.attachmentId]);
  const upload = async (path: string): Promise<number> => {
    const form = new FormData();
    const { contentType: type, bytes, filename } = samples.PDF;
    form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), filename);
    const answer = await rest.call('POST', path, { token: owner.token, body: form });
    expectStatus(answer, 201);
    return (answer.body.data.document_version ?? answer.body.data).id as number;
  };
  const vCiso = '/api/v1/v-ciso';
  const versions = `${vCiso}/organizations/${organizationId}/workflows/nis2-directive/documents/21.2.a/versions`;
  const documentId = await upload(versions);
  const attachmentId = await upload(`${vCiso}/incidents/${organizationId}/${seeded.incidentId}/attachments`);
  const values = {
    ...{ 'organizations id': organizationId, organizationid: organizationId, userid: seeded.memberId },
    ...{ workflowid: 'nis2-directive', controlid: '21.2.a', artifactid: '21.2.a', incidentid: seeded.incidentId },
    ...{ regimeid: 'nis2', stage: 'EARLY_WARNING', engagementid: seeded.engagementId },
    ...{ serviceaccountid: seeded.serviceAccountId, webhookendpointid: seeded.webhookEndpointId },
    ...{ webhookdeliveryid: seeded.webhookDeliveryId, 'invitations id': seeded.invitationId },
    ...{ 'identity-providers id': seeded.identityProviderId, 'requests id': seeded.evidenceRequestId },
    ...{ 'attestations id': seeded.attestationId, 'documents id': documentId, 'import-jobs id': seeded.importJobId },
    ...{ 'attachments id': attachmentId, 'cloud-defender id': seeded.cloudDefenderId },
    ...{ 'atb id': seeded.threatBlockerId, 'notifications id': seeded.notificationId },
  };
  const own = { webhookendpointid: seeded.ownWebhookEndpointId, webhookdeliveryid: seeded.ownWebhookDeliveryId };
  return {
    ...{ organizationId, owner, values },
    others: [
      [/scim\/tokens/, { 'tokens id': seeded.scimTokenId }],
      [/service-accounts/, { 'tokens id': seeded.accountTokenId }],
      [/v1\/tokens/, { 'tokens id': seeded.tokenId }],
      [/profile\/webhook/, own],
      [/organizations\/{organizationid}\/available-workflows/, { workflowid: UPLOAD_RULES.id }],
    ],
  };
}

/** An organization created through the API, so that it can be read as of an instant. */
async function recordedSource(): Promise<Source> {
  const changes = await RandomChanges.begin(gateway, seededRandom(1));
  await changes.run(40);
  const { id, owner, incidents, documents, devices, engagements } = changes.organization;
  const values = {
    ...{ 'organizations id': id, organizationid: id, userid: owner.id, workflowid: 'nis2-directive' },
    ...{ controlid: '21.2.a', artifactid: '21.2.a', incidentid: incidents[0]!, 'documents id': documents[0]! },
    ...{ engagementid: engagements[0]!.id },
    ...Object.fromEntries(devices.map((device) => [`${device.kind} id`, device.id])),
  };
  return { organizationId: id, owner, values, others: [] };
}

/** Undefined if an object of the path does not exist. */
function filled(path: string, { values, others }: Source): string | undefined {
  const known = { ...values, ...others.find(([part]) => part.test(path))?.[1] };
  let isWhole = true;
  const address = path.replaceAll(/(?<=([^/]+)\/)\{(\w+)\}/g, (_all, before: string, name: string) => {
    const value = known[`${before} ${name}`] ?? known[name];
    isWhole &&= value !== undefined;
    return String(value);
  });
  return isWhole ? address : undefined;
}

interface Read extends Pick<Source, 'organizationId' | 'owner'> {
  path: string;
}

const OPENAPI = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
const PATHS = Object.entries(OPENAPI.paths as Record<string, { get?: { parameters?: { name?: string }[] } }>);

/** Every path, also as a table, and as of an instant. */
async function reads(): Promise<Read[]> {
  const seeded = await seededSource();
  const recorded = await recordedSource();
  const instant = new Date().toISOString();
  const found: Read[] = [];
  for (const [path, { get }] of PATHS) {
    if (get === undefined || /downloads|rehearsal-report|openapi.json/.test(path)) continue;
    const has = (name: string) => get.parameters?.some((parameter) => parameter.name === name);
    const [address, other] = [filled(path, seeded), filled(path, recorded)];
    if (address === undefined) throw new Error(`${path}: no value of a parameter`);
    const add = (query: string) => found.push({ ...seeded, path: address + query });
    if (!path.endsWith('/proof')) add(path.endsWith('/search') ? '?q=incident' : '');
    if (has('format')) for (const format of ['csv', 'xlsx']) add(`?format=${format}`);
    if (has('as_of') && other !== undefined && !/regimes|cloud-defender$|atb$/.test(path))
      found.push({ ...recorded, path: `${other}?as_of=${instant}` });
    if (path.endsWith('/evidence-pack')) found.push({ ...recorded, path: other! });
  }
  const link = async (path: string): Promise<Read> => {
    const { body } = await rest.get(filled(path, seeded)!, { token: seeded.owner.token });
    const { download_url: url } = [body.data].flat()[0] as { download_url: string };
    return { ...seeded, path: url.slice(gateway.url.length) };
  };
  found.push(await link('/api/v1/v-ciso/organizations/{organizationid}/documents/{id}'));
  found.push(await link('/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments'));
  return found;
}

/** Without values that differ between responses, such as times and signatures. */
const shown = (text: string) =>
  text.replaceAll(/"download_url":"[^"]*"|\d{4}-\d\d-\d\dT[\d:.]+Z|"last_used_at":null/g, '');
/** Lists that include the recorded read itself, or files with times that cannot be removed. */
const DIFFERS = /audit-trail|export|xlsx|evidence-pack|draft|oscal|profile$/;

/** Transfers that have begun are aborted. */
const STREAMED = /audit-trail\.|export|format=|evidence-pack|proof|downloads/;

const READS = await reads();

test('a read that is interrupted leaves nothing behind, and is answered as a whole or with an error', async () => {
  let [places, interrupted] = [0, 0];
  for (const { path, owner } of READS.filter((read) => isChosen(read.path))) {
    const call = (headers: Record<string, string>) => rest.call('GET', path, { token: owner.token, headers });
    await call({});
    const whole = await followed(gateway, undefined, call);
    const { status, text } = whole.answer!;
    // Some of the random objects are deleted.
    if (status === 404 && path.includes('as_of=')) continue;
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    for (const place of placesOf(whole.statements, INTERRUPTIONS)) {
      const { before, interruption } = place;
      const { answer, broken, left, statements } = await followed(gateway, place, call);
      places += 1;
      if (statements.length > before) interrupted += 1;
      const isWhole = answer?.status === 200 && (DIFFERS.test(path) || shown(answer.text) === shown(text));
      const isError = answer?.status === 503;
      const isGone =
        answer === undefined && (interruption === 'client gone' || (broken === 'aborted' && STREAMED.test(path)));
      if (left.length > 0 || !(isWhole || isError || isGone))
        findings.note({
          path,
          place,
          statement: whole.statements[before],
          left,
          broken,
          status: answer?.status,
          text: answer?.text,
        });
    }
  }
  expect({ seed, found: findings.all }).toEqual({ seed, found: [] });
  // Cached data may save a statement.
  expect(interrupted).toBeGreaterThan(places * 0.9);
}, 7_200_000);

/** A right of an owner that is revoked, and granted again. */
interface Loss {
  end: string;
  back: string;
  values: (read: Read) => unknown[];
}

const MEMBERSHIP = 'where organization_id = $1 and user_id = $2';
const ofMember = ({ organizationId, owner }: Read) => [organizationId, owner.id];
const LOSSES: Readonly<Record<string, Loss>> = {
  'member deactivated': {
    end: `update membership set deactivated_at = now() ${MEMBERSHIP}`,
    back: `update membership set deactivated_at = null ${MEMBERSHIP}`,
    values: ofMember,
  },
  'role lowered': {
    end: `update membership set role = 'VIEWER' ${MEMBERSHIP}`,
    back: `update membership set role = 'ORGANIZATION_OWNER' ${MEMBERSHIP}`,
    values: ofMember,
  },
  'token revoked': {
    end: 'update api_token set revoked_at = now() where digest = $1',
    back: 'update api_token set revoked_at = null where digest = $1',
    values: ({ owner }) => [digestToken(owner.token)],
  },
  'organization deleted': {
    end: 'update organization set deleted_at = now() where id = $1',
    back: 'update organization set deleted_at = null where id = $1',
    values: ({ organizationId }) => [organizationId],
  },
};

async function change(read: Read, loss: string, to: 'end' | 'back'): Promise<void> {
  const { values, ...texts } = LOSSES[loss]!;
  await database.rows(texts[to], values(read));
  await sleep(ANNOUNCED);
}

/** Without the entry of the loss itself, and concurrent changes. */
const judged = (text: string) =>
  shown(text).replaceAll(/"viewer_can":\{[^}]*\}|"version":\d+|expires=\d+&signature=[\w-]+|\d\d:\d\d:\d\d/g, '');
/** Lists of members, and rows that are looked up with their organization. */
const TELLS_LOSS = /users|token|engagements|workflows$/;
const REFUSED = [401, 403, 404];

test('a read whose caller loses a right meanwhile is answered as before it or as after it, is refused, or breaks off', async () => {
  for (const read of READS.filter(({ path }) => isChosen(path))) {
    const { path, owner } = read;
    const call = (headers: Record<string, string>) => rest.call('GET', path, { token: owner.token, headers });
    await call({});
    const { answer: whole, statements } = await followed(gateway, undefined, call);
    if (whole!.status === 404 && path.includes('as_of=')) continue;
    for (const loss of sample(Object.keys(LOSSES), 1)) {
      await change(read, loss, 'end');
      const lost = await call({});
      await change(read, loss, 'back');
      for (const { before } of placesOf(statements, [loss])) {
        const place = { before, interruption: () => change(read, loss, 'end') };
        const { answer, broken, left } = await followed(gateway, place, call);
        await change(read, loss, 'back');
        const isAnswered =
          answer?.status === 200 &&
          (DIFFERS.test(path) ||
            TELLS_LOSS.test(path) ||
            [whole!, lost].some(({ text }) => judged(text) === judged(answer.text)));
        const isRefused = answer !== undefined && REFUSED.includes(answer.status);
        const isGone = answer === undefined && broken === 'aborted' && STREAMED.test(path);
        if (left.length > 0 || !(isAnswered || isRefused || isGone))
          findings.note({
            ...{ path, loss, before, statement: statements[before], left, broken, status: answer?.status },
            ...{ text: answer?.text, whole: whole!.text, lost: lost.text },
          });
      }
    }
  }
  expect({ seed, found: findings.all }).toEqual({ seed, found: [] });
}, 7_200_000);

/** A field of an organization with its subfields. */
function selected({ name, args, type }: GraphQLField<unknown, unknown>): string | undefined {
  if (args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)) return undefined;
  const below = getNamedType(type);
  if (isLeafType(below)) return name;
  if (!below.name.endsWith('Connection')) return `${name} { ${selectionOf(below, 1)} }`;
  const { nodes } = (below as GraphQLObjectType).getFields();
  return `${name}(first: 3) { totalCount nodes { ${selectionOf(nodes!.type, 1)} } }`;
}

function belowOrganization(): string[] {
  const fields = Object.values((gateway.app.executor.schema.getType('Organization') as GraphQLObjectType).getFields());
  return fields.flatMap((field) => selected(field) ?? []).filter(isChosen);
}

const LOST = new Set(['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN']);

test('fields of which one is interrupted are answered as a whole or UNAVAILABLE, without a key and with one', async () => {
  const { organizationId, owner } = testData;
  const selection = `{ databaseId ${belowOrganization().join(' ')} }`;
  const documents = [
    `{ organization(id: ${organizationId}) ${selection} }`,
    `mutation { updateOrganization(input: { organizationId: ${organizationId}, description: "Same" }) { organization ${selection} } }`,
  ];
  const { token } = owner;
  for (const [keys, document] of [
    [false, documents[0]!],
    [true, documents[1]!],
  ] as const) {
    const call = (sent: Record<string, string>) => {
      const headers = { ...sent, ...(keys && { 'idempotency-key': randomUUID() }) };
      return graphql.call(document, { token, headers });
    };
    await call({});
    const whole = await followed(gateway, undefined, call);
    expect(whole.answer?.body.errors).toBeUndefined();
    for (const place of placesOf(whole.statements, INTERRUPTIONS)) {
      const { before, interruption } = place;
      const { answer, broken, left } = await followed(gateway, place, call);
      const codes = answer?.body.errors?.map(({ extensions }) => extensions.code) ?? [];
      const isGone = answer === undefined && interruption === 'client gone';
      if (left.length > 0 || codes.some((code) => code !== 'UNAVAILABLE') || (answer === undefined && !isGone))
        findings.note({ keys, place, statement: whole.statements[before], left, broken, codes, text: answer?.text });
    }
  }
  expect({ seed, found: findings.all }).toEqual({ seed, found: [] });
}, 7_200_000);

test('fields whose caller loses a right meanwhile are answered or refused', async () => {
  const { organizationId, owner } = testData;
  const document = `{ organization(id: ${organizationId}) { databaseId ${belowOrganization().join(' ')} } }`;
  const call = (headers: Record<string, string>) => graphql.call(document, { token: owner.token, headers });
  await call({});
  const { statements } = await followed(gateway, undefined, call);
  for (const { before, interruption: loss } of placesOf(statements, Object.keys(LOSSES))) {
    const read = { organizationId, owner, path: document };
    const { answer, left } = await followed(gateway, { before, interruption: () => change(read, loss, 'end') }, call);
    await change(read, loss, 'back');
    const codes = answer?.body.errors?.map(({ extensions }) => extensions.code) ?? [];
    if (left.length > 0 || answer === undefined || codes.some((code) => !LOST.has(code)))
      findings.note({ loss, before, statement: statements[before], left, codes, text: answer?.text });
  }
  expect({ seed, found: findings.all }).toEqual({ seed, found: [] });
}, 7_200_000);
