import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, print } from 'graphql';
import { seedDemo } from '../../src/demo/demo.js';
import { CATALOG } from '../support/catalog.js';
import { curlRequest } from '../support/curl.js';
import { startSharedGateway } from '../support/seeded-gateway.js';

/** The tour has a test of its own; a catalog that is downloaded, and commands that are no requests, are left out. */
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
    // A line that assigns a key is run once, and the request twice where it has one.
    const { url, method, headers, body } = curlRequest(code.replace('key=$(uuidgen)', ''), {
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
