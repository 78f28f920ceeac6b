import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { LocalRecordStore } from '../../src/storage/local-record-store.js';
import { RECORDS } from '../../src/storage/record-store.js';
import { openRecordStore } from '../../src/storage/storage-location.js';
import { startS3 } from '../support/s3.js';

const ROOT = join(import.meta.dirname, '../..');

let parent: string;
let directory: string;
let store: LocalRecordStore;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'records-'));
  directory = await mkdtemp(join(parent, 'files-'));
  store = new LocalRecordStore(directory);
});
const put = (folder: string, name: string, text: string) => store.put([{ folder, name, text }]);
afterAll(() => rm(parent, { recursive: true }));

test('A text is stored in its folder, and another one of its name does not replace it.', async () => {
  await put('organization/7', '1.json', 'first');
  await put('organization/7', '1.json', 'second');
  expect(await readFile(join(directory, RECORDS, 'organization', '7', '1.json'), 'utf8')).toBe('first');
  expect(await readdir(join(directory, RECORDS, 'organization', '7'))).toEqual(['1.json']);
});

test('Names come in their order, without what a crash has left unfinished, and none of a folder that is not there.', async () => {
  for (const name of ['2.json', '10.json', '1.json']) await put('organization/6', name, 'kept');
  await writeFile(join(directory, RECORDS, 'organization', '6', `.${randomUUID()}`), 'unfinis');
  expect(await store.names('organization/6')).toEqual(['1.json', '10.json', '2.json']);
  expect(await store.names('organization/none')).toEqual([]);
});

test('Nothing is made in the place of a storage that was taken away.', async () => {
  await rename(directory, `${directory}.away`);
  await expect(put('organization/8', '1.json', 'lost')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await readdir(parent)).toEqual([`${directory.slice(parent.length + 1)}.away`]);
  // The mount point of its volume.
  await mkdir(directory);
  await expect(put('organization/8', '1.json', 'lost')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await readdir(directory)).toEqual([]);
  await rename(`${directory}.away`, directory);
  await put('organization/8', '1.json', 'kept');
  expect(await store.get('organization/8', '1.json')).toBe('kept');
});

describe('in a bucket', () => {
  test('a text is stored in its folder, and another one of its name does not replace it', async () => {
    const service = await startS3();
    const bucket = await openRecordStore(service.url);
    try {
      for (const [name, text] of [
        ['2.json', 'first'],
        ['2.json', 'second'],
        ['1.json', 'other'],
      ] as const)
        await bucket.put([{ folder: 'organization/7', name, text }]);
      await bucket.put([{ folder: 'organization/77', name: '3.json', text: 'of another' }]);
      expect(await bucket.get('organization/7', '2.json')).toBe('first');
      expect(await bucket.get('organization/7', '3.json')).toBeUndefined();
      expect(await bucket.names('organization/7')).toEqual(['1.json', '2.json']);
    } finally {
      bucket.close();
      await service.stop();
    }
  });

  test('names are read to the last page of the list', async () => {
    const asked: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      const isLast = url.includes('continuation-token=more');
      const more = isLast ? '' : '<IsTruncated>true</IsTruncated><NextContinuationToken>more</NextContinuationToken>';
      const key = `${RECORDS}/organization/7/${isLast ? 2 : 1}.json`;
      response.end(`<ListBucketResult><Contents><Key>${key}</Key></Contents>${more}</ListBucketResult>`);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const bucket = await openRecordStore(`s3://KEY:SECRET@127.0.0.1:${port}/evidence?tls=0`);
    try {
      expect(await bucket.names('organization/7')).toEqual(['1.json', '2.json']);
      expect(asked).toHaveLength(2);
    } finally {
      bucket.close();
      server.closeAllConnections();
      server.close();
    }
  });
});

// The names of synced files are in /proc.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'Texts that are kept together are on the disk with their folders, each synced once, after the texts have their names.',
  async () => {
    const texts = [7, 8, 9].map((id) => ({ folder: `organization/${id}`, name: '1.json', text: 'first' }));
    const program = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { fsync } = fs;
    const synced = [];
    fs.fsync = (descriptor, done) => {
      synced.push(fs.readlinkSync('/proc/self/fd/' + descriptor));
      fsync(descriptor, done);
    };
    syncBuiltinESMExports();
    const { LocalRecordStore } = await import('./src/storage/local-record-store.ts');
    const store = new LocalRecordStore(${JSON.stringify(directory)});
    const puts = [];
    for (let count = 0; count < 2; count += 1) {
      await store.put(${JSON.stringify(texts)});
      puts.push(synced.splice(0));
    }
    console.log(JSON.stringify(puts));`;
    await rm(join(directory, RECORDS), { recursive: true, force: true });
    const given = ['--import', '@swc-node/register/esm-register', '--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, given, { cwd: ROOT });
    const puts = (JSON.parse(stdout) as string[][]).map((paths) => paths.map((path) => relative(directory, path)));
    const isText = (path: string) => /\/\.[0-9a-f-]{36}$/.test(path);
    const folders = [7, 8, 9].map((id) => `${RECORDS}/organization/${id}`).concat(`${RECORDS}/organization`);
    expect(puts.map((paths) => paths.filter(isText).length)).toEqual([3, 0]);
    expect(puts[0]!.slice(3).toSorted()).toEqual([...folders, RECORDS, ''].toSorted());
    expect(puts[1]!.toSorted()).toEqual(folders.toSorted());
  },
);
