import { expect, test } from '@jest/globals';
import { Directory, provisionedOrganization } from '../support/scim.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway } = await startSeededGateway();
const { database } = gateway.app;

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});

/** A request, the expected response, and the resulting role; `$user` and `$group` are created ids. */
type Exchange = [
  method: string,
  path: string,
  body: object | undefined,
  status: number,
  answer?: object,
  role?: string,
];

/** Request sequences of directories, by their documentation or source; `MAIL` is an address of the organization. */
const WALKS: Readonly<Record<string, readonly Exchange[]>> = {
  'Entra ID': [
    [
      'GET',
      'Users?filter=userName+eq+%228b1d0a4e-1f5c-4d5e-9b5c-absent%22',
      undefined,
      200,
      { totalResults: 0, Resources: [] },
    ],
    [
      'POST',
      'Users',
      {
        schemas: [USER, ENTERPRISE],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName: 'MAIL',
        active: true,
        emails: [{ primary: true, type: 'work', value: 'MAIL' }],
        meta: { resourceType: 'User' },
        name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
        roles: [],
      },
      201,
      { active: true },
      'VIEWER',
    ],
    ['GET', 'Users?filter=userName+eq+%22UPPER%22', undefined, 200, { totalResults: 1 }],
    [
      'GET',
      'Users?filter=externalId+eq+%220a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef%22',
      undefined,
      200,
      { totalResults: 1 },
    ],
    [
      'GET',
      'Groups?excludedAttributes=members&filter=displayName+eq+%22Officers%22',
      undefined,
      200,
      { totalResults: 0 },
    ],
    [
      'POST',
      'Groups',
      {
        schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
        displayName: 'Officers',
        meta: { resourceType: 'Group' },
      },
      201,
    ],
    [
      'PATCH',
      'Groups/$group',
      patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: '$user' }] }),
      204,
      undefined,
      'SECURITY_OFFICER',
    ],
    ['GET', 'Groups/$group?excludedAttributes=members', undefined, 200, { displayName: 'Officers' }],
    [
      'PATCH',
      'Users/$user',
      patch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'MAIL' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'User' },
        { op: 'Add', path: `${ENTERPRISE}:manager`, value: '5d48a0a8-e9aa-4008-9008-c10ec0b0b1f5' },
      ),
      200,
      { name: { familyName: 'updatedFamilyName', givenName: 'givenName' } },
    ],
    [
      'PATCH',
      'Groups/$group',
      patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: '$user' }] }),
      204,
      undefined,
      'VIEWER',
    ],
    ['PATCH', 'Users/$user', patch({ op: 'Replace', path: 'active', value: 'False' }), 200, { active: false }],
    ['GET', 'Users?filter=userName+eq+%22MAIL%22', undefined, 200, { totalResults: 1, Resources: [{ active: false }] }],
    ['PATCH', 'Users/$user', patch({ op: 'Add', path: 'active', value: 'True' }), 200, { active: true }],
    ['DELETE', 'Users/$user', undefined, 204],
    ['GET', 'Users/$user', undefined, 404, { status: '404' }],
    ['DELETE', 'Groups/$group', undefined, 204],
  ],
  Okta: [
    ['GET', 'Users?startIndex=1&count=2', undefined, 200, { totalResults: 0, startIndex: 1, itemsPerPage: 0 }],
    ['GET', 'Groups?startIndex=1&count=100', undefined, 200, { totalResults: 0 }],
    ['GET', 'Users?filter=userName%20eq%20%22MAIL%22&startIndex=1&count=100', undefined, 200, { totalResults: 0 }],
    [
      'POST',
      'Users',
      {
        schemas: [USER],
        userName: 'MAIL',
        name: { givenName: 'Test', familyName: 'User' },
        emails: [{ primary: true, value: 'MAIL', type: 'work', display: 'MAIL' }],
        displayName: 'Test User',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      },
      201,
      { active: true },
      'VIEWER',
    ],
    [
      'POST',
      'Groups',
      { schemas: [GROUP], displayName: 'Officers', members: [{ value: '$user', display: 'MAIL' }] },
      201,
      undefined,
      'SECURITY_OFFICER',
    ],
    ['GET', 'Users/$user', undefined, 200, { groups: [{ display: 'Officers' }] }],
    [
      'PUT',
      'Users/$user',
      {
        schemas: [USER],
        id: '$user',
        userName: 'MAIL',
        name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
        emails: [{ primary: true, value: 'MAIL', type: 'work', display: 'MAIL' }],
        active: true,
        groups: [],
        meta: { resourceType: 'User' },
      },
      200,
      { name: { givenName: 'Another' } },
      'SECURITY_OFFICER',
    ],
    [
      'PATCH',
      'Groups/$group',
      patch({ op: 'replace', value: { id: '$group', displayName: 'Officers of security' } }),
      204,
      undefined,
      'VIEWER',
    ],
    [
      'PATCH',
      'Groups/$group',
      patch({ op: 'replace', path: 'displayName', value: 'officers' }),
      204,
      undefined,
      'SECURITY_OFFICER',
    ],
    [
      'PATCH',
      'Groups/$group',
      patch(
        { op: 'remove', path: 'members[value eq "$user"]' },
        { op: 'add', path: 'members', value: [{ value: '$user', display: 'MAIL' }] },
      ),
      204,
      undefined,
      'SECURITY_OFFICER',
    ],
    ['PATCH', 'Groups/$group', patch({ op: 'replace', path: 'members', value: [] }), 204, undefined, 'VIEWER'],
    ['PATCH', 'Users/$user', patch({ op: 'replace', value: { active: false } }), 200, { active: false }],
    ['PATCH', 'Users/$user', patch({ op: 'replace', value: { active: true } }), 200, { active: true }],
    ['DELETE', 'Groups/$group', undefined, 204],
    ['GET', 'Groups/$group', undefined, 404, { status: '404' }],
  ],
  Keycloak: [
    ['GET', 'Users', undefined, 200, { totalResults: 0 }],
    [
      'POST',
      'Users',
      {
        schemas: [USER],
        ...{ externalId: '5b9f1f0e-41a4-4a52-b3f1-keycloak', userName: 'test', displayName: 'Test User' },
        ...{ emails: [{ value: 'MAIL', primary: true }], active: true, roles: [{ value: 'scim' }] },
      },
      201,
      { userName: 'test' },
      'VIEWER',
    ],
    [
      'POST',
      'Groups',
      {
        schemas: [GROUP],
        externalId: 'group',
        displayName: 'Officers',
        members: [{ value: '$user', $ref: 'Users/$user' }],
      },
      201,
      undefined,
      'SECURITY_OFFICER',
    ],
    // It names no members any more when it removes the last one.
    [
      'PUT',
      'Groups/$group',
      {
        schemas: [GROUP],
        id: '$group',
        externalId: 'group',
        displayName: 'Officers',
        meta: { location: 'Groups/$group' },
      },
      200,
      { members: [] },
      'VIEWER',
    ],
    [
      'PUT',
      'Users/$user',
      {
        schemas: [USER],
        ...{ id: '$user', externalId: '5b9f1f0e-41a4-4a52-b3f1-keycloak', userName: 'test', displayName: 'test' },
        ...{ emails: [{ value: 'MAIL', primary: true }], active: false, roles: [], meta: { location: 'Users/$user' } },
      },
      200,
      { active: false },
    ],
    ['DELETE', 'Users/$user', undefined, 204],
  ],
  authentik: [
    ['GET', 'ServiceProviderConfig', undefined, 200, { patch: { supported: true }, bulk: { maxOperations: 0 } }],
    [
      'POST',
      'Users',
      {
        schemas: [USER],
        externalId: '2f6d8a1f5c0b',
        userName: 'test',
        name: { formatted: ' Test', givenName: 'Test', familyName: '' },
        displayName: 'Test',
        photos: [{ value: 'https://authentik.example/avatar', type: 'photo' }],
        locale: 'en_US',
        active: true,
        emails: [{ value: 'MAIL', type: 'other', primary: true }],
      },
      201,
      { name: { givenName: 'Test' } },
      'VIEWER',
    ],
    ['POST', 'Groups', { schemas: [GROUP], externalId: 'pk', displayName: 'Officers' }, 201],
    [
      'PATCH',
      'Groups/$group',
      patch({ op: 'add', path: 'members', value: [{ value: '$user' }] }),
      204,
      undefined,
      'SECURITY_OFFICER',
    ],
    ['GET', 'Groups/$group', undefined, 200, { members: [{ value: '$user' }] }],
    [
      'PATCH',
      'Groups/$group',
      patch({ op: 'replace', value: { schemas: [GROUP], id: '$group', externalId: 'pk', displayName: 'Renamed' } }),
      204,
      undefined,
      'VIEWER',
    ],
    ['GET', 'Groups', undefined, 200, { totalResults: 1 }],
    ['GET', 'Groups?startIndex=2', undefined, 200, { totalResults: 1, Resources: [] }],
    ['GET', 'Groups?filter=displayName+eq+%22Renamed%22', undefined, 200, { totalResults: 1 }],
    [
      'PATCH',
      'Groups/$group',
      patch({ op: 'remove', path: 'members', value: [{ value: '$user' }] }),
      204,
      undefined,
      'VIEWER',
    ],
    [
      'PUT',
      'Users/$user',
      {
        ...{
          schemas: [USER],
          id: '$user',
          externalId: '2f6d8a1f5c0b',
          userName: 'test',
          displayName: 'Test',
          active: false,
        },
        emails: [{ value: 'MAIL', type: 'other', primary: true }],
      },
      200,
      { active: false },
    ],
    ['DELETE', 'Groups/$group', undefined, 204],
    ['DELETE', 'Users/$user', undefined, 204],
  ],
};

