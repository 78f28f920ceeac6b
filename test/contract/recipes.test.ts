import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { hash } from 'node:crypto';
import { linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { seedDemo } from '../../src/demo/demo.js';
import { CATALOG } from '../support/catalog.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';

/** The programs of docs/recipes.md, run as printed there: as processes, with the installed tools. */
const LANGUAGES: Readonly<Record<string, (file: string) => [command: string, ...words: string[]]>> = {
  sh: (file) => ['bash', file],
  js: (file) => [process.execPath, file],
  python: (file) => ['python3', file],
};
const NEEDS: Readonly<Record<string, string>> = { sh: 'curl', js: process.execPath, python: 'python3' };
const isInstalled = (language: string) => spawnSync(NEEDS[language]!, ['--version']).status === 0;
const MISSING = Object.keys(LANGUAGES).filter((language) => !isInstalled(language));

interface Program {
  language: string;
  code: string;
}

const RECIPES = readFileSync(resolve(import.meta.dirname, '../../docs/recipes.md'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.split('\n', 1)[0]!,
    programs: [...section.matchAll(/^```(\w+)\n([^]+?)^```/gm)].map(([, language, code]) => ({
      language: language!,
      code: code!,
    })),
  }));
const programsOf = (title: string): Program[] => RECIPES.find((recipe) => recipe.title === title)?.programs ?? [];

const gateway = await startSharedGateway();
const demo = await seedDemo({ databaseUrl: gateway.database.url, config: gateway.config, catalog: CATALOG });
const { owner, manager } = demo!.tokens;
const folder = mkdtempSync(join(tmpdir(), 'recipes-test-'));
const VERSIONS = '/api/v1/v-ciso/organizations/1/workflows/iso-27001-2022/documents/A.5.7/versions';
let count = 0;

