import { beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createLogger } from '../../src/logger.js';
import { uploadText } from '../resilience/support/evidence.js';
import { testConfig } from '../support/gateway.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectStatus } from '../support/matchers.js';
import { openFilesBelow } from '../support/open-files.js';
import { samples } from '../support/sample-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildWorkflow } from '../support/test-data.js';
import { until } from '../support/until.js';

const connections = { ...testConfig('', '').connections, bodyGraceSeconds: 1 };
const logged: object[] = [];
const log = createLogger('silent');
log.error = ((what: object) => void logged.push(what)) as typeof log.error;
const { gateway, testData } = await startSeededGateway({ config: { connections }, log });
const { database } = gateway.app;
const { organizationId } = testData;
const token = testData.owner.token;
const pack = `/api/v1/v-ciso/organizations/${organizationId}/workflows/iso-27001-2022/evidence-pack`;
const paths: Record<string, string> = {};

const warnings: string[] = [];
process.on('warning', ({ message }) => warnings.push(message));

beforeAll(async () => {
  await buildWorkflow(database, organizationId);
  const uploaded = await uploadText(gateway.rest, { organizationId, artifactId: 'A.5.1', token }, 'x'.repeat(1e6));
  const url = new URL((uploaded.body as { data: { download_url: string } }).data.download_url);
  paths['a stored document'] = url.pathname + url.search;
  const made = await gateway.graphql.upload(
    'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { logo } } }',
    { input: { name: 'With logo', logoFile: null } },
    'variables.input.logoFile',
    { name: samples.WEBP.filename, type: samples.WEBP.contentType, bytes: samples.WEBP.bytes },
    token,
  );
  paths['a logo'] = new URL(made.body.data.createOrganization.organization.logo).pathname;
});

/** Announces a body that is never sent. Resolves with the response when the connection is closed. */
async function announceBody(path: string, begun?: () => void): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  const headers = [`GET ${path} HTTP/1.1`, 'Host: gateway', `X-Service-Token: ${token}`, 'Content-Length: 9'];
  socket.write(`${headers.join('\r\n')}\r\n\r\n`);
  const closed = once(socket, 'close');
  if (begun !== undefined) socket.once('data', begun);
  const answer = await text(socket);
  await closed;
  return answer;
}

const openBlobs = () => openFilesBelow(join(gateway.dataDir, 'files', 'blobs'));

test.each(['a stored document', 'a logo'])(
  '%s whose request is refused before it begins leaves no file open',
  async (what) => {
    const path = paths[what] as string;
    await database.transaction(async (tx) => {
      await tx.rows('lock table document_version, organization in access exclusive mode');
      const answered = announceBody(path);
      await someoneWaits(tx);
      expect(await answered).toMatch(/^HTTP\/1\.1 408 /);
    });
    expectStatus(await gateway.rest.get(path), 200);
    await until('every stored file is closed', async () => (await openBlobs()).length === 0);
    // Node closes a leaked file at some time, with a warning.
    expect(warnings).toEqual([]);
    expect(logged).toEqual([]);
  },
);

test('an archive whose request is refused before it begins leaves nothing open that could fail later', async () => {
  await database.transaction(async (tx) => {
    await tx.rows('select from audit_log where organization_id = $1 for update', [organizationId]);
    const answered = announceBody(pack);
    await someoneWaits(tx);
    expect(await answered).toMatch(/^HTTP\/1\.1 408 /);
    await rm(join(gateway.dataDir, 'files', 'blobs'), { recursive: true });
  });
  await gateway.settled();
  // For the same file: by then, the archive would have reached the missing file.
  expectStatus(await gateway.rest.get(pack, { token }), 500);
});

test('a readiness request that is refused before the end of the checks ends nothing', async () => {
  const release = Promise.withResolvers<void>();
  const all = Array.from({ length: 20 }, () => database.transaction(() => release.promise).catch(() => undefined));
  await until('no connection is left for another one', async () => database.connections().waiting > 0);
  // On a busy machine the checks may end before it is refused.
  await until('it is refused', async () => /^HTTP\/1\.1 408 /.test(await announceBody('/health/ready')));
  // These checks began later: at their end, those of the refused request have ended.
  expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(503);
  release.resolve();
  await Promise.all(all);
});

test.each([
  ['REST', `/api/v1/organizations/${organizationId}`],
  ['GraphQL', `/graphql?query=${encodeURIComponent(`{ organization(id: "${organizationId}") { name } }`)}`],
])(
  'what goes on through %s when its request was refused is no unexpected error, and ends no answer',
  async (_api, path) => {
    logged.length = 0;
    const refused = Promise.withResolvers<void>();
    const answered = database.transaction(async (tx) => {
      await tx.rows('lock table organization in access exclusive mode');
      const answer = announceBody(path, refused.resolve);
      await someoneWaits(tx);
      await refused.promise;
      return { answer };
    });
    // It is refused, and its handler continues before the connection is closed.
    expect(await (await answered).answer).toMatch(/^HTTP\/1\.1 408 [^]*\}$/);
    expect(logged).toEqual([]);
  },
);
