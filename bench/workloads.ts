import { ARTIFACTS, WORKFLOW, type Facts, type Reader } from './dataset.js';
import { CREATE, NOTIFICATIONS, REGISTERED, UPLOAD, USERS } from './graphql-documents.js';
import { organizationCreation, organizationInput } from './organization-body.js';
import * as postGraphile from './postgraphile-documents.js';
import { headers, type DocumentBody, type LoadRequest } from './requests.js';
import { untilSealed } from './sealed.js';
import type { ServerProcess } from './server-process.js';
import type { Instead, Servers, Surroundings } from './servers.js';

export type Who =
  | 'by hand'
  | 'by hand, on the gateway’s tables'
  | 'Mercurius'
  | 'Mercurius, joined'
  | 'gateway, REST'
  | 'gateway, GraphQL'
  | 'gateway, documentId'
  | (typeof INSTEAD)[keyof Instead]
  | WithEndpoints;
const INSTEAD = {
  postgraphile: 'PostGraphile',
  apollo: 'Apollo Server, TypeGraphQL, MikroORM',
  sofa: 'SOFA, TypeGraphQL, MikroORM',
} as const satisfies Record<keyof Instead, string>;
type WithEndpoints = 'no endpoint' | 'ten endpoints, sent by another instance' | 'ten endpoints, sent by itself';

export interface Contestant {
  who: Who;
  server: ServerProcess;
  request: LoadRequest;
  /** Maximum ratio to the other's processor time per request. */
  target?: { of: Who; times: number };
  /** Converts a response of another form to that of the gateway's GraphQL, for comparison. */
  content?(answer: never): unknown;
}

export interface Workload {
  part: 'a' | 'b' | 'c' | 'd' | 'e' | 'alone' | 'webhooks';
  title: string;
  /** Requests of one contestant in one round. */
  requests: number;
  warmUp: number;
  /** 32 when absent. */
  connections?: number;
  contestants: readonly Contestant[];
  /** Removes from a JSON response what differs by nature, so that responses can be compared for equality. */
  comparable?(answer: unknown): unknown;
  /** Waits for work that follows the requests of a contestant, or of all if none is given, so that it is counted. */
  settled?(contestant?: Contestant): Promise<void>;
}

export function workloads(servers: Servers, { facts, databaseUrl }: Surroundings): Workload[] {
  return [
    users(servers, facts),
    notifications(servers, facts),
    creation(servers, facts, () => untilSealed(databaseUrl)),
    upload(servers, facts),
    nothing(servers, facts),
    alone(servers, facts),
    registered(servers, facts),
  ];
}

/**
 * Number of requests until compiled code has settled, also for a server that was measured with another workload before.
 */
const WARM = 8000;

function users({ byHand, gateway, mercurius, instead }: Servers, { readers }: Facts): Workload {
  const rest = get(readers, ({ organizationId }) => `/api/v1/organizations/${organizationId}/users`);
  const idOfOrganization = ({ organizationId: id }: Reader) => ({ id });
  const graphql = graphQL(readers, USERS, idOfOrganization);
  return {
    part: 'a',
    title: '50 of 200 users of an organization with total',
    requests: 3000,
    warmUp: WARM,
    contestants: [
      { who: 'by hand', server: byHand, request: rest },
      { who: 'gateway, REST', server: gateway, request: rest, target: { of: 'by hand', times: 1.6 } },
      { who: 'Mercurius', server: mercurius, request: forMercurius(graphql) },
      { who: 'gateway, GraphQL', server: gateway, request: graphql, target: { of: 'Mercurius', times: 1 } },
      ...insteadOf(instead, {
        apollo: { request: forMercurius(graphql) },
        sofa: { request: rest, content: (users) => ({ data: { organization: { users } } }) },
        postgraphile: {
          request: graphQL(readers, postGraphile.USERS, idOfOrganization),
          content: postGraphile.contentOfUsers,
        },
      }),
    ],
  };
}

/** One connection: no turn, statement or write is shared, so that requests per second show the time of a response. */
function alone(servers: Servers, facts: Facts): Workload {
  const { title, ...workload } = users({ ...servers, instead: undefined }, facts);
  const contestants = workload.contestants.map(({ target: _ofMany, ...contestant }) => contestant);
  return { ...workload, part: 'alone', title: `${title}, one connection`, requests: 1000, connections: 1, contestants };
}

