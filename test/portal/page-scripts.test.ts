import { describe, expect, it } from '@jest/globals';
import { createContext, runInContext } from 'node:vm';
import { createPortal } from '../../src/portal/portal-app.js';
import { STARTER_DOCUMENT } from '../../src/portal/starter-document.js';
import { serve } from './serve-portal.js';

const ask = await serve(createPortal({ publicUrl: 'http://localhost:4000', explorer: true }));

const HERE = 'http://127.0.0.1:4000/gateway';

describe('the REST reference', () => {
  it('shows our own description and keeps no token', async () => {
    const { options } = await openReference();
    expect(options).toMatchObject({
      url: `${HERE}/api/v1/openapi.json`,
      validatorUrl: null,
      persistAuthorization: false,
    });
  });

  it('tries out against the address by which the reader came, whatever the public one is', async () => {
    const { localize } = await openReference();
    const text = JSON.stringify({ servers: [{ url: 'http://localhost:4000/', description: 'here' }], paths: {} });
    const { text: localized } = localize({ url: `${HERE}/api/v1/openapi.json`, ok: true, text });
    expect(JSON.parse(localized)).toEqual({
      servers: [{ url: 'http://127.0.0.1:4000', description: 'here' }],
      paths: {},
    });
  });

  it('leaves every other answer as it is', async () => {
    const { localize } = await openReference();
    for (const [path, ok] of [['/api/v1/notifications', true] as const, ['/api/v1/openapi.json', false] as const]) {
      const answer = { url: HERE + path, ok, text: '{"servers": [{"url": "http://a"}]}' };
      expect(localize({ ...answer })).toEqual(answer);
    }
  });

  it('is dark where the reader’s system is', async () => {
    expect((await openReference(true)).classes).toEqual({ 'dark-mode': true });
    expect((await openReference(false)).classes).toEqual({ 'dark-mode': false });
  });
});

describe('GraphiQL', () => {
  it('asks our endpoint, has a place for the token, and keeps the token nowhere', async () => {
    const { options } = await openGraphiql();
    expect(options).toMatchObject({
      endpoint: `${HERE}/graphql`,
      defaultQuery: STARTER_DOCUMENT,
      shouldPersistHeaders: false,
      defaultEditorToolsVisibility: 'headers',
    });
    expect(JSON.parse(String(options['headers']))).toEqual({ 'X-Service-Token': '' });
  });

  it('does not copy what is typed into the address, and takes out what is there', async () => {
    const { options, states } = await openGraphiql('?query=secret');
    expect(states).toEqual(['/gateway/graphiql']);
    (options['onEditQuery'] as (query: string) => void)('{ typed }');
    expect(states).toHaveLength(1);
  });

  it('has a worker of ours for each kind that the editor asks for', async () => {
    const { workerUrl } = await openGraphiql();
    for (const label of ['editorWorkerService', 'json', 'graphql']) {
      const url = new URL(workerUrl(label));
      expect(url.href.startsWith(`${HERE}/graphiql/assets/`)).toBe(true);
      expect([label, (await ask(url.pathname.replace('/gateway', ''))).status]).toEqual([label, 200]);
    }
  });
});

async function openReference(dark = false) {
  let options: Record<string, unknown> = {};
  const classes: Record<string, boolean> = {};
  await runPageScript('/docs', {
    SwaggerUIBundle: Object.assign((given: Record<string, unknown>) => void (options = given), { presets: {} }),
    matchMedia: () => ({ matches: dark, addEventListener() {} }),
    documentElement: { classList: { toggle: (name: string, on: boolean) => void (classes[name] = on) } },
  });
  type Answer = { url: string; ok: boolean; text: string };
  return { options, classes, localize: options['responseInterceptor'] as (answer: Answer) => Answer };
}

async function openGraphiql(search = '') {
  let options: Record<string, unknown> = {};
  const states: string[] = [];
  const window = await runPageScript('/graphiql', {
    search,
    states,
    YogaGraphiQL: { renderYogaGraphiQL: (_root: unknown, given: Record<string, unknown>) => void (options = given) },
  });
  const environment = window['MonacoEnvironment'] as { getWorkerUrl(module: string, label: string): string };
  return { options, states, workerUrl: (label: string) => environment.getWorkerUrl('', label) };
}

interface Surroundings {
  search?: string;
  states?: string[];
  documentElement?: object;
  [name: string]: unknown;
}

/** Runs the script of a page as a browser would that reached the page under a path of a proxy. */
async function runPageScript(page: string, { search = '', states = [], documentElement, ...globals }: Surroundings) {
  const { text } = await ask(`${page}/assets/page.js`);
  const { origin } = new URL(HERE);
  const window: Record<string, unknown> = {
    ...globals,
    URL,
    location: { origin, href: HERE + page + search, pathname: new URL(HERE).pathname + page, search, hash: '' },
    history: { replaceState: (_state: unknown, _title: string, to: string) => void states.push(to) },
    document: {
      currentScript: { src: `${HERE}${page}/assets/page.js` },
      getElementById: () => ({}),
      documentElement,
    },
  };
  window['self'] = window;
  runInContext(text, createContext(window));
  return window;
}
