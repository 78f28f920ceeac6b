import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { DemoFacts } from '../../../src/demo/demo.js';
import { inParallel, multipart, send, sendGraphQL, settled, tally, type Received } from '../support/http.js';
import { descriptorsOf, fallsTo } from '../support/process-figures.js';
import { uploadMutation, versionsPath } from '../support/requests.js';
import type { Testbed } from '../support/testbed.js';
import { encodedTexts, hiddenMarkup } from '../../support/encodings.js';
import { samples } from '../../support/sample-files.js';

const SLOW = 16;
/** Milliseconds: far more than an upload takes, and far less than the limit of a slow one. */
const STALL_MS = 10_000;

/** Malformed forms, and their number. */
const MALFORMED = 1_000;
/** Descriptors above the base that may remain: idle connections to the database and of keep-alive. */
const SLACK = 20;

/** Slow uploads beside a regular one, and the remains of malformed forms. */
export async function uploads(testbed: Testbed): Promise<void> {
  await slowUploads(testbed);
  await malformedForms(testbed);
  await kindsOfFiles(testbed);
}

/** Every allowed type, texts of every character set, and forbidden content, under each other's names. */
async function kindsOfFiles({ start, facts, report }: Testbed): Promise<void> {
  const gateway = await start();
  const store = (name: string, type: string, bytes: Buffer) => {
    const path = versionsPath(facts, 'A.5.2');
    const form = multipart({ file: { name, type, bytes } });
    return settled(send(gateway, { method: 'POST', path, token: facts.tokens.analyst, ...form }));
  };
  const has = (result: Received | Error, ...statuses: number[]) =>
    !(result instanceof Error) && statuses.includes(result.status);
  const honest = [
    ...Object.values(samples),
    ...encodedTexts.map(([, bytes]) => ({ filename: 'table.csv', contentType: 'text/csv', bytes })),
  ];
  const accepted = await inParallel(honest.length, 4, (at) => {
    const { filename, contentType, bytes } = honest[at]!;
    return store(filename, contentType, bytes);
  });
  const isAccepted = accepted.every((result) => has(result, 200, 201));
  report.record('files of every kind and character set', honest.length, isAccepted, tally(accepted));
  const names = [
    ['a.txt', 'text/plain'],
    ['a.csv', 'text/csv'],
    ['a.json', 'application/json'],
    ['a.xml', 'text/xml'],
    ['a.eml', 'message/rfc822'],
    ['a.doc', 'application/msword'],
    ['a.p7m', 'application/pkcs7-mime'],
  ] as const;
  const hidden = hiddenMarkup.flatMap(([, bytes]) => names.map(([name, type]) => ({ name, type, bytes })));
  const refused = await inParallel(hidden.length, 4, (at) => {
    const { name, type, bytes } = hidden[at]!;
    return store(name, type, bytes);
  });
  const isRefused = refused.every((result) => has(result, 415));
  report.record('markup hidden in character sets', hidden.length, isRefused, tally(refused));
}

/** Large GraphQL bodies at a byte per second, by a user without organization, beside a regular upload. */
async function slowUploads({ startLimited, facts, report }: Testbed): Promise<void> {
  const gateway = await startLimited();
  const slow = Array.from({ length: SLOW }, () => {
    const socket = connect({ host: '127.0.0.1', port: gateway.port, localAddress: '127.0.0.2' });
    socket.on('error', () => undefined);
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: localhost\r\nX-Service-Token: ${facts.tokens.newcomer}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 5000000\r\n\r\n{"query":"',
    );
    const drip = setInterval(() => socket.write('x'), 1_000);
    return socket.once('close', () => clearInterval(drip));
  });
  await new Promise((done) => setTimeout(done, 2_000));
  const startedAt = performance.now();
  const request = uploadMutation(facts, 'A.5.1', Buffer.alloc(3_000_000, 'honest words\n'));
  const answer = await settled(
    sendGraphQL(gateway, { ...request, token: facts.tokens.analyst }, { timeout: STALL_MS }),
  );
  const stored = !(answer instanceof Error) && answer.text.includes('"created":true');
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  report.record(
    `an upload beside ${SLOW} slow ones of another user`,
    SLOW,
    stored,
    `${tally([answer])} after ${seconds} s`,
  );
  for (const socket of slow) socket.destroy();
}

