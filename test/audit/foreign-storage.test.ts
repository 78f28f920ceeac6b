import { expect, test } from '@jest/globals';
import { copyFileSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { MARKER } from '../../src/storage/blob-store.js';
import { RECORDS } from '../../src/storage/record-store.js';
import { APIS, callThrough, dataOf, expectFailure } from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { mutation } from '../support/operations.js';
import { startGateway } from '../support/gateway.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, join } from '../support/test-data.js';
import { until } from '../support/until.js';

const CREATE = mutation(
  'POST /api/v1/organizations/{organization_id}/audit-trail/checkpoints',
  'createAuditCheckpoint',
  'checkpoint { log position }',
);

type Installation = Awaited<ReturnType<typeof startSeededGateway>>;

const owner = await startSeededGateway();
const folder = pathOf(owner.gateway.dataDir, 'files');
await until(() => existsSync(pathOf(folder, MARKER)));
const guest = await startSeededGateway({ config: { storageUrl: `file:${folder}` } });
const elsewhere = await startSeededGateway();

/** An organization that has the same id in both databases. */
async function newOrganization({ gateway, testData }: Installation): Promise<number> {
  const { database } = gateway.app;
  const id = await buildOrganization(database, 'Namesake');
  await join(database, testData.officer, id, 'SECURITY_OFFICER');
  await buildAuditEntry(database, id);
  return id;
}

test.each(APIS)('another installation signs nothing in a storage, and its owner goes on, through %s', async (api) => {
  const sign = ({ gateway, testData }: Installation, organization_id: number) =>
    callThrough(api, gateway, CREATE, { organization_id }, testData.officer.token);
  const id = await newOrganization(guest);
  expectFailure(await sign(guest, id), 'UNAVAILABLE', []);
  expect(await newOrganization(owner)).toBe(id);
  expect(dataOf(await sign(owner, id))).toMatchObject({ log: `organization/${id}`, position: 1 });
  for (const { gateway } of [owner, guest])
    expect(await gateway.app.database.rows('select log, reason from audit_fault')).toEqual([]);
});

test('another installation writes nothing there that it has signed before, in a storage of its own', async () => {
  const { database } = elsewhere.gateway;
  const { token } = elsewhere.testData.officer;
  const organization_id = await newOrganization(elsewhere);
  dataOf(await callThrough('REST', elsewhere.gateway, CREATE, { organization_id }, token));
  // Of the same owner, who writes nothing there.
  const copy = mkdtempSync(pathOf(elsewhere.gateway.dataDir, 'copy-'));
  copyFileSync(pathOf(folder, MARKER), pathOf(copy, MARKER));
  const moved = await startGateway({ database, config: { storageUrl: `file:${copy}` } });
  try {
    await expect(moved.app.services.auditCheckpoints.publishAgain()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  } finally {
    await moved.close();
  }
  expect(readdirSync(copy)).not.toContain(RECORDS);
});
