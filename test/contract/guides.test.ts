import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, print } from 'graphql';
import { type Privilege, PRIVILEGES } from '../../src/auth/roles.js';
import { seedDemo } from '../../src/demo/demo.js';
import { ROLE_RANKS, type Role, ROLES } from '../../src/values/enums.js';
import { CATALOG } from '../support/catalog.js';
import { curlRequest } from '../support/curl.js';
import { startSharedGateway } from '../support/seeded-gateway.js';

/** Excluded: the tour, which has its own test, a downloaded catalog, and commands without requests. */
const GUIDES = ['rest', 'graphql', 'events', 'idempotency', 'incidents', 'limits'];

interface Example {
  name: string;
  code: string;
}

const gateway = await startSharedGateway();
const demo = await seedDemo({ databaseUrl: gateway.database.url, config: gateway.config, catalog: CATALOG });
const token = demo!.tokens.owner;

function examplesIn(language: string): Example[] {
  return GUIDES.flatMap((guide) => {
    const text = readFileSync(resolve(import.meta.dirname, `../../docs/${guide}.md`), 'utf8');
    return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]+?)^\`\`\``, 'gm'))].map(([, code], at) => ({
      name: `${guide}.md, ${at + 1}`,
      code: code!,
    }));
  });
}

describe('an example of the guides', () => {
  const documents = examplesIn('graphql').filter(
    ({ code }) => !/^\s*(subscription|mutation|type|interface)/.test(code),
  );
  test.each(documents)('in GraphQL is answered: $name', async ({ code }) => {
    const { body } = await gateway.graphql.call(print(parse(code)), { token });
    expect(body.errors).toBe(undefined);
  });

  test.each(examplesIn('sh'))('in curl is answered: $name', async ({ code }) => {
    // A line that assigns a key is run once, and the request twice if it has a key.
    const { url, method, headers, body } = curlRequest(code.replace(/^key=.*\n/, ''), {
      ...{ API: '/api/v1', TOKEN: token },
      key: randomUUID(),
    });
    const send = async () => {
      const answer = await gateway.rest.call(method, url, { headers, body });
      expect([200, 201]).toContain(answer.status);
      expect(answer.text).not.toContain('"errors"');
      return answer;
    };
    const first = await send();
    if (headers['Idempotency-Key'] === undefined) return;
    const again = await send();
    expect([again.headers.get('idempotency-replayed'), again.text]).toEqual(['true', first.text]);
  });
});

test('the roles of authentication.md have the privileges that they have, each where the lowest role has it', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs/authentication.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `([A-Z_]+)` +\| (\d) +\|.*\| (`.+?) +\|$/gm)].map(
    ([, role, rank, privileges]) => ({
      role,
      rank: Number(rank),
      privileges: [...privileges!.matchAll(/`(\w+)`/g)].map(([, name]) => name!).toSorted(),
    }),
  );
  const lowest = (role: Role) => Object.keys(PRIVILEGES).filter((name) => PRIVILEGES[name as Privilege].role === role);
  expect(listed).toEqual(ROLES.map((role) => ({ role, rank: ROLE_RANKS[role], privileges: lowest(role).toSorted() })));
});

/** Requests of guides with examples in sequence: in curl, and as method, address and body. */
const WALKED = ['sign-in', 'scim', 'webhooks', 'auditors', 'service-accounts'];
const REQUEST = /^ *(GET|POST|PATCH|PUT|DELETE) (\/api\S+)\n([\s\S]*)$/;

test.each(WALKED)('the requests of %s.md are answered as they are printed, one after the other', async (guide) => {
  const text = readFileSync(resolve(import.meta.dirname, `../../docs/${guide}.md`), 'utf8');
  // The days in examples are of this year and the next.
  const year = new Date().getUTCFullYear();
  const dated = text.replaceAll(/\b202[67](?=-)/g, (given) => String(year + Number(given) - 2026));
  const blocks = [...dated.matchAll(/^ *```(?:sh|http|graphql)?\n([\s\S]+?)^ *```/gm)].flatMap(([, code]) =>
    code!.split(/\n(?=curl )/),
  );
  const shell: Record<string, string> = { API: '/api/v1', TOKEN: token };
  let answered = 0;
  for (const code of blocks) {
    const [, method = '', path = '', json = ''] = REQUEST.exec(code) ?? [];
    const isCurl = code.trimStart().startsWith('curl');
    const isQuery = /^(query|mutation) /.test(code);
    if (method === '' && !isCurl && !isQuery) continue;
    answered += 1;
    if (isQuery) {
      expect((await gateway.graphql.call(print(parse(code)), { token })).body.errors).toBeUndefined();
      continue;
    }
    const { url, ...sent } = isCurl
      ? curlRequest(code, shell)
      : { method, url: path, headers: { 'X-Service-Token': token }, body: json === '' ? undefined : JSON.parse(json) };
    const answer = await gateway.rest.call(sent.method, url, { headers: sent.headers, body: sent.body });
    expect([code, [200, 201].includes(answer.status), answer.text]).toEqual([code, true, answer.text]);
    shell['ID'] = String((answer.body.data as { id?: unknown }).id);
  }
  expect(answered).toBeGreaterThan(0);
});