function notifications({ byHand, gateway, mercurius, instead }: Servers, { readers }: Facts): Workload {
  const rest = get(readers, () => '/api/v1/notifications');
  const graphql = graphQL(readers, NOTIFICATIONS);
  const joined = graphQL(readers, NOTIFICATIONS.replace('notifications(', 'notifications: joinedNotifications('));
  return {
    part: 'b',
    title: '50 of 200 notifications with their organizations and total',
    requests: 2000,
    warmUp: WARM,
    contestants: [
      { who: 'by hand', server: byHand, request: rest },
      { who: 'gateway, REST', server: gateway, request: rest, target: { of: 'by hand', times: 1.6 } },
      { who: 'Mercurius', server: mercurius, request: forMercurius(graphql) },
      { who: 'Mercurius, joined', server: mercurius, request: forMercurius(joined) },
      { who: 'gateway, GraphQL', server: gateway, request: graphql, target: { of: 'Mercurius', times: 0.5 } },
      ...insteadOf(instead, {
        apollo: { request: forMercurius(graphql) },
        sofa: { request: rest, content: (notifications) => ({ data: { notifications } }) },
        postgraphile: {
          request: graphQL(readers, postGraphile.NOTIFICATIONS, ({ id }) => ({ userId: id })),
          content: postGraphile.contentOfNotifications,
        },
      }),
    ],
  };
}

/** Counts work of the gateway after its response. */
function creation(
  { byHand, byHandOnItsTables, gateway, mercurius, instead }: Servers,
  facts: Facts,
  settled: () => Promise<void>,
): Workload {
  const { writerToken, writerId } = facts;
  const rest = organizationCreation(writerToken);
  const input = organizationInput();
  const creating = (document: string, more?: object) =>
    graphQL([{ token: writerToken }], document, () => ({ input: { ...input, ...more } }));
  const graphql = creating(CREATE);
  return {
    part: 'c',
    title: 'creating an organization',
    requests: 3000,
    warmUp: WARM,
    settled,
    contestants: [
      { who: 'by hand', server: byHand, request: rest },
      { who: 'by hand, on the gateway’s tables', server: byHandOnItsTables, request: rest },
      { who: 'gateway, REST', server: gateway, request: rest, target: { of: 'by hand', times: 2.5 } },
      { who: 'Mercurius', server: mercurius, request: forMercurius(graphql) },
      { who: 'gateway, GraphQL', server: gateway, request: graphql, target: { of: 'by hand', times: 2.5 } },
      ...insteadOf(instead, {
        apollo: { request: forMercurius(graphql) },
        sofa: {
          request: { ...rest, body: JSON.stringify({ input }) },
          content: (createOrganization) => ({ data: { createOrganization } }),
        },
        postgraphile: { request: creating(postGraphile.CREATE, { owner: writerId }) },
      }),
    ],
    comparable: (answer) => without(answer, ['id', 'created_at', 'updated_at', 'createdAt', 'updatedAt']),
  };
}

const MIB = 1024 * 1024;

function upload({ byHand, gateway }: Servers, { uploadOrganizations, writerToken }: Facts): Workload {
  const to = (organizationId: number): LoadRequest => documentUpload(organizationId, writerToken, 'base64 JSON', MIB);
  return {
    part: 'd',
    title: 'uploading a document of 1 MiB as base64 JSON',
    requests: 200,
    // More than ten for each artifact: from then on each upload deletes another one.
    warmUp: 12 * ARTIFACTS.length,
    contestants: [
      { who: 'by hand', server: byHand, request: to(uploadOrganizations.byHand) },
      {
        who: 'gateway, REST',
        server: gateway,
        request: to(uploadOrganizations.gateway),
        target: { of: 'by hand', times: 1.9 },
      },
      {
        who: 'gateway, GraphQL',
        server: gateway,
        request: documentUpload(uploadOrganizations.gateway, writerToken, 'GraphQL', MIB),
        target: { of: 'by hand', times: 1.9 },
      },
    ],
    comparable: (answer) => without(answer, ['id', 'created_at', 'download_url']),
  };
}

