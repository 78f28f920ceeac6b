import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY } from '../../src/common/time.js';
import type { Role } from '../../src/values/enums.js';
import {
  APIS,
  callThrough,
  dataOf,
  expectConflict,
  expectFailure,
  type Operation,
  type Result,
} from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { someoneWaits } from '../support/lock-waits.js';
import { newMember } from '../support/people.js';
import { until } from '../support/until.js';
import { buildOrganization, buildToken, type Person } from '../support/test-data.js';

const START = new Date('2026-11-21T10:00:00.000Z');

const ORGANIZATION = 'id: databaseId name updated_at: updatedAt';
const operation = (rest: string, name: string): Operation => ({
  rest: rest.replace(' ', ' /api/v1/organizations/{organization_id}'),
  graphql: `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { organization { ${ORGANIZATION} } } }`,
  at: `${name}.organization`,
});
const OPERATIONS = {
  read: {
    rest: 'GET /api/v1/organizations/{organization_id}',
    graphql: `query ($organizationId: ID!) { organization(id: $organizationId) { ${ORGANIZATION} } }`,
    at: 'organization',
  },
  list: {
    rest: 'GET /api/v1/organizations',
    graphql: `query ($first: Int, $filter: OrganizationFilter) { organizations(first: $first, filter: $filter) { totalCount nodes { ${ORGANIZATION} } } }`,
    at: 'organizations',
  },
  update: operation('PATCH ', 'updateOrganization'),
  delete: operation('DELETE ', 'deleteOrganization'),
  restore: operation('POST /restore', 'restoreOrganization'),
  transfer: operation('POST /transfer', 'transferOwnership'),
  leave: operation('POST /leave', 'leaveOrganization'),
};

let now = START;
/** An organization with an owner, a manager and a viewer, created for each case. */
let id: number;
let owner: Person;
let manager: Person;
let viewer: Person;

const { gateway, testData } = await startSeededGateway({ now: () => now });

const sql = <Row extends object>(text: string, values: unknown[]) => gateway.app.database.rows<Row>(text, values);
const member = (role: Role) => newMember(gateway.app.database, id, role);

beforeEach(async () => {
  now = START;
  id = await buildOrganization(gateway.app.database, 'Passing');
  owner = await member('ORGANIZATION_OWNER');
  manager = await member('ORGANIZATION_MANAGER');
  viewer = await member('VIEWER');
});

const roles = async () => {
  const rows = await sql<{ userId: string; role: string }>(
    'select user_id as "userId", role from membership where organization_id = $1',
    [id],
  );
  return new Map(rows.map(({ userId, role }) => [userId, role]));
};
const owners = async () => [...(await roles()).values()].filter((role) => role === 'ORGANIZATION_OWNER').length;
const versionOf = async () =>
  (await sql<{ version: number }>('select version from organization where id = $1', [id]))[0]!.version;
