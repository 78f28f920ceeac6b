import { afterAll, expect, test } from '@jest/globals';
import { getNamedType, isLeafType, isNonNullType, type GraphQLField, type GraphQLObjectType } from 'graphql';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GraphQLClient, RestClient } from '../support/clients.js';
import { expectStatus } from '../support/matchers.js';
import { RandomChanges, seededRandom } from '../support/random-changes.js';
import { samples } from '../support/sample-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { seedOrganization, UPLOAD_RULES } from '../support/seeded-organization.js';
import { Findings, followed, isChosen, placesOf, seed } from './support/interrupted-runs.js';
import { selectionOf } from './support/pair-runs.js';
import { followSteps } from './support/stepped-requests.js';

const { gateway, testData } = await startSeededGateway();
afterAll(followSteps());
const findings = new Findings();
const { database } = gateway.app;
/** Reads at once, whatever follows from changes. */
const rest = new RestClient(gateway.url);
const graphql = new GraphQLClient(gateway.url);

type Values = Readonly<Record<string, number | string>>;

interface Source {
  token: string;
  /** By the name of a parameter, or with the part of the path before it where several have that name. */
  values: Values;
  /** Instead, on paths that match. */
  others: readonly (readonly [RegExp, Values])[];
}

/** With one of everything; only what is uploaded through the API has bytes. */
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
    ...{ token: owner.token, values },
    others: [
      [/scim\/tokens/, { 'tokens id': seeded.scimTokenId }],
      [/service-accounts/, { 'tokens id': seeded.accountTokenId }],
      [/v1\/tokens/, { 'tokens id': seeded.tokenId }],
      [/profile\/webhook/, own],
      [/organizations\/{organizationid}\/available-workflows/, { workflowid: UPLOAD_RULES.id }],
    ],
  };
}

/** Of the API's own making, so that it is answered as of an instant. */
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
  return { token: owner.token, values, others: [] };
}

/** Undefined where an object of the path is not there. */
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

interface Read {
  path: string;
  token: string;
}

const OPENAPI = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
const PATHS = Object.entries(OPENAPI.paths as Record<string, { get?: { parameters?: { name?: string }[] } }>);

/** Every path, as a table as well, and as of an instant. */
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
    const add = (query: string) => found.push({ path: address + query, token: seeded.token });
    if (!path.endsWith('/proof')) add(path.endsWith('/search') ? '?q=incident' : '');
    if (has('format')) for (const format of ['csv', 'xlsx']) add(`?format=${format}`);
    if (has('as_of') && other !== undefined && !/regimes|cloud-defender$|atb$/.test(path))
      found.push({ path: `${other}?as_of=${instant}`, token: recorded.token });
    if (path.endsWith('/evidence-pack')) found.push({ path: other!, token: recorded.token });
  }
  const link = async (path: string): Promise<Read> => {
    const { body } = await rest.get(filled(path, seeded)!, { token: seeded.token });
    const { download_url: url } = [body.data].flat()[0] as { download_url: string };
    return { path: url.slice(gateway.url.length), token: seeded.token };
  };
  found.push(await link('/api/v1/v-ciso/organizations/{organizationid}/documents/{id}'));
  found.push(await link('/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments'));
  return found;
}

/** Without what differs from time to time, signatures among it. */
const shown = (text: string) =>
  text.replaceAll(/"download_url":"[^"]*"|\d{4}-\d\d-\d\dT[\d:.]+Z|"last_used_at":null/g, '');
/** It has itself in it, as it is recorded, or times that cannot be taken out of a file. */
const DIFFERS = /audit-trail|export|xlsx|evidence-pack|draft|oscal|profile$/;

/** Where they have begun to come, they break off. */
const STREAMED = /audit-trail\.|export|format=|evidence-pack|proof|downloads/;

const READS = await reads();

test('a read that is interrupted leaves nothing behind, and is answered as a whole or with an error', async () => {
  let [places, interrupted] = [0, 0];
  for (const { path, token } of READS.filter((read) => isChosen(read.path))) {
    const call = (headers: Record<string, string>) => rest.call('GET', path, { token, headers });
    await call({});
    const whole = await followed(gateway, undefined, call);
    const { status, text } = whole.answer!;
    // Some of what was made at random is deleted.
    if (status === 404 && path.includes('as_of=')) continue;
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    for (const place of placesOf(whole.statements)) {
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
  // Something that is remembered may spare a statement.
  expect(interrupted).toBeGreaterThan(places * 0.9);
}, 7_200_000);

/** A field of an organization with what it has below it. */
function selected({ name, args, type }: GraphQLField<unknown, unknown>): string | undefined {
  if (args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)) return undefined;
  const below = getNamedType(type);
  if (isLeafType(below)) return name;
  if (!below.name.endsWith('Connection')) return `${name} { ${selectionOf(below, 1)} }`;
  const { nodes } = (below as GraphQLObjectType).getFields();
  return `${name}(first: 3) { totalCount nodes { ${selectionOf(nodes!.type, 1)} } }`;
}

test('fields of which one is interrupted are answered as a whole or UNAVAILABLE, without a key and with one', async () => {
  const { organizationId, owner } = testData;
  const fields = Object.values((gateway.app.executor.schema.getType('Organization') as GraphQLObjectType).getFields());
  const below = fields.flatMap((field) => selected(field) ?? []).filter(isChosen);
  const selection = `{ databaseId ${below.join(' ')} }`;
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
    for (const place of placesOf(whole.statements)) {
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
