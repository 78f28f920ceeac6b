import { randomUUID } from 'node:crypto';
import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';
import { seedOrganization, UPLOAD_RULES } from '../../support/seeded-organization.js';
import { samples } from '../../support/sample-files.js';
import { buildOrganization, buildPerson, buildToken, join } from '../../support/test-data.js';
import { SCHEMA } from '../fuzz/graphql-requests.js';
import { OPERATIONS, type DescribedRequest } from '../fuzz/rest-requests.js';
import { multipart, send, sendGraphQL, type Received, type Sent } from '../support/http.js';
import type { Testbed } from '../support/testbed.js';

type Ids = Readonly<Record<string, string | number>>;

const NEVER = 2_147_483_647;

/** Every operation and root field that takes an id, called by the owner of another organization. */
export async function tenancy({ start, installation, report }: Testbed): Promise<void> {
  const { database } = installation;
  const owner = await buildPerson(database, 'owner');
  const organization = await buildOrganization(database, 'Of somebody else');
  await join(database, owner, organization, 'ORGANIZATION_OWNER');
  const theirs = idsOf(organization, await seedOrganization(database, organization, owner));
  const absent = absentLike(theirs);
  const nonMember = await buildPerson(database, 'stranger');
  const home = await buildOrganization(database, 'Of the attacker');
  await join(database, nonMember, home, 'ORGANIZATION_OWNER');
  const token = await buildToken(database, nonMember, { scopes: ['read', 'write', 'telemetry'] });
  const own = { organizationid: home, 'organizations/{id}': home };
  const gateway = await start();
  const rest = async (operation: DescribedRequest, ids: Ids) =>
    send(gateway, { ...restRequest(operation, ids), token });
  const wrongRest: string[] = [];
  const withIds = OPERATIONS.filter((operation) => takesIds(operation));
  for (const operation of withIds) {
    for (const [theirIds, absentIds] of [
      [theirs, absent],
      [
        { ...theirs, ...own },
        { ...absent, ...own },
      ],
    ] as [Ids, Ids][]) {
      if (theirIds !== theirs && !/\{organizationid\}.*\{/.test(operation.template)) continue;
      const [seen, never] = [await rest(operation, theirIds), await rest(operation, absentIds)];
      if (!isSame(seen, never) || !isAbsent(seen))
        wrongRest.push(`${operation.operationId}: ${brief(seen)} and ${brief(never)}`);
    }
  }
  report.record(
    'operations of openapi.json with ids of another organization',
    withIds.length,
    wrongRest.length === 0,
    wrongRest.join('; '),
  );

  const fields = (['query', 'mutation'] as const).flatMap((kind) => {
    const root = kind === 'query' ? SCHEMA.getQueryType() : SCHEMA.getMutationType();
    return Object.values(root?.getFields() ?? {}).map((field) => ({ kind, field }));
  });
  const wrongFields: string[] = [];
  let tried = 0;
  for (const { kind, field } of fields) {
    const request = async (ids: Ids) => {
      const variables = Object.fromEntries(
        field.args.map(({ name, type }) => [name, fitting(type, name, field.name, ids)]),
      );
      const query = documentOf(kind, field);
      const operations = JSON.stringify({ query, variables });
      const upload = { method: 'POST', path: '/graphql', token, ...withFile(operations) };
      const isUpload = operations.includes('"file":null');
      const answer = isUpload ? await send(gateway, upload) : await sendGraphQL(gateway, { query, variables, token });
      return { variables, answer };
    };
    const [seen, never] = [await request(theirs), await request(absent)];
    if (JSON.stringify(seen.variables) === JSON.stringify(never.variables)) continue;
    tried += 1;
    if (!isSame(seen.answer, never.answer) || !isAbsent(seen.answer))
      wrongFields.push(`${field.name}: ${brief(seen.answer)} and ${brief(never.answer)}`);
  }
  report.record(
    'root fields of schema.graphql with ids of another organization',
    tried,
    wrongFields.length === 0,
    wrongFields.join('; '),
  );
}

function idsOf(organizationId: number, has: Awaited<ReturnType<typeof seedOrganization>>): Ids {
  return {
    organizationid: organizationId,
    'organizations/{id}': organizationId,
    'invitations/{id}': has.invitationId,
    'tokens/{id}': has.tokenId,
    'documents/{id}': has.documentVersionId,
    'attachments/{id}': has.attachmentId,
    'cloud-defender/{id}': has.cloudDefenderId,
    'atb/{id}': has.threatBlockerId,
    'notifications/{id}': has.notificationId,
    'available-workflows/{workflowid}': UPLOAD_RULES.id,
    workflowid: 'nis2-directive',
    userid: has.memberId,
    incidentid: has.incidentId,
    node: `Incident:${has.incidentId}`,
    atbkey: has.atbKey,
    kind: 'documents',
    regimeid: 'nis2',
    stage: 'EARLY_WARNING',
    artifactid: '21.2.a',
    controlid: '21.2.a',
  };
}

/** Ids of the same form that never existed; parameters that do not identify a record are unchanged. */
function absentLike(ids: Ids): Ids {
  const unchanged = ['kind', 'stage', 'workflowid', 'artifactid', 'controlid'];
  const other = (value: string | number) =>
    typeof value === 'number' ? NEVER : /^[0-9a-f-]{36}$/.test(value) ? randomUUID() : 'never-was';
  return Object.fromEntries(
    Object.entries(ids).map(([key, value]) => [key, unchanged.includes(key) ? value : other(value)]),
  );
}

const BODY_IDS: Readonly<Record<string, string>> = {
  organization_id: 'organizationid',
  user_id: 'userid',
  atb_key: 'atbkey',
  ids: 'notifications/{id}',
};

function takesIds({ template, requestBody, parameters = [] }: DescribedRequest): boolean {
  const example = requestBody?.content['application/json']?.example;
  const inBody = Object.keys(BODY_IDS).some((key) => Object.hasOwn(Object(example) as object, key));
  return template.includes('{') || inBody || parameters.some(({ name }) => name === 'organization_id');
}

function restRequest(
  { template, method, operationId, requestBody, parameters = [] }: DescribedRequest,
  ids: Ids,
): Sent {
  const path = template.replaceAll(/(?<=([\w-]+)\/)\{(\w+)\}/g, (braces, segment: string, name: string) =>
    encodeURIComponent(ids[`${segment}/${braces}`] ?? ids[name] ?? NEVER),
  );
  const query = parameters.filter(({ name }) => name === 'organization_id' || name === 'q');
  const search = query.map(({ name }) => (name === 'q' ? 'q=phishing' : `organization_id=${ids['organizationid']}`));
  const target = search.length === 0 ? path : `${path}?${search.join('&')}`;
  if (requestBody === undefined) return { method, path: target };
  const special = BODIES[operationId];
  if (special !== undefined) return { method, path: target, ...special() };
  const body = { ...(requestBody.content['application/json']?.example as object) } as Record<string, unknown>;
  for (const [key, id] of Object.entries(BODY_IDS)) if (key in body) body[key] = key === 'ids' ? [ids[id]] : ids[id];
  return { method, path: target, body };
}

const file = (name: string, { filename, contentType, bytes }: (typeof samples)['PNG']) =>
  multipart({ [name]: { name: filename, type: contentType, bytes } });

/** The logo as `input.file`, by the GraphQL multipart request specification. */
function withFile(operations: string): Pick<Sent, 'headers' | 'body'> {
  const { filename: name, contentType: type, bytes } = samples.PNG;
  const map = JSON.stringify({ file: ['variables.input.file'] });
  const { headers, body } = multipart({ operations, map, file: { name, type, bytes } });
  return { headers: { ...headers, 'apollo-require-preflight': '1' }, body };
}

const BODIES: Readonly<Record<string, () => Pick<Sent, 'headers' | 'body'>>> = {
  setOrganizationLogo: () => file('logo', samples.PNG),
  uploadIncidentAttachment: () => file('file', samples.TXT),
  updateControls: () => ({ body: { control_ids: ['20.1'], changes: { status: 'DONE' } } }),
  correctIncidentReport: () => ({ body: { sent_at: null, reason: 'It was never sent.' } }),
};

function documentOf(kind: string, { name, args }: GraphQLField<unknown, unknown>): string {
  const declared = args.map((arg) => `$${arg.name}: ${arg.type.toString()}`).join(', ');
  const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  return `${kind} (${declared}) { ${name}(${given}) { __typename } }`;
}

/** Whether a field identifies the record of its root field: `id`, or its noun and `Id`. */
const isId = (name: string, type: GraphQLInputType) =>
  /^ids?$|^notificationIds$/.test(name) || (isNonNullType(type) && /Id$/.test(name));

/** The id, by the name of the root field. */
const MEANS: readonly [RegExp, string][] = [
  [/^nodes?$/, 'node'],
  [/cloudDefender/i, 'cloud-defender/{id}'],
  [/threatBlocker|atb/i, 'atb/{id}'],
  [/document|version/i, 'documents/{id}'],
  [/attachment/i, 'attachments/{id}'],
  [/notification/i, 'notifications/{id}'],
  [/apiToken/i, 'tokens/{id}'],
  [/invitation/i, 'invitations/{id}'],
  [/workflow/i, 'available-workflows/{workflowid}'],
  [/organization|ownership|logo|branding|settings/i, 'organizations/{id}'],
];

const TEXTS: readonly [RegExp, string][] = [
  [/email/i, 'person@example.com'],
  [/fqdn/i, 'www.example.com'],
  [/issuer|url$/i, 'https://id.example.com'],
  [/^workflowIds$/, 'nis2-directive'],
  [/endpoint|ip$/i, '192.0.2.7'],
  [/content$/i, 'd29yZHM='],
  [/contentType/i, 'text/plain'],
  [/filename/i, 'notes.txt'],
  [/primary/i, '#1F6FEB'],
  [/workflow/i, JSON.stringify(UPLOAD_RULES)],
  [/secret/i, 'inv_unknown'],
  [/timeZone/i, 'Europe/Rome'],
];

/** A valid value for an argument: required fields only, with the given ids. */
function fitting(type: GraphQLInputType, name: string, root: string, ids: Ids): unknown {
  const bare = getNullableType(type);
  if (isListType(bare))
    return isNonNullType(type) || isWanted(name)
      ? [fitting(bare.ofType as GraphQLInputType, name, root, ids)]
      : undefined;
  if (isInputObjectType(bare)) {
    if (!isNonNullType(type) && name !== 'changes') return undefined;
    const wanted = Object.values(bare.getFields()).filter((field) => isNonNullType(field.type) || isWanted(field.name));
    return Object.fromEntries(wanted.map((field) => [field.name, fitting(field.type, field.name, root, ids)]));
  }
  if (bare.name === 'Upload') return null;
  const plain = name.toLowerCase();
  const named =
    ids[plain] ?? (isId(name, type) ? ids[MEANS.find(([pattern]) => pattern.test(root))?.[1] ?? ''] : undefined);
  // The enumeration `kind` of a download has other values than that of work.
  if (named !== undefined && (!isEnumType(bare) || bare.getValue(String(named)))) return named;
  if (!isNonNullType(type) && !isWanted(name)) return undefined;
  if (isEnumType(bare)) return bare.getValues().at(-1)?.name;
  const leaves: Record<string, unknown> = {
    Int: 1,
    SafeInt: 1,
    Boolean: true,
    DateTime: '2026-11-19T08:15:30Z',
    Date: '2026-11-19',
    JSONObject: {},
  };
  return bare.name in leaves ? leaves[bare.name] : (TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'words');
}

/** Optional fields without which an input would be refused as empty. */
const isWanted = (name: string) =>
  /^(?:organizationId|all|changes|title|description|name|note|email|content|filename|contentType|timeZone|status|read|sentAt|controlIds)$/.test(
    name,
  );

function isSame(one: Received, other: Received): boolean {
  return (
    one.status === other.status &&
    one.text === other.text &&
    one.headers['content-type'] === other.headers['content-type']
  );
}

/** NOT_FOUND, or an empty list: a filter finds nothing. */
function isAbsent({ status, text }: Received): boolean {
  const isEmpty =
    /"total":0|"totalCount":0|"data":\{"[a-z_]+":0\}|Connection"\}|Payload"\}|"UnreadNotificationCount"\}/.test(text);
  return status === 404 || (status === 200 && (/^(?:[^]*"code":"NOT_FOUND")/.test(text) || isEmpty));
}

const brief = ({ status, text }: Received) => `${status} ${text.slice(0, 140)}`;
