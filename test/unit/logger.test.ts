import { expect, test } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorForLog } from '../../src/logger.js';
import { until } from '../support/until.js';

test.each([
  ['an error', new TypeError('it broke'), 'it broke'],
  [
    'a plain object as the job queue reports it',
    { message: 'relation is missing', queue: 'mail' },
    'relation is missing',
  ],
  ['an object without a message', { detail: 1, hint: 2 }, 'an object with detail, hint'],
  ['an error of several addresses', new AggregateError([new Error('refused'), new Error('away')]), 'refused; away'],
  ['an error without a message', new RangeError(''), 'RangeError'],
  ['a text', 'a text', 'a text'],
  ['nothing', undefined, 'undefined'],
])('%s is logged with a message that a person can read', (_what, error, message) => {
  expect(errorForLog(error)).toMatchObject({ message });
});

/** Set where the system limits the size of written files, like a full disk does. */
const limited = existsSync('/usr/bin/prlimit') ? test : test.skip;

const DROPPED = 'lines of the log were dropped: they could not be written';

limited(
  'a log that cannot be written ends no gateway, and is written when it can be, but for what was dropped',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'log-'));
    const path = join(folder, 'log');
    const file = await open(path, 'w');
    const program = `
    const { createLogger } = await import('./src/logger.js');
    const log = createLogger('info');
    process.on('uncaughtException', () => process.exit(9));
    let count = 0;
    process.on('message', (lines) => {
      for (let line = 0; line < lines; line += 1) log.info({ line: (count += 1), text: 'x'.repeat(1024) }, 'a line');
      setTimeout(() => process.send('written'), 200);
    });
    process.on('disconnect', () => {
      log.fatal('the last line');
      process.exit(0);
    });
    process.send('ready');`;
    const args = ['--import', '@swc-node/register/esm-register', '--input-type=module', '--eval', program];
    const child = spawn(process.execPath, args, { stdio: ['ignore', file.fd, 'inherit', 'ipc'] });
    const ended = once(child, 'exit');
    const limit = (bytes: string) => promisify(execFile)('prlimit', [`--pid=${child.pid}`, `--fsize=${bytes}:`]);
    const write = async (lines: number) => {
      child.send(lines);
      await Promise.race([once(child, 'message'), ended]);
    };
    try {
      await once(child, 'message');
      await write(1);
      await limit('4096');
      await write(8);
      await write(20_000);
      await limit('unlimited');
      await write(1);
      await until(
        'what waited is written',
        async () => (await readFile(path, 'utf8')).endsWith(`${DROPPED}"}\n`),
        10_000,
      );
      await limit('4096');
      await write(1);
      child.disconnect();
      expect(await ended).toEqual([0, null]);
      const lines = (await readFile(path, 'utf8'))
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text));
      const dropped = lines.find(({ msg }) => msg === DROPPED);
      const written = lines.filter(({ msg }) => msg === 'a line').map(({ line }) => line);
      expect(written.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(dropped.lines).toBe(20_010 - written.length);
      expect(written).toEqual(written.toSorted((one: number, other: number) => one - other));
    } finally {
      child.kill('SIGKILL');
      await file.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
