import { beforeEach, describe, expect, test } from '@jest/globals';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Front } from '../support/front.js';
import type { TestGateway } from '../support/gateway.js';
import { jsonIn, type InstalledPackages } from '../support/installed-packages.js';
import { expectStatus } from '../support/matchers.js';
import { UPLOAD_RULES } from '../support/seeded-organization.js';
import { settled } from '../support/settled.js';
import {
  buildOrganization,
  buildPerson,
  buildWorkflow,
  join as addMember,
  type TestData,
} from '../support/test-data.js';

/** Shared resources of the tests of the installed packages. */
export interface Installed {
  gateway: TestGateway;
  testData: TestData;
  packages: InstalledPackages;
  /** A proxy between the programs and the gateway. */
  front: Front;
}

/** Registers the tests of the commands, except those with files and events. */
export function commandLineCases({ gateway, testData, packages, front }: Installed): void {
  const { organizationId, owner, viewer, analyst, tokens } = testData;
  const credentials = resolve(packages.folder, '../home/compliance-gateway/credentials.json');
  const as = (token: string, url = front.url) => ({ COMPLIANCE_URL: url, COMPLIANCE_TOKEN: token });
  const run = (words: string, env: Record<string, string> = as(owner.token), input = '') =>
    packages.run(words, env, input);

  describe('the help', () => {
    test('lists every command, and each has its own', async () => {
      const { code, out } = await run('help');
      const names = [...out.matchAll(/^ {2}(\w+(?: \w+)?) {2,}\S/gm)].map(([, name]) => name!);
      expect([code, names.length]).toEqual([0, 15]);
      const guide = readFileSync(resolve(import.meta.dirname, '../../docs/cli.md'), 'utf8');
      const helps = await Promise.all(names.map((name) => run(`${name} --help`)));
      for (const [at, help] of helps.entries()) {
        expect(help).toMatchObject({
          code: 0,
          err: '',
          out: expect.stringContaining(`Usage: compliance ${names[at]}`),
        });
        expect(help.out).toContain('--json');
        expect(guide).toContain(names[at]!);
      }
      expect(helps.at(-1)!.out).toContain('It differs');
    });

    test.each([
      ['', 'Usage: compliance COMMAND'],
      [
        'incident',
        '"incident" is no command: it is one of: incident open, incident update, incident list, incident show',
      ],
      ['evidence pull', '"evidence pull" is no command: it is one of: evidence push'],
      ['deu', 'see "compliance help"'],
      ['due --all', 'Unknown option \'--all\'. See "compliance due --help"'],
      ['due --before soon', '--before is a day or a time such as'],
      ['due --before 2026-02-30', '--before is a day or a time such as'],
      ['due --before 2026-12-01T08:00', '--before is a day or a time such as'],
      ['due --before 2026-12-01 --before 2027-01-01', "Option '--before' is given twice. See"],
      [`trail verify --archive . --checkpoint ${'0'.repeat(64)}@1`, '--checkpoint is for an export'],
      ['trail verify export.ndjson --organization 2', '--organization is for an export that is downloaded'],
      ['trail verify export.ndjson --keys k.json --url http://localhost', '--url is for an export or keys that are'],
      ['proof verify proof.ndjson --url http://localhost', "Unknown option '--url'"],
      ['logout --url http://localhost', "Unknown option '--url'"],
      ['--json', 'Options stand behind a command'],
      ['--url http://localhost due', 'Options stand behind a command'],
      ['due extra', 'extra is one argument too many'],
      ['whoami --token scp_secret', 'A token is no argument: other users of this machine can read arguments'],
      ['whoami -token scp_secret', 'A token is no argument: other users of this machine can read arguments'],
      ['incident open --severity LOW', '--title is missing'],
      ['incident update 12', 'It takes what to change, such as --occurred-at TIME'],
      ['incident update 12 --significant unknown', '--significant is yes or no, not "unknown"'],
      [
        'incident open --title T --severity LOW --personal-data-concerned maybe',
        '--personal-data-concerned is yes, no or unknown, not "maybe"',
      ],
      ['incident show twelve', 'INCIDENT is a whole number from 1 to 9007199254740991, not "twelve"'],
      ['incident list --organization=', '--organization is a whole number from 1 to 9007199254740991, not ""'],
      // Read as a double, it would be another incident.
      ['incident show 9007199254740993', 'INCIDENT is a whole number from 1 to 9007199254740991, not'],
      ['report draft 1 nis2', 'It takes INCIDENT REGIME STAGE'],
      ['report draft 1 .. EARLY_WARNING', 'REGIME is no name: ".."'],
      ['report draft 1 nis2 .', 'STAGE is no name: "."'],
      ['report draft 1 nis2 EARLY_WARNING --format docx', '--format is text, html, pdf, not "docx"'],
      ['report draft 1 nis2 EARLY_WARNING --format pdf --json', '--json is for text: add --output FILE for pdf'],
      ['evidence push --workflow w --control c', 'Say which files to push'],
      ['evidence push package.json --workflow w', 'Say either --control CONTROL or --by-folder'],
      ['evidence push package.json --control c', '--workflow is missing'],
      ['evidence push package.json --workflow .. --control c', '--workflow is no name: ".."'],
      ['evidence push none* --workflow w --control c', 'There is no file none*'],
      ['evidence push node_modules --workflow w --control c', "node_modules is a folder: write 'node_modules/**'"],
      [
        'evidence push package.json --by-folder --workflow w',
        'package.json is in no folder with the name of a control',
      ],
      [
        'evidence push package.json --workflow w --control c --valid-until 2027-02-30',
        '--valid-until is a day such as 2027-11-30, not "2027-02-30"',
      ],
      ['events tail --types=', '--types is missing'],
      ['events tail --once --types ,', '--types names no type'],
      ['events tail --organization x', '--organization is a whole number'],
      ['webhooks listen', '--forward is missing'],
      ['webhooks listen --forward http://', '--forward is an address such as localhost:3000/hooks'],
      ['webhooks listen --forward ftp://localhost/', '--forward is an address such as localhost:3000/hooks'],
      ['whoami --url gateway.example', 'The address of the gateway begins with https:// or http://'],
    ])('answers "%s" with what to write, sends nothing and ends with 2', async (words, sentence) => {
      const { code, out, err } = await run(words);
      expect([code, out + err]).toEqual([2, expect.stringContaining(sentence)]);
      expect([front.requests, (out + err).includes('scp_secret')]).toEqual([[], false]);
    });
  });

  describe('login', () => {
    beforeEach(() => rmSync(credentials, { force: true }));

    test('stores a token that the gateway accepts, for its user alone, and logout removes it', async () => {
      expect(await run('whoami', {})).toMatchObject({
        code: 2,
        err: expect.stringContaining('compliance login --url'),
      });
      const { code, out } = await run(`login --url ${front.url}/`, {}, `${owner.token}\n`);
      expect([code, out.includes(owner.token)]).toEqual([0, false]);
      expect([statSync(credentials).mode & 0o777, statSync(dirname(credentials)).mode & 0o777]).toEqual([0o600, 0o700]);
      expect(jsonIn(await run('whoami --json', {}))).toEqual([
        expect.objectContaining({ url: front.url, user: expect.objectContaining({ username: owner.username }) }),
      ]);
      await run('logout', {});
      expect(await run('whoami', {})).toMatchObject({ code: 2 });
    });

    test('says that a hundred organizations are the first ones', async () => {
      const { body } = await gateway.rest.call('GET', '/api/v1/token', { token: owner.token });
      const { data } = body as { data: { organizations: object[] } };
      const organizations = Array.from({ length: 100 }, () => data.organizations[0]);
      front.handle = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: 0, messages: [], data: { ...data, organizations } }));
        return 'HANDLED';
      };
      expect((await run('whoami')).out).toContain('\nOrganizations (the first 100 by name):\n');
      front.reset();
      expect((await run('whoami')).out).toContain('\nOrganizations:\n');
    });

    test.each([
      ['a token that is unknown', 'scp_wrong', 3, 'The token is unknown, expired or revoked'],
      ['a token that has expired', tokens.expired, 3, 'The token is unknown, expired or revoked'],
      ['no token', '', 2, 'That is no token'],
      ['two lines', 'scp_a\nscp_b', 2, 'That is no token'],
    ])('stores nothing for %s', async (_what, token, exit, sentence) => {
      const { code, err } = await run(`login --url ${front.url}`, {}, token);
      expect([code, err]).toEqual([exit, expect.stringContaining(sentence)]);
      expect(() => statSync(credentials)).toThrow('ENOENT');
    });

    test('stores nothing, and says so in one line, where another program answers', async () => {
      for (const body of ['<!doctype html><title>Sign in</title>', '{}', '[]', 'null']) {
        front.handle = (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/html' }).end(body);
          return 'HANDLED';
        };
        const { code, err } = await run(`login --url ${front.url}`, {}, owner.token);
        expect([body, code, err]).toEqual([
          body,
          1,
          expect.stringMatching(/^The answer is none of the gateway[^\n]*\n$/),
        ]);
      }
      front.reset();
      expect(() => statSync(credentials)).toThrow('ENOENT');
    });

    test('sends the token to no other gateway, and refuses a file that others can read', async () => {
      await run(`login --url ${front.url}`, {}, owner.token);
      front.requests.length = 0;
      const elsewhere = await run(`whoami --url ${front.url}/other`, {});
      expect(elsewhere).toMatchObject({
        code: 2,
        err: expect.stringContaining(`The stored token is for ${front.url}`),
      });
      await chmod(credentials, 0o640);
      expect(await run('whoami', {})).toMatchObject({ code: 1, err: expect.stringContaining('run chmod 600') });
      expect(front.requests).toEqual([]);
      writeFileSync(credentials, '{}');
      await chmod(credentials, 0o600);
      expect(await run('whoami', {})).toMatchObject({
        code: 1,
        err: expect.stringContaining('run "compliance login" again'),
      });
    });
  });

  describe('access', () => {
    test('is refused with 2 for a token of several lines, without showing it', async () => {
      const { code, out, err } = await run('whoami', as('scp_first\nscp_second'));
      expect([code, out, err]).toEqual([2, '', 'The token is not one line of letters and digits\n']);
    });

    test.each([
      ['an expired token', tokens.expired, 'whoami', 'run "compliance login" with a new one'],
      [
        'too low a role',
        viewer.token,
        `incident open --title T --severity LOW --organization ${organizationId}`,
        'Forbidden',
      ],
      [
        'too few scopes',
        tokens.readOnly,
        `incident open --title T --severity LOW --organization ${organizationId}`,
        'Forbidden',
      ],
      [
        'an organization of others',
        owner.token,
        `incident list --organization ${testData.otherOrganizationId}`,
        'Not found',
      ],
      ['an incident that is not there', owner.token, 'incident show 1', 'Not found'],
      ['a trail without its role', analyst.token, 'trail verify', 'Forbidden'],
    ])('is refused with 3 for %s, as JSON as well', async (_what, token, words, sentence) => {
      const [text, machine] = await Promise.all([run(words, as(token)), run(`${words} --json`, as(token))]);
      expect([text.code, text.err]).toEqual([3, expect.stringContaining(sentence)]);
      const error = { error: expect.stringContaining(sentence), exit_code: 3 };
      expect([machine.code, JSON.parse(machine.err.trim().split('\n').at(-1)!)]).toEqual([3, error]);
    });

    test('is refused with 4 while there are too many requests, and when the gateway is away', async () => {
      let refusals = 2;
      front.handle = (_request, response) => {
        if ((refusals -= 1) < 0) return 'FORWARD';
        response.writeHead(429, { 'retry-after': '0' }).end();
        return 'HANDLED';
      };
      expect(await run('whoami')).toMatchObject({
        code: 0,
        err: expect.stringContaining('The gateway answers 429: trying again in 0 s'),
      });
      front.handle = (_request, response) => {
        response.writeHead(429, { 'retry-after': '600' }).end('{"error":1,"messages":["Too many requests"]}');
        return 'HANDLED';
      };
      expect(await run('whoami')).toMatchObject({
        code: 4,
        err: expect.stringContaining('429: Too many requests; try again in 600 s'),
      });
      front.handle = (_request, response) => {
        response.writeHead(503, { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' }).end();
        return 'HANDLED';
      };
      expect((await run('whoami')).err).toMatch(/; try again after Wed, 21 Oct 2099 07:28:00 GMT\n$/);
      const away = await Front.start(gateway.url);
      const { url } = away;
      await away.close();
      expect(await run('whoami', as(owner.token, url))).toMatchObject({
        code: 4,
        err: expect.stringContaining('cannot be reached (ECONNREFUSED)'),
      });
    });

    test('is refused with 1 where the certificate is not accepted, which stays so', async () => {
      const refusing =
        'globalThis.fetch=()=>Promise.reject(new(TypeError)("",{cause:{code:"DEPTH_ZERO_SELF_SIGNED_CERT"}}))';
      const env = { ...as(owner.token), NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(refusing)}` };
      expect(await run('whoami', env)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/\(DEPTH_ZERO_SELF_SIGNED_CERT\): its certificate is not accepted.*\n$/),
      });
    });

    test('shows no signs of a text that move the cursor or turn the reading direction', async () => {
      front.handle = (request, response) => {
        request.resume();
        const messages = ['a\u001b[2Jb\u202ec\u2066d\u009be\u200ff'];
        response.writeHead(400).end(JSON.stringify({ error: 1, messages }));
        return 'HANDLED';
      };
      const { code, err } = await run('whoami');
      expect([code, err]).toEqual([1, '400: a [2Jb c d e f\n']);
    });

    test('names a request that failed once', async () => {
      front.handle = (_request, response) => {
        response.writeHead(500, { 'x-request-id': 'one' }).end('{"error":1,"messages":[1000]}');
        return 'HANDLED';
      };
      expect(await run('whoami')).toMatchObject({
        code: 1,
        err: '500: the gateway gives no reason (request one)\n',
      });
    });
  });

  describe('work', () => {
    test('is opened, listed, shown and drafted', async () => {
      const opened = jsonIn(
        await run(
          `incident open --title 'A new wave' --severity high --significant --aware-at 2026-11-20T08:00:00Z --json`,
        ),
      );
      expect(opened).toEqual([
        expect.objectContaining({ severity: 'HIGH', significant: true, aware_at: '2026-11-20T08:00:00.000Z' }),
      ]);
      const [{ id, clock }] = opened;
      expect(jsonIn(await run('incident list --status open --json'))).toEqual([expect.objectContaining({ id })]);
      expect((await run('incident list --severity low')).out).toMatch(/^ID +SEVERITY .*\n$/);
      expect(await run('incident list --status=')).toMatchObject({ code: 1, err: expect.stringContaining('status') });
      const { out } = await run(`incident show ${id}`);
      expect(out).toContain(`Incident ${id}: A new wave\n`);
      expect(await run('incident open --title T --severity HUGE')).toMatchObject({
        code: 1,
        err: expect.stringContaining('severity must be one of'),
      });

      const facts = '--occurred-at 2026-11-19T07:00:00Z --affects-trust-service yes --cross-border no --root-cause Key';
      const changed = await run(`incident update ${id} ${facts} --classified-at 2026-11-20T09:00:00Z --json`);
      expect(jsonIn(changed)).toEqual([
        expect.objectContaining({
          ...{ occurred_at: '2026-11-19T07:00:00.000Z', classified_at: '2026-11-20T09:00:00.000Z' },
          ...{ affects_trust_service: true, cross_border: false, root_cause: 'Key', product_concerned: null },
        }),
      ]);
      expect((await run(`incident show ${id}`)).out).toContain(
        'occurred at: 2026-11-19 07:00Z\n  classified at: 2026-11-20 09:00Z\n  affects trust service: yes\n  cross border: no\n',
      );
      const [taken] = jsonIn(
        await run(`incident update ${id} --occurred-at unknown --cross-border unknown --root-cause '' --json`),
      );
      expect(taken).toMatchObject({ occurred_at: null, cross_border: null, root_cause: '' });

      const { regime_id, stage } = clock.stages[0];
      const draft = `report draft ${id} ${regime_id} ${stage.toLowerCase()}`;
      expect(jsonIn(await run(`${draft} --json`))).toEqual([
        expect.objectContaining({ stage, missing: expect.any(Array) }),
      ]);
      expect((await run(draft)).out).toMatch(/^Missing: /m);
      expect((await run(`${draft} --format html`)).out).toContain('<!doctype html>');
      expect(await run(`${draft} --format pdf --output draft.pdf`)).toMatchObject({
        code: 0,
        out: 'The draft is in draft.pdf\n',
      });
      expect(readFileSync(join(packages.folder, 'draft.pdf'), 'latin1')).toMatch(/^%PDF-/);
      expect(await run(`report draft ${id} other ${stage}`)).toMatchObject({ code: 3 });

      await run(`incident update ${id} --exploited-vulnerability yes --fix-available-at 2026-11-20T08:00:00Z`);
      expect((await run(`report draft ${id} cra-vulnerability final_report`)).out).toContain(
        'due 2026-12-04 08:00Z, may be sent until 2026-12-04 ',
      );

      const due = jsonIn(await run('due --json'));
      expect(due).toContainEqual(
        expect.objectContaining({ kind: 'REPORT', report: expect.objectContaining({ stage }) }),
      );
      expect(await run('due --before 2020-01-01 --json')).toMatchObject({ code: 0, out: '' });
    });

    test('names the second report of a stage by its number, and says of a draft that it is of a sandbox', async () => {
      // Others of these cases have one organization.
      const { token } = await buildPerson(gateway.app.database, 'trial');
      const body = { name: 'Trial', sandbox: true, nis2_sector: 'Infrastrutture digitali' };
      const made = await gateway.rest.call('POST', '/api/v1/organizations', { token, body });
      const sandbox = (made.body as { data: { id: number } }).data.id;
      const open = `incident open --organization ${sandbox} --title Outage --severity high --significant --json`;
      const [{ id }] = jsonIn(await run(open, as(token)));
      const path = `/api/v1/v-ciso/incidents/${sandbox}/${id}`;
      const send = async (method: 'PATCH' | 'POST', from: string, change: object) =>
        expectStatus(await gateway.rest.call(method, from, { token, body: change }), method === 'POST' ? 201 : 200);
      for (const day of [1, 2]) {
        const intermediate_report_due_at = new Date(Date.now() + day * 86_400_000).toISOString();
        await send('PATCH', path, { intermediate_report_due_at });
        for (const stage of day === 1 ? ['EARLY_WARNING', 'NOTIFICATION', 'INTERMEDIATE_REPORT'] : [])
          await send('POST', `${path}/reports`, { regime_id: 'nis2', stage });
      }
      const { out } = await run(`incident show ${id} --organization ${sandbox}`, as(token));
      expect(out).toMatch(/^ {2}nis2 INTERMEDIATE_REPORT: SENT.*\n {2}nis2 INTERMEDIATE_REPORT 2: /m);
      const draft = await run(`report draft ${id} nis2 intermediate_report --organization ${sandbox}`, as(token));
      expect(draft.out).toMatch(/^For practice only: this is about a sandbox .*\n\nINTERMEDIATE_REPORT 2 of NIS/);
      await settled(gateway.app.database, 'events');
      const events = await run(
        `events tail --once --after oldest --organization ${sandbox} --types incident.opened`,
        as(token),
      );
      expect(events.out).toContain(`of sandbox ${sandbox}`);
    });

    test('is listed for all members, and with --mine for the caller alone', async () => {
      const path = `/api/v1/v-ciso/organizations/${organizationId}/workflows/iso-27001-2022/controls/A.5.1`;
      const body = { due_date: '2026-11-30', owner_id: analyst.id };
      expectStatus(await gateway.rest.call('PATCH', path, { token: owner.token, body }), 200);
      const ofAnalyst = expect.objectContaining({ kind: 'CONTROL', control: expect.objectContaining({ id: 'A.5.1' }) });
      expect(jsonIn(await run('due --json'))).toContainEqual(ofAnalyst);
      expect((await run('due --mine --json')).out).not.toContain('"A.5.1"');
      expect(jsonIn(await run('due --mine --json', as(analyst.token)))).toContainEqual(ofAnalyst);
    });

    test('says that there may be more where as many controls are listed as there can be', async () => {
      const { database } = gateway.app;
      const id = await buildOrganization(database, 'Large');
      const person = await buildPerson(database, 'large');
      await addMember(database, person, id, 'VIEWER');
      const controls = Array.from({ length: 1000 }, (_, at) => ({ id: `${at + 1}`, label: 'One', kind: 'control' }));
      await database.rows(
        `insert into workflow_import (organization_id, workflow_id, mode, content, imported_by) values ($1, 'large', 'WORKFLOW', $2, 'me')`,
        [id, JSON.stringify({ ...UPLOAD_RULES, id: 'large', controls })],
      );
      await buildWorkflow(database, id, 'large');
      const fill = (first: number, last: number) =>
        database.rows(
          `insert into control_state (organization_id, workflow_id, control_id, status, due_date)
           select $1, 'large', n::text, 'TO_DO', '2020-01-01' from generate_series($2::int, $3::int) n`,
          [id, first, last],
        );
      await fill(1, 999);
      const some = await run('due --json', as(person.token));
      expect(some.err).toBe('');
      expect(jsonIn(some)).toHaveLength(999);
      await fill(1000, 1000);
      const most = await run('due --json', as(person.token));
      expect(most.err).toBe('The controls and reviews are the 1,000 earliest: there may be more\n');
      expect(jsonIn(most)).toHaveLength(1000);
    });
  });
}
