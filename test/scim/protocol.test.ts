import { describe, expect, test } from '@jest/globals';
import { generateToken } from '../../src/auth/token.js';
import { Directory, person, provisionedOrganization } from '../support/scim.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();
const { database } = gateway.app;
const one = await provisionedOrganization(gateway);
const other = await provisionedOrganization(gateway);
const { directory, domain } = one;

const made = (await directory.post('Users', person(domain, 'anna'))).body as { id: string };
const group = (await directory.post('Groups', { displayName: 'All', members: [{ value: made.id }] })).body as {
  id: string;
};

const patchBody = {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'externalId', value: 'changed' }],
};
/** Every route, with a valid body. */
const ROUTES: [method: string, path: string, body?: object][] = [
  ['GET', 'ServiceProviderConfig'],
  ['GET', 'ResourceTypes'],
  ['GET', 'ResourceTypes/User'],
  ['GET', 'Schemas'],
  ['GET', 'Schemas/urn:ietf:params:scim:schemas:core:2.0:Group'],
  ['GET', 'Users'],
  ['POST', 'Users', person(domain, 'new')],
  ['GET', `Users/${made.id}`],
  ['PUT', `Users/${made.id}`, person(domain, 'changed')],
  ['PATCH', `Users/${made.id}`, patchBody],
  ['DELETE', `Users/${made.id}`],
  ['GET', 'Groups'],
  ['POST', 'Groups', { displayName: 'New' }],
  ['GET', `Groups/${group.id}`],
  ['PUT', `Groups/${group.id}`, { displayName: 'Changed' }],
  ['PATCH', `Groups/${group.id}`, patchBody],
  ['DELETE', `Groups/${group.id}`],
];

/** The rows of SCIM in the database. */
const stored = async () =>
  database.rows(
    `select (select jsonb_agg(u order by id) from scim_user u) as users, (select jsonb_agg(g order by id) from scim_group g) as groups,
            (select jsonb_agg(m order by id) from membership m) as members`,
  );

const CALLERS: [string, string | null][] = [
  ['no token', null],
  ['an unknown token of a directory', generateToken('scim')],
  ['a malformed token', 'scim_short'],
  ['the token of an owner', one.owner.token],
  ['the token of an owner of another organization', testData.owner.token],
];

