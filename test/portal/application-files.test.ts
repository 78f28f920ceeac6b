import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { directivesOf, inlineContents, portal, serve } from './serve-portal.js';

const send = await serve(portal());
const compressed = { headers: { 'accept-encoding': 'gzip' } };

/** Every address that the gateway writes: in mails, notifications and search results. */
const ADDRESSES = [
  '/organizations/1',
  '/organizations/1/users',
  '/organizations/1/users/8a8e5a1c-5a42-4b5e-9d3e-6c1a5ad1f0c1',
  '/organizations/1/service-accounts',
  '/organizations/1/incidents',
  '/organizations/1/incidents/12',
  '/organizations/1/workflows/nis2-directive',
  '/organizations/1/workflows/nis2-directive/controls/21.2.a',
  '/organizations/1/workflows/own%20rules/controls/A%2F1',
  '/organizations/1/engagements/3',
  '/organizations/1/audit-trail',
  '/organizations/1/webhooks',
  '/cloud-defender/4',
  '/atb/5',
  '/portfolio',
  '/tokens',
  '/signed-in?code=secret&state=of-the-tab',
];

describe('the application of web/', () => {
  it.each(ADDRESSES)(
    'is at %s, with its files at a relative address and nothing that runs in the page',
    async (path) => {
      const { status, text, headers } = await send(path);
      expect(status).toBe(200);
      const address = new URL(/<script type="module" src="([^"]+)"/.exec(text)![1]!, `http://localhost:4000${path}`);
      expect(address.pathname).toBe('/pages/assets/web.js');
      const directives = directivesOf(headers['content-security-policy']);
      expect(directives).toMatchObject({
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
      });
      expect([...inlineContents(text, 'script'), ...inlineContents(text, 'style')]).toEqual([]);
      expect(text).not.toContain('secret&');
    },
  );

  it.each(['/organizations', '/organizations//1', '/tokens/1', '/organizations/1/a/b/c/d/e', '/Organizations/1'])(
    'is not at %s',
    async (path) => {
      expect((await send(path)).status).toBe(404);
    },
  );

  it('is in the language that the browser requests, and says so', async () => {
    const { text, headers } = await send('/portfolio', { headers: { 'accept-language': 'it' } });
    expect([headers['content-language'], headers['vary']]).toEqual(['it', 'Accept-Encoding, Accept-Language']);
    const settings = JSON.parse(/id="settings">(.*?)<\/script>/.exec(text)![1]!);
    expect(settings).toMatchObject({ language: 'it', locale: 'it-IT' });
    expect(settings.texts['pages.organization.deadlines']).toBe('Scadenze di legge');
  });

  it('says that it is loading until it is there', async () => {
    const { text } = await send('/portfolio', { headers: { 'accept-language': 'de' } });
    expect(text).toMatch(/<div id="application"><main class="wide"><p role="status">Wird geladen …<\/p>/);
  });

  it('has words for every value of an enumeration that it shows', async () => {
    const { text } = await send('/portfolio', { headers: { 'accept-language': 'it' } });
    const { texts } = JSON.parse(/id="settings">(.*?)<\/script>/.exec(text)![1]!);
    const labelled = new Set(Object.keys(texts).map((name) => /^enums\.(\w+)\./.exec(name)?.[1]));
    const web = resolve(import.meta.dirname, '../../web');
    const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tsx'));
    const shown = sources.flatMap((path) =>
      [...readFileSync(join(web, path), 'utf8').matchAll(/\blabel\('(\w+)'/g)].map(([, name]) => name),
    );
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.filter((name) => !labelled.has(name))).toEqual([]);
  });

  it('takes at most 120 KB compressed, page and files together', async () => {
    const answers = await Promise.all(
      ['/organizations/1', '/pages/assets/web.js', '/pages/assets/web.css'].map((path) => send(path, compressed)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[1]!.body.length).toBe(gzipSync(answers[1]!.text).length);
    expect(answers.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(120 * 1024);
  });
});
