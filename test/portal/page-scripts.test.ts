import { describe, expect, it } from '@jest/globals';
import { createContext, runInContext } from 'node:vm';
import { STARTER_DOCUMENT } from '../../src/portal/explorer-page.js';
import { portal, serve } from './serve-portal.js';

const send = await serve(portal());

const HERE = 'http://127.0.0.1:4000/gateway';

describe('the REST reference', () => {
  it('shows the OpenAPI document, stores no token, and uses no service of another host', async () => {
    const { options, requested } = await openReference({ paths: {} });
    expect(requested).toEqual([`${HERE}/api/v1/openapi.json`]);
    expect(options).toMatchObject({
      persistAuth: false,
      withDefaultFonts: false,
      telemetry: false,
      proxyUrl: '',
      agent: { disabled: true },
      mcp: { disabled: true },
      authentication: { preferredSecurityScheme: 'ServiceTokenHeader' },
    });
  });

  it('sends requests to the address by which the page was opened', async () => {
    const servers = [{ url: 'http://localhost:4000/', description: 'here' }];
    const { options } = await openReference({ servers, paths: {} });
    expect(options['content']).toEqual({
      servers: [{ url: 'http://127.0.0.1:4000', description: 'here' }],
      paths: {},
    });
  });

  it('begins forms with the examples of required parameters, and does not send those of optional ones', async () => {
    const requestBody = { content: { 'application/json': { example: { name: 'Acme' } } } };
    const id = { name: 'id', in: 'path', required: true, example: 1 };
    const filter = { name: 'organization_id', in: 'query', example: 7 };
    const search = { name: 'search', in: 'query', required: false };
    const paths = { '/a/{id}': { get: { parameters: [id, filter, search] }, post: { requestBody } } };
    const { options } = await openReference({ paths });
    const unsent = (value: unknown) => ({ examples: { default: { value, 'x-disabled': true } } });
    const parameters = [id, { name: 'organization_id', in: 'query', ...unsent(7) }, { ...search, ...unsent('') }];
    expect(options['content']).toEqual({ paths: { '/a/{id}': { get: { parameters }, post: { requestBody } } } });
  });

  it('gives the keyboard a way to each list, the field for a token a name, and no example that is no token', async () => {
    const list = { tabIndex: -1 };
    const field = new Map<string, string>();
    const input = {
      dataset: { placeholder: 'api-key' },
      setAttribute: (name: string, value: string) => field.set(name, value),
    };
    const example = { placeholder: 'QUxM' };
    await runPageScript('/docs', {
      fetch: async () => ({ ok: false }),
      elements: {
        '.endpoints:not([tabindex])': [list],
        '[role=combobox]:not([aria-expanded])': [input],
        '[placeholder^=QUxM]': [example],
      },
    });
    expect(list.tabIndex).toBe(0);
    expect(Object.fromEntries(field)).toEqual({ 'aria-expanded': 'false', 'aria-label': 'api-key' });
    expect(example.placeholder).toBe('scp_ and 36 characters');
  });

  it('says so when the document cannot be loaded', async () => {
    const { options, shown } = await openReference(undefined);
    expect([options, shown()]).toEqual([{}, expect.stringContaining('cannot be loaded')]);
  });
});

