import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { bootstrap } from '../../src/app/bootstrap.js';
import { documents } from '../../src/app/documents-command.js';
import { storage } from '../../src/app/storage-command.js';
import { createEmptyDatabase } from '../support/database.js';

let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'absent-'))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const COMMANDS = [
  ['storage', () => storage],
  ['storage --adopt', () => storage],
  ['documents list', () => documents],
  ['bootstrap --recover lost@example.com', () => bootstrap],
  ['bootstrap --erase gone@example.com', () => bootstrap],
] as const;

test.each(COMMANDS)(
  '%s makes no database in a folder that has none, and does not answer for it',
  async (line, command) => {
    const written: string[] = [];
    const terminal = { write: (text: string) => written.push(text) };
    const env = { DATA_DIR: dataDir, STORAGE_URL: `file:${join(dataDir, 'files')}` };
    await expect(command()(line.split(' ').slice(1), env, { stdout: terminal, stderr: terminal })).rejects.toThrow(
      /^The configuration has an error:\n- There is no secret\.key in \S+: set DATA_DIR to the folder of the gateway, or SECRET_KEY$/,
    );
    const withKey = { ...env, SECRET_KEY: 'a key of more than thirty-two characters' };
    await expect(command()(line.split(' ').slice(1), withKey, { stdout: terminal, stderr: terminal })).rejects.toThrow(
      /^There is no database in \S+: set DATA_DIR or DATABASE_URL\.$/,
    );
    expect([written, await readdir(dataDir)]).toEqual([[], []]);
  },
);

test.each(COMMANDS)(
  '%s leaves an empty database of DATABASE_URL empty, and the storage to its owner',
  async (line, command) => {
    const database = await createEmptyDatabase();
    const written: string[] = [];
    const terminal = { write: (text: string) => written.push(text) };
    const env = {
      ...{ DATABASE_URL: database.url, SECRET_KEY: 'a key of more than thirty-two characters' },
      ...{ DATA_DIR: dataDir, STORAGE_URL: `file:${join(dataDir, 'files')}` },
    };
    try {
      await expect(command()(line.split(' ').slice(1), env, { stdout: terminal, stderr: terminal })).rejects.toThrow(
        /^There is no gateway in the database that DATABASE_URL leads to: nothing was changed\.$/,
      );
      const client = new Client({ connectionString: database.url });
      await client.connect();
      const { rows } = await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`);
      await client.end();
      expect([written, rows, await readdir(dataDir)]).toEqual([[], [], []]);
    } finally {
      await database.drop();
    }
  },
);