const notificationsOf = async ({ token }: Person) => {
  const { body } = await gateway.rest.get(`/api/v1/notifications?organization_id=${id}`, { token });
  return (body.data as { title: string; message: string }[]).map(({ title, message }) => [title, message]);
};
const codesOf = (results: Result[]) => results.map(({ code }) => code).toSorted();
/** The response to a member of the organization at a path below it, or the status of the refusal. */
const below = async ({ token }: Person, path: string) => {
  const { status, body } = await gateway.rest.get(`/api/v1/organizations/${id}${path}`, { token });
  return status === 200 ? body.data : status;
};

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, { token }: { token: string }, input: object = {}) =>
    callThrough(api, gateway, OPERATIONS[name], { organization_id: id, ...input }, token);
  const read = (by: Person) => call('read', by);
  const remove = (by: Person, version?: number) =>
    call('delete', by, version === undefined ? {} : { if_match: version });
  const restore = (by: Person) => call('restore', by);
  const leave = (by: Person) => call('leave', by);
  const transfer = (by: Person, to: { id: string }) => call('transfer', by, { user_id: to.id });

  describe('deleting an organization', () => {
    test('answers it, and then no member finds it or anything below it', async () => {
      const before = dataOf(await read(owner));
      expect(dataOf(await remove(owner))).toEqual({ ...before, updated_at: START.toISOString() });
      for (const person of [owner, manager, viewer]) {
        expectFailure(await read(person), 'NOT_FOUND');
        for (const path of ['/branding', '/settings', '/users', '/privileges']) {
          expect([path, await below(person, path)]).toEqual([path, 404]);
        }
        expect((await gateway.rest.get('/api/v1/organizations', person)).body).toMatchObject({ total: 0 });
        const { body } = await gateway.graphql.call('{ viewer { organizations { totalCount } } }', person);
        expect(body.data).toEqual({ viewer: { organizations: { totalCount: 0 } } });
      }
      expectFailure(await remove(owner), 'NOT_FOUND');
    });

    test('is a conflict when its version is another one', async () => {
      expectConflict(await remove(owner, 2), 'STALE_VERSION');
      dataOf(await remove(owner, 1));
      expect(await versionOf()).toBe(2);
    });

    test('happens once when many requests are sent at once', async () => {
      const results = await Promise.all(Array.from({ length: 5 }, () => remove(owner)));
      expect(codesOf(results)).toEqual([...Array<string>(4).fill('NOT_FOUND'), 'OK']);
    });
  });

  describe("a request that waits while its caller's role is changed", () => {
    /** The result of an authorized request that waits until its caller has another role. */
    async function overtaken(request: () => Promise<Result>, change: string, { id: userId }: Person) {
      const { database } = gateway.app;
      const { result } = await database.transaction(async (tx) => {
        await tx.rows('select 1 from organization where id = $1 for update', [id]);
        const waiting = request();
        await someoneWaits(tx);
        await tx.rows(`${change} where organization_id = $1 and user_id = $2`, [id, userId]);
        return { result: waiting };
      });
      return result;
    }
    const refusals = () =>
      sql(
        `select 1 from audit_entry where action = 'ACCESS_REFUSED'
          and log_id = (select id from audit_log where organization_id = $1)`,
        [id],
      );
    const becoming = (role: Role) => `update membership set role = '${role}'`;

    test('changes nothing', async () => {
      const rename = (by: Person) => () => call('update', by, { name: 'Renamed' });
      expectFailure(await overtaken(rename(manager), becoming('VIEWER'), manager), 'FORBIDDEN');
      await until(async () => (await refusals()).length === 1);
      expectFailure(await overtaken(rename(owner), 'delete from membership', owner), 'NOT_FOUND');
      expect(dataOf(await read(viewer)).name).toBe('Passing');
    });

    test('deletes nothing', async () => {
      const result = await overtaken(() => remove(owner), becoming('ORGANIZATION_MANAGER'), owner);
      expectFailure(result, 'FORBIDDEN');
      dataOf(await read(viewer));
    });

    test('restores nothing', async () => {
      dataOf(await remove(owner));
      const result = await overtaken(() => restore(owner), becoming('ORGANIZATION_MANAGER'), owner);
      expectFailure(result, 'NOT_FOUND');
      expectFailure(await read(viewer), 'NOT_FOUND');
    });
  });

  describe('restoring an organization', () => {
    test('makes it available to every member again, and changes nothing when it is repeated', async () => {
      dataOf(await remove(owner));
      const restored = dataOf(await restore(owner));
      expect(await versionOf()).toBe(3);
      for (const person of [owner, manager, viewer]) expect(dataOf(await read(person))).toEqual(restored);
      expect(dataOf(await restore(owner))).toEqual(restored);
      expect(await versionOf()).toBe(3);
    });

    test('is possible only for an owner, with a token that may write', async () => {
      dataOf(await remove(owner));
      for (const person of [manager, viewer, testData.nonMember, testData.userWithoutOrganization, testData.owner]) {
        expectFailure(await restore(person), 'NOT_FOUND');
      }
      expectFailure(await call('restore', { token: testData.tokens.readOnly }), 'FORBIDDEN');
      expectFailure(await call('restore', owner, { organization_id: 999_999 }), 'NOT_FOUND');
      const token = await buildToken(gateway.app.database, owner, {});
      await sql('insert into token_block (token_id, organization_id) select max(id), $1 from api_token', [id]);
      expectFailure(await call('restore', { token }), 'NOT_FOUND');
    });

    test('is refused to other members of an organization that is not deleted', async () => {
      expectFailure(await restore(manager), 'FORBIDDEN');
      expectFailure(await restore(testData.nonMember), 'NOT_FOUND');
    });

    test('is possible for 30 days to the millisecond, and so long the owner finds the organization in a list', async () => {
      const listed = async ({ token }: Person, deleted: boolean) => {
        const { total, data } = await callThrough(api, gateway, OPERATIONS.list, { deleted }, token);
        expect(total).toBe(data.length);
        return data;
      };
      expect(await listed(owner, true)).toEqual([]);
      const removed = dataOf(await remove(owner));
      expect(await listed(owner, false)).toEqual([]);
      for (const person of [manager, viewer, testData.nonMember]) expect(await listed(person, true)).toEqual([]);
      now = new Date(START.getTime() + 30 * DAY + 1);
      expect(await listed(owner, true)).toEqual([]);
      expectFailure(await restore(owner), 'NOT_FOUND');
      now = new Date(START.getTime() + 30 * DAY);
      expect(await listed(owner, true)).toEqual([removed]);
      dataOf(await restore(owner));
      expect(await listed(owner, true)).toEqual([]);
      expect(await listed(owner, false)).toHaveLength(1);
    });

    test('notifies the other members, and leaves no notification of the deletion', async () => {
      dataOf(await remove(owner));
      dataOf(await restore(owner));
      expect(await notificationsOf(viewer)).toEqual([
        ['The organization was restored', 'Passing is available again, with everything that belongs to it.'],
      ]);
      expect(await notificationsOf(owner)).toEqual([]);
    });

    test('succeeds for many requests at once, and changes the version once', async () => {
      dataOf(await remove(owner));
      for (const result of await Promise.all(Array.from({ length: 5 }, () => restore(owner)))) dataOf(result);
      expect(await versionOf()).toBe(3);
    });
  });

  describe('transferring the ownership', () => {
    test('makes the member the owner and the owner a manager, and notifies the others', async () => {
      expect(dataOf(await transfer(owner, viewer)).id).toBe(id);
      const [was, is] = [owner, viewer];
      expect(await roles()).toEqual(
        new Map([
          [was.id, 'ORGANIZATION_MANAGER'],
          [manager.id, 'ORGANIZATION_MANAGER'],
          [is.id, 'ORGANIZATION_OWNER'],
        ]),
      );
      expectFailure(await transfer(was, manager), 'FORBIDDEN');
      expect((await below(is, '/privileges')).role).toBe('ORGANIZATION_OWNER');
      expect(await notificationsOf(manager)).toEqual([
        ['Ownership was transferred', `${is.username} is now Organization Owner, in place of ${was.username}.`],
      ]);
      expect(await notificationsOf(was)).toEqual([]);
    });

    test('changes nothing for other owners', async () => {
      const other = await member('ORGANIZATION_OWNER');
      dataOf(await transfer(owner, manager));
      expect((await roles()).get(other.id)).toBe('ORGANIZATION_OWNER');
    });

    test('to another owner changes and records the role of the caller alone', async () => {
      const other = await member('ORGANIZATION_OWNER');
      dataOf(await transfer(owner, other));
      const { rest } = gateway;
      const { body } = await rest.get(`/api/v1/organizations/${id}/changes?field=role`, { token: other.token });
      expect(body.data).toMatchObject([{ subject: { id: owner.id }, before: 'ORGANIZATION_OWNER' }]);
    });

    test('finds no heir who is no member, is deactivated or has no UUID, and changes nothing', async () => {
      await sql('update app_user set deactivated_at = now() where id = $1', [manager.id]);
      await sql('update membership set deactivated_at = now() where user_id = $1', [viewer.id]);
      const unknown = { id: '00000000-0000-4000-8000-000000000000' };
      for (const heir of [manager, viewer, testData.nonMember, unknown, { id: 'x' }]) {
        expectFailure(await transfer(owner, heir), 'NOT_FOUND');
      }
      expect((await roles()).get(owner.id)).toBe('ORGANIZATION_OWNER');
    });

    test('requires an heir, who is not the caller', async () => {
      const refused = (result: Result, messages: string[]) => expectFailure(result, 'BAD_USER_INPUT', messages);
      refused(await transfer(owner, owner), ['user_id must be another member']);
      refused(await call('transfer', owner, { user_id: undefined }), ['user_id is required']);
      refused(await call('transfer', owner, { user_id: viewer.id, hue: 1 }), ['hue is not a known field']);
    });

    test('succeeds for one of two requests at once', async () => {
      expect(codesOf(await Promise.all([transfer(owner, manager), transfer(owner, viewer)]))).toEqual([
        'FORBIDDEN',
        'OK',
      ]);
      expect(await owners()).toBe(1);
    });
  });

  describe('leaving an organization', () => {
    test('answers it for the last time, ends the membership, and notifies the managers', async () => {
      const before = dataOf(await read(viewer));
      expect(dataOf(await leave(viewer))).toEqual(before);
      expectFailure(await read(viewer), 'NOT_FOUND');
      expectFailure(await leave(viewer), 'NOT_FOUND');
      expect((await roles()).has(viewer.id)).toBe(false);
      expect(await notificationsOf(manager)).toEqual([
        ['A member has left', `${viewer.username} no longer belongs to the organization.`],
      ]);
    });

    test('is a conflict for the last owner who can act', async () => {
      expectConflict(await leave(owner), 'LAST_OWNER');
      const other = await member('ORGANIZATION_OWNER');
      await sql('update app_user set deactivated_at = now() where id = $1', [other.id]);
      expectConflict(await leave(owner), 'LAST_OWNER');
      await sql('update app_user set deactivated_at = null where id = $1', [other.id]);
      dataOf(await leave(owner));
    });

    test('is possible for other members also where no owner can act', async () => {
      await sql('update app_user set deactivated_at = now() where id = $1', [owner.id]);
      dataOf(await leave(viewer));
    });

    test('is a conflict for one of all owners who leave at once', async () => {
      const others = await Promise.all([1, 2, 3].map(() => member('ORGANIZATION_OWNER')));
      const results = await Promise.all([owner, ...others].map(leave));
      expect(codesOf(results)).toEqual(['CONFLICT', 'OK', 'OK', 'OK']);
      expect(await owners()).toBe(1);
    });
  });
});
