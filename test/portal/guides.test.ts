import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { readdirSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { portal, serve } from './serve-portal.js';

const publicUrl = 'https://compliance.example.org';
const send = await serve(portal({ publicUrl, schema: buildSchema('type Query { ping: String }') }));

const docs = new URL('../../docs/', import.meta.url);
const names = ['', 'adr/'].flatMap((folder) =>
  readdirSync(new URL(folder, docs))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}${file.slice(0, -3)}`),
);
interface Section {
  path: string;
  guide: string;
  heading: string;
  text: string;
}
const sections = JSON.parse((await send('/guides/assets/sections.json')).text) as Section[];

/** Whether an address of this site exists, with its anchor. */
async function isThere(target: URL): Promise<boolean> {
  const { status, text } = await send(target.pathname);
  return status === 200 && (target.hash === '' || text.includes(` id="${decodeURIComponent(target.hash.slice(1))}"`));
}

describe('the guides', () => {
  it('are listed on their page, each file of docs once', async () => {
    const { text } = await send('/guides');
    const listed = [...text.matchAll(/href="\.\/guides\/([a-z0-9/-]+)"/g)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(names.toSorted());
    expect(listed.slice(0, 4)).toEqual(['getting-started', 'graphql', 'rest', 'recipes']);
    // Punctuation after a link follows its text without a space.
    expect(text).not.toMatch(/<small>[^<]*\w [.,;)]/);
    expect(text).toMatch(/guides\/compatibility">Compatibility<[^]+guides\/contract-changes">Changes of the contract</);
  });

  it.each(names)('%s leads only to pages and headings that are there', async (name) => {
    const { status, text } = await send(`/guides/${name}`);
    expect(status).toBe(200);
    const here = new URL(`${publicUrl}/guides/${name}`);
    const targets = [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => new URL(href as string, here));
    // Served by other handlers than the portal.
    const elsewhere = /^\/(graphql|api\/v1|health)/;
    const missing = [];
    for (const target of targets.filter(({ origin, pathname }) => origin === here.origin && !elsewhere.test(pathname)))
      if (!(await isThere(target))) missing.push(target.href);
    expect(missing).toEqual([]);
  });

  it('name the address of this gateway in their examples', async () => {
    const { text } = await send('/guides/getting-started');
    expect(text).toContain(`${publicUrl}/`);
    expect(text).not.toContain('localhost:4000');
  });

  it('show signs of HTML as they are written', async () => {
    const { text } = await send('/guides/operating');
    expect(text).not.toMatch(/<(script|img|iframe)\b/);
  });
});

describe('the search of the guides', () => {
  it('knows sections that are there', async () => {
    expect(sections.length).toBeGreaterThan(names.length);
    const missing = [];
    for (const { path } of sections) if (!(await isThere(new URL(`${publicUrl}/guides/${path}`)))) missing.push(path);
    expect(missing).toEqual([]);
    expect(sections.filter(({ text }) => text.includes('---'))).toEqual([]);
  });

  it('finds sections with every word, whatever their case, those with a word in the heading first', async () => {
    const { type, found } = await openSearch([
      { path: 'a#one', guide: 'A', heading: 'One', text: 'A token is shown ONCE.' },
      { path: 'b#tokens', guide: 'B', heading: 'Tokens', text: 'Each is made once.' },
      { path: 'c#three', guide: 'C', heading: 'Three', text: 'A token.' },
    ]);
    type('once Tókén');
    expect(found()).toEqual({ links: ['./guides/b#tokens', './guides/a#one'], count: '2 sections', hidden: false });
    type('nowhere');
    expect(found()).toEqual({ links: [], count: '0 sections', hidden: true });
    type(' ');
    expect(found()).toEqual({ links: [], count: '', hidden: true });
  });

  it('finds a word at the beginning of another one only, and a plural by its singular', async () => {
    const { type, found } = await openSearch([
      { path: 'a#one', guide: 'A', heading: 'Assessors', text: 'A processor of tokens.' },
      { path: 'b#two', guide: 'B', heading: 'Two', text: 'Sign in once (SSO), by createToken.' },
    ]);
    type('sso');
    expect(found().links).toEqual(['./guides/b#two']);
    type('tokens');
    expect(found().links).toEqual(['./guides/a#one']);
  });

  it.each([
    ['lost token', 'authentication#recovery-of-a-lost-token'],
    ['who may delete', 'authentication#roles-who-may-do-what'],
    ['privileges', 'authentication#roles-who-may-do-what'],
    ['invite user', 'authentication#invite-a-user'],
    ['sso', 'sign-in#signing-in-through-an-identity-provider'],
    ['create organization', 'getting-started#create-an-organization-of-your-own'],
    ['upload file', 'recipes#uploading-files'],
    ['rate limits', 'limits#rate-limits'],
    ['webhook signature', 'webhooks#verifying'],
    ['cors', 'graphql#from-a-browser'],
    ['websocket', 'graphql#subscriptions-over-websocket-and-server-sent-events'],
    ['error codes', 'errors#errors'],
    ['delete account', 'privacy#delete-an-account-erasing-a-user'],
    ['backup', 'operating#backup-and-restore'],
    ['health check', 'operating#health'],
    ['docker', 'deploying#docker-image'],
    ['upgrade', 'deploying#upgrade-without-downtime'],
    ['demo', 'getting-started#getting-started'],
  ])('answers the question %j with %s first', async (question, path) => {
    const { type, found } = await openSearch(sections);
    type(question);
    expect(found().links[0]).toBe(`./guides/${path}`);
  });

  it('says so when its index cannot be loaded', async () => {
    const { found } = await openSearch(undefined);
    expect(found().count).toBe('The search cannot be loaded.');
  });
});

/** Runs the script of the page against the part of a document that it uses. */
async function openSearch(index: readonly Section[] | undefined) {
  const element = () => ({ children: [] as { href?: string }[], append: () => undefined });
  const input = {
    value: '',
    disabled: true,
    addEventListener: (_: string, heard: () => void) => void (changed = heard),
  };
  let changed = (): void => undefined;
  const list = {
    hidden: true,
    entries: [] as { link?: { href: string } }[],
    replaceChildren: (...entries: { link?: { href: string } }[]) => void (list.entries = entries),
  };
  const count = { textContent: '' };
  const document = {
    getElementById: (id: string) => ({ words: input, found: list, count })[id],
    createElement: (name: string) => {
      if (name !== 'li') return element();
      const entry = { link: undefined as unknown, append: (link: unknown) => void (entry.link = link) };
      return entry;
    },
  };
  const fetch = async () => {
    if (index === undefined) throw new TypeError('failed');
    return { json: async () => structuredClone(index) };
  };
  runInContext((await send('/guides/assets/search.js')).text, createContext({ document, fetch }));
  await new Promise(setImmediate);
  return {
    type(words: string) {
      expect(input.disabled).toBe(false);
      input.value = words;
      changed();
    },
    found: () => ({ links: list.entries.map(({ link }) => link?.href), count: count.textContent, hidden: list.hidden }),
  };
}
