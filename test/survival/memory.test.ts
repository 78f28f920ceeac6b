import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { pdf } from '../support/sample-files.js';
import { buildWorkflow, buildWorld, type World } from '../support/world.js';
import { rowsWithoutTheirBytes, versionRows } from './support/evidence.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Ground } from './support/ground.js';
import { peakDuring, residentBytes } from './support/memory.js';
import { RawUpload } from './support/raw-upload.js';

const MEGABYTE = 1024 * 1024;
/** The largest document there may be (specification 8; decisions §6). */
const LARGEST = 10 * MEGABYTE;

let ground: Ground;
let database: Database;
let world: World;
let gateway: GatewayProcess;

beforeAll(async () => {
  ground = await Ground.lay('memory');
  ({ database } = ground);
  world = await buildWorld(database);
  await buildWorkflow(database, world.organizationId);
  gateway = await ground.start();
}, 60_000);

afterAll(() => ground?.clear(), 60_000);

/** A document of exactly this size, unlike any other. */
function document(title: string, size: number) {
  const bytes = Buffer.alloc(size, `${title} `);
  pdf(title).copy(bytes);
  return { name: 'scan.pdf', type: 'application/pdf', bytes };
}

const upload = (control: number, title: string, size: number) =>
  new RawUpload(
    gateway.url,
    { organizationId: world.organizationId, artifactId: `A.8.${control}`, token: world.analyst.token },
    document(title, size),
  );

/** Sixteen uploads none of which ends before each has come nearly to its end: all are held at the same time. */
async function sixteenAtOnce() {
  const uploads = Array.from({ length: 16 }, (_, at) => upload(at + 1, `The largest, number ${at + 1}`, LARGEST));
  await Promise.all(uploads.map((each) => each.send(0.99)));
  return Promise.all(uploads.map((each) => each.finish()));
}

test('sixteen of the largest documents at once take less than 150 MB of memory, and all are stored', async () => {
  expect((await upload(30, 'What every first upload loads', 1000).finish()).status).toBe(201);
  const before = residentBytes(gateway.pid);
  const uploads = sixteenAtOnce();
  const peak = await peakDuring(gateway.pid, uploads);
  expect((await uploads).map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 201));
  const sizes = (await versionRows(database)).map(({ size }) => size);
  expect(sizes).toEqual([1000, ...Array.from({ length: 16 }, () => LARGEST)]);
  expect(await rowsWithoutTheirBytes(database, ground.files)).toEqual([]);
  expect((peak - before) / MEGABYTE).toBeLessThan(150);
}, 120_000);
