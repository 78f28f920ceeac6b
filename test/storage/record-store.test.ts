import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalRecordStore } from '../../src/storage/local-record-store.js';
import { RECORDS } from '../../src/storage/record-store.js';

let parent: string;
let directory: string;
let store: LocalRecordStore;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'records-'));
  directory = await mkdtemp(join(parent, 'files-'));
  store = new LocalRecordStore(directory);
});
afterAll(() => rm(parent, { recursive: true }));

test('A text is kept in its folder, and another one of its name does not replace it.', async () => {
  await store.put('organization/7', '1.json', 'first');
  await store.put('organization/7', '1.json', 'second');
  expect(await readFile(join(directory, RECORDS, 'organization', '7', '1.json'), 'utf8')).toBe('first');
  expect(await readdir(join(directory, RECORDS, 'organization', '7'))).toEqual(['1.json']);
});

test('Nothing is made in the place of a storage that was taken away.', async () => {
  await rename(directory, `${directory}.away`);
  await expect(store.put('organization/8', '1.json', 'lost')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await readdir(parent)).toEqual([`${directory.slice(parent.length + 1)}.away`]);
  await rename(`${directory}.away`, directory);
  await store.put('organization/8', '1.json', 'kept');
  expect(await store.get('organization/8', '1.json')).toBe('kept');
});
