import { afterAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { HAS_CHROMIUM, startChromium } from '../support/chromium.js';
import { startProvider } from '../support/identity-providers.js';
import { newMember } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization } from '../support/test-data.js';

/** The application, on a separate origin. */
const FOLDER = resolve(import.meta.dirname, 'programs/sign-in');
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/application.js': ['application.js', 'text/javascript; charset=utf-8'],
};
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '', 'http://localhost').pathname;
  const [file, type] = FILES[path] ?? [];
  if (file !== undefined) return response.setHeader('content-type', type!).end(readFileSync(resolve(FOLDER, file)));
  if (path === '/settings.json')
    return response.end(JSON.stringify({ gateway: gateway.url, organization: 'valdoria' }));
  response.writeHead(404).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const records = new Map<string, string>();
const { gateway } = await startSeededGateway({
  config: { corsOrigins: [origin] },
  resolveTxt: async (name) => [[records.get(name) ?? '']],
});
const { url } = gateway;
const provider = await startProvider(`${url}/sign-in/callback`, {
  anna: { email: 'anna@valdoria.example', email_verified: true },
});
const chromium = HAS_CHROMIUM ? await startChromium() : undefined;
afterAll(async () => {
  server.close();
  await Promise.all([provider.close(), chromium?.close()]);
});

(HAS_CHROMIUM ? test : test.skip)(
  'an application of another origin signs a person in by a code with PKCE, reads as that person, and signs out',
  async () => {
    const { database } = gateway.app;
    const organizationId = await buildOrganization(database, 'Valdoria');
    const { token } = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
    const path = `/api/v1/organizations/${organizationId}/identity-providers`;
    const domain = 'valdoria.example';
    const settings = { name: 'valdoria', issuer: provider.issuer, client_id: 'gateway', default_role: 'VIEWER' };
    const secret = { client_secret: 'a secret of the client', redirect_uris: [`${origin}/`], domains: [domain] };
    const { body } = await gateway.rest.post(path, { token, body: { ...settings, ...secret } });
    const [proof] = body.data.domain_proofs;
    records.set(proof.record_name, proof.record_text);
    await gateway.rest.post(`${path}/${body.data.id}/verify-domain`, { token, body: { domain } });

    const { page } = await chromium!.open(origin);
    await page.getByText('Not signed in').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('[name=login]').fill('anna');
    await page.locator('[name=password]').fill('any');
    await page.locator('[type=submit]').click();
    await page.getByText('Signed in as anna').waitFor();
    expect([page.url(), await page.getByRole('listitem').allInnerTexts()]).toEqual([
      `${origin}/`,
      ['Valdoria: VIEWER'],
    ]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signed out').waitFor();
    const active = await database.rows(`select id from api_token where origin = 'SIGN_IN' and revoked_at is null`);
    expect(active).toEqual([]);

    // The application itself rejects a code from another sign-in.
    await page.goto(`${origin}/?code=${'c'.repeat(43)}&state=other`);
    await page.getByText('This sign-in was begun elsewhere.').waitFor();
  },
);
