import { describePermissions, type CallerName, type Seeded, type Subject } from '../support/permissions.js';
import { buildOrganization, join } from '../support/test-data.js';
import type { Role } from '../../src/values/enums.js';

const IT = 'organizationId: $id';

describePermissions((seeded): Subject[] => [
  {
    type: 'OrganizationPermissions',
    states: {
      'owned by another member as well': (caller) => organization(seeded(), caller, 'ORGANIZATION_OWNER'),
      'without another owner': (caller) => organization(seeded(), caller, 'VIEWER'),
      'without another member who is active': async (caller) =>
        deactivated(seeded(), await organization(seeded(), caller, 'ORGANIZATION_OWNER')),
    },
    read: (fields) => `organization(id: $id) { ${fields} }`,
    mutations: {
      update: `updateOrganization(input: { ${IT}, name: "Changed" }) { organization { id } }`,
      updateSettings: `updateOrganizationSettings(input: { ${IT}, reportWeekday: 3 }) { organization { id } }`,
      updateBranding: `updateBranding(input: { ${IT}, palette: "ocean" }) { organization { id } }`,
      updateLogo: `removeOrganizationLogo(input: { ${IT} }) { organization { id } }`,
      updateAlerts: `updateAlerts(input: { ${IT}, atb: false, vCiso: true }) { alerts { atb } }`,
      delete: `deleteOrganization(input: { ${IT} }) { organization { id } }`,
      restore: `restoreOrganization(input: { ${IT} }) { organization { id } }`,
      transferOwnership: `transferOwnership(input: { ${IT}, userId: $other }) { organization { id } }`,
      leave: `leaveOrganization(input: { ${IT} }) { organization { id } }`,
      inviteMembers: `inviteMember(input: { ${IT}, email: "invited@example.com", role: VIEWER }) { invitation { id } }`,
      createDevices: `createCloudDefender(input: { ${IT}, fqdn: "example.com", endpoint: "192.0.2.1", email: "a@example.com" }) {
        cloudDefender { id } }`,
      openIncidents: `openIncident(input: { ${IT}, title: "Phishing", severity: LOW }) { incident { id } }`,
      associateWorkflows: `associateWorkflow(input: { ${IT}, workflowId: "nis2-directive" }) { organizationWorkflow { id } }`,
      importWorkflows: `importWorkflow(input: { ${IT}, id: "own", name: "Own", version: "1", source: { text: "Ours" }, licence: "Ours",
        controls: [{ id: "1", label: "Policies", kind: "control" }] }) { created }`,
    },
    // A deleted organization is in the answer to its deletion only: test/organizations/rest-and-graphql.test.ts.
    alwaysFalse: ['restore'],
    facts: `select to_jsonb(o), jsonb_build_array(
        (select jsonb_agg(to_jsonb(m) order by m.id) from membership m where m.organization_id = o.id),
        (select count(*) from invitation i where i.organization_id = o.id),
        (select count(*) from cloud_defender d where d.organization_id = o.id),
        (select count(*) from incident i where i.organization_id = o.id),
        (select count(*) from organization_workflow w where w.organization_id = o.id),
        (select count(*) from workflow_import i where i.organization_id = o.id))
      from organization o where id = $1`,
  },
]);

/** An organization in which the caller has the same role as elsewhere, and one who never calls has this one. */
async function organization({ database, testData, people }: Seeded, caller: CallerName, other: Role): Promise<number> {
  const id = await buildOrganization(database, 'Own');
  await database.rows(
    `insert into membership (user_id, organization_id, role)
     select user_id, $1, role from membership where user_id = $2 and organization_id = $3`,
    [id, people[caller].id, testData.organizationId],
  );
  await join(database, testData.nonMember, id, other);
  return id;
}

async function deactivated({ database, testData }: Seeded, id: number): Promise<number> {
  await database.rows('update membership set deactivated_at = now() where organization_id = $1 and user_id = $2', [
    id,
    testData.nonMember.id,
  ]);
  return id;
}
