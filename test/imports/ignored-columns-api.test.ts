import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, type Api } from '../support/apis.js';
import { expectStatus } from '../support/matchers.js';
import { newMember } from '../support/people.js';
import { rawRequest } from '../support/rest.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildWorkflow, type Person } from '../support/test-data.js';
import { zip } from '../support/zip.js';

const { gateway } = await startSeededGateway();
const { database } = gateway.app;
const workflowId = 'iso-27001-2022';
const HOW = ['at once', 'as a dry run', 'as a job'] as const;

let organizationId: number;
let owner: Person;
beforeEach(async () => {
  organizationId = await buildOrganization(database, 'Another');
  await buildWorkflow(database, organizationId, workflowId);
  owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
});

const paths = () => {
  const workflow = `/api/v1/v-ciso/organizations/${organizationId}/workflows/${workflowId}`;
  const members = `/api/v1/organizations/${organizationId}/users`;
  return {
    Member: members,
    Control: `${workflow}/controls`,
    Document: `${workflow}/documents`,
    pack: `${workflow}/evidence-pack`,
  };
};

/** Columns that the response to an import reports as ignored; REST has no header without any. */
async function ignored(
  api: Api,
  kind: 'Member' | 'Control' | 'Document',
  content: string | Buffer,
  how: (typeof HOW)[number] = 'at once',
): Promise<string[] | null> {
  const { token } = owner;
  const isJob = how === 'as a job';
  if (api === 'REST') {
    const type = kind === 'Document' ? 'application/zip' : 'text/csv';
    const answer = await gateway.rest.post(`${paths()[kind]}/import${how === 'as a dry run' ? '?dry_run=true' : ''}`, {
      token,
      headers: { 'content-type': type, ...(isJob && { prefer: 'respond-async' }) },
      body: Buffer.from(content),
    });
    expectStatus(answer, isJob ? 202 : 200);
    return answer.headers.get('ignored-columns')?.split(', ') ?? [];
  }
  const field = isJob ? `start${kind}Import` : `import${kind}s`;
  const document = `mutation ($input: ${field.charAt(0).toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ignoredColumns } }`;
  const input = {
    organizationId,
    ...(kind !== 'Member' && { workflowId }),
    ...(how === 'as a dry run' && { dryRun: true }),
  };
  const file = {
    name: 'file',
    type: kind === 'Document' ? 'application/zip' : 'text/csv',
    bytes: Buffer.from(content),
  };
  const sent = { input: { ...input, file: null } };
  const { body } = await gateway.graphql.upload(document, sent, 'variables.input.file', file, token);
  expect(body.errors).toBeUndefined();
  return body.data[field].ignoredColumns;
}

const exported = async (kind: 'Member' | 'Control') =>
  (await gateway.rest.get(`${paths()[kind]}?format=csv`, { token: owner.token })).text;

describe.each(APIS)('through %s', (api) => {
  test.each(HOW)(
    'a table of members that is imported %s is answered with the columns that are not looked at',
    async (how) => {
      expect(await ignored(api, 'Member', await exported('Member'), how)).toEqual(['joined_at']);
      expect(await ignored(api, 'Member', `id,role\n${owner.id},ORGANIZATION_OWNER\n`, how)).toEqual([]);
    },
  );

  test.each(HOW)('so is a table of controls %s, in its own order', async (how) => {
    expect(await ignored(api, 'Control', await exported('Control'), how)).toEqual([
      ...[
        'position',
        'owner_first_name',
        'owner_last_name',
        'overdue',
        'evidence_own',
        'evidence_mapped',
        'evidence_total',
      ],
      ...[
        'evidence_valid_until',
        'evidence_sources',
        'evidence_state',
        'updated_at',
        'attestation_id',
        'attestation_state',
      ],
      ...['attestation_attested_by', 'attestation_attested_at', 'attestation_countersigned_by'],
      'attestation_countersigned_at',
    ]);
    const short = 'updated_at;id;overdue;note\n2026-01-01;A.5.1;yes;Seen.\n';
    expect(await ignored(api, 'Control', short, how)).toEqual(['updated_at', 'overdue']);
  });

  test.each(['at once', 'as a job'] as const)('so is an evidence pack %s, and no other archive', async (how) => {
    const pack = await rawRequest(gateway.url, 'GET', paths().pack, {
      headers: { 'x-service-token': owner.token },
    });
    expect(await ignored(api, 'Document', pack.bytes, how)).toEqual(['version_id', 'size', 'uploaded_by']);
    const manifest = { name: 'manifest.json', content: JSON.stringify({ documents: [] }) };
    expect(await ignored(api, 'Document', zip([manifest]), how)).toEqual([]);
  });
});

test('an answer that is repeated by its key names them again', async () => {
  const headers = { 'content-type': 'text/csv', 'idempotency-key': 'ignored-columns' };
  const request = { token: owner.token, headers, body: Buffer.from(await exported('Member')) };
  for (const replayed of [null, 'true']) {
    const answer = await gateway.rest.post(`${paths().Member}/import`, request);
    expect(answer.headers.get('idempotency-replayed')).toBe(replayed);
    expect(answer.headers.get('ignored-columns')).toBe('joined_at');
  }
});