function start({ language, code }: Program, address = gateway.url): ChildProcess {
  const file = join(folder, `${(count += 1)}.${language === 'js' ? 'mjs' : language}`);
  writeFileSync(file, code);
  const [command, ...words] = LANGUAGES[language]!(file);
  const env = { ...process.env, GATEWAY: address, TOKEN: owner, NODE_OPTIONS: '' };
  // A separate process group: a shell has children.
  return spawn(command, words, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Result of a program that ends by itself. */
async function endOf(
  program: Program,
  address?: string,
): Promise<{ status: unknown; said: string; complained: string }> {
  const running = start(program, address);
  const [said, complained] = [running.stdout!, running.stderr!].map(async (stream) => {
    let text = '';
    for await (const piece of stream) text += String(piece);
    return text;
  });
  const status = await new Promise((done) => running.once('exit', done));
  return { status, said: (await said)!, complained: (await complained)! };
}

/** The output of a program, which must succeed. */
async function outputOf(program: Program, address?: string): Promise<string> {
  const { said, ...end } = await endOf(program, address);
  expect(end).toEqual({ status: 0, complained: '' });
  return said;
}

const servers: Server[] = [];
const NOT_ZERO = expect.not.closeTo(0);

afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

const [NOW_AND_THEN, AS_THEY_COME, LIVE_LIST] = ['Events, now and then', 'Events as they come', 'A live list'];

test('each recipe has a program in every language, or in that of browsers', () => {
  const tried = ['Pagination', 'Uploading files', 'Errors', 'Idempotency', 'Live updates'];
  expect(RECIPES.map(({ title }) => title)).toEqual([...tried, NOW_AND_THEN, AS_THEY_COME, LIVE_LIST]);
  for (const { title, programs } of RECIPES) {
    const languages = title === LIVE_LIST ? ['js'] : Object.keys(LANGUAGES);
    expect(new Set(programs.map(({ language }) => language))).toEqual(new Set(languages));
  }
});

/** A test whose language is not installed is skipped. */
function testEach(title: string, run: (program: Program) => Promise<void>, languages = Object.keys(LANGUAGES)): void {
  for (const [at, program] of programsOf(title).entries()) {
    if (!languages.includes(program.language)) continue;
    const declare = MISSING.includes(program.language) ? test.skip : test;
    declare(`${title}, in ${program.language} (program ${at + 1})`, () => run(program));
  }
}

describe('a program of the recipes does what is written there', () => {
  let usernames: string[];
  beforeAll(async () => {
    const { body } = await gateway.rest.call('GET', '/api/v1/organizations/1/users', { token: owner });
    usernames = (body as { data: { username: string }[] }).data.map(({ username }) => username);
    expect(usernames.length).toBeGreaterThan(4);
  });

  testEach('Pagination', async (program) => {
    expect((await outputOf(program)).trim().split('\n').toSorted()).toEqual(usernames.toSorted());
  });

  testEach('Uploading files', async (program) => {
    expect(await outputOf(program)).toBe('bulletins.txt\n');
    const { body } = await gateway.rest.call('GET', `${VERSIONS}?limit=1`, { token: owner });
    const content = 'We read the bulletins daily.\n';
    expect(body).toMatchObject({ data: [{ original_name: 'bulletins.txt', sha256: hash('sha256', content) }] });
  });

  testEach('Errors', async (program) => {
    const sentence = '400: ["limit must be from 1 to 100"]\n';
    expect(await outputOf(program)).toBe(sentence);
    const proxy = await startProxy('busy');
    expect(await outputOf(program, proxy.url)).toBe(sentence);
    expect(proxy.answered).toEqual([503, 400]);
  });

  const incidents = async () => {
    const answer = await gateway.rest.call('GET', '/api/v1/v-ciso/incidents/1?limit=1', { token: owner });
    return (answer.body as { total: number }).total;
  };

  testEach('Idempotency', async (program) => {
    const before = await incidents();
    expect(await outputOf(program)).toBe('One incident, answered twice\n');
    expect(await incidents()).toBe(before + 1);
  });

  const open = async (title: string) => {
    const body = { title, severity: 'LOW', significant: false, aware_at: '2026-11-20T08:00:00Z' };
    const answer = await gateway.rest.call('POST', '/api/v1/v-ciso/incidents/1', { token: manager, body });
    return answer.body.data as { id: number };
  };

  /** The output of a program that does not end by itself, once it is complete; incidents are opened meanwhile. */
  async function saidBy(program: Program, isEnough: (said: string) => boolean, address?: string): Promise<string> {
    const running = start(program, address);
    let said = '';
    running.stdout!.on('data', (piece) => (said += String(piece)));
    let hasEnded = false;
    const ended = new Promise((done) => running.once('exit', done)).then(() => (hasEnded = true));
    try {
      for (let at = 1; !isEnough(said); at += 1) {
        expect(hasEnded).toBe(false);
        await open(`Live ${at}`);
        await gateway.settled();
      }
    } finally {
      // Kills the whole group, unless it has ended.
      if (!hasEnded) process.kill(-running.pid!, 'SIGTERM');
      await ended;
    }
    return said;
  }

  testEach('Live updates', async (program) => {
    const said = await saidBy(program, (text) => text.includes('"databaseId"'));
    const [line = ''] = said.split('\n');
    expect(JSON.parse(line)).toEqual({
      data: { notificationAdded: { databaseId: expect.any(Number), title: expect.any(String) } },
    });
  });

  testEach(NOW_AND_THEN!, async (program) => {
    rmSync(join(folder, 'next.txt'), { force: true });
    await open('Before');
    await settled(gateway.app.database, 'events');
    const first = (await outputOf(program)).trim().split('\n');
    expect(first.at(-1)).toMatch(/^1\/\d+ incident\.opened$/);
    expect(new Set(first).size).toBe(first.length);
    expect(await outputOf(program)).toBe('');
    const [next, before] = ['next.txt', 'before.txt'].map((name) => join(folder, name)) as [string, string];
    linkSync(next, before);
    const place = readFileSync(next, 'utf8');
    await open('After');
    await settled(gateway.app.database, 'events');
    expect(await outputOf(program)).toMatch(/^1\/\d+ incident\.opened\n$/);
    expect(readFileSync(next, 'utf8')).not.toBe(place);
    // It was replaced, and never empty in between.
    expect(readFileSync(before, 'utf8')).toBe(place);
    rmSync(before);
  });

  testEach(AS_THEY_COME!, async (program) => {
    expect(await saidBy(program, (text) => text.includes('\n'))).toMatch(/^1\/\d+ incident\.opened\n/);
  });

  const listsIn = (said: string) =>
    said
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('; '));

  testEach(LIVE_LIST!, async (program) => {
    const hasGrown = (said: string) => listsIn(said).at(-1)!.length > listsIn(said)[0]!.length;
    const lists = listsIn(await saidBy(program, (said) => said.includes('\n') && hasGrown(said)));
    const [first, last] = [lists[0]!, lists.at(-1)!];
    expect(last.slice(0, first.length)).toEqual(first);
    expect(last[first.length]).toMatch(/^\d+ OPEN Live \d+$/);
  });

  describe('when something fails', () => {
    testEach('Idempotency', async (program) => {
      const before = await incidents();
      const proxy = await startProxy('lost', 'under way', 'busy');
      const said = 'One incident, answered twice\n';
      expect(await endOf(program, proxy.url)).toMatchObject({ status: 0, said });
      expect(proxy.answered).toEqual(['lost', 409, 503, 201, 201]);
      expect(await incidents()).toBe(before + 1);
    });

    testEach('Idempotency', async (program) => {
      const away = await startProxy(...Array.from({ length: 9 }, () => 'busy' as const));
      expect(await endOf(program, away.url)).toMatchObject({ status: NOT_ZERO, said: '' });
      expect(away.answered).toEqual([503, 503, 503, 503]);
    });

    testEach('Pagination', async (program) => {
      const proxy = await startProxy('busy');
      expect(await endOf(program, proxy.url)).toMatchObject({ status: NOT_ZERO, said: '' });
    });

    testEach('Uploading files', async (program) => {
      const proxy = await startProxy('busy');
      expect(await endOf(program, proxy.url)).toMatchObject({ status: NOT_ZERO, said: '' });
    });

    testEach(NOW_AND_THEN!, async (program) => {
      await outputOf(program);
      const place = readFileSync(join(folder, 'next.txt'), 'utf8');
      const proxy = await startProxy('busy');
      expect(await endOf(program, proxy.url)).toMatchObject({ status: NOT_ZERO, said: '' });
      expect(readFileSync(join(folder, 'next.txt'), 'utf8')).toBe(place);
    });

    const START_AGAIN = ['js', 'python'];
    testEach(
      'Live updates',
      async (program) => {
        const proxy = await startProxy('cut');
        await saidBy(program, (text) => text.includes('"databaseId"'), proxy.url);
      },
      START_AGAIN,
    );

    testEach(AS_THEY_COME!, async (program) => {
      const proxy = await startProxy('cut');
      await saidBy(program, (text) => text.includes('incident.opened\n'), proxy.url);
    });

    testEach(LIVE_LIST!, async (program) => {
      while ((await incidents()) <= 100) await open('One of many');
      const before = await incidents();
      const proxy = await startProxy(undefined, 'busy');
      const [first = []] = listsIn(await saidBy(program, (said) => said.includes('\n'), proxy.url));
      expect(first.length).toBeGreaterThanOrEqual(before);
    });
  });
});

/** An outage, a running first attempt, a lost response, and an interrupted one. */
type Trouble = 'busy' | 'under way' | 'lost' | 'cut';

const TROUBLES = { busy: 503, 'under way': 409 };
const SENT_ON = new Set(['x-service-token', 'content-type', 'idempotency-key']);

/** A proxy before the gateway: requests fail in these ways in turn, and then succeed. */
async function startProxy(
  ...troubles: (Trouble | undefined)[]
): Promise<{ url: string; answered: (number | Trouble)[] }> {
  const answered: (number | Trouble)[] = [];
  const server = createServer(async (request, response) => {
    const trouble = troubles.shift();
    const body = Buffer.concat(await request.toArray());
    if (trouble === 'busy' || trouble === 'under way') {
      answered.push(TROUBLES[trouble]);
      response.writeHead(TROUBLES[trouble], { 'Retry-After': '0', 'Content-Type': 'application/json' });
      return void response.end('{"error":1,"messages":[]}');
    }
    if (trouble === 'cut') return void response.write(': ', () => response.destroy());
    const over = new AbortController();
    response.once('close', () => over.abort());
    const answer = await fetch(gateway.url + request.url, {
      method: request.method!,
      headers: Object.entries(request.headers).filter(([name]) => SENT_ON.has(name)) as [string, string][],
      ...(body.length > 0 && { body }),
      signal: over.signal,
    }).catch(() => undefined);
    if (answer === undefined) return;
    answered.push(trouble ?? answer.status);
    if (trouble === 'lost') return void answer.text().then(() => response.destroy());
    const link = answer.headers.get('link');
    response.writeHead(answer.status, link === null ? {} : { Link: link });
    pipeline(Readable.fromWeb(answer.body as ReadableStream), response, () => undefined);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answered };
}