async function roleOf(organizationId: number, email: string): Promise<string | undefined> {
  const [row] = await database.rows<{ role: string }>(
    'select m.role from membership m join app_user u on u.id = m.user_id where m.organization_id = $1 and u.email = $2',
    [organizationId, email],
  );
  return row?.role;
}

test.each(Object.entries(WALKS))(
  '%s provisions a person and a group, in its own forms, from the first request to the last',
  async (_name, walk) => {
    const of = await provisionedOrganization(gateway, {
      group_roles: [{ group: 'Officers', role: 'SECURITY_OFFICER' }],
    });
    const email = `test.user@${of.domain}`;
    const ids: Record<string, string> = { $user: '', $group: '' };
    const filled = <Value>(value: Value): Value =>
      JSON.parse(
        JSON.stringify(value ?? null)
          .replaceAll(/\$(?:user|group)/g, (name) => ids[name]!)
          .replaceAll('MAIL', email)
          .replaceAll('UPPER', email.toUpperCase()),
      );
    const { directory }: { directory: Directory } = of;
    for (const [method, path, body, status, answer, role] of walk) {
      const sent = body === undefined ? {} : { body: filled(body) };
      const { body: got, ...rest } = await directory.call(method, filled(path), sent);
      expect([method, path, rest.status, got]).toEqual([method, path, status, got]);
      if (answer !== undefined) expect(got).toMatchObject(filled(answer));
      if (method === 'POST') ids[path === 'Users' ? '$user' : '$group'] = got.id;
      if (role !== undefined)
        expect([method, path, await roleOf(of.organizationId, email)]).toEqual([method, path, role]);
    }
  },
);
