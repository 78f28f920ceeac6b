import { describe, expect, test } from '@jest/globals';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { zipStream, type ZipEntry } from '../../src/common/zip-stream.js';
import { unzipped } from '../support/unzip.js';

const at = new Date('2026-02-03T04:05:06Z');

function entry(path: string, content: string, method: ZipEntry['method'] = 'store'): ZipEntry {
  const open = async () => Readable.from([Buffer.from(content)]);
  return { path, modifiedAt: at, method, content: { size: Buffer.byteLength(content), open } };
}

describe('an archive', () => {
  test('has every entry in order, with its bytes, stored or compressed', async () => {
    const text = 'again '.repeat(1000);
    const archive = await buffer(
      zipStream([
        { path: 'first.txt', modifiedAt: at, method: 'deflate', content: Buffer.from('first') },
        entry('d/Über 安.txt', text, 'deflate'),
        entry('d/stored.bin', text),
        entry('d/empty', ''),
      ]),
    );
    const files = unzipped(archive);
    expect([...files.keys()]).toEqual(['first.txt', 'd/Über 安.txt', 'd/stored.bin', 'd/empty']);
    expect([...files.values()].map(({ content }) => content.toString())).toEqual(['first', text, text, '']);
    expect(files.get('d/Über 安.txt')!.packed).toBeLessThan(100);
    expect(files.get('d/stored.bin')!.packed).toBe(text.length);
  });

  test('without entries is an archive', async () => {
    expect(unzipped(await buffer(zipStream([]))).size).toBe(0);
  });

  test('opens an entry when its turn has come and the reader has read enough', async () => {
    const opened: string[] = [];
    const large = (path: string): ZipEntry => ({
      path,
      modifiedAt: at,
      method: 'store',
      content: {
        size: 4_000_000,
        async open() {
          opened.push(path);
          return Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(100_000)));
        },
      },
    });
    const archive = zipStream([large('a'), large('b')]);
    archive.read(1);
    for (let turns = 0; turns < 50; turns += 1) await turn();
    expect(opened).toEqual(['a']);
    await buffer(archive);
    expect(opened).toEqual(['a', 'b']);
  });
});

describe('an entry that fails breaks the archive off', () => {
  const failing = (open: () => Promise<Readable>): ZipEntry => ({
    path: 'bad',
    modifiedAt: at,
    method: 'store',
    content: { size: 10, open },
  });

  test.each<[string, () => Promise<Readable>]>([
    ['when it cannot be opened', () => Promise.reject(new Error('gone'))],
    [
      'when it fails on its way',
      async () =>
        Readable.from(
          (async function* () {
            yield Buffer.from('five ');
            throw new Error('torn');
          })(),
        ),
    ],
    [
      'when it ends without its end',
      async () => {
        const source = new PassThrough();
        source.write('five ');
        setImmediate(() => source.destroy());
        return source;
      },
    ],
    ['when it is too short', async () => Readable.from([Buffer.from('five')])],
    ['when it is too long', async () => Readable.from([Buffer.from('eleven char')])],
  ])('%s', async (_when, open) => {
    const archive = zipStream([entry('good', 'good'), failing(open), entry('after', 'never')]);
    await expect(buffer(archive)).rejects.toThrow('An archive could not be completed');
  });
});

test('a reader that goes away closes the entry that is open, and opens no other', async () => {
  let source: Readable | undefined;
  let opened = 0;
  const endless = (path: string): ZipEntry => ({
    path,
    modifiedAt: at,
    method: 'deflate',
    content: {
      size: 1e9,
      async open() {
        opened += 1;
        source = new Readable({ read: () => void source?.push(Buffer.alloc(64_000)) });
        return source;
      },
    },
  });
  const archive = zipStream([endless('a'), endless('b')]);
  for await (const piece of archive) {
    if ((piece as Buffer).length > 0 && source !== undefined) break;
  }
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect([opened, source?.destroyed]).toEqual([1, true]);
});
