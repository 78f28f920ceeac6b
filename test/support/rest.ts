import { expect, test } from '@jest/globals';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { generateToken } from '../../src/auth/token.js';
import type { Role } from '../../src/values/enums.js';
import type { Answer, Envelope } from './clients.js';
import { expectError, expectStatus, withStory } from './matchers.js';
import type { Person, TestData } from './test-data.js';

/** An answer as Node received it. */
export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
}

/** Sends a raw request target: other clients normalize paths. */
export function rawRequest(
  baseUrl: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: Uint8Array | string } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const bytes = Buffer.concat(parts);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() });
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Callers without a valid token; the unknown token has a correct checksum. */
export function badTokens(testData: TestData): [name: string, token: string | undefined][] {
  return [
    ['no token', undefined],
    ['an empty token', ''],
    ['a malformed token', 'scp_not-a-token'],
    [
      'a token with a wrong checksum',
      `${testData.owner.token.slice(0, -1)}${testData.owner.token.endsWith('a') ? 'b' : 'a'}`,
    ],
    ['an unknown token', generateToken()],
    ['an expired token', testData.tokens.expired],
    ['a revoked token', testData.tokens.revoked],
    ['a token of a user who was deactivated', testData.tokens.deactivated],
  ];
}

const LADDER: readonly Role[] = [
  'VIEWER',
  'SECURITY_ANALYST',
  'SECURITY_OFFICER',
  'ORGANIZATION_MANAGER',
  'ORGANIZATION_OWNER',
];

/** The roles below one, the lowest first. */
export function rolesBelow(lowest: Role): Role[] {
  return LADDER.slice(0, LADDER.indexOf(lowest));
}

/** A role and those above it. */
export function rolesFrom(lowest: Role): Role[] {
  return LADDER.slice(LADDER.indexOf(lowest));
}

/** The member of the test data with a role. */
export function personOf(testData: TestData, role: Role): Person {
  const people: Record<Exclude<Role, 'AUDITOR'>, Person> = {
    VIEWER: testData.viewer,
    SECURITY_ANALYST: testData.analyst,
    SECURITY_OFFICER: testData.officer,
    ORGANIZATION_MANAGER: testData.manager,
    ORGANIZATION_OWNER: testData.owner,
  };
  return people[role as keyof typeof people];
}

/** Expects exactly this JSON: these keys in this order, and nothing else. */
export function expectExactly(answer: Answer<unknown>, status: number, body: unknown): void {
  expectStatus(answer, status);
  withStory(answer, () => expect(answer.text).toBe(JSON.stringify(body)));
}

/**
 * Registers the tests of every list: invalid sizes and offsets are errors that name them. `mostOffset` is the largest
 * allowed offset.
 */
export function pagingCases(
  list: (query: string) => Promise<Answer<Envelope>>,
  mostOffset = 2147483647,
  tooLarge = `offset must not be greater than ${mostOffset}`,
): void {
  test('refuses a limit outside of 1 to 100 and an offset that is none', async () => {
    for (const limit of ['0', '101', '-1', 'ten', '', '1.5', '0x10', '%2B5', '1e1', '99999999999']) {
      expectError(await list(`limit=${limit}`), 400, ['limit must be from 1 to 100']);
    }
    for (const offset of ['-1', 'ten', '', '1.5']) {
      expectError(await list(`offset=${offset}`), 400, ['offset must be an integer of 0 or more']);
    }
    for (const offset of ['2147483648', '99999999999']) expectError(await list(`offset=${offset}`), 400, [tooLarge]);
  });

  test('refuses a parameter that is given twice, and reports all errors at once', async () => {
    expectError(await list('limit=1&limit=1'), 400, ['limit must not be given twice']);
    expectError(await list('offset=x&limit=0'), 400, [
      'limit must be from 1 to 100',
      'offset must be an integer of 0 or more',
    ]);
  });

  test('takes the smallest and the largest page, and passes over what lies before the offset', async () => {
    const whole = await list('limit=100');
    expectStatus(whole, 200);
    const body = JSON.parse(textOf(whole)) as Envelope;
    const pages: Record<string, [number, number]> = {
      'limit=1': [0, 1],
      'limit=100&offset=1': [1, Infinity],
      [`offset=${mostOffset}`]: [0, 0],
    };
    for (const [query, part] of Object.entries(pages)) {
      const data = (body.data as unknown[]).slice(...part);
      expect(JSON.parse(textOf(await list(query)))).toEqual({ ...body, data });
    }
  });

  test('refuses each parameter that it does not have, but for those that caches add', async () => {
    expectError(await list('page=2&per_page=1&page=3'), 400, [
      'page is not a parameter of this path',
      'per_page is not a parameter of this path',
    ]);
    expectError(await list('LIMIT=2&limit=0'), 400, [
      'limit must be from 1 to 100',
      'LIMIT is not a parameter of this path',
    ]);
    expect(textOf(await list('limit=2&_=17&_cache=x'))).toBe(textOf(await list('limit=2')));
  });

  test('leads through the whole list by its links, each page once', async () => {
    const { total, data } = JSON.parse(textOf(await list('limit=100'))) as { total: number; data: unknown[] };
    const seen: unknown[] = [];
    const before: (string | undefined)[] = [];
    for (let query: string | undefined = 'limit=2&_=17'; query !== undefined && seen.length < 100;) {
      const page = await list(query);
      seen.push(...(JSON.parse(textOf(page)) as { data: unknown[] }).data);
      const links = linksOf(page);
      before.push(links.prev);
      query = links.next;
    }
    expect(seen).toEqual(data.slice(0, Math.min(total, 100)));
    expect(before.slice(0, 2).map((query) => query && new URLSearchParams(query).get('offset'))).toEqual(
      [undefined, '0'].slice(0, before.length),
    );
  });
}

/** Positions of the previous and next pages; `list` adds the other parameters. */
function linksOf({ headers }: Answer<unknown>): { prev?: string; next?: string } {
  const links = String(headers.get('link') ?? '').matchAll(/<[^?>]*\?([^>]*)>; rel="(prev|next)"/g);
  return Object.fromEntries(
    [...links].map(([, query, rel]) => {
      const sent = new URLSearchParams(query);
      return [rel, `limit=${sent.get('limit')}&offset=${sent.get('offset')}`];
    }),
  );
}

/** Without the expiry of download links, which may differ by a second between two responses. */
function textOf({ text }: Answer<unknown>): string {
  return text.replaceAll(/expires=\d+&signature=[\w-]+/g, '');
}

/** A part of a multipart body. */
export interface Part {
  name: string;
  content: string | Uint8Array;
  filename?: string;
  type?: string;
  /** Replaces the whole Content-Disposition, for spellings that no library generates. */
  disposition?: string;
}

/** A multipart body as bytes, so that tests control its exact headers. */
export function multipart(parts: readonly Part[]): { headers: Record<string, string>; body: Buffer } {
  const boundary = 'a-boundary-of-the-tests';
  const pieces = parts.flatMap(({ name, content, filename, type, disposition }) => {
    const named = `form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`;
    const head = `--${boundary}\r\nContent-Disposition: ${disposition ?? named}\r\n`;
    return [
      Buffer.from(`${head}${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`),
      Buffer.from(content),
      CRLF,
    ];
  });
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

const CRLF = Buffer.from('\r\n');