/** Every kind of malformed form, by users with and without permission to upload; some disconnect. */
async function malformedForms({ start, facts, installation, report, count }: Testbed): Promise<void> {
  const gateway = await start();
  const staging = join(installation.dataDir, 'files', 'staging');
  const left = () => stagedIn(staging) + openUnder(gateway.pid, staging);
  await send(gateway, { path: '/health/live' });
  const base = descriptorsOf(gateway.pid);
  const number = count(MALFORMED);
  const results = await inParallel<Received | Error | string>(number, 16, (at) => {
    const token = at % 3 === 0 ? facts.tokens.newcomer : facts.tokens.analyst;
    const body = malformed(facts, at);
    return at % 5 === 4 ? leave(gateway, token, body) : settled(send(gateway, formOf(token, body)));
  });
  const stored = results.filter(
    (result) => typeof result === 'object' && 'text' in result && result.text.includes('"created"'),
  );
  const files = await fallsTo(0, 30, left);
  const descriptors = await fallsTo(base + SLACK, 30, () => descriptorsOf(gateway.pid));
  report.record(
    'malformed GraphQL forms',
    number,
    files.passed && descriptors.passed && stored.length === 0,
    `${tally(results)}; ${files.last} temporary files, descriptors ${base} before and ${descriptors.last} after`,
  );
}

const BOUNDARY = 'the-line-between-the-parts';
const HEADERS = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'apollo-require-preflight': '1' };

const formOf = (token: string, body: Buffer) => ({ method: 'POST', path: '/graphql', token, headers: HEADERS, body });

/** Two files of one name, parts outside the map, parts in a wrong order, forms without an end. */
function malformed(place: Pick<DemoFacts, 'organization_id' | 'workflow_id'>, at: number): Buffer {
  const { organization_id: organizationId, workflow_id: workflowId } = place;
  const query = `mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { created } }`;
  const input = { organizationId, workflowId, artifactId: 'A.5.1', file: null };
  const operations = part('operations', JSON.stringify({ query, variables: { input } }));
  const map = part('map', '{"0":["variables.input.file"]}');
  const file = (name: string) => part(name, 'words '.repeat(50_000), '; filename="notes.txt"');
  const end = `--${BOUNDARY}--\r\n`;
  const forms = [
    [operations, map, file('0'), file('0'), end],
    [operations, map, file('0'), file('1'), end],
    [operations, map, file('0'), file('0')],
    [operations, file('0'), map, end],
    [map, operations, file('0'), end],
    [operations, map, file('0'), part('0', 'a text'), end],
    [operations, part('map', '{'), file('0'), end],
  ];
  return Buffer.from((forms[at % forms.length] ?? []).join(''));
}

function part(name: string, content: string, more = ''): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
}

/** Sends the beginning of a form, and disconnects. */
function leave({ port }: { port: number }, token: string, body: Buffer): Promise<string> {
  const head = Object.entries({ ...HEADERS, host: 'gateway', 'x-service-token': token, 'content-length': body.length });
  const socket = connect({ host: '127.0.0.1', port }).on('error', () => undefined);
  socket.write(`POST /graphql HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  return new Promise((done) => {
    socket.once('close', () => done('left'));
    socket.write(body.subarray(0, -100), () => socket.destroy());
  });
}

function stagedIn(directory: string): number {
  return existsSync(directory) ? readdirSync(directory).filter((name) => name !== 'space-probe').length : 0;
}

/** Descriptors of files below a directory, including removed ones. */
function openUnder(pid: number, directory: string): number {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(directory)).length;
}
