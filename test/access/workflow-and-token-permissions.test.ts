import { issueToken } from '../../src/services/tokens/token-minting.js';
import type { ImportMode, Scope } from '../../src/values/enums.js';
import { CALLERS, describePermissions, type Seeded, type Subject } from '../support/permissions.js';
import type { Person } from '../support/test-data.js';

const ISO = 'iso-27001-2022';
const OWN = 'own-workflow';
const VERSION = 'organizationId: $organization, documentVersionId: $id';
const WORKFLOW = 'organizationId: $organization, workflowId: $id';
const CONTROL = `organizationId: $organization, workflowId: "${ISO}"`;
const WORKFLOW_FIELDS = `name: "Again", version: "2", controls: [{ id: "A.5.1", label: "Policies", kind: "control" }]`;
const MAPPING_FIELDS = `from: "${ISO}", to: "nis2-directive", pairs: [{ control: "A.5.1", matches: ["21.2.a"] }]`;
const MANAGERS = CALLERS.slice(CALLERS.indexOf('a manager'));
const OWNERS = CALLERS.slice(CALLERS.indexOf('an owner'));

describePermissions((seeded): Subject[] => [
  {
    type: 'DocumentVersionPermissions',
    states: {
      'uploaded by the analyst': () => version(seeded(), seeded().testData.analyst),
      'uploaded by an unknown user': () => version(seeded(), null),
    },
    read: (fields) => `documentVersion(id: $id) { ${fields} }`,
    mutations: {
      update: `updateDocumentVersion(input: { ${VERSION}, note: "Approved" }) { version { id } }`,
      delete: `deleteDocumentVersion(input: { ${VERSION} }) { version { id } }`,
    },
    facts: 'select to_jsonb(d) from document_version d where id = $1',
  },
  {
    type: 'OrganizationWorkflowPermissions',
    states: { associated: () => associated(seeded(), ISO) },
    read: (fields) => `organizationWorkflow(organizationId: $organization, workflowId: $id) { ${fields} }`,
    mutations: {
      updateControls: `updateControls(input: { ${WORKFLOW}, controlIds: ["A.5.1"], changes: { note: "n" } }) { totalCount }`,
      dissociate: `dissociateWorkflow(input: { ${WORKFLOW} }) { organizationWorkflow { id } }`,
    },
    facts: `select (select count(*) from organization_workflow where workflow_id = $1),
                   (select max(updated_at) from control_state where workflow_id = $1)`,
  },
  {
    type: 'OrganizationControlPermissions',
    states: { 'a control of an associated workflow': () => control(seeded()) },
    read: (fields) => `organizationControl(${CONTROL}, controlId: $id) { ${fields} }`,
    mutations: {
      update: `updateControl(input: { ${CONTROL}, controlId: $id, note: "n" }) { control { id } }`,
      uploadDocuments: `uploadDocumentVersion(input: { ${CONTROL}, artifactId: $id, file: $file }) { version { id } }`,
    },
    facts: `select (select max(updated_at) from control_state where control_id = $1),
                   (select count(*) from document_version where artifact_id = $1)`,
  },
  {
    type: 'WorkflowImportPermissions',
    states: {
      'a workflow': () => imported(seeded(), OWN, 'WORKFLOW'),
      'an associated workflow': async () => associated(seeded(), await imported(seeded(), OWN, 'WORKFLOW')),
      'a mapping': () => imported(seeded(), OWN, 'MAPPING'),
      'titles of an associated workflow': async () => imported(seeded(), await associated(seeded(), ISO), 'TITLES'),
    },
    read: (fields) => `organization(id: $organization) { workflowImports { nodes { ${fields} } } }`,
    mutations: {
      replace: [WORKFLOW_FIELDS, `mode: TITLES, ${WORKFLOW_FIELDS}`, `mode: MAPPING, ${MAPPING_FIELDS}`].map(
        (fields) => `importWorkflow(input: { organizationId: $organization, id: $id,
          source: { text: "Ours" }, licence: "Ours", ${fields} }) { created }`,
      ),
      delete: `deleteWorkflowImport(input: { ${WORKFLOW} }) { workflowImport { id } }`,
    },
    facts: 'select to_jsonb(i) from workflow_import i where workflow_id = $1',
  },
  {
    type: 'ApiTokenPermissions',
    states: {
      'a token that reads': (caller) => token(seeded(), seeded().people[caller]),
      'a token that only reports checks': (caller) => token(seeded(), seeded().people[caller], ['telemetry']),
      'a token with more scopes than some callers': (caller) =>
        token(seeded(), seeded().people[caller], ['read', 'write', 'telemetry']),
      'a revoked token': (caller) => token(seeded(), seeded().people[caller], ['read'], 'revoked_at = now()'),
      'a replaced token': (caller) => token(seeded(), seeded().people[caller], ['read'], 'replaced_at = now()'),
      'an expired token': (caller) => token(seeded(), seeded().people[caller], ['read'], 'expires_at = now()'),
    },
    read: (fields) => `apiToken(id: $id) { ${fields} }`,
    mutations: {
      revoke: 'revokeApiToken(input: { tokenId: $id }) { apiToken { id } }',
      rotate: 'rotateApiToken(input: { tokenId: $id }) { apiToken { id } }',
    },
    facts: 'select to_jsonb(t) from api_token t where id = $1',
  },
  {
    type: 'OrganizationApiTokenPermissions',
    states: {
      'a token of a member': () => token(seeded(), seeded().testData.analyst),
      'a blocked token of a member': () => blocked(seeded()),
    },
    callers: OWNERS,
    read: (fields) => `organization(id: $organization) { apiTokens(first: 1) { nodes { ${fields} } } }`,
    mutations: {
      block: 'blockApiToken(input: { organizationId: $organization, tokenId: $id }) { apiToken { id } }',
    },
    facts: 'select to_jsonb(b) from token_block b where token_id = $1',
  },
  {
    type: 'InvitationPermissions',
    states: {
      'open to a viewer': () => invitation(seeded(), 'VIEWER'),
      'open to an owner': () => invitation(seeded(), 'ORGANIZATION_OWNER'),
      accepted: () => invitation(seeded(), 'VIEWER', 'accepted_at = now()'),
      cancelled: () => invitation(seeded(), 'VIEWER', 'closed_at = now()'),
      expired: () => invitation(seeded(), 'VIEWER', 'expires_at = now()'),
      'sent five times': () => invitation(seeded(), 'VIEWER', 'sent_at = array_fill(now(), array[5])'),
    },
    callers: MANAGERS,
    read: (fields) => `invitation(organizationId: $organization, id: $id) { ${fields} }`,
    mutations: {
      resend: 'resendInvitation(input: { organizationId: $organization, invitationId: $id }) { invitation { id } }',
      cancel: 'cancelInvitation(input: { organizationId: $organization, invitationId: $id }) { invitation { id } }',
    },
    facts: 'select to_jsonb(i) from invitation i where id = $1',
  },
]);

