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

  it('sends no example that nobody chose: forms of parameters are empty, those of bodies begin with one', async () => {
    const { localize } = await openReference();
    const parameter = { name: 'organization_id', in: 'query', required: false, schema: { type: 'integer' } };
    const requestBody = { content: { 'application/json': { example: { name: 'Acme' } } } };
    const paths = { '/a': { get: { parameters: [{ ...parameter, example: 7 }] }, post: { requestBody } } };
    const text = JSON.stringify({ paths });
    const { text: localized } = localize({ url: `${HERE}/api/v1/openapi.json`, ok: true, text });
    expect(JSON.parse(localized)).toEqual({
      paths: { '/a': { get: { parameters: [parameter] }, post: { requestBody } } },
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

describe('the page of invitations', () => {
  const SECRET = 'inv_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1X';

  it('takes the secret out of the address, and sends it only when somebody asks for it', async () => {
    const { states, sent, parts, submit } = await openInvitation(`#${SECRET}`);
    expect(states).toEqual(['/gateway/invitation']);
    expect([sent, parts['form']?.hidden]).toEqual([[], false]);
    await submit();
    expect(sent).toEqual([
      [`${HERE}/api/v1/invitations/accept`, { secret: SECRET, first_name: 'Ada', last_name: 'Lovelace' }],
    ]);
  });

  it('shows the token as text, and hides what is done', async () => {
    const { parts, submit } = await openInvitation(`#${SECRET}`);
    await submit(201, { data: { username: 'ada', organization: '<b>', token: 'scp_x' } });
    expect(parts['secret']?.textContent).toBe('scp_x');
    expect(parts['told']?.textContent).toBe('Welcome, ada. You belong to <b> now.');
    expect([parts['form']?.hidden, parts['token']?.hidden]).toEqual([true, false]);
  });

  it.each([
    [404, { messages: [1004] }, /cannot be used/],
    [409, { messages: [1009] }, /already/],
    [400, { messages: ['first_name must not be longer than 200 characters'] }, /^first_name must/],
    [500, { messages: [] }, /went wrong/],
  ])('tells a person what %i means', async (status, answer, sentence) => {
    const { parts, submit } = await openInvitation(`#${SECRET}`);
    await submit(status, answer);
    expect(parts['told']?.textContent).toMatch(sentence);
    expect(parts['token']?.hidden).toBe(true);
  });

  it.each(['', '#', '#something', `#${SECRET}"`])('does nothing at an address that ends in %j', async (hash) => {
    const { states, parts } = await openInvitation(hash);
    expect([states, parts['form']?.hidden]).toEqual([[], true]);
  });
});

interface PagePart {
  hidden: boolean;
  textContent: string;
  value: string;
  disabled: boolean;
  querySelector(): PagePart;
  addEventListener(name: string, listener: (event: { preventDefault(): void }) => void): void;
}

async function openInvitation(hash: string) {
  const states: string[] = [];
  const sent: [string, unknown][] = [];
  const values: Record<string, string> = { first: 'Ada', last: 'Lovelace' };
  const parts: Record<string, PagePart> = {};
  let listener: ((event: { preventDefault(): void }) => void) | undefined;
  let reply: { status: number; answer: object } = { status: 500, answer: { messages: [] } };
  const partOf = (id: string): PagePart =>
    (parts[id] ??= {
      hidden: true,
      textContent: '',
      value: values[id] ?? '',
      disabled: false,
      querySelector: () => partOf('button'),
      addEventListener: (_name, given) => void (listener = given),
    });
  partOf('form');
  partOf('token');
  await runPageScript('/invitation', {
    hash,
    states,
    partOf,
    fetch: async (url: string, { body }: { body: string }) => {
      sent.push([url, JSON.parse(body)]);
      return { status: reply.status, json: async () => reply.answer };
    },
  });
  const submit = async (status = 500, answer: object = { messages: [] }) => {
    reply = { status, answer };
    listener?.({ preventDefault() {} });
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { states, sent, parts, submit };
}

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
  hash?: string;
  partOf?: (id: string) => unknown;
  states?: string[];
  documentElement?: object;
  [name: string]: unknown;
}

/** Runs the script of a page as a browser would that reached the page under a path of a proxy. */
async function runPageScript(page: string, surroundings: Surroundings) {
  const { search = '', hash = '', states = [], partOf = () => ({}), documentElement, ...globals } = surroundings;
  const { text } = await ask(`${page}/assets/page.js`);
  const { origin } = new URL(HERE);
  const window: Record<string, unknown> = {
    ...globals,
    URL,
    location: { origin, href: HERE + page + search, pathname: new URL(HERE).pathname + page, search, hash },
    history: { replaceState: (_state: unknown, _title: string, to: string) => void states.push(to) },
    document: {
      currentScript: { src: `${HERE}${page}/assets/page.js` },
      getElementById: partOf,
      documentElement,
    },
  };
  window['self'] = window;
  runInContext(text, createContext(window));
  return window;
}
