import { describe, expect, it } from '@jest/globals';
import { buildSchema, Kind, parse, validate } from 'graphql';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { EXPLORER_HEADERS, EXPLORER_PAGE as html, STARTER_DOCUMENT } from '../../src/portal/explorer-page.js';
import { directivesOf, inlineContents } from './serve-portal.js';

const policy = directivesOf(EXPLORER_HEADERS['Content-Security-Policy']);

const SCRIPT_HOST = 'https://embeddable-sandbox.cdn.apollographql.com';
const FRAME = 'https://sandbox.embed.apollographql.com';

describe('the explorer’s page', () => {
  it('allows its own script, the styles of this server, the Sandbox, and nothing else', () => {
    const [script, ...otherScripts] = inlineContents(html, 'script');
    expect([otherScripts, inlineContents(html, 'style')]).toEqual([[], []]);
    expect(policy).toEqual({
      'default-src': ["'none'"],
      'script-src': [hashOf(script!), SCRIPT_HOST],
      'style-src': ["'self'"],
      'img-src': ["'self'"],
      'connect-src': ["'self'"],
      'frame-src': [FRAME],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
  });

  it('names no foreign host but those of the Sandbox', () => {
    const hosts = [...html.matchAll(/https?:\/\/[\w.-]+/g)].map(([host]) => host);
    expect([...new Set(hosts)].sort()).toEqual([SCRIPT_HOST, FRAME].sort());
  });

  it('links to GraphiQL before and while the Sandbox loads', () => {
    expect(html.match(/<a href="\/graphiql">/g)).toHaveLength(2);
  });
});

describe('the explorer', () => {
  it('loads nothing foreign and waits for nothing before the Sandbox is chosen', () => {
    const browser = open('http://gateway.test/graphql', { choose: false });
    browser.pass(60_000);
    expect([browser.script.src, browser.replaced, browser.hidden]).toEqual(['', [], {}]);
    browser.choose();
    expect(browser.script.src).toBe(`${SCRIPT_HOST}/_latest/embeddable-sandbox.umd.production.min.js`);
    expect(browser.hidden).toEqual({ choice: true, waiting: false });
  });

  it('opens the Sandbox on our endpoint without cookies, telemetry or polling', () => {
    const browser = open('http://gateway.test:4000/graphql');
    browser.arrive();
    expect(browser.sandboxes).toHaveLength(1);
    expect(browser.sandboxes[0]).toMatchObject({
      initialEndpoint: 'http://gateway.test:4000/graphql',
      runTelemetry: false,
      initialState: {
        document: STARTER_DOCUMENT,
        headers: { 'X-Service-Token': '' },
        includeCookies: false,
        pollForSchemaUpdates: false,
      },
    });
    browser.hear(FRAME);
    expect(browser.hidden['waiting']).toBe(true);
    browser.pass(60_000);
    expect(browser.replaced).toEqual([]);
  });

  it('goes on to GraphiQL at once when the script cannot be had', () => {
    const browser = open();
    browser.script.onerror();
    expect(browser.replaced).toEqual(['/graphiql']);
  });

  it('goes on to GraphiQL after three seconds when the script does not come, and stays there when it does then', () => {
    const browser = open();
    browser.pass(2_999);
    expect(browser.replaced).toEqual([]);
    browser.pass(1);
    browser.arrive();
    expect([browser.replaced, browser.sandboxes]).toEqual([['/graphiql'], []]);
  });

  it('goes on to GraphiQL when the script came and the page that it frames stays silent', () => {
    const browser = open();
    browser.pass(2_000);
    browser.arrive();
    browser.hear('https://elsewhere.example');
    browser.pass(9_999);
    expect([browser.replaced, browser.hidden['waiting']]).toEqual([[], false]);
    browser.pass(1);
    expect(browser.replaced).toEqual(['/graphiql']);
  });

  it('goes on to GraphiQL when the script is not what it was', () => {
    const browser = open();
    browser.arrive(() => {
      throw new Error('changed');
    });
    expect(browser.replaced).toEqual(['/graphiql']);
  });

  it('takes a token out of the address before anything foreign is loaded', () => {
    const browser = open('http://gateway.test/graphql?X-Service-Token=scp_secret');
    expect(browser.location.href).toBe('http://gateway.test/graphql');
    expect(browser.hrefWhenScriptWasRequested).toBe('http://gateway.test/graphql');
  });
});

function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

/** The browser functions that the page's script uses, with a clock that the test advances. */
function open(address = 'http://gateway.test/graphql', { choose } = { choose: true }) {
  const url = new URL(address);
  const clock = { now: 0, timers: new Map<number, { at: number; run: () => void }>(), next: 1 };
  const listeners: ((event: { origin: string }) => void)[] = [];
  const script = { src: '', onload: () => {}, onerror: () => {} };
  const browser = {
    script,
    /** Elements whose visibility was changed. */
    hidden: {} as Record<string, boolean>,
    choose: () => {},
    replaced: [] as string[],
    sandboxes: [] as unknown[],
    location: url,
    hrefWhenScriptWasRequested: '',
    arrive(make: (options: unknown) => void = (options) => void browser.sandboxes.push(options)) {
      window['EmbeddedSandbox'] = function (options: unknown) {
        make(options);
      };
      script.onload();
    },
    hear: (origin: string) => listeners.forEach((listener) => listener({ origin })),
    pass(milliseconds: number) {
      clock.now += milliseconds;
      for (const [id, timer] of clock.timers) {
        if (timer.at <= clock.now && clock.timers.delete(id)) timer.run();
      }
    },
  };
  const settings = /id="settings">(.*)<\/script>/.exec(html)?.[1];
  const window: Record<string, unknown> = {
    URL,
    location: {
      get href() {
        return url.href;
      },
      get search() {
        return url.search;
      },
      get hash() {
        return url.hash;
      },
      get pathname() {
        return url.pathname;
      },
      replace: (to: string) => void browser.replaced.push(to),
    },
    history: { replaceState: (_state: unknown, _title: string, to: string) => void (url.href = new URL(to, url).href) },
    document: {
      getElementById: (id: string) => ({
        ...(id === 'settings' && { textContent: settings }),
        set hidden(hidden: boolean) {
          browser.hidden[id] = hidden;
        },
        addEventListener: (_name: string, listener: () => void) => void (browser.choose = listener),
      }),
      createElement: () => script,
      head: { append: () => void (browser.hrefWhenScriptWasRequested = url.href) },
    },
    setTimeout(run: () => void, milliseconds: number) {
      clock.timers.set(clock.next, { at: clock.now + milliseconds, run });
      return clock.next++;
    },
    clearTimeout: (id: number) => void clock.timers.delete(id),
    addEventListener: (_name: string, listener: (event: { origin: string }) => void) => void listeners.push(listener),
  };
  window['window'] = window;
  runInContext(inlineContents(html, 'script')[0]!, createContext(window));
  if (choose) browser.choose();
  return browser;
}

it('the document that the explorers open with is valid and needs no variables', () => {
  const schema = buildSchema(readFileSync(resolve(import.meta.dirname, '../../schema.graphql'), 'utf8'));
  const document = parse(STARTER_DOCUMENT);
  expect(validate(schema, document).map(String)).toEqual([]);
  for (const definition of document.definitions) {
    expect(definition).toMatchObject({ kind: Kind.OPERATION_DEFINITION, variableDefinitions: [] });
    expect(definition).not.toMatchObject({ operation: 'mutation' });
  }
});