async function version({ database, testData }: Seeded, uploader: Person | null): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source,
       sha256, created_by, uploader_id)
     values ($1, $2, 'A.5.1', 'policy.txt', 1, 'text/plain', 'attached', gen_random_uuid()::text, 'someone', $3) returning id`,
    [testData.organizationId, ISO, uploader?.id ?? null],
  );
  return row!.id;
}

async function associated({ database, testData }: Seeded, workflowId: string): Promise<string> {
  await database.rows(
    'insert into organization_workflow (organization_id, workflow_id) values ($1, $2) on conflict do nothing',
    [testData.organizationId, workflowId],
  );
  return workflowId;
}

/** The file of an upload is the same each time: it makes a version where the control has none. */
async function control(seeded: Seeded): Promise<string> {
  await associated(seeded, ISO);
  await seeded.database.rows('delete from document_version');
  return 'A.5.1';
}

async function imported({ database, testData }: Seeded, id: string, mode: ImportMode): Promise<string> {
  const workflow = { name: 'Own', version: '1', source: { text: 'Ours' }, controls: [] };
  const content = { id, ...(mode === 'MAPPING' ? { from: ISO, to: 'nis2-directive', pairs: [] } : workflow) };
  if (mode === 'WORKFLOW') await database.rows('delete from organization_workflow where workflow_id = $1', [id]);
  await database.rows(
    `insert into workflow_import (organization_id, workflow_id, mode, content, imported_by) values ($1, $2, $3, $4, 'someone')
       on conflict (organization_id, workflow_id) do update set mode = excluded.mode, content = excluded.content`,
    [testData.organizationId, id, mode, JSON.stringify(content)],
  );
  return id;
}

async function token(
  { database }: Seeded,
  { id: userId }: Person,
  scopes: Scope[] = ['read'],
  set?: string,
): Promise<number> {
  const { id } = await issueToken(database, { userId, name: 'made', scopes, expiresAt: new Date(Date.now() + 60_000) });
  if (set !== undefined) await database.rows(`update api_token set ${set} where id = $1`, [id]);
  return id;
}

async function blocked(seeded: Seeded): Promise<number> {
  const id = await token(seeded, seeded.testData.analyst);
  await seeded.database.rows('insert into token_block (token_id, organization_id) values ($1, $2)', [
    id,
    seeded.testData.organizationId,
  ]);
  return id;
}

async function invitation({ database, testData }: Seeded, role: string, set?: string): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `insert into invitation (organization_id, email, role, digest, invited_by_id, expires_at, sent_at)
     values ($1, gen_random_uuid() || '@example.com', $2, gen_random_uuid()::text, $3, now() + interval '7 days', array[now()])
     returning id`,
    [testData.organizationId, role, testData.owner.id],
  );
  if (set !== undefined) await database.rows(`update invitation set ${set} where id = $1`, [row!.id]);
  return row!.id;
}
