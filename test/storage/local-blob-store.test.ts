import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY } from '../../src/common/time.js';
import { LocalBlobStore } from '../../src/storage/local-blob-store.js';
import { openWhole } from '../../src/storage/whole-content.js';
import { storedContents } from '../support/stored-content.js';
import { chunks, readAll, sha256Of } from '../support/bytes.js';
import { describeBlobStoreContract } from './blob-store-contract.js';

const away = expect.objectContaining({ code: 'UNAVAILABLE' });

let directory: string;
let store: LocalBlobStore;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'blobs-'));
  store = new LocalBlobStore(directory);
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true, force: true });
});

const staging = () => join(directory, 'staging');
const pathOf = (sha256: string) => join(directory, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
const stage = (content: string) => store.stage(chunks(content), 1024);
const age = async (path: string, ms: number) => {
  const then = new Date(Date.now() - ms);
  await utimes(path, then, then);
};

describe('a local blob store', () => {
  describeBlobStoreContract(() => ({ store, directory, stagingDirectory: staging() }));

  it('is away where the system lets no folder be made, and does not try without end', async () => {
    await expect(new LocalBlobStore('/proc/gateway/files').ping()).rejects.toEqual(away);
  });

  it('reads the first byte alone', async () => {
    await (await stage('evidence')).store();
    expect((await readAll(await store.open(sha256Of('evidence'), { start: 0, end: 0 }))).toString()).toBe('e');
  });

  it('lays a blob under its content address', async () => {
    await (await stage('evidence')).store();
    expect((await stat(pathOf(sha256Of('evidence')))).size).toBe(8);
  });

  it.each(['evi', 'EVIDENCE'])('heals a blob that has become %s when its content is kept again', async (other) => {
    const sha256 = sha256Of('evidence');
    await (await stage('evidence')).store();
    await writeFile(pathOf(sha256), other);
    await (await stage('evidence')).store();
    expect((await readAll(await store.open(sha256))).toString()).toBe('evidence');
  });

  it.each(['evidence', 'evidencE', 'x'.repeat(200_000)])(
    'is read as a whole only where the bytes are those of the name',
    async (found) => {
      const content = found.toLowerCase();
      await (await store.stage(chunks(content), 1_000_000)).store();
      await writeFile(pathOf(sha256Of(content)), found === content ? content : found);
      const read = openWhole(store, sha256Of(content)).then(readAll);
      if (found === content) expect((await read).toString()).toBe(content);
      else await expect(read).rejects.toThrow(`were changed in the storage: ${sha256Of(content)}`);
    },
  );

  it('has another stamp once it is written, though its size and time are as before', async () => {
    await (await stage('evidence')).store();
    const path = pathOf(sha256Of('evidence'));
    const day = new Date(2026, 0, 1);
    await utimes(path, day, day);
    const before = await store.stamp(sha256Of('evidence'));
    expect(await store.stamp(sha256Of('evidence'))).toBe(before);
    await writeFile(path, 'EVIDENCE');
    await utimes(path, day, day);
    expect(await store.stamp(sha256Of('evidence'))).not.toBe(before);
    expect(await store.stamp(sha256Of('another'))).toBeUndefined();
  });

  it('lists no file that is not a blob in its place', async () => {
    await (await stage('evidence')).store();
    await mkdir(join(directory, 'blobs', 'zz', 'zz'), { recursive: true });
    await writeFile(join(directory, 'blobs', 'zz', 'zz', sha256Of('astray')), '');
    await writeFile(join(directory, 'blobs', 'README'), '');
    expect(await storedContents(store)).toEqual([sha256Of('evidence')]);
  });

  it('is there as soon as its folder can be made', async () => {
    await writeFile(join(directory, 'volume'), 'no folder');
    const later = new LocalBlobStore(join(directory, 'volume', 'files'));
    await expect(later.stage(chunks('evidence'), 1024)).rejects.toEqual(away);
    await rm(join(directory, 'volume'));
    await expect(later.ping()).resolves.toBeUndefined();
    await (await later.stage(chunks('evidence'), 1024)).store();
    expect(await later.has(sha256Of('evidence'))).toBe(true);
  });

  it('is UNAVAILABLE when its volume went away, and comes back with it', async () => {
    await stage('before').then((blob) => blob.discard());
    await rm(directory, { recursive: true });
    await expect(stage('evidence')).rejects.toEqual(away);
    await expect(store.ping()).rejects.toEqual(away);
    await expect(store.writeMarker('mine')).rejects.toEqual(away);
    await mkdir(directory);
    await expect(store.writeMarker('mine')).rejects.toEqual(away);
    expect(await readdir(directory)).toEqual([]);
    await mkdir(staging());
    await expect(store.ping()).resolves.toBeUndefined();
    await (await stage('evidence')).store();
    expect(await store.has(sha256Of('evidence'))).toBe(true);
  });
});

// The names of synced files are in /proc.
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('what a local blob store has taken', () => {
  /** Runs statements on a store in a separate program; returns the syncs and renames of each, in their order. */
  async function stepsOf(...statements: string[]): Promise<string[][]> {
    const program = `
    import fs from 'node:fs';
    import promises from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    const steps = [];
    const { fsync } = fs;
    const { rename } = promises;
    const nameOf = (descriptor) => fs.readlinkSync('/proc/self/fd/' + descriptor);
    fs.fsync = (descriptor, done) => {
      steps.push('sync ' + nameOf(descriptor));
      fsync(descriptor, done);
    };
    promises.rename = (from, to) => {
      steps.push('rename ' + to);
      return rename(from, to);
    };
    syncBuiltinESMExports();
    const handle = await promises.open('/dev/null');
    const prototype = Object.getPrototypeOf(handle);
    await handle.close();
    for (const name of ['sync', 'datasync']) {
      const own = prototype[name];
      prototype[name] = function () {
        steps.push('sync ' + nameOf(this.fd));
        return own.call(this);
      };
    }
    const { LocalBlobStore } = await import('./src/storage/local-blob-store.ts');
    const directory = ${JSON.stringify(directory)};
    const stage = (store) => store.stage([Buffer.from('evidence')], 1024);
    const taken = [];
    for (const run of [${statements.map((each) => `async () => { ${each} }`).join()}]) {
      await run();
      taken.push(steps.splice(0));
    }
    console.log(JSON.stringify(taken));`;
    const given = ['--import', '@swc-node/register/esm-register', '--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, given, { cwd: join(import.meta.dirname, '../..') });
    const plain = (step: string) => {
      const [verb = '', path = ''] = step.split(' ');
      const place = relative(directory, path).replace(/^staging\/.*|\.json\..*/, ' that is received');
      return `${verb} ${place}`;
    };
    return (JSON.parse(stdout) as string[][]).map((steps) => steps.map(plain));
  }

  onLinux('is on the disk before it has its name, and its name before it is kept', async () => {
    const sha256 = sha256Of('evidence');
    const path = relative(directory, pathOf(sha256));
    const folders = [path.slice(0, 11), path.slice(0, 8), 'blobs', ''].map((each) => `sync ${each}`);
    const [stored, again, marker] = await stepsOf(
      'await (await stage(new LocalBlobStore(directory))).store();',
      'await (await stage(new LocalBlobStore(directory))).store();',
      `await new LocalBlobStore(directory).writeMarker('mine');`,
    );
    expect(stored).toEqual(['sync  that is received', `rename ${path}`, ...folders]);
    // Its writer may have died before.
    expect(again).toEqual([`sync ${path}`, ...folders]);
    expect(marker).toEqual(['sync installation that is received', 'rename installation.json', 'sync ']);
  });
});

describe('the sweep of the staging area', () => {
  it('leaves what a living process writes, here or on another machine, for a day', async () => {
    const blob = await stage('in use');
    const [name = ''] = await readdir(staging());
    const [host = ''] = name.split('.');
    const lay = async (machine: string, pid: number) => {
      const path = join(staging(), `${machine}.${pid}.${'0'.repeat(32)}.${randomUUID()}`);
      await writeFile(path, 'left');
      return path;
    };
    const ours = await lay(host, process.ppid);
    // No process here has this number.
    const theirs = await lay('f'.repeat(12), 2 ** 31 - 1);
    await age(ours, DAY - 60_000);
    await age(theirs, DAY - 60_000);
    expect(await store.sweepStaging()).toBe(0);
    await age(ours, DAY + 60_000);
    await age(theirs, DAY + 60_000);
    expect(await store.sweepStaging()).toBe(2);
    await blob.discard();
  });

  it('leaves files that are not its own', async () => {
    await store.ping();
    await writeFile(join(staging(), 'notes.txt'), '');
    await age(join(staging(), 'notes.txt'), 9 * DAY);
    expect(await store.sweepStaging()).toBe(0);
    expect(await readdir(staging())).toEqual(['notes.txt']);
  });
});
