import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDir } from '../../src/database/embedded/data-dir-lock.js';

let dataDir: string;
const folder = () => join(dataDir, 'lock');

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lock-'));
  await mkdir(folder());
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('A gateway of another container whose clock is an hour behind has its data folder locked as long as it is running.', async () => {
  const path = join(folder(), 'gateway.1.1.elsewhere');
  await writeFile(path, '');
  const beat = () => {
    const then = new Date(Date.now() - 3_600_000);
    return utimes(path, then, then);
  };
  await beat();
  const beating = setInterval(() => void beat(), 500);
  try {
    await expect(lockDataDir(dataDir)).rejects.toThrow(`Another gateway (process 1) is already running on ${dataDir}.`);
  } finally {
    clearInterval(beating);
  }
});

test('The lock of another gateway whose file cannot be read is not removed.', async () => {
  const name = 'gateway.1.1.elsewhere';
  await symlink(name, join(folder(), name));
  await expect(lockDataDir(dataDir)).rejects.toMatchObject({ code: 'ELOOP' });
  expect(await readdir(folder())).toContain(name);
});

test('A copy of a data folder whose gateway is running is distinguished from it, and is free without the lock of that one.', async () => {
  const lock = await lockDataDir(dataDir);
  const copy = `${dataDir}-copy`;
  try {
    await expect(lockDataDir(dataDir)).rejects.toThrow(`is already running on ${dataDir}.`);
    await cp(dataDir, copy, { recursive: true });
    await expect(lockDataDir(copy)).rejects.toThrow(
      `Another gateway (process ${process.pid}) is running on the folder that ${copy} is a copy of: ` +
        `stop it, or remove ${join(copy, 'lock')}.`,
    );
    await rm(join(copy, 'lock'), { recursive: true });
    await (await lockDataDir(copy)).release();
  } finally {
    await lock.release();
    await rm(copy, { recursive: true, force: true });
  }
});