describe.each(CALLERS)('with %s', (_who, token) => {
  test('every route is 401 and changes nothing', async () => {
    const before = await stored();
    for (const [method, path, body] of ROUTES) {
      const answer = await directory.call(method, path, { token, ...(body && { body }) });
      expect([method, path, answer.status, answer.body.status]).toEqual([method, path, 401, '401']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="scim"');
      expect(answer.headers.get('x-request-id')).toBeTruthy();
    }
    expect(await stored()).toEqual(before);
  });
});

test('with the token of another organization’s directory everything looks absent, and nothing changes', async () => {
  const before = await stored();
  for (const [method, path, body] of ROUTES) {
    const answer = await directory.call(method, path, { token: other.directory.token, ...(body && { body }) });
    expect([method, path, answer.status]).toEqual([method, path, 404]);
  }
  for (const [method, path, body] of ROUTES.filter(([, each]) => each.includes('-')))
    expect([method, path, (await other.directory.call(method, path, body && { body })).status]).toEqual([
      method,
      path,
      404,
    ]);
  const list = async (filter: string) =>
    (await other.directory.get(`Users?filter=${encodeURIComponent(filter)}`)).body.totalResults;
  expect(await list(`userName eq "anna@${domain}"`)).toBe(0);
  expect(await list('externalId eq "ext-anna"')).toBe(0);
  expect(
    (await other.directory.get(`Groups?filter=${encodeURIComponent(`members[value eq "${made.id}"]`)}`)).body,
  ).toMatchObject({
    totalResults: 0,
  });
  expect(await stored()).toEqual(before);
});

test('a token of a directory is 401 everywhere else, in each form', async () => {
  const { token } = directory;
  const paths = ['/api/v1/organizations', `/api/v1/organizations/${one.organizationId}`, '/api/v1/token', one.path];
  for (const path of paths) {
    expect((await gateway.rest.get(path, { token })).status).toBe(401);
    expect((await gateway.rest.get(path, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
    expect((await gateway.rest.get(`${path}?X-Service-Token=${token}`)).status).toBe(401);
  }
  expect(await gateway.graphql.error('{ viewer { user { id } } }', { token })).toMatchObject({
    code: 'UNAUTHENTICATED',
  });
  const answers = [
    await directory.get('Users', { token: null, headers: { 'x-service-token': token } }),
    await directory.get(`Users?X-Service-Token=${token}`, { token: null }),
    await directory.get('Users', { token: null, headers: { authorization: `Basic ${token}` } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
});

test('other methods are 405 with those that are allowed, and other paths are 404', async () => {
  const put = await directory.put('Users', {});
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  expect((await directory.call('OPTIONS', `Users/${made.id}`)).headers.get('allow')).toBe(
    'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
  );
  const paths = [
    'Bulk',
    'Me',
    'Users/',
    `Users/${made.id}/`,
    'users',
    'Users/%zz',
    'Users/__proto__',
    'constructor',
    'Schemas/x',
  ];
  for (const path of paths) expect([path, (await directory.get(path)).status]).toEqual([path, 404]);
  const root = directory.url.replace(/\/\d+$/, '');
  for (const id of ['0', '01', '99999999999999999', 'x', String(other.organizationId)])
    expect((await new Directory(`${root}/${id}`, directory.token).get('Users')).status).toBe(404);
});

test('HEAD has the headers of GET and no body', async () => {
  const of = async (method: string) => {
    const { status, headers, body } = await directory.call(method, `Users/${made.id}`);
    return { answer: [status, headers.get('etag'), headers.get('content-type'), headers.get('content-length')], body };
  };
  const [head, get] = [await of('HEAD'), await of('GET')];
  expect(head).toEqual({ answer: get.answer, body: undefined });
  expect(head.answer).toEqual([200, expect.any(String), expect.stringContaining('scim+json'), expect.any(String)]);
});

test('what is supported is described, and true', async () => {
  const { body: config } = await directory.get('ServiceProviderConfig');
  expect(config).toMatchObject({
    ...{ patch: { supported: true }, bulk: { supported: false }, filter: { supported: true, maxResults: 100 } },
    ...{ changePassword: { supported: false }, sort: { supported: false }, etag: { supported: true } },
  });
  const types = await directory.get('ResourceTypes');
  expect(types.body.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(['/Users', '/Groups']);
  const schemas = (await directory.get('Schemas')).body.Resources as { id: string; attributes: { name: string }[] }[];
  const { body: user } = await directory.get(`Users/${made.id}`);
  const common = ['schemas', 'id', 'meta'];
  for (const shown of [user, (await directory.get(`Groups/${group.id}`)).body]) {
    const { attributes } = schemas.find(({ id }) => id === shown.schemas[0])!;
    const names = attributes.map(({ name }) => name);
    expect(Object.keys(shown).filter((name) => !common.includes(name) && !names.includes(name))).toEqual([]);
  }
});

test('requests count in the limits of the token, and show them', async () => {
  const { headers } = await directory.get('Users?count=0');
  expect(headers.get('ratelimit-policy')).toContain('"reads"');
  expect((await directory.patch(`Users/${made.id}`, [])).headers.get('ratelimit-policy')).toContain('"writes"');
});

describe('bodies as directories send them', () => {
  const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  test('Entra ID creates and changes a user with attributes that are not stored', async () => {
    const entra = await directory.post('Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
      ...{ externalId: 'entra-1', userName: `entra@${domain}`, active: true, displayName: 'E', title: 'CISO' },
      emails: [{ primary: true, type: 'work', value: `entra@${domain}` }],
      meta: { resourceType: 'User' },
      name: { formatted: 'E N', familyName: 'N', givenName: 'E' },
      addresses: [{ type: 'work', country: 'IT' }],
      phoneNumbers: [{ type: 'mobile', value: '1' }],
      preferredLanguage: 'it',
      [ENTERPRISE]: { department: 'IT', manager: { value: 'x' } },
    });
    expect(entra).toMatchObject({ status: 201, body: { displayName: 'E', name: { familyName: 'N' } } });
    const changed = await directory.patch(`Users/${entra.body.id}`, [
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Law' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `new@${domain}` },
      { op: 'Add', path: 'emails[type eq "home"].value', value: `home@${domain}` },
      {
        op: 'Replace',
        value: {
          displayName: 'F',
          'name.familyName': 'G',
          'phoneNumbers[type eq "mobile"].value': '2',
          [`${ENTERPRISE}:manager`]: 'y',
        },
      },
    ]);
    expect(changed).toMatchObject({
      status: 200,
      body: {
        ...{ displayName: 'F', name: { familyName: 'G', givenName: 'E' } },
        emails: [
          { primary: true, type: 'work', value: `new@${domain}` },
          { type: 'home', value: `home@${domain}` },
        ],
      },
    });
  });

  test('Okta creates a user with a password, which is stored nowhere', async () => {
    const okta = await directory.post(
      'Users',
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        ...{
          userName: `okta@${domain}`,
          name: { givenName: 'O', familyName: 'K' },
          displayName: 'O K',
          locale: 'en-US',
        },
        emails: [{ primary: true, value: `okta@${domain}`, type: 'work', display: `okta@${domain}` }],
        ...{ externalId: '00u1', groups: [], password: '1mz050nq', active: true },
      },
      { headers: { 'content-type': 'application/json; charset=utf-8' } },
    );
    expect(okta.status).toBe(201);
    expect(JSON.stringify(okta.body)).not.toContain('1mz050nq');
    expect(JSON.stringify(await stored())).not.toContain('1mz050nq');
  });

  test('Keycloak and authentik create users whose names are no addresses', async () => {
    const keycloak = await directory.post('Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      ...{ externalId: 'kc-1', userName: 'carla', name: { givenName: 'C', familyName: 'D', formatted: 'C D' } },
      emails: [{ value: `carla@${domain}`, primary: true }],
      ...{ roles: [], active: true, meta: { resourceType: 'User' } },
    });
    const authentik = await directory.post('Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      ...{
        externalId: 'ak-1',
        userName: 'dario',
        name: { formatted: 'D', givenName: 'D', familyName: '' },
        displayName: 'D',
      },
      ...{ photos: [], active: true, emails: [{ value: `dario@${domain}`, type: 'other', primary: true }] },
    });
    expect([keycloak.status, authentik.status]).toEqual([201, 201]);
    expect(authentik.body.name).toEqual({ givenName: 'D', formatted: 'D' });
  });
});

describe('a PATCH of a user', () => {
  test.each<[string, object, string]>([
    ['an unknown attribute', { op: 'replace', path: 'favourite', value: 1 }, 'invalidPath'],
    ['an unknown attribute without a path', { op: 'replace', value: { favourite: 1 } }, 'invalidPath'],
    ['an attribute of an unknown extension', { op: 'add', path: 'urn:example:1.0:User:x', value: 1 }, 'invalidPath'],
    ['a filter of another kind', { op: 'replace', path: 'emails[type ne "work"].value', value: 'a' }, 'invalidPath'],
    ['a filter on what has none', { op: 'replace', path: 'userName[type eq "a"]', value: 'a' }, 'invalidPath'],
    ['an unknown part of an address', { op: 'replace', path: 'emails[type eq "work"].x', value: 'a' }, 'invalidPath'],
    ['a part of addresses', { op: 'replace', path: 'emails.value', value: 'a' }, 'invalidPath'],
    ['a filter by no part that is kept', { op: 'remove', path: 'emails[display eq "a"]' }, 'invalidPath'],
    ['an unknown part of a name', { op: 'replace', path: 'name.nick', value: 'a' }, 'invalidPath'],
    ['a part of what has none', { op: 'replace', path: 'userName.x', value: 'a' }, 'invalidPath'],
    ['an operation that is no text', { op: { toString: 1 }, path: 'userName', value: 'a' }, 'invalidSyntax'],
    ['a path that is no text', { op: 'replace', path: 7, value: 'a' }, 'invalidPath'],
    ['__proto__', { op: 'replace', path: '__proto__', value: {} }, 'invalidPath'],
    ['constructor.prototype', { op: 'add', path: 'constructor.prototype', value: {} }, 'invalidPath'],
    ['nothing to remove from', { op: 'remove' }, 'noTarget'],
    ['the id', { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    ['groups', { op: 'add', path: 'groups', value: [] }, 'mutability'],
    ['an active that is neither', { op: 'replace', path: 'active', value: 'no' }, 'invalidValue'],
    ['an active that is a name of objects', { op: 'replace', path: 'active', value: 'constructor' }, 'invalidValue'],
    ['no active', { op: 'remove', path: 'active' }, 'invalidValue'],
    ['no userName', { op: 'remove', path: 'userName' }, 'invalidValue'],
    ['a value of another type', { op: 'replace', path: 'displayName', value: { a: 1 } }, 'invalidValue'],
    ['no value', { op: 'replace', path: 'displayName' }, 'invalidValue'],
    ['a control character', { op: 'replace', path: 'displayName', value: 'a\nb' }, 'invalidValue'],
    ['a name that is too long', { op: 'replace', path: 'displayName', value: 'a'.repeat(201) }, 'invalidValue'],
    ['an address that is none', { op: 'replace', path: 'emails', value: [{ value: 'a@b' }] }, 'invalidValue'],
    ['addresses of another type', { op: 'replace', path: 'emails', value: ['a'] }, 'invalidSyntax'],
    ['an unknown operation', { op: 'move', path: 'active', value: true }, 'invalidSyntax'],
    ['an attribute twice', { op: 'replace', value: { active: true, Active: false } }, 'invalidSyntax'],
  ])('with %s is refused as it should be, and nothing of it is made', async (_what, operation, scimType) => {
    const { body: before } = await directory.get(`Users/${made.id}`);
    const answer = await directory.patch(`Users/${made.id}`, [
      { op: 'replace', path: 'displayName', value: 'Half made' },
      operation,
    ]);
    expect(answer).toMatchObject({ status: 400, body: { status: '400', scimType } });
    expect((await directory.get(`Users/${made.id}`)).body).toEqual(before);
  });

  test('that removes a part of an address that is not there adds none', async () => {
    const { body: before } = await directory.get(`Users/${made.id}`);
    const path = `emails[value eq "absent@${domain}"].type`;
    const { status, body } = await directory.patch(`Users/${made.id}`, [{ op: 'remove', path }]);
    expect([status, body]).toEqual([200, before]);
  });

  test('selects addresses by their value or as the primary one, and passes over parts of a name that are not stored', async () => {
    const [work, home, moved] = ['work', 'home', 'moved'].map((name) => `${name}@${domain}`);
    const { body: before } = await directory.patch(`Users/${made.id}`, [
      { op: 'replace', path: 'emails', value: [{ value: work, type: 'work', primary: true }, { value: home }] },
    ]);
    expect(before.emails).toHaveLength(2);
    const { status, body } = await directory.patch(`Users/${made.id}`, [
      { op: 'replace', path: 'emails[primary eq true].value', value: moved },
      { op: 'remove', path: `emails[value eq "${home}"]` },
      { op: 'add', path: 'name.middleName', value: 'M' },
    ]);
    expect([status, body.name]).toEqual([200, before.name]);
    expect(body.emails).toEqual([{ value: moved, type: 'work', primary: true }]);
    const added = await directory.patch(`Users/${made.id}`, [
      { op: 'remove', path: 'emails' },
      { op: 'add', path: 'emails[primary eq true].value', value: work },
    ]);
    expect(added).toMatchObject({ status: 200, body: { emails: [{ value: work, primary: true }] } });
    // Selected in any case, and written as it was sent.
    const cased = await directory.patch(`Users/${made.id}`, [
      { op: 'replace', path: `emails[value eq "${work!.toUpperCase()}"].type`, value: 'Work' },
      { op: 'add', path: 'emails[type eq "Home"].value', value: home },
    ]);
    expect(cased.body.emails).toEqual([
      { value: work, primary: true, type: 'Work' },
      { value: home, type: 'Home' },
    ]);
  });

  test('changes selected addresses by parts of them, takes one away by null, and refuses several values for them', async () => {
    const [work, home] = ['work', 'home'].map((name) => `${name}@${domain}`);
    const path = 'emails[type eq "home"]';
    const change = (...operations: object[]) => directory.patch(`Users/${made.id}`, operations);
    const given = [
      { value: work, type: 'work', primary: true },
      { value: home, type: 'home' },
    ];
    const { body: before } = await change({ op: 'replace', path: 'emails', value: given });
    expect(before.emails).toEqual(given);
    for (const value of [given, []])
      expect(await change({ op: 'replace', path, value })).toMatchObject({ status: 400 });
    const { body: same } = await directory.get(`Users/${made.id}`);
    expect(same).toEqual(before);
    const { status, body } = await change({ op: 'replace', path, value: { primary: true } });
    expect([status, body.emails]).toEqual([
      200,
      [
        { value: work, type: 'work', primary: false },
        { value: home, type: 'home', primary: true },
      ],
    ]);
    const moved = await change({ op: 'add', path: 'emails[type eq "work"]', value: [{ type: 'other' }] });
    expect(moved.body.emails).toContainEqual({ value: work, type: 'other', primary: false });
    const gone = await change({ op: 'replace', path: 'emails[type eq "other"]', value: null });
    expect(gone.body.emails).toEqual([{ value: home, type: 'home', primary: true }]);
  });

  test('gives and takes away the id of the directory, by a text of spaces as well', async () => {
    const change = async (operation: object) =>
      (await directory.patch(`Users/${made.id}`, [operation])).body.externalId;
    expect(await change({ op: 'replace', path: 'externalId', value: 'given' })).toBe('given');
    expect(await change({ op: 'remove', path: 'externalId' })).toBeUndefined();
    expect(await change({ op: 'add', value: { externalId: 'given' } })).toBe('given');
    expect(await change({ op: 'replace', path: 'externalId', value: '  ' })).toBeUndefined();
    expect(await change({ op: 'replace', path: 'externalId', value: 'ext-anna' })).toBe('ext-anna');
  });

  test('takes away the whole name', async () => {
    const name = { givenName: 'Anna', familyName: 'Rossi' };
    for (const operation of [
      { op: 'remove', path: 'name' },
      { op: 'replace', value: { name: null } },
    ]) {
      await directory.patch(`Users/${made.id}`, [{ op: 'replace', path: 'name', value: name }]);
      const { status, body } = await directory.patch(`Users/${made.id}`, [operation]);
      expect([status, body.name]).toEqual([200, undefined]);
    }
    await directory.patch(`Users/${made.id}`, [{ op: 'replace', path: 'name', value: name }]);
  });

  test('takes away the addresses that a value names, and passes over what is shown of one and what has no address', async () => {
    const [work, home] = ['work', 'home'].map((name) => ({ value: `${name}@${domain}`, type: name }));
    const emails = async (...operations: object[]) =>
      (await directory.patch(`Users/${made.id}`, operations)).body.emails;
    const given = [work, home];
    expect(await emails({ op: 'replace', path: 'emails', value: given })).toEqual(given);
    expect(await emails({ op: 'replace', path: 'emails[type eq "work"].display', value: 'Anna' })).toEqual(given);
    expect(await emails({ op: 'add', path: 'emails', value: { value: '', type: 'other' } })).toEqual(given);
    expect(await emails({ op: 'remove', path: 'emails', value: [home] })).toEqual([work]);
    expect(await emails({ op: 'add', path: 'emails', value: home })).toEqual(given);
    expect(await emails({ op: 'remove', path: 'emails', value: null })).toEqual([]);
  });

  test('takes 200 characters, and Unicode in one form', async () => {
    const value = `${'a'.repeat(199)}e\u0301`;
    const { body } = await directory.patch(`Users/${made.id}`, [{ op: 'replace', path: 'displayName', value }]);
    expect(body.displayName).toBe(`${'a'.repeat(199)}é`);
    const beyond = '\u{20bb7}'.repeat(200);
    const { body: other } = await directory.patch(`Users/${made.id}`, [
      { op: 'replace', path: 'displayName', value: beyond },
    ]);
    expect(other.displayName).toBe(beyond);
  });
});

describe('a body', () => {
  const deep = `${'{"name":'.repeat(40)}1${'}'.repeat(40)}`;
  test.each<[string, string]>([
    ['that is no JSON', '{'],
    ['that is empty', ''],
    ['that is a list', '[]'],
    ['that is null', 'null'],
    ['with a NUL character', '{"userName": "a\\u0000b"}'],
    ['with half a character', '{"userName": "\\ud800"}'],
    ['that is too deep', deep],
    ['that is too large', `{"userName": "${'a'.repeat(1024 * 1024)}"}`],
    ['with a name twice', '{"userName": "a", "userName": "b"}'],
    ['with an attribute of prototypes', '{"userName": "a", "__proto__": {"active": true}}'],
    ['with an unknown attribute', '{"userName": "a", "isAdmin": true}'],
    ['with an unknown extension', '{"userName": "a", "urn:example:1.0:User": {}}'],
    ['with a name of another type', '{"userName": 7}'],
    ['without a name', '{}'],
    [
      'with eleven addresses',
      JSON.stringify({ userName: 'a', emails: Array.from({ length: 11 }, (_, n) => ({ value: `a${n}@${domain}` })) }),
    ],
  ])('%s is 400 and makes nothing', async (_what, body) => {
    const before = await stored();
    for (const path of ['Users', 'Groups']) {
      const answer = await directory.post(path, body);
      expect([path, answer.status, answer.body.schemas]).toEqual([
        ...[path, 400, ['urn:ietf:params:scim:api:messages:2.0:Error']],
      ]);
      expect(['invalidSyntax', 'invalidValue']).toContain(answer.body.scimType);
    }
    expect(await stored()).toEqual(before);
  });

  const CORE = 'urn:ietf:params:scim:schemas:core:2.0:';
  test.each<[string, unknown]>([
    ['the schema of another resource', [`${CORE}ServiceProviderConfig`]],
    ['an extension only', ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User']],
    ['a schema of SCIM 1', ['urn:scim:schemas:core:1.0']],
    ['values that are no texts', [7, { value: `${CORE}User` }]],
    ['an object that cannot be converted', [{ toString: 1 }]],
    ['an object', {}],
  ])('whose schemas are %s is 400 and makes and changes nothing', async (_what, schemas) => {
    const before = await stored();
    const bodies: [string, string, object][] = [
      ['Users', made.id, person(domain, 'of-another-schema', { schemas })],
      ['Groups', group.id, { schemas, displayName: 'Of another schema' }],
    ];
    for (const [path, id, body] of bodies) {
      const one = `${path}/${id}`;
      const patched = await directory.call('PATCH', one, { body: { ...patchBody, schemas } });
      for (const answer of [await directory.post(path, body), await directory.put(one, body), patched])
        expect([path, answer.status, answer.body.scimType]).toEqual([path, 400, 'invalidSyntax']);
    }
    expect(await stored()).toEqual(before);
  });

  test.each<[string, unknown]>([
    ['not there', undefined],
    ['null', null],
    ['empty', []],
    ['a text', `${CORE}User`],
    ['in another case, with others', ['urn:example:other', `${CORE}User`.toUpperCase()]],
  ])('whose schemas are %s is taken', async (what, schemas) => {
    const { status } = await directory.post(
      'Users',
      person(domain, `schemas-${what.replaceAll(/\W/g, '-')}`, { schemas }),
    );
    expect(status).toBe(201);
  });

  test('of another media type is 400', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/scim+json; charset=latin1']) {
      const answer = await directory.post('Users', person(domain, 'typed'), { headers: { 'content-type': type } });
      expect(answer.status).toBe(400);
    }
  });
});

test('a group takes 5,000 operations in one request, and each member once', async () => {
  const { id } = (await directory.post('Groups', { displayName: 'Many' })).body;
  const add = { op: 'add', path: 'members', value: [{ value: made.id }] };
  const answer = await directory.patch(
    `Groups/${id}`,
    Array.from({ length: 5_000 }, () => add),
  );
  expect(answer.status).toBe(204);
  expect((await directory.get(`Groups/${id}`)).body.members).toHaveLength(1);
});

test('a change of a group that names attributes is answered them, any other one with nothing', async () => {
  const { body: before } = await directory.post('Groups', { displayName: 'Named', members: [{ value: made.id }] });
  const change = (query: string, value: string) =>
    directory.patch(`Groups/${before.id}${query}`, [{ op: 'replace', path: 'displayName', value }]);
  const named = await change('?attributes=displayName', 'Renamed');
  expect(named).toMatchObject({ status: 200, body: { id: before.id, displayName: 'Renamed' } });
  expect(Object.keys(named.body).sort()).toEqual(['displayName', 'id', 'meta', 'schemas']);
  expect(named.headers.get('etag')).toBe(named.body.meta.version);
  expect((await change('?attributes=members', 'Again')).body.members).toHaveLength(1);
  expect(await change('?excludedAttributes=members', 'Last')).toMatchObject({ status: 204, body: undefined });
});

test('what only lists take is refused by one resource and by every change, which is not made', async () => {
  const { body: remaining } = await directory.post('Groups', { displayName: 'Kept' });
  const before = await stored();
  const refused = ROUTES.filter(([method, path]) => method !== 'GET' || /^(Users|Groups)\//.test(path));
  for (const [method, path, body] of [...refused, ['DELETE', `Groups/${remaining.id}`] as const])
    for (const query of [`filter=${encodeURIComponent('displayName eq "Other"')}`, 'count=1', 'startIndex=2'])
      expect([path, await directory.call(method, `${path}?${query}`, { body })]).toMatchObject([
        path,
        { status: 400, body: { scimType: 'invalidValue' } },
      ]);
  expect(await stored()).toEqual(before);
});

test('what describes the service is not filtered, and has no pages (RFC 7644, 4)', async () => {
  for (const path of ['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/User', 'Schemas']) {
    expect(await directory.get(`${path}?filter=${encodeURIComponent('id eq "User"')}`)).toMatchObject({ status: 403 });
    expect((await directory.get(`${path}?count=1&startIndex=2`)).body).toEqual((await directory.get(path)).body);
  }
});
