import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { BlobStore } from '../../src/storage/blob-store.js';
import { storedContents } from '../support/stored-content.js';
import { chunks, collect, readAll, sha256Of } from '../support/bytes.js';
import { openFilesBelow } from '../support/open-files.js';

export interface StoreUnderTest {
  store: BlobStore;
  /** Local files of the store. */
  directory: string;
  /** Folder of staged uploads. */
  stagingDirectory: string;
}

const MB = 1024 * 1024;
const notThere = expect.objectContaining({ code: 'NOT_FOUND' });

/** Tests of every blob store. Each test gets a new store. */
export function describeBlobStoreContract(open: () => StoreUnderTest): void {
  const staged = () => readdir(open().stagingDirectory).catch(() => []);
  const openFiles = () => openFilesBelow(open().directory);
  const storeContent = async (content: Uint8Array | string) => {
    const blob = await open().store.stage(chunks(content), MB);
    await blob.store();
    return blob.sha256;
  };

  it.each([0, 1, 15, 16, 17, 64 * 1024, 256 * 1024 + 1, MB])('gives back %i bytes as they came', async (size) => {
    const content = randomBytes(size);
    const blob = await open().store.stage(chunks(content, 10_000), MB);
    expect(blob).toMatchObject({ size, sha256: sha256Of(content) });
    expect(content.subarray(0, 16).equals(blob.head)).toBe(true);
    expect(content.equals(await readFile(blob.path))).toBe(true);
    await blob.store();
    expect(content.equals(await readAll(await open().store.open(blob.sha256)))).toBe(true);
    expect(await staged()).toEqual([]);
    expect(await openFiles()).toEqual([]);
  });

  it('takes one-byte chunks and chunks larger than its batch', async () => {
    const content = randomBytes(600_000);
    const mixed = (async function* () {
      yield* chunks(content.subarray(0, 3_000), 1);
      yield new Uint8Array(0);
      yield content.subarray(3_000);
    })();
    const blob = await open().store.stage(mixed, MB);
    await blob.store();
    expect(content.equals(await readAll(await open().store.open(blob.sha256)))).toBe(true);
  });

  it('takes exactly the limit', async () => {
    const blob = await open().store.stage(chunks(Buffer.alloc(MB)), MB);
    expect(blob.size).toBe(MB);
    await blob.discard();
  });

  it('refuses one byte more than the limit, stops reading, and leaves nothing', async () => {
    let given = 0;
    let stopped = false;
    const endless = (async function* () {
      try {
        for (;;) {
          given += 1024;
          yield Buffer.alloc(1024);
        }
      } finally {
        stopped = true;
      }
    })();
    await expect(open().store.stage(endless, MB)).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      messages: ['File too large. Maximum size is 1 MB.'],
    });
    expect(given).toBe(MB + 1024);
    expect(stopped).toBe(true);
    expect(await staged()).toEqual([]);
    expect(await openFiles()).toEqual([]);
    await expect(open().store.stage(chunks(Buffer.alloc(MB + 1), MB + 1), MB)).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
  });

  it('leaves nothing and passes the error on when the source breaks off', async () => {
    const broken = (async function* () {
      yield randomBytes(300_000);
      throw Object.assign(new Error('aborted'), { code: 'EIO' });
    })();
    await expect(open().store.stage(broken, MB)).rejects.toThrow('aborted');
    expect(await staged()).toEqual([]);
  });

  it('leaves nothing after discard, which may come twice', async () => {
    const blob = await open().store.stage(chunks('draft'), MB);
    expect(await staged()).toHaveLength(1);
    await blob.discard();
    await blob.discard();
    expect(await staged()).toEqual([]);
    expect(await open().store.has(blob.sha256)).toBe(false);
  });

  it('retains a blob through a discard that follows, and through a second store', async () => {
    const blob = await open().store.stage(chunks('final'), MB);
    await Promise.all([blob.store(), blob.store()]);
    await blob.store();
    await blob.discard();
    expect(await open().store.has(blob.sha256)).toBe(true);
    expect((await readAll(await open().store.open(blob.sha256))).toString()).toBe('final');
  });

  it('retains a blob that is discarded while it is being stored', async () => {
    const blob = await open().store.stage(chunks('discarded too late'), MB);
    await Promise.all([blob.store(), blob.discard()]);
    expect((await readAll(await open().store.open(blob.sha256))).toString()).toBe('discarded too late');
    expect(await staged()).toEqual([]);
  });

  it('sweeps what ended processes have left, and neither what it receives nor what it has stored', async () => {
    const sha256 = await storeContent('stored');
    const blob = await open().store.stage(chunks('on its way'), MB);
    const [name = ''] = await staged();
    const [host, pid] = name.split('.');
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    // An earlier process may have had its number.
    for (const ended of [child.pid, pid]) {
      const left = `${host}.${ended}.${'0'.repeat(32)}.${randomUUID()}`;
      await writeFile(join(open().stagingDirectory, left), 'left');
    }
    expect(await open().store.sweepStaging()).toBe(2);
    expect(await staged()).toEqual([name]);
    await blob.store();
    for (const each of [sha256, blob.sha256]) expect(await open().store.has(each)).toBe(true);
  });

  it('stores again what was removed after it was secured', async () => {
    const blob = await open().store.stage(chunks('swept on its way'), MB);
    await blob.secure();
    await open().store.remove(blob.sha256);
    await blob.store();
    expect((await readAll(await open().store.open(blob.sha256))).toString()).toBe('swept on its way');
    expect(await staged()).toEqual([]);
  });

  it('leaves nothing staged of what was secured and discarded', async () => {
    const blob = await open().store.stage(chunks('secured and discarded'), MB);
    await blob.secure();
    await blob.discard();
    expect(await staged()).toEqual([]);
  });

  it('stores one content once, when it comes twelve times at once', async () => {
    const content = randomBytes(100_000);
    const blobs = await Promise.all(Array.from({ length: 12 }, () => open().store.stage(chunks(content), MB)));
    await Promise.all(blobs.map((blob) => blob.store()));
    expect(await storedContents(open().store)).toEqual([sha256Of(content)]);
    expect(await staged()).toEqual([]);
    expect(content.equals(await readAll(await open().store.open(sha256Of(content))))).toBe(true);
  });

  it.each([
    [{ start: 0, end: 1 }, '01'],
    [{ start: 2, end: 5 }, '2345'],
    [{ start: 9, end: 9 }, '9'],
    [{ start: 5, end: 100 }, '56789'],
  ])('reads the range %j', async (range, part) => {
    const sha256 = await storeContent('0123456789');
    expect((await readAll(await open().store.open(sha256, range))).toString()).toBe(part);
  });

  it.each([
    '',
    '..',
    '../../../etc/passwd',
    'A'.repeat(64),
    `${'a'.repeat(63)}/`,
    `${'a'.repeat(64)}\n`,
    'a'.repeat(65),
  ])('knows no blob called %j', async (hostile) => {
    await expect(open().store.open(hostile)).rejects.toEqual(notThere);
    expect(await open().store.has(hostile)).toBe(false);
    await expect(open().store.remove(hostile)).resolves.toBeUndefined();
  });

  it('reaches a blob by no other spelling of its address', async () => {
    const sha256 = await storeContent('evidence');
    for (const other of [`${sha256}/../${sha256}`, `${sha256}/`, `./${sha256}`, ` ${sha256}`]) {
      await expect(open().store.open(other)).rejects.toEqual(notThere);
      await open().store.remove(other);
    }
    expect(await open().store.has(sha256)).toBe(true);
  });

  it('says NOT_FOUND for bytes that are not there, before anything is read', async () => {
    await expect(open().store.open(sha256Of('never stored'))).rejects.toEqual(notThere);
    expect(await open().store.has(sha256Of('never stored'))).toBe(false);
  });

  it('removes bytes, and does not mind when they are gone', async () => {
    const sha256 = await storeContent('old');
    await open().store.remove(sha256);
    await open().store.remove(sha256);
    expect(await open().store.has(sha256)).toBe(false);
    await expect(open().store.open(sha256)).rejects.toEqual(notThere);
  });

  it('stores again what was removed', async () => {
    const sha256 = await storeContent('again');
    await open().store.remove(sha256);
    await storeContent('again');
    expect(await open().store.has(sha256)).toBe(true);
  });

  it('lists every blob', async () => {
    const stored = [await storeContent('first'), await storeContent('second'), await storeContent('third')];
    expect(await storedContents(open().store)).toEqual(stored.toSorted());
  });

  it('lists what is behind an address, in order', async () => {
    const stored: string[] = [];
    for (let at = 0; at < 20; at += 1) stored.push(await storeContent(`content ${at}`));
    const all = stored.toSorted();
    const behind = async (after?: string) => (await collect(open().store.list(after))).map(({ sha256 }) => sha256);
    expect(await behind()).toEqual(all);
    for (const at of [0, 9, 19]) expect(await behind(all[at])).toEqual(all.slice(at + 1));
    const [first = ''] = all;
    expect(await behind(`${first.slice(0, 4)}${'0'.repeat(60)}`)).toEqual(all);
    expect(await behind('f'.repeat(64))).toEqual([]);
  });

  it('says when each blob was stored', async () => {
    const before = Date.now();
    await storeContent('dated');
    const [{ storedAt } = { storedAt: new Date(0) }] = await collect(open().store.list());
    // S3 reports it in whole seconds.
    expect(storedAt.getTime()).toBeGreaterThan(before - 2_000);
    expect(storedAt.getTime()).toBeLessThan(Date.now() + 2_000);
  });

  it('has no marker until one is written, gives it back, and does not list it', async () => {
    expect(await open().store.readMarker()).toBeUndefined();
    await open().store.writeMarker('first');
    await open().store.writeMarker('second');
    expect(await open().store.readMarker()).toBe('second');
    expect(await collect(open().store.list())).toEqual([]);
  });

  it('lists nothing while it is empty', async () => {
    expect(await collect(open().store.list())).toEqual([]);
  });

  it('answers a ping', async () => {
    await expect(open().store.ping()).resolves.toBeUndefined();
  });
}
