import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, lstatSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { jsonIn } from '../support/installed-packages.js';
import { startReceiver, verified } from '../support/receivers.js';
import { unzipped } from '../support/unzip.js';
import { until } from '../support/until.js';
import type { Installed } from './command-line-cases.js';

/** Sends nothing of the response. */
function suspend(response: ServerResponse): void {
  Object.assign(response, { writeHead: () => response, write: () => true, end: () => response });
}

const WORKFLOW = 'iso-27001-2022';

/** Registers the tests of commands with files and events. The organization has ISO 27001. */
export function evidenceCases({ gateway, testData, packages, front }: Installed): void {
  const { organizationId, owner } = testData;
  const account = { COMPLIANCE_URL: front.url, COMPLIANCE_TOKEN: owner.token };
  const run = (words: string, env: Record<string, string> = account) => packages.run(words, env);
  const uploads = () => front.requests.filter(({ method }) => method === 'POST').length;
  const namesOf = async (control: string) =>
    (await documentsOf(control)).map(({ original_name }) => original_name).toSorted();

  async function documentsOf(control: string): Promise<{ original_name: string; valid_until: string; note: string }[]> {
    const path = `/api/v1/v-ciso/organizations/${organizationId}/documents?workflow_id=${WORKFLOW}&artifact_id=${control}`;
    return (await gateway.rest.get(path, { token: owner.token })).body.data;
  }

  describe('evidence push', () => {
    const push = `evidence push 'evidence/**' --by-folder --workflow ${WORKFLOW}`;

    beforeAll(async () => {
      for (const name of ['1.txt', 'deep/../2.txt', '.hidden'])
        await packages.write(`evidence/A.8.13/${name}`, `restore test ${name}`);
      await packages.write('evidence/A.5.7/intel.md', '# Bulletins');
    });

    test('changes nothing in a dry run, nor with a control that is not there', async () => {
      const planned = jsonIn(await run(`${push} --dry-run --json`));
      expect(planned.map(({ path, status }) => `${path} ${status}`)).toEqual(
        ['A.5.7/intel.md', 'A.8.13/1.txt', 'A.8.13/2.txt'].map((path) => `evidence/${path} would-upload`),
      );
      await packages.write('more/A.99/1.txt', 'x');
      const unknown = await run(`evidence push 'evidence/**' 'more/**' --by-folder --workflow ${WORKFLOW}`);
      expect(unknown).toMatchObject({
        code: 3,
        err: expect.stringContaining(`no control A.99 in ${WORKFLOW}: nothing was sent`),
      });
      expect(uploads()).toBe(0);
    });

    test('finds names by patterns in which only * and ? are signs', async () => {
      for (const name of ['a+b (1).txt', 'a+b (12).txt', 'a-b (1)_txt']) await packages.write(`odd/${name}`, name);
      const pattern = `evidence push 'odd/a+b (?).t*' --control A.8.13 --workflow ${WORKFLOW} --dry-run --json`;
      expect(jsonIn(await run(pattern)).map(({ path }) => path)).toEqual(['odd/a+b (1).txt']);
    });

    test('sends what is not there, sets what is said of it, and does nothing the second time', async () => {
      const { code, out, err } = await run(push);
      expect([code, out]).toEqual([
        0,
        expect.stringMatching(/^\[1\/3\] evidence\/A\.5\.7\/intel\.md: uploaded, A\.5\.7 \(document \d+\)\n/),
      ]);
      expect([err, await namesOf('A.8.13')]).toEqual(['3 uploaded\n', ['1.txt', '2.txt']]);
      const facts = `--valid-until 2030-01-31 --note 'Every night'`;
      expect((await run(`${push} ${facts}`)).err).toBe('3 updated\n');
      expect(await documentsOf('A.5.7')).toEqual([
        expect.objectContaining({ valid_until: '2030-01-31', note: 'Every night' }),
      ]);
      // The gateway normalizes texts, and an empty note is absent.
      for (const note of ['Every night', 'Caf\u0065\u0301', '']) {
        await run(`${push} --valid-until 2030-01-31 --note '${note}'`);
        front.requests.length = 0;
        expect((await run(`${push} --valid-until 2030-01-31 --note '${note}'`)).err).toBe('3 present\n');
        expect(front.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
      }
    });

    test('fails for a file that is refused, and sends the others', async () => {
      await packages.write('mixed/1.exe', 'MZ');
      await packages.write('mixed/2.txt', '');
      await packages.write('mixed/3.txt', 'good');
      const result = await run(`evidence push 'mixed/*' --control A.5.1 --workflow ${WORKFLOW} --json`);
      expect([result.code, jsonIn(result).map(({ status }) => status)]).toEqual([1, ['failed', 'failed', 'uploaded']]);
      expect(jsonIn(result)[0]).toMatchObject({ error: 'Unsupported file type' });
      expect(await namesOf('A.5.1')).toEqual(['3.txt']);
    });

    test('ends before the first is sent if the gateway does not name a limit', async () => {
      await packages.write('unlimited.txt', 'unlimited');
      front.handle = (request, response) => {
        if (!request.url!.endsWith('/options')) return 'FORWARD';
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ error: 0, messages: [], data: { limits: [], file_types: [] } }));
        return 'HANDLED';
      };
      const { code, err } = await run(`evidence push unlimited.txt --control A.5.2 --workflow ${WORKFLOW}`);
      front.handle = () => 'FORWARD';
      expect([code, err]).toEqual([1, expect.stringContaining('names no limit document.max_bytes')]);
      expect(await namesOf('A.5.2')).toEqual([]);
    });

    test('refuses more files than are stored for a control, before the first is sent', async () => {
      for (let number = 0; number < 11; number += 1) await packages.write(`many/${number}.txt`, `number ${number}`);
      const { code, err } = await run(`evidence push 'many/?.txt' many/10.txt --control A.5.2 --workflow ${WORKFLOW}`);
      expect([code, err]).toEqual([2, expect.stringContaining('keeps its 10 newest documents, and 11 are for A.5.2')]);
      expect(await namesOf('A.5.2')).toEqual([]);
    });

    test('sends what links lead to, goes round in no circle, and refuses a link to nothing', async () => {
      const at = (path: string) => join(packages.folder, path);
      for (const path of ['linked/A.5.9/plain.txt', 'elsewhere/far.txt', 'elsewhere/near.txt'])
        await packages.write(path, `content of ${path}`);
      symlinkSync('../../elsewhere/near.txt', at('linked/A.5.9/link.txt'));
      symlinkSync('../elsewhere', at('linked/A.5.10'));
      symlinkSync('..', at('linked/A.5.9/round'));
      const planned = async (pattern: string) => {
        const words = `evidence push '${pattern}' --by-folder --workflow ${WORKFLOW} --dry-run --json`;
        return jsonIn(await run(words)).map(({ path }) => path);
      };
      const direct = [
        'linked/A.5.10/far.txt',
        'linked/A.5.10/near.txt',
        'linked/A.5.9/link.txt',
        'linked/A.5.9/plain.txt',
      ];
      for (const pattern of ['linked/*/*.txt', 'linked/**', `${at('linked')}/**/*.txt`])
        expect(await planned(pattern)).toEqual(pattern.startsWith('/') ? direct.map(at) : direct);
      expect(await planned('linked/*/plain.txt')).toEqual(['linked/A.5.9/plain.txt']);
      symlinkSync('nothing.txt', at('linked/A.5.9/broken.txt'));
      const broken = await run(`evidence push 'linked/**' --by-folder --workflow ${WORKFLOW}`);
      expect([broken.code, broken.err]).toEqual([
        2,
        expect.stringContaining('broken.txt is neither a file nor a link'),
      ]);
      expect(uploads()).toBe(0);
    });

    test('refuses new files that would push out older ones of the same push', async () => {
      const words = (pattern: string) => `evidence push ${pattern} --control A.5.11 --workflow ${WORKFLOW}`;
      for (let number = 0; number < 10; number += 1) await packages.write(`kept/${number}.txt`, `kept ${number}`);
      for (let number = 0; number < 9; number += 1) await packages.write(`other/${number}.txt`, `other ${number}`);
      expect((await run(words('kept/0.txt'))).code).toBe(0);
      expect((await run(words(`'other/*'`))).code).toBe(0);
      const before = await namesOf('A.5.11');
      for (const dry of ['', ' --dry-run'])
        expect(await run(words(`'kept/*'`) + dry)).toMatchObject({
          code: 2,
          err: expect.stringContaining('what is new for A.5.11 would push out older ones of the same files'),
        });
      expect(await namesOf('A.5.11')).toEqual(before);
      expect((await run(words('kept/1.txt kept/2.txt'))).err).toBe('2 uploaded\n');
    });

    test('goes on where it was interrupted, and no document is there twice', async () => {
      for (let number = 1; number <= 4; number += 1) await packages.write(`long/${number}.txt`, `part ${number}`);
      const words = `evidence push 'long/*' --control A.5.3 --workflow ${WORKFLOW} --note Long`;
      // The third request is suspended: it was received, and its response is not sent.
      front.handle = (request, response) => {
        if (request.method === 'POST' && uploads() === 3) suspend(response);
        return 'FORWARD';
      };
      const { child, ended } = packages.start(words, account);
      await until(async () => (await namesOf('A.5.3')).length === 3);
      child.kill('SIGINT');
      expect(await ended).toMatchObject({
        code: 130,
        err: expect.stringMatching(/2 uploaded, 2 not tried: run the same command again\nInterrupted\n$/),
      });
      front.handle = () => 'FORWARD';
      front.requests.length = 0;
      const again = await run(words);
      expect([again.err, uploads()]).toEqual(['2 present, 1 updated, 1 uploaded\n', 1]);
      const documents = await documentsOf('A.5.3');
      expect(documents.map(({ original_name, note }) => `${original_name} ${note}`).toSorted()).toEqual(
        [1, 2, 3, 4].map((number) => `${number}.txt Long`),
      );
    });

    test.each([
      ['its results', ['stdout'], '4 uploaded\n'],
      ['anything that it says', ['stdout', 'stderr'], ''],
    ] as const)('sends all files also when nothing reads %s any more', async (_what, streams, err) => {
      for (let number = 1; number <= 4; number += 1)
        await packages.write(`unread/${number}.txt`, `unread ${streams.length} ${number}`);
      const control = `A.5.${8 + streams.length}`;
      front.handle = (request) => {
        if (request.method === 'POST') for (const stream of streams) child[stream]!.destroy();
        return 'FORWARD';
      };
      const words = `evidence push 'unread/*' --control ${control} --workflow ${WORKFLOW}`;
      const { child, ended } = packages.start(words, account);
      expect(await ended).toMatchObject({ code: 0, err });
      expect(await namesOf(control)).toHaveLength(4);
    });

    test('fails for a file that is gone when its turn comes, and sends the others', async () => {
      for (let number = 1; number <= 3; number += 1) await packages.write(`gone/${number}.txt`, `gone ${number}`);
      front.handle = (request) => {
        if (request.method === 'POST') rmSync(join(packages.folder, 'gone/2.txt'), { force: true });
        return 'FORWARD';
      };
      const result = await run(`evidence push 'gone/*' --control A.5.6 --workflow ${WORKFLOW} --json`);
      front.handle = () => 'FORWARD';
      expect([result.code, jsonIn(result).map(({ status }) => status)]).toEqual([
        1,
        ['uploaded', 'failed', 'uploaded'],
      ]);
      expect(jsonIn(result)[1]).toMatchObject({ error: expect.stringContaining('ENOENT') });
    });

    test('says why a conflict is one, and what was not tried', async () => {
      for (let number = 1; number <= 2; number += 1) await packages.write(`full/${number}.txt`, `full ${number}`);
      front.handle = (request, response) => {
        if (request.method !== 'POST') return 'FORWARD';
        request.resume();
        response.writeHead(409, { 'conflict-reason': 'STORAGE_LIMIT' }).end('{"error":1,"messages":[1009]}');
        return 'HANDLED';
      };
      const { code, err } = await run(`evidence push 'full/*' --control A.5.8 --workflow ${WORKFLOW}`);
      front.handle = () => 'FORWARD';
      expect([code, err]).toEqual([1, '2 not tried: run the same command again\n409: STORAGE_LIMIT\n']);
    });

    const FULL = '/dev/full';
    (existsSync(FULL) ? test : test.skip)('fails in one line when its output cannot be written', async () => {
      const options = ['--dry-run', '--json', '--control', 'A.5.6', '--workflow', WORKFLOW];
      const words = ['evidence', 'push', 'gone/1.txt', ...options];
      const full = openSync(FULL, 'w');
      const child = spawn(process.execPath, ['node_modules/.bin/compliance', ...words], {
        ...{ cwd: packages.folder, env: { ...process.env, ...account } },
        stdio: ['ignore', full, 'pipe'],
      });
      let err = '';
      child.stderr!.on('data', (piece) => (err += String(piece)));
      const [code] = (await once(child, 'close')) as [number];
      closeSync(full);
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/^[^\n]*\n?{"error":"The output cannot be written: ENOSPC[^\n]*","exit_code":1}\n$/),
      ]);
    });

    test('ends when the token is refused in the middle, with what was done', async () => {
      for (let number = 1; number <= 3; number += 1) await packages.write(`ended/${number}.txt`, `ended ${number}`);
      front.handle = (request, response) => {
        if (request.method !== 'POST' || uploads() < 2) return 'FORWARD';
        request.resume();
        response.writeHead(401).end('{"error":1,"messages":[1001]}');
        return 'HANDLED';
      };
      const { code, err } = await run(`evidence push 'ended/*' --control A.5.4 --workflow ${WORKFLOW}`);
      expect([code, err]).toEqual([
        3,
        expect.stringMatching(/^1 uploaded, 2 not tried.*\nThe token is unknown, expired or revoked/),
      ]);
    });
  });

  describe('trail verify', () => {
    test('verifies the trail as it comes, and an export with keys and a checkpoint that were stored', async () => {
      const { rest } = gateway;
      const checkpoint = await rest.post(`/api/v1/organizations/${organizationId}/audit-trail/checkpoints`, {
        token: owner.token,
      });
      await packages.write('checkpoint.json', checkpoint.text);
      await packages.write('keys.json', await (await fetch(`${gateway.url}/.well-known/audit-keys.json`)).text());
      expect((await run('trail verify')).out).toMatch(/^valid up to position \d+, checkpoint of /);
      const result = await run('trail verify --output export.ndjson --json');
      expect(jsonIn(result)).toEqual([expect.objectContaining({ log: `organization/${organizationId}`, removed: 0 })]);

      front.requests.length = 0;
      const offline = 'trail verify export.ndjson --keys keys.json --checkpoint checkpoint.json';
      expect(await run(offline, {})).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringMatching(/^valid up to position/),
      });
      // A line of a mail that has the checkpoint as JSON.
      const line = JSON.stringify((checkpoint.body as { data: object }).data);
      expect(await run(offline.replace('checkpoint.json', line), {})).toMatchObject({ code: 0, err: '' });
      const text = readFileSync(join(packages.folder, 'export.ndjson'), 'utf8');
      const changed: [text: string, sentence: string][] = [
        [text.replace('"action":"', '"action":"X'), 'not valid: entry 1 was changed'],
        [text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1), 'not valid: the export ends after entry'],
        [text.slice(0, -40), 'was changed, or the file was cut off in it'],
      ];
      for (const [wrong, sentence] of changed) {
        await packages.write('export.ndjson', wrong);
        expect(await run(offline, {})).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
      }
      await packages.write('other.json', '{"hash": "f"}');
      const other = { code: 2, err: expect.stringContaining('nothing was verified: other.json is no checkpoint') };
      expect(await run('trail verify export.ndjson --keys keys.json --checkpoint other.json', {})).toMatchObject(other);
      expect(await run('proof verify export.ndjson --checkpoint other.json', {})).toMatchObject(other);
      await packages.write('page.html', '<!doctype html>');
      for (const [words, sentence] of [
        ['trail verify none.ndjson --keys keys.json', 'none.ndjson cannot be read: it does not exist'],
        ['trail verify page.html --keys keys.json', 'page.html is no exported audit trail: it is a page'],
        ['trail verify export.ndjson --keys none.json', 'none.json cannot be read: it does not exist'],
        ['trail verify export.ndjson --keys keys.json --checkpoint none.json', 'none.json cannot be read'],
        ['trail verify --archive none --keys keys.json', 'none is no folder'],
        ['trail verify --archive . --keys keys.json', '. is no evidence pack: it has no manifest.json'],
        ['proof verify page.html', 'page.html is no proof: it is a page'],
      ] as const)
        expect(await run(words, {})).toMatchObject({
          code: 2,
          err: expect.stringContaining(`nothing was verified: ${sentence}`),
        });
      // A key file without keys is refused: otherwise the keys in the verified file itself would be used.
      for (const none of ['{}', '[]', 'null']) {
        await packages.write('keys.json', none);
        const refused = {
          code: 2,
          err: expect.stringContaining('nothing was verified: keys.json is no key file: it '),
        };
        expect(await run(offline, {})).toMatchObject(refused);
        expect(await run('proof verify day.ndjson --keys keys.json', {})).toMatchObject(refused);
      }
      expect(front.requests).toEqual([]);
    });
  });

  describe('trail verify of a download', () => {
    test('ends at the first violation, also when the rest does not arrive', async () => {
      front.handle = (request, response) => {
        if (!request.url!.endsWith('/audit-trail.ndjson')) return 'FORWARD';
        response.writeHead(200).write('{"no": "entry"}\n{"no": "entry"}\n');
        return 'HANDLED';
      };
      expect(await run(`trail verify --organization ${organizationId}`)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/\nnot valid: line 1 is neither an entry nor a checkpoint\n$/),
      });
      front.handle = () => 'FORWARD';
    });

    test('says nothing of the trail where what answers has no keys', async () => {
      front.handle = (request, response) => {
        if (!request.url!.endsWith('/audit-keys.json')) return 'FORWARD';
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"status": "up"}');
        return 'HANDLED';
      };
      expect(await run(`trail verify --organization ${organizationId}`)).toMatchObject({
        code: 2,
        err: 'nothing was verified: the key file has no keys\n',
      });
      front.handle = () => 'FORWARD';
    });
  });

  describe('trail verify of an archive', () => {
    test('judges the export beside it also when nothing reads what it says of the archive', async () => {
      const get = (path: string) => fetch(`${gateway.url}${path}`, { headers: { 'x-service-token': owner.token } });
      const pack = await get(`/api/v1/v-ciso/organizations/${organizationId}/workflows/${WORKFLOW}/evidence-pack`);
      for (const [name, { content }] of unzipped(Buffer.from(await pack.arrayBuffer())))
        await packages.write(`pack/${name}`, content);
      const text = await (await get(`/api/v1/organizations/${organizationId}/audit-trail.ndjson`)).text();
      await packages.write('beside.ndjson', text);
      const words = 'trail verify beside.ndjson --archive pack';
      expect(await run(words)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^valid archive .*\n(.*\n)?valid up to /),
      });
      await packages.write('beside.ndjson', text.replace('"action":"', '"action":"X'));
      const { child, ended } = packages.start(words, account);
      child.stdout!.destroy();
      expect(await ended).toMatchObject({ code: 1, err: expect.stringContaining('not valid: entry 1 was changed') });
    });
  });

  describe('proof', () => {
    test('is saved as of an instant, and verified without the gateway with keys and what a witness has', async () => {
      const created = await gateway.rest.post('/api/v1/organizations', {
        token: owner.token,
        body: { name: 'Proven' },
      });
      const { id } = created.body.data as { id: number };
      const now = new Date().toISOString();
      const saved = await run(`proof save day.ndjson --as-of ${now} --organization ${id}`);
      expect(saved).toMatchObject({ code: 0, out: expect.stringMatching(/^valid: all of organization\/\d+ as of /) });
      await packages.write('keys.json', await (await fetch(`${gateway.url}/.well-known/audit-keys.json`)).text());
      const [proven] = jsonIn(await run('proof verify day.ndjson --keys keys.json --json', {})) as [
        { position: number; checkpoint: { position: number; hash: string } },
      ];
      const { hash, position } = proven.checkpoint;
      front.requests.length = 0;
      expect(await run(`proof verify day.ndjson --checkpoint ${hash}@${position}`, {})).toMatchObject({
        code: 0,
        err: expect.stringContaining('The key is that of the file'),
      });
      const other = hash.replace(/^./, hash.startsWith('0') ? '1' : '0');
      expect(await run(`proof verify day.ndjson --checkpoint ${other}@${position}`, {})).toMatchObject({
        code: 1,
        err: expect.stringContaining('not valid: '),
      });
      const text = readFileSync(join(packages.folder, 'day.ndjson'), 'utf8');
      await packages.write('day.ndjson', text.replace('"answer":{', '"answer": {'));
      expect(await run('proof verify day.ndjson --keys keys.json', {})).toMatchObject({
        code: 1,
        err: expect.stringContaining('not valid: '),
      });
      expect(front.requests).toEqual([]);
      expect(await run(`proof save day.ndjson --as-of soon --organization ${id}`)).toMatchObject({ code: 1 });
    });

    test('leaves a file as it was where the download breaks off', async () => {
      front.handle = (request, response) => {
        if (!/ndjson|proof|draft/.test(request.url ?? '')) return 'FORWARD';
        response.writeHead(200, { 'content-length': '1000' });
        response.write('half', () => response.destroy());
        return 'HANDLED';
      };
      for (const [name, words] of [
        ['kept.ndjson', 'trail verify --output kept.ndjson'],
        ['kept.proof', 'proof save kept.proof --as-of 2026-01-01'],
        ['kept.html', 'report draft 1 nis2 EARLY_WARNING --format html --output kept.html'],
      ] as const) {
        await packages.write(name, 'as it was');
        await packages.write(`${name}.new`, 'of the user');
        expect((await run(`${words} --organization ${organizationId}`)).code).toBe(4);
        expect(readFileSync(join(packages.folder, name), 'utf8')).toBe('as it was');
        expect(readFileSync(join(packages.folder, `${name}.new`), 'utf8')).toBe('of the user');
        expect(readdirSync(packages.folder).filter((each) => each.startsWith(name))).toEqual([name, `${name}.new`]);
      }
      front.handle = () => 'FORWARD';
    });

    test('writes through a link, and takes the place of no pipe or device', async () => {
      await packages.write('kept/dated.ndjson', 'as it was');
      symlinkSync(join('kept', 'dated.ndjson'), join(packages.folder, 'linked.ndjson'));
      const words = (file: string) => `trail verify --organization ${organizationId} --output ${file}`;
      expect(await run(words('linked.ndjson'))).toMatchObject({ code: 0 });
      expect(lstatSync(join(packages.folder, 'linked.ndjson')).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(packages.folder, 'kept/dated.ndjson'), 'utf8')).toMatch(/^{"position":1,/);

      // Through a link to a link, out of a linked folder, to a file that does not exist yet.
      symlinkSync(join('..', 'next.ndjson'), join(packages.folder, 'kept/current.ndjson'));
      symlinkSync('kept', join(packages.folder, 'folder'));
      symlinkSync(join('folder', 'current.ndjson'), join(packages.folder, 'dangling.ndjson'));
      expect(await run(words('dangling.ndjson'))).toMatchObject({ code: 0 });
      for (const name of ['dangling.ndjson', 'kept/current.ndjson'])
        expect(lstatSync(join(packages.folder, name)).isSymbolicLink()).toBe(true);
      expect(lstatSync(join(packages.folder, 'next.ndjson')).isFile()).toBe(true);

      execFileSync('mkfifo', [join(packages.folder, 'pipe')]);
      front.requests.length = 0;
      for (const name of ['pipe', 'kept'])
        for (const command of [
          words(name),
          `proof save ${name} --as-of 2026-01-01 --organization ${organizationId}`,
          `report draft 1 nis2 EARLY_WARNING --format html --organization ${organizationId} --output ${name}`,
        ])
          expect(await run(command)).toMatchObject({
            code: 2,
            err: expect.stringContaining(`${name} is a folder, a device or a pipe: name a file to write\n`),
          });
      expect(lstatSync(join(packages.folder, 'pipe')).isFIFO()).toBe(true);
      expect(front.requests.filter(({ url }) => !url!.endsWith('/audit-keys.json'))).toEqual([]);
    });
  });

  describe('events', () => {
    const open = () =>
      gateway.rest.post(`/api/v1/v-ciso/incidents/${organizationId}`, {
        token: owner.token,
        body: { title: 'T', severity: 'LOW' },
      });

    test('are shown once each, from the position that was stored', async () => {
      await open();
      await gateway.settled();
      const words = 'events tail --once --state state.txt --types incident.opened --json';
      const first = await until(async () => {
        const { out } = await run(words.replace('--state state.txt', '--after oldest'));
        return out !== '' && out;
      });
      expect(JSON.parse(first.split('\n')[0]!)).toMatchObject({
        type: 'incident.opened',
        organization_id: organizationId,
      });
      expect(await run(words)).toMatchObject({ code: 0, out: '' });
      const { body } = await open();
      const shown = await until(async () => {
        const { out } = await run(words);
        return out !== '' && out;
      });
      expect(JSON.parse(shown)).toMatchObject({ subject: { type: 'INCIDENT', id: String(body.data.id) } });
      expect(await run(words)).toMatchObject({ code: 0, out: '' });
      expect(await run(`${words} --after latest`)).toMatchObject({
        code: 2,
        err: expect.stringContaining('state.txt says where to go on'),
      });
      await gateway.app.database.rows(`update event set created_at = created_at - interval '1 hour'`);
      expect(await run(words)).toMatchObject({ code: 1, err: expect.stringContaining('Gone: The cursor is older') });
    });

    const PRLIMIT = '/usr/bin/prlimit';
    (existsSync(PRLIMIT) ? test : test.skip)(
      'are not shown from a place that is lost, and a full disk leaves no file',
      async () => {
        await packages.write('lost.txt', '\n');
        expect(await run('events tail --once --state lost.txt')).toMatchObject({
          code: 2,
          err: expect.stringContaining(
            'lost.txt is empty, so that its place is lost: remove it, and add --after PLACE',
          ),
        });
        expect(readFileSync(join(packages.folder, 'lost.txt'), 'utf8')).toBe('\n');
        const words = ['node_modules/.bin/compliance', 'events', 'tail', '--once', '--state', 'full.txt'];
        const child = spawn(PRLIMIT, ['--fsize=0', process.execPath, ...words], {
          ...{ cwd: packages.folder, env: { ...process.env, ...account }, stdio: 'ignore' },
        });
        expect(await once(child, 'close')).toEqual([1, null]);
        expect(readdirSync(packages.folder).filter((name) => name.startsWith('full.txt'))).toEqual([]);
      },
    );

    test('are shown before their position is stored, however slow their reader is', async () => {
      let isSent = false;
      // More than the buffer of a pipe.
      const event = { subject: { type: 'INCIDENT', id: '1' }, changed_fields: ['x'.repeat(10_000)] };
      const events = Array.from({ length: 100 }, () => event);
      front.handle = (request, response) => {
        const data = request.url!.includes('place') ? [] : events;
        const headers = { 'content-type': 'application/json', link: '</api/v1/events?after=place>; rel="next"' };
        response.writeHead(200, headers).end(JSON.stringify({ error: 0, messages: [], data }), () => (isSent = true));
        return 'HANDLED';
      };
      const stateFile = join(packages.folder, 'slow.txt');
      const { child, ended } = packages.start('events tail --once --after oldest --state slow.txt --json', account);
      child.stdout!.pause();
      await until(() => isSent);
      await setTimeout(500);
      expect(existsSync(stateFile)).toBe(false);
      child.stdout!.resume();
      const { code, out } = await ended;
      expect([code, out.trim().split('\n').length, readFileSync(stateFile, 'utf8')]).toEqual([0, 100, 'place\n']);
    });

    test('are followed over an interruption, and sent on signed until a receiver accepts them', async () => {
      const receiver = await startReceiver();
      receiver.answer = (response) => void response.writeHead(receiver.received.length === 1 ? 500 : 204).end();
      const { child, written, ended } = packages.start(
        `webhooks listen --forward ${receiver.url} --types incident.opened --organization ${organizationId}`,
        account,
      );
      await until(() => written.err.includes('whsec_'));
      await until(() => front.requests.some(({ url }) => url!.includes('wait=30')));
      const [secret] = /whsec_\S+/.exec(written.err)!;
      const { body } = await open();
      await until(() => receiver.received.length === 2);
      for (const request of receiver.received) {
        expect(verified(secret, request)).toMatchObject({
          type: 'incident.opened',
          subject: { id: String(body.data.id) },
        });
        expect(request.headers).toMatchObject({
          'content-type': 'application/json',
          'webhook-id': verified(secret, request).id,
        });
      }
      await until(() => /^500 .*\n204 /.test(written.out));

      let isAway = true;
      front.handle = (_request, response) => {
        if (isAway) response.destroy();
        return isAway ? 'HANDLED' : 'FORWARD';
      };
      // Ends the current wait.
      await open();
      await until(() => /trying again|same place/.test(written.err));
      await open();
      isAway = false;
      await until(() => receiver.received.length === 4);
      child.kill('SIGTERM');
      expect((await ended).code).toBe(143);
      await receiver.close();
    });

    test('end when the receiver is gone for good, and with a secret that is none', async () => {
      const receiver = await startReceiver();
      receiver.answer = (response) => void response.writeHead(410).end();
      const { written, ended } = packages.start(
        `webhooks listen --forward ${receiver.url} --organization ${organizationId}`,
        account,
      );
      await until(() => front.requests.some(({ url }) => url!.includes('wait=30')));
      await open();
      expect(await ended).toMatchObject({
        code: 1,
        err: expect.stringContaining('the gateway would disable its endpoint'),
      });
      expect(written.out).toMatch(/^410 /);
      await packages.write('secret.txt', 'secret');
      expect(await run('webhooks listen --forward localhost:1/?of=ftp://x --secret secret.txt')).toMatchObject({
        code: 2,
        err: expect.stringContaining('A secret is whsec_'),
      });
      await receiver.close();
    });
  });
}
