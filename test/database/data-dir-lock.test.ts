import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
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

test('A gateway of another container whose clock is an hour behind keeps its data folder as long as it is running.', async () => {
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