describe('GraphiQL', () => {
  it('sends to our endpoint, has a place for the token, and stores the token nowhere', async () => {
    const { options } = await openGraphiql();
    const { endpoint } = options as { endpoint: (request: object) => string };
    expect([String(endpoint), endpoint({ operationType: 'query' })]).toEqual(Array(2).fill(`${HERE}/graphql`));
    expect(endpoint({ operationType: 'subscription' })).toBe(`${HERE}/graphql/stream`);
    expect(options).toMatchObject({
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

  it.each([
    ['the starter document where no tab was kept', null, { query: STARTER_DOCUMENT }],
    ['the starter document where what was kept is damaged', '{"tabs":[]}', { query: STARTER_DOCUMENT }],
    [
      'the tab that was used last, so that the editor adds no empty one',
      JSON.stringify({ tabs: [{ query: '{ a }' }, { query: '{ b }', variables: '{"n":1}' }], activeTabIndex: 1 }),
      { query: '{ b }', variables: '{"n":1}' },
    ],
    [
      'an empty tab where that was used last',
      JSON.stringify({ tabs: [{ query: null, variables: null }], activeTabIndex: 0 }),
      { query: '', variables: '' },
    ],
  ])('opens with %s', async (_what, stored, expected) => {
    expect((await openGraphiql('', stored)).options).toMatchObject(expected);
  });

  it('has a worker of ours for each kind that the editor requests', async () => {
    const { workerUrl } = await openGraphiql();
    for (const label of ['editorWorkerService', 'json', 'graphql']) {
      const url = new URL(workerUrl(label));
      expect(url.href.startsWith(`${HERE}/graphiql/assets/`)).toBe(true);
      expect([label, (await send(url.pathname.replace('/gateway', ''))).status]).toEqual([label, 200]);
    }
  });
});

describe('the page of invitations', () => {
  const SECRET = 'inv_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1X';
  const OFFER = {
    organization: '<b>Acme</b>',
    inviter: 'Grace Hopper',
    email: 'ada@example.com',
    role: 'SECURITY_ANALYST',
    expires_at: '2026-11-27T08:15:30.500Z',
  };
  const offered = { status: 200, answer: { data: OFFER } };

  it('takes the secret out of the address and shows who invites to what before anything is accepted', async () => {
    const { states, sent, shown, parts } = await openInvitation(`#${SECRET}`, offered);
    expect(states).toEqual(['/gateway/invitation']);
    expect(sent).toEqual([[`${HERE}/api/v1/invitations/preview`, { secret: SECRET }]]);
    expect(parts['title']?.textContent).toBe('Join <b>Acme</b>');
    const facts = ['organization', 'inviter', 'role', 'email', 'until'].map((id) => parts[id]?.textContent);
    expect(facts).toEqual([
      OFFER.organization,
      OFFER.inviter,
      'Security Analyst',
      OFFER.email,
      expect.stringMatching(/^2\d November 2026\b/),
    ]);
    expect(shown()).toEqual(['form']);
  });

  it('shows the token of a new member as text, its expiry and the next step', async () => {
    const { sent, shown, parts, act } = await openInvitation(`#${SECRET}`, offered);
    const data = { username: 'ada', organization: '<b>', token: 'scp_x', token_expires_at: '2027-02-18T12:00:00.000Z' };
    await act('submit', { status: 201, answer: { data } });
    expect(sent[1]).toEqual([
      `${HERE}/api/v1/invitations/accept`,
      { secret: SECRET, first_name: 'Ada', last_name: 'Lovelace' },
    ]);
    expect(parts['secret']?.textContent).toBe('scp_x');
    expect(parts['expires']?.textContent).toMatch(/^18 February 2027\b/);
    expect(parts['status']?.textContent).toBe('You now belong to <b>.');
    expect(shown()).toEqual(['next', 'token']);
  });

  it('shows the next step without a token to a person who has one', async () => {
    const { shown, parts, act } = await openInvitation(`#${SECRET}`, offered);
    await act('submit', { status: 201, answer: { data: { username: 'ada', organization: 'Acme', token: null } } });
    expect(parts['status']?.textContent).toBe('You now belong to Acme. Your tokens also work there.');
    expect(shown()).toEqual(['next']);
  });

  it.each([
    ['with a clipboard', { writeText: async () => {} }, 'Copied.'],
    [
      'with a clipboard that refuses',
      { writeText: async () => Promise.reject(new Error('refused')) },
      'It is selected',
    ],
    ['without a clipboard', undefined, 'Copied.'],
  ])('copies the token %s and says so', async (_where, clipboard, said) => {
    const { parts, act, selected } = await openInvitation(`#${SECRET}`, offered, clipboard);
    const data = { username: 'ada', organization: 'Acme', token: 'scp_x', token_expires_at: OFFER.expires_at };
    await act('submit', { status: 201, answer: { data } });
    await act('copy');
    expect(selected).toEqual(['scp_x']);
    expect(parts['copied']?.textContent).toContain(said);
  });

  it.each([
    [404, { messages: [1004] }, /cannot be used/, []],
    [429, { messages: [1029] }, /Try again in a minute/, ['again']],
    [503, { messages: [] }, /Try again in a moment/, ['again']],
  ])('says what %i means before the form is shown', async (status, answer, sentence, buttons) => {
    const { parts, shown, act, sent } = await openInvitation(`#${SECRET}`, { status, answer });
    expect(parts['status']?.textContent).toMatch(sentence);
    expect(shown()).toEqual(buttons);
    if (buttons.length === 0) return;
    await act('again', offered);
    expect(sent).toHaveLength(2);
    expect(shown()).toEqual(['form']);
  });

  it.each([
    [404, { messages: [1004] }, /cannot be used/, true],
    ['ALREADY_MEMBER', { messages: [1009] }, /already/, true],
    ['MEMBER_LIMIT', { messages: [1009] }, /maximum number of members/, false],
    ['ORGANIZATION_LIMIT', { messages: [1009] }, /own the maximum number of organizations/, false],
    ['SANDBOX_LIMIT', { messages: [1009] }, /own the maximum number of sandboxes/, false],
    [400, { messages: ['first_name must not be longer than 200 characters'] }, /^first_name must/, false],
    [500, { messages: [] }, /went wrong/, false],
  ])('says what %s means when the invitation is accepted', async (code, answer, sentence, final) => {
    const { parts, shown, act } = await openInvitation(`#${SECRET}`, offered);
    await act('submit', typeof code === 'number' ? { status: code, answer } : { status: 409, reason: code, answer });
    expect(parts['status']?.textContent).toMatch(sentence);
    expect(parts['button']?.disabled).toBe(final);
    expect(shown()).toEqual(['form']);
  });

  it.each(['', '#', '#something', `#${SECRET}"`])('sends nothing from an address that ends in %j', async (hash) => {
    const { states, sent, shown } = await openInvitation(hash, offered);
    expect([states, sent, shown()]).toEqual([[], [], []]);
  });
});

describe('the page of recovery', () => {
  it('requests a link for an address, and says the same for every address', async () => {
    const { sent, shown, parts, act } = await openTokenPage('/recovery', '', { status: 202, answer: {} });
    expect(shown()).toEqual(['request']);
    await act('request', { status: 202, answer: { data: { link_minutes: 30 } } });
    expect(sent).toEqual([[`${HERE}/api/v1/recovery`, { email: 'ada@example.com' }]]);
    expect(parts['status']?.textContent).toContain('If this is the verified address of a user');
    expect(shown()).toEqual([]);
  });

  it('takes the secret out of the address and makes a token only after a click', async () => {
    const opened = await openTokenPage('/recovery', '#rec_secret', { status: 201, answer: {} });
    expect([opened.states, opened.sent, opened.shown()]).toEqual([['/gateway/recovery'], [], ['recover']]);
    const data = { username: 'ada', token: 'scp_x', token_expires_at: '2027-02-18T12:00:00.000Z' };
    await opened.act('recover', { status: 201, answer: { data } });
    expect(opened.sent).toEqual([[`${HERE}/api/v1/recovery/accept`, { secret: 'rec_secret' }]]);
    expect(opened.parts['secret']?.textContent).toBe('scp_x');
    expect(opened.shown()).toEqual(['next', 'token']);
  });

  it('opens a link in the tab where it was requested, and is not read anew by the link to its content', async () => {
    const { states, follow } = await openTokenPage('/recovery', '', { status: 202, answer: {} });
    await follow('#content');
    expect(states).toEqual([]);
    await follow('#rec_secret');
    expect(states).toEqual(['reloaded']);
  });

  it.each([
    [404, /cannot be used.*another one has been used/, true],
    [429, /Try again later, after an hour at most/, false],
    [500, /went wrong/, false],
  ])('says what %i means', async (status, sentence, final) => {
    const { parts, act, shown } = await openTokenPage('/recovery', '#rec_secret', { status, answer: { messages: [] } });
    await act('recover');
    expect(parts['status']?.textContent).toMatch(sentence);
    expect([parts['button']?.disabled, shown()]).toEqual([final, ['recover']]);
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

interface Reply {
  status: number;
  /** Reason of a conflict. */
  reason?: string;
  answer: object;
}

const openInvitation = (hash: string, first: Reply, clipboard?: object) =>
  openTokenPage('/invitation', hash, first, clipboard);

async function openTokenPage(page: string, hash: string, first: Reply, clipboard?: object) {
  const states: string[] = [];
  const sent: [string, unknown][] = [];
  const selected: string[] = [];
  const values: Record<string, string> = { first: 'Ada', last: 'Lovelace', email: 'ada@example.com' };
  const parts: Record<string, PagePart> = {};
  const listeners: Record<string, (event: { preventDefault(): void }) => void> = {};
  let reply = first;
  const partOf = (id: string): PagePart =>
    (parts[id] ??= {
      hidden: true,
      textContent: '',
      value: values[id] ?? '',
      disabled: false,
      querySelector: () => partOf('button'),
      addEventListener: (name, given) => void (listeners[id === 'form' ? name : id] = given),
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const window = await runPageScript(page, {
    hash,
    states,
    partOf,
    addEventListener: (name: string, given: () => void) => void (listeners[name] = given),
    navigator: { clipboard },
    getSelection: () => ({ selectAllChildren: (part: PagePart) => void selected.push(part.textContent) }),
    fetch: async (url: string, { body }: { body: string }) => {
      sent.push([url, JSON.parse(body)]);
      const headers = new Headers(reply.reason === undefined ? {} : { 'Conflict-Reason': reply.reason });
      return { status: reply.status, headers, json: async () => reply.answer };
    },
  });
  await settle();
  const act = async (name: string, next: Reply = reply) => {
    reply = next;
    listeners[name]?.({ preventDefault() {} });
    await settle();
  };
  /** Ids of visible elements among those that may be hidden. */
  const shown = () =>
    ['again', 'form', 'next', 'recover', 'request', 'token'].filter((id) => parts[id]?.hidden === false);
  const follow = async (link: string) => {
    (window['location'] as { hash: string }).hash = link;
    await act('hashchange');
  };
  return { states, sent, selected, parts, act, shown, follow };
}

/** Opens the reference with a document; undefined is one that fails to load. */
async function openReference(content: object | undefined) {
  let options: Record<string, unknown> = {};
  const requested: string[] = [];
  const part = { textContent: '' };
  await runPageScript('/docs', {
    Scalar: { createApiReference: (_root: string, given: Record<string, unknown>) => void (options = given) },
    partOf: () => part,
    fetch: async (url: string) => {
      requested.push(url);
      return { ok: content !== undefined, json: async () => structuredClone(content) };
    },
  });
  await new Promise((resolve) => setImmediate(resolve));
  return { options, requested, shown: () => part.textContent };
}

async function openGraphiql(search = '', stored: string | null = null) {
  let options: Record<string, unknown> = {};
  const states: string[] = [];
  const window = await runPageScript('/graphiql', {
    search,
    states,
    localStorage: { getItem: (name: string) => (name === 'graphiql:tabState' ? stored : null) },
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
  /** Elements by selector. */
  elements?: Record<string, object[]>;
  [name: string]: unknown;
}

/** Runs the script of a page like a browser that loaded it under a proxy's path. */
async function runPageScript(page: string, surroundings: Surroundings) {
  const { search = '', hash = '', states = [], partOf = () => ({}), elements = {}, ...globals } = surroundings;
  const { text } = await send(`${page}/assets/page.js`);
  const { origin } = new URL(HERE);
  const window: Record<string, unknown> = {
    ...globals,
    URL,
    location: {
      origin,
      href: HERE + page + search,
      pathname: new URL(HERE).pathname + page,
      search,
      hash,
      reload: () => void states.push('reloaded'),
    },
    history: { replaceState: (_state: unknown, _title: string, to: string) => void states.push(to) },
    document: {
      currentScript: { src: `${HERE}${page}/assets/page.js` },
      getElementById: partOf,
      execCommand: () => true,
      querySelectorAll: (selector: string) => elements[selector] ?? [],
    },
    MutationObserver: class {
      constructor(private readonly seen: () => void) {}
      observe = () => this.seen();
    },
  };
  window['self'] = window;
  runInContext(text, createContext(window));
  return window;
}
