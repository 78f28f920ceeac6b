import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap } from '../../src/app/bootstrap.js';
import { documents } from '../../src/app/documents-command.js';
import { storage } from '../../src/app/storage-command.js';

let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'absent-'))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test.each([
  ['storage', () => storage],
  ['storage --adopt', () => storage],
  ['documents list', () => documents],
  ['bootstrap --recover lost@example.com', () => bootstrap],
  ['bootstrap --erase gone@example.com', () => bootstrap],
])('%s makes no database in a folder that has none, and does not answer for it', async (line, command) => {
  const written: string[] = [];
  const terminal = { write: (text: string) => written.push(text) };
  const env = { DATA_DIR: dataDir, STORAGE_URL: `file:${join(dataDir, 'files')}` };
  await expect(command()(line.split(' ').slice(1), env, { stdout: terminal, stderr: terminal })).rejects.toThrow(
    /^There is no database in \S+: set DATA_DIR or DATABASE_URL\.$/,
  );
  expect([written, await readdir(dataDir)]).toEqual([[], ['secret.key']]);
});
