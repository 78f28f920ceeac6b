import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { ROLES, type Role } from '../../src/vocabulary/roles.js';
import { SCOPES, type Scope } from '../../src/vocabulary/scopes.js';
import { multipart, personOf, rolesBelow } from '../rest/support.js';
import type { RestRequest } from '../support/clients.js';
import { furnish, HOUSE_RULES } from '../support/furnished.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectFault, withStory } from '../support/matchers.js';
import { samples } from '../support/sample-files.js';
import { buildOrganization, buildToken, buildWorld, join, type World } from '../support/world.js';
import { ROUTE_LAWS, type RouteLaw } from './route-laws.js';

/** What a call names, by `segment/{parameter}` where a name means more than one thing; in bodies by its field. */
type Names = Readonly<Record<string, string | number>>;

let gateway: TestGateway;
let world: World;
/** A token of each role with each scope, and no other. */
let tokens: Map<string, string>;
/** What the other organization has. */
let theirs: Names;

beforeAll(async () => {
  gateway = await startGateway();
  const { database } = gateway.app;
  world = await buildWorld(database);
  theirs = await namesIn(world.otherOrganizationId, 'stranger');
  tokens = new Map();
  for (const role of ROLES) {
    for (const scope of SCOPES) {
      tokens.set(`${role} ${scope}`, await buildToken(database, personOf(world, role), { scopes: [scope] }));
    }
  }
});

afterAll(() => gateway?.close());

const tokenOf = (role: Role, scope: Scope) => tokens.get(`${role} ${scope}`) as string;

/** An organization for the calls of one route, with one of everything in it. */
async function newOrganization(): Promise<Names> {
  const { database } = gateway.app;
  const id = await buildOrganization(database, 'Of one route');
  for (const role of ROLES) await join(database, personOf(world, role), id, role);
  return namesIn(id, 'owner');
}

async function namesIn(organizationId: number, owner: 'owner' | 'stranger'): Promise<Names> {
  const has = await furnish(gateway.app.database, organizationId, world[owner]);
  return {
    organizationid: organizationId,
    userid: has.memberId,
    incidentid: has.incidentId,
    'organizations/{id}': organizationId,
    'invitations/{id}': has.invitationId,
    'tokens/{id}': has.tokenId,
    'documents/{id}': has.documentId,
    'attachments/{id}': has.attachmentId,
    'cloud-defender/{id}': has.cloudDefenderId,
    'atb/{id}': has.threatBlockerId,
    'notifications/{id}': has.notificationId,
    'documents/{artifactid}': '21.2.a',
    'workflows/{workflowid}': 'nis2-directive',
    'available-workflows/{workflowid}': HOUSE_RULES.id,
    controlid: '21.2.a',
    stage: 'EARLY_WARNING',
    organization_id: organizationId,
    user_id: has.memberId,
    atb_key: has.atbKey,
  };
}

const NEVER_WAS = 2_147_483_647;
const ABSENT: Names = {
  userid: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d',
  'documents/{artifactid}': 'never-was',
  'workflows/{workflowid}': 'never-was',
  'available-workflows/{workflowid}': 'never-was',
  controlid: 'never-was',
  stage: 'NEVER_WAS',
  atb_key: '6f1c2a3e-8d4b-4c5d-9e6f-7a8b9c0d1e2f',
};

/** The call of a route, and which names it takes. */
interface Call {
  path: string;
  request: RestRequest;
  takes: string[];
}

function callOf(route: Route, law: RouteLaw, names: Names): Call {
  const takes: string[] = [];
  const named = (key: string) => {
    takes.push(key);
    return names[key];
  };
  const path = route.path.replaceAll(/(?<=([\w-]+|\})\/)\{(\w+)\}/g, (braces, segment: string, name: string) =>
    String(named(`${segment}/${braces}` in names ? `${segment}/${braces}` : name)),
  );
  const sent = SENT[route.operationId]?.() ?? (route.body === undefined ? {} : { body: { ...route.body.example } });
  const body = sent.body as Record<string, unknown> | undefined;
  for (const field of ['organization_id', 'user_id', 'atb_key']) {
    if (route.body !== undefined && field in route.body.example) body![field] = named(field);
  }
  return { path: path + queryOf(route, law, named), request: sent, takes };
}

/** Lists that an organization narrows are asked for one; what must be given is. */
function queryOf({ parameters }: Route, law: RouteLaw, named: (key: string) => unknown): string {
  const query = new URLSearchParams();
  for (const parameter of parameters.filter((each) => each.in === 'query')) {
    if (parameter.required) query.set(parameter.name, String(parameter.example));
    else if (parameter.name === 'organization_id' && law.whose === 'organization') {
      query.set('organization_id', String(named('organization_id')));
    }
  }
  return query.size === 0 ? '' : `?${query}`;
}

const fileOf = ({ filename, contentType, bytes }: (typeof samples)['PNG'], name: string) =>
  multipart([{ name, filename, type: contentType, content: bytes }]);

/** What routes are sent that read their bodies themselves, or whose example names what is not there. */
const SENT: Readonly<Record<string, () => RestRequest>> = {
  createOrganization: () => ({ body: { name: 'Another one' } }),
  // Nobody makes a token that may do more than its own.
  createToken: () => ({ body: { name: 'another', scopes: ['WRITE'] } }),
  markNotificationsRead: () => ({ body: { all: true } }),
  setOrganizationLogo: () => fileOf(samples.PNG, 'logo'),
  uploadIncidentAttachment: () => fileOf(samples.TXT, 'file'),
  uploadDocumentVersion: () => ({
    body: { filename: 'a.txt', content: Buffer.from('text').toString('base64'), content_type: 'text/plain' },
  }),
};

