import { expect, test } from '@jest/globals';
import { person, provisionedOrganization } from '../support/scim.js';
import { startWatchedGateway } from '../support/watched-gateway.js';

const { gateway, watch } = await startWatchedGateway();

test('a member of a group that gets a role costs one statement, because all changes of the organization wait for them', async () => {
  const { directory, domain, path, owner, organizationId } = await provisionedOrganization(gateway);
  const create = async (_: unknown, index: number) =>
    (await directory.post('Users', person(domain, `large${index}`))).body.id as string;
  const ids = await Promise.all(Array.from({ length: 20 }, create));
  const members = ids.map((value) => ({ value }));
  const { body } = await directory.post('Groups', { displayName: 'Large', members });
  const group_roles = [{ group: 'Large', role: 'SECURITY_ANALYST' }];
  const mapped = await watch.during(() => gateway.rest.patch(path, { token: owner.token, body: { group_roles } }));
  const renamed = await watch.during(() =>
    directory.patch(`Groups/${body.id}`, [{ op: 'Replace', path: 'displayName', value: 'Others' }]),
  );
  const few = ids.length + 20;
  expect([mapped.length, renamed.length].every((count) => ids.length < count && count < few)).toBe(true);
  const roles = await gateway.app.database.rows<{ role: string }>(
    'select distinct m.role from membership m join scim_user s on s.membership_id = m.id where m.organization_id = $1',
    [organizationId],
  );
  expect(roles).toEqual([{ role: 'VIEWER' }]);
});
