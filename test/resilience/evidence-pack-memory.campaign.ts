import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import type { Database } from '../../src/database/database.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { blobPath, sha256Hex } from './support/evidence.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';
import { peakDuring, residentBytes } from './support/memory.js';

const MEGABYTE = 1024 * 1024;
/** The maximum size of a document (specification 8). */
const LARGEST = 10 * MEGABYTE;
/** Enough to detect whether a pack is buffered or streamed; set PACK_MEGABYTES=1024 for the whole gigabyte. */
const DOCUMENTS = Math.ceil(Number(process.env['PACK_MEGABYTES'] ?? 200) / 10);

let installation: Installation;
let database: Database;
let testData: TestData;
let gateway: GatewayProcess;

beforeAll(async () => {
  installation = await Installation.create('pack-memory');
  ({ database } = installation);
  testData = await seedTestData(database);
  await buildWorkflow(database, testData.organizationId);
  for (let number = 0; number < DOCUMENTS; number += 1) await lay(number);
  gateway = await installation.start();
});

afterAll(() => installation?.clear());

/** A document in its final path; every fourth one is text, which is compressed for the transfer. */
async function lay(number: number): Promise<void> {
  const isText = number % 4 === 0;
  const content = isText ? Buffer.from(randomBytes(LARGEST / 2).toString('hex')) : randomBytes(LARGEST);
  const sha256 = sha256Hex(content);
  const path = blobPath(installation.files, sha256);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await database.rows(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256,
                                   created_by)
     values ($1, 'iso-27001-2022', $2, 'scan', $3, $4, 'attached', $5, 'someone')`,
    [
      testData.organizationId,
      `A.8.${1 + Math.floor(number / 10)}`,
      content.length,
      isText ? 'text/plain' : 'application/pdf',
      sha256,
    ],
  );
}

function request(): Promise<IncomingMessage> {
  const path = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/iso-27001-2022/evidence-pack`;
  return new Promise((answered, failed) => {
    get(gateway.url + path, { headers: { 'x-service-token': testData.viewer.token } }, answered).on('error', failed);
  });
}

/** Reads to the end and returns the number of bytes. */
async function size(answer: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const piece of answer) bytes += (piece as Buffer).length;
  return bytes;
}

test('a pack is passed on and never buffered: neither for who reads it nor for who does not', async () => {
  const before = residentBytes(gateway.pid);
  // A client that sends a request and then reads nothing.
  const idle = await request();
  idle.pause();
  const bytes = request().then(size);
  const peak = await peakDuring(gateway.pid, bytes);
  const stored = Math.floor((DOCUMENTS * 3) / 4) * LARGEST;
  expect(await bytes).toBeGreaterThan(stored);
  const megabytes = Math.round((peak - before) / MEGABYTE);
  expect(megabytes).toBeLessThan(100);
  idle.destroy();
  if (process.env['PACK_MEGABYTES'] !== undefined) {
    process.stdout.write(
      `${DOCUMENTS * 10} MB: ${Math.round(before / MEGABYTE)} MB before, ${megabytes} MB more at most\n`,
    );
  }
});