export function documentUpload(
  organizationId: number,
  token: string,
  form: DocumentBody['form'],
  bytes: number,
): LoadRequest {
  if (form === 'GraphQL') {
    const around = ARTIFACTS.map((artifactId) => aroundContent({ organizationId, workflowId: WORKFLOW, artifactId }));
    return { method: 'POST', paths: ['/graphql'], headers: headers(token), body: { form, bytes, around }, status: 200 };
  }
  const workflow = `/api/v1/v-ciso/organizations/${organizationId}/workflows/${WORKFLOW}`;
  return {
    method: 'POST',
    paths: ARTIFACTS.map((artifact) => `${workflow}/documents/${artifact}/versions`),
    headers: headers(token),
    body: { form, bytes },
    status: 201,
  };
}

/** As clients send it: the variables before the document, the content in their middle. */
function aroundContent(artifact: object): [before: string, after: string] {
  const input = { ...artifact, content: '', filename: 'evidence.pdf', contentType: 'application/pdf' };
  const [before = '', after = ''] = JSON.stringify({ variables: { input }, query: UPLOAD }).split('"content":""');
  return [`${before}"content":"`, `"${after}`];
}

function nothing({ gateway, mercurius, instead }: Servers, { readers }: Facts): Workload {
  const request = graphQL(readers, '{ __typename }');
  return {
    part: 'e',
    title: '`{ __typename }`',
    requests: 6000,
    warmUp: 6000,
    contestants: [
      { who: 'Mercurius', server: mercurius, request },
      { who: 'gateway, GraphQL', server: gateway, request, target: { of: 'Mercurius', times: 1.5 } },
      ...insteadOf(instead, { apollo: { request }, postgraphile: { request } }),
    ],
  };
}

/** The saving of a client that sends the id of a registered document in place of its text. */
function registered({ gateway }: Servers, { readers }: Facts): Workload {
  const variants = readers.map(({ token }) => {
    return { path: '/graphql', headers: headers(token), body: JSON.stringify({ documentId: REGISTERED.id }) };
  });
  const byId: LoadRequest = { method: 'POST', paths: ['/graphql'], headers: {}, variants, status: 200 };
  return {
    part: 'e',
    title: 'a document of 7 KB, by its text and by its id',
    requests: 6000,
    warmUp: 6000,
    contestants: [
      { who: 'gateway, GraphQL', server: gateway, request: graphQL(readers, REGISTERED.text) },
      { who: 'gateway, documentId', server: gateway, request: byId },
    ],
  };
}

function get(readers: readonly Reader[], pathOf: (reader: Reader) => string): LoadRequest {
  const variants = readers.map((reader) => ({ path: pathOf(reader), headers: headers(reader.token) }));
  return { method: 'GET', paths: [variants[0]!.path], headers: {}, variants, status: 200 };
}

/** Contestants only if the run has their servers. */
function insteadOf(
  servers: Instead | undefined,
  entries: Partial<Record<keyof Instead, Pick<Contestant, 'request' | 'content'>>>,
): Contestant[] {
  if (servers === undefined) return [];
  return (Object.keys(INSTEAD) as (keyof Instead)[]).flatMap((name) => {
    const contestant = entries[name];
    return contestant === undefined ? [] : [{ who: INSTEAD[name], server: servers[name], ...contestant }];
  });
}

function graphQL<Sender extends { token: string }>(
  senders: readonly Sender[],
  query: string,
  variablesOf: (sender: Sender) => object = () => ({}),
): LoadRequest {
  const path = '/graphql';
  const variants = senders.map((sender) => {
    return { path, headers: headers(sender.token), body: JSON.stringify({ query, variables: variablesOf(sender) }) };
  });
  return { method: 'POST', paths: [path], headers: {}, variants, status: 200 };
}

/** Its schema has only the ids of the database. */
function forMercurius(request: LoadRequest): LoadRequest {
  const ofPeer = (body = '') => body.replaceAll('id: databaseId', 'id').replace('$id: ID!', '$id: Int!');
  return { ...request, variants: request.variants!.map((each) => ({ ...each, body: ofPeer(each.body) })) };
}

function without(answer: unknown, names: readonly string[]): unknown {
  return JSON.parse(JSON.stringify(answer, (key, value: unknown) => (names.includes(key) ? undefined : value)));
}