const CALLED = ROUTES.flatMap((route) => {
  const law = ROUTE_LAWS[route.operationId];
  return law === undefined ? [] : [{ route, law, operationId: route.operationId }];
});
const whose = (...kinds: RouteLaw['whose'][]) => CALLED.filter(({ law }) => kinds.includes(law.whose));

test('says of every route whose it is and what it asks for', () => {
  expect(Object.keys(ROUTE_LAWS).toSorted()).toEqual(ROUTES.map(({ operationId }) => operationId).toSorted());
  // A file's signed address is the caller's proof; an evidence pack has one, too, and takes tokens beside it.
  const open = ROUTES.filter((route) => route.open === true).map(({ operationId }) => operationId);
  expect(whose('everybody').map(({ operationId }) => operationId)).toEqual(open);
});

const send = async (route: Route, law: RouteLaw, names: Names, token?: string) => {
  const { path, request } = callOf(route, law, names);
  return gateway.rest.call(route.method, path, { ...request, ...(token !== undefined && { token }) });
};

describe.each(whose('organization'))('$operationId', ({ route, law }) => {
  if (law.whose !== 'organization') return;
  const { lowest, scope } = law;
  let names: Names;
  beforeAll(async () => (names = await newOrganization()));
  const ask = (token?: string, of = names) => send(route, law, of, token);

  test('knows nobody without a token', async () => {
    for (const token of [undefined, world.tokens.expired, world.tokens.revoked]) {
      expectFault(await ask(token), 401, [1001]);
    }
  });

  test('is absent to strangers', async () => {
    for (const { token } of [world.stranger, world.newcomer]) expectFault(await ask(token), 404, [1004]);
  });

  test("finds nothing of another organization's and nothing that never was, for who may all of it here", async () => {
    const token = tokenOf('ORGANIZATION_OWNER', scope);
    for (const name of callOf(route, law, names).takes) {
      expectFault(await ask(token, { ...names, [name]: ABSENT[name] ?? NEVER_WAS }), 404, [1004]);
      if (theirs[name] !== names[name]) expectFault(await ask(token, { ...names, [name]: theirs[name]! }), 404, [1004]);
    }
  });

  test('refuses roles that are too low, and scopes that are others', async () => {
    for (const role of rolesBelow(lowest)) expectFault(await ask(tokenOf(role, scope)), 403, [1003]);
    for (const other of SCOPES.filter((each) => each !== scope)) {
      expectFault(await ask(tokenOf('ORGANIZATION_OWNER', other)), 403, [1003]);
    }
  });

  test(`lets in who is ${lowest} with the scope ${scope}`, async () => {
    const scopes: Scope[] = scope === 'write' ? ['read', 'write'] : [scope];
    const answer = await ask(await buildToken(gateway.app.database, personOf(world, lowest), { scopes }));
    withStory(answer, () => expect([401, 403, 404]).not.toContain(answer.status));
  });
});

/** What an organization has imported is for its members; the catalogue itself is everybody's. */
const everybodys = (): Names => ({ ...theirs, 'available-workflows/{workflowid}': 'nis2-directive' });

describe.each(whose('caller'))('$operationId', ({ route, law }) => {
  if (law.whose !== 'caller') return;
  const { scope } = law;

  test('knows nobody without a token', async () => {
    for (const token of [undefined, world.tokens.expired, world.tokens.revoked]) {
      expectFault(await send(route, law, everybodys(), token), 401, [1001]);
    }
  });

  test('is there for everybody, whose token has the scope', async () => {
    for (const role of ROLES) {
      for (const other of SCOPES.filter((each) => each !== scope)) {
        expectFault(await send(route, law, everybodys(), tokenOf(role, other)), 403, [1003]);
      }
    }
    for (const { token } of [world.stranger, world.newcomer, { token: tokenOf('VIEWER', scope) }]) {
      const answer = await send(route, law, everybodys(), token);
      withStory(answer, () => expect([401, 403, 404]).not.toContain(answer.status));
    }
  });
});

describe.each(whose('person'))('$operationId', ({ route, law }) => {
  if (law.whose !== 'person') return;
  const { scope } = law;
  let names: Names;
  beforeAll(async () => (names = await newOrganization()));
  const ask = (token?: string, of = names) => send(route, law, of, token);

  test('is absent to everybody but one, like what never was', async () => {
    expectFault(await ask(), 401, [1001]);
    for (const { token } of [world.stranger, world.newcomer, world.manager, world.viewer]) {
      expectFault(await ask(token), 404, [1004]);
    }
    for (const name of callOf(route, law, names).takes) {
      expectFault(await ask(world.owner.token, { ...names, [name]: NEVER_WAS }), 404, [1004]);
    }
  });

  test('asks the scope of that one', async () => {
    for (const other of SCOPES.filter((each) => each !== scope)) {
      expectFault(await ask(tokenOf('ORGANIZATION_OWNER', other)), 403, [1003]);
    }
    const answer = await ask(world.owner.token);
    withStory(answer, () => expect(answer.status).toBeLessThan(300));
  });
});

test.each(whose('everybody'))('$operationId knows nobody, and sends nobody away for it', async ({ route, law }) => {
  const { path, request } = callOf(route, law, { ...theirs, kind: 'documents', 'kind/{id}': 1 });
  const answer = await gateway.rest.call(route.method, path, request);
  withStory(answer, () => expect([401, 403]).not.toContain(answer.status));
});
