import { Marked, type Token } from 'marked';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { escapeHtml } from '../common/escape-html.js';
import { bar, contentPolicy, HTML_TYPE, htmlPage, pagePolicy, type Site } from './page.js';

/** The guides of `docs/` in reading order; others follow. */
const ORDER = [
  ...[
    'getting-started',
    'graphql',
    'rest',
    'recipes',
    'client',
    'cli',
    'authentication',
    'sign-in',
    'mcp',
    'trusted-documents',
    'errors',
    'incidents',
    'pages',
    'languages',
    'limits',
    'idempotency',
  ],
  ...[
    'compatibility',
    'events',
    'webhooks',
    'audit-trail',
    'privacy',
    'mappings',
    'oscal',
    'operating',
    'scaling',
    'architecture',
  ],
];
const DOCS = new URL('../../docs/', import.meta.url);

/** A file of the site; its text is made at the first request. */
interface LazyFile {
  path: string;
  type: string;
  policy: string;
  read: () => string;
}

/**
 * The page of `/guides` with what its search loads, and a page for each guide and each record of a decision. In examples the
 * public address takes the place of the demo's.
 */
export function guideFiles({ publicUrl, explorer }: Site): LazyFile[] {
  const guides = namesOf('.');
  const records = namesOf('adr');
  const read = (names: readonly string[]) => names.map((name) => ({ name, ...readGuide(name, publicUrl) }));
  return [
    {
      path: '/guides',
      type: HTML_TYPE,
      policy: pagePolicy({ 'script-src': ["'self'"], 'connect-src': ["'self'"] }),
      read: () => indexPage(read(guides), read(records), explorer),
    },
    { path: '/guides/assets/search.js', type: 'text/javascript; charset=utf-8', policy: NO_POLICY, read: () => SCRIPT },
    {
      path: '/guides/assets/sections.json',
      type: 'application/json; charset=utf-8',
      policy: NO_POLICY,
      read: () => JSON.stringify(read(guides).flatMap(({ sections }) => sections)),
    },
    ...[...guides, ...records].map((name) => ({
      path: `/guides/${name}`,
      type: HTML_TYPE,
      policy: pagePolicy(),
      read: () => guidePage(name, readGuide(name, publicUrl), explorer),
    })),
  ];
}

/** The guides as they are written, for programs that read them. */
export function guideTexts(publicUrl: string): GuideText[] {
  return namesOf('.').map((name) => {
    const { title, intro } = readGuide(name, publicUrl);
    return { name, title, intro, read: () => textOf(name, publicUrl) };
  });
}

export interface GuideText extends Pick<Guide, 'title' | 'intro'> {
  name: string;
  /** Markdown. */
  read: () => string;
}

/**
 * The text that a language model is to read first (llmstxt.org): the purpose of the gateway, and the place of each
 * guide.
 */
export function llmsText(publicUrl: string): string {
  const link = ({ name, title, intro }: GuideText) => `- [${title}](${publicUrl}/guides/${name}): ${intro}`;
  return `# Compliance gateway

> A GraphQL gateway with a REST compatibility layer for security compliance: organizations, controls and evidence, incidents with the reports that laws ask for, and an audit trail.

GraphQL is at ${publicUrl}/graphql, REST below ${publicUrl}/api/v1 (OpenAPI: ${publicUrl}/api/v1/openapi.json), and the Model Context Protocol at ${publicUrl}/mcp. Each takes the same token.

## Guides

${guideTexts(publicUrl).map(link).join('\n')}
`;
}

const NO_POLICY = contentPolicy();

function guidePage(name: string, { title, html, headings }: Guide, explorer: boolean): string {
  const root = '../'.repeat(name.split('/').length);
  const contents = headings.map(({ anchor, heading }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`);
  const body = `${bar({ explorer, root, here: 'guides' })}
<main id="content" class="wide">
<p class="above"><a href="${root}guides">‹ Guides</a></p>
<div class="with-contents">
<article class="card prose">
${html}</article>
${contents.length > 1 ? `<nav class="contents" aria-labelledby="contents"><p id="contents"><strong>On this page</strong></p><ul>${contents.join('')}</ul></nav>` : ''}
</div>
</main>`;
  return htmlPage({ title, root, body });
}

type Named = Guide & { name: string };

/** Lists every guide, and searches their sections in the browser. */
function indexPage(guides: readonly Named[], records: readonly Named[], explorer: boolean): string {
  const link = ({ name, title }: Named) => `<a href="./guides/${name}">${escapeHtml(title)}</a>`;
  const body = `${bar({ explorer, here: 'guides' })}
<main id="content" class="wide">
<div class="title"><h1>Guides</h1></div>
<section class="card">
<div role="search"><label><strong>Search the guides</strong><input id="words" class="below" type="search" autocomplete="off" disabled></label></div>
<p id="count" class="below" role="status"></p>
<ol id="found" class="lines below" hidden></ol>
</section>
<div class="columns below">
<section class="card"><ul class="lines">
${guides.map((guide) => `<li><h2>${link(guide)}</h2><small>${escapeHtml(guide.intro)}</small></li>`).join('\n')}
</ul></section>
<section class="card">
<div class="card-head"><h2>Decisions</h2><small>Why the gateway is built as it is.</small></div>
<ul class="lines">
${records.map((record) => `<li>${link(record)}</li>`).join('\n')}
</ul></section>
</div>
</main>`;
  return htmlPage({ title: 'Guides', head: '<script defer src="./guides/assets/search.js"></script>', body });
}

function namesOf(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, DOCS)).filter((name) => name.endsWith('.md'));
  const rank = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return names
    .map((name) => posix.join(folder, name.slice(0, -3)))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

interface Guide {
  title: string;
  html: string;
  /** The first paragraph, as text. */
  intro: string;
  sections: Section[];
  /** Those of the second level, of which its list of contents is made. */
  headings: { anchor: string; heading: string }[];
}

/** An entry of the search: one heading with the text below it. */
interface Section {
  path: string;
  guide: string;
  heading: string;
  text: string;
}

function textOf(name: string, publicUrl: string): string {
  return readFileSync(new URL(`${name}.md`, DOCS), 'utf8').replaceAll('http://localhost:4000', publicUrl);
}

function readGuide(name: string, publicUrl: string): Guide {
  const text = textOf(name, publicUrl);
  const tokens = new Marked().lexer(text);
  const title = plainText(tokens.find(({ type }) => type === 'heading')?.raw ?? name);
  const anchors = new Map<Token, string>();
  const sections: Section[] = [{ path: name, guide: title, heading: title, text: '' }];
  const headings: Guide['headings'] = [];
  for (const token of tokens) {
    if (token.type !== 'heading') {
      (sections.at(-1) as Section).text += `${plainText(token.raw)} `;
      continue;
    }
    const heading = plainText(token.raw);
    const anchor = anchorOf(heading, new Set(anchors.values()));
    anchors.set(token, anchor);
    if (token.depth === 2) headings.push({ anchor, heading });
    sections.push({ path: `${name}#${anchor}`, guide: title, heading, text: '' });
  }
  const first = tokens.find(({ type }) => type === 'paragraph');
  return {
    title,
    html: scrollable(rendererOf(name, anchors).parser(tokens)),
    intro: plainText(first?.raw ?? ''),
    sections: sections.filter(({ text: words }) => words !== ''),
    headings,
  };
}

function rendererOf(name: string, anchors: ReadonlyMap<Token, string>): Marked {
  return new Marked({
    renderer: {
      heading(token) {
        return `<h${token.depth} id="${anchors.get(token)}">${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`;
      },
      link({ href, tokens }) {
        const target = targetOf(name, href);
        const label = this.parser.parseInline(tokens);
        return target === undefined ? label : `<a href="${escapeHtml(target)}">${label}</a>`;
      },
      // A block that can be scrolled has to be reachable by keyboard.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      html: ({ text }) => escapeHtml(text),
    },
  });
}

/** Wide tables scroll by themselves; by keyboard, too. Code and texts are escaped, so that no other `<table>` is there. */
function scrollable(html: string): string {
  return html.replaceAll('<table>', '<div class="table" tabindex="0"><table>').replaceAll('</table>', '</table></div>');
}

/** The name that a heading has in an address, as GitHub makes it. */
function anchorOf(heading: string, used: ReadonlySet<string>): string {
  const plain = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  let anchor = plain;
  for (let count = 1; used.has(anchor); count += 1) anchor = `${plain}-${count}`;
  return anchor;
}

/** Where a link of a guide leads on this site; undefined for a file of the repository that is not served. */
function targetOf(name: string, href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const fromDocs = posix.join(posix.dirname(name), path);
  if (!path.endsWith('.md')) return path === '../schema.graphql' ? path : undefined;
  if (fromDocs.startsWith('..')) return undefined;
  return `${path.slice(0, -3)}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Words without Markdown's signs. */
function plainText(markdown: string): string {
  return markdown
    .replace(/\](?:\([^)]*\)|\[[^\]]*\])/g, '')
    .replace(/[`*[\]]/g, '')
    .replace(/[|#]|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Shows the sections that have every word: first those with the most words in their heading, then in the guide's, then in their text.
 * A word is found at the beginning of another one; case, accents and a plural's s do not count.
 */
const SCRIPT = `
(function () {
  'use strict';
  var input = document.getElementById('words'), list = document.getElementById('found'), count = document.getElementById('count');
  function plain(text) {
    return ' ' + text.normalize('NFKD').replace(/[\\u0300-\\u036f]/g, '').toLowerCase().replace(/[^\\p{L}\\p{N}]/gu, ' ');
  }
  function item(section, words) {
    var entry = document.createElement('li'), link = document.createElement('a'), at = section.plain.indexOf(words[0]);
    var from = at > 60 ? section.text.indexOf(' ', at - 60) : 0;
    link.href = './guides/' + section.path;
    link.textContent = section.heading === section.guide ? section.guide : section.guide + ': ' + section.heading;
    entry.append(link, document.createElement('br'), (from > 0 ? '…' : '') + section.text.slice(from, from + 200));
    return entry;
  }
  function show(sections) {
    var words = plain(input.value).split(/ +/).filter(Boolean).map(function (word) { return ' ' + word.replace(/(.{4})s$/, '$1'); });
    var found = words.length === 0 ? [] : sections.filter(function (section) {
      return words.every(function (word) { return (section.head + section.plain).includes(word); });
    });
    found.forEach(function (section) {
      section.rank = words.reduce(function (sum, word) {
        var places = section.own.includes(word) ? 3 : section.head.includes(word) ? 2 : 0;
        return sum + places + Math.min(section.plain.split(word).length, 5) / 5;
      }, 0);
    });
    found.sort(function (a, b) { return b.rank - a.rank; });
    list.replaceChildren.apply(list, found.slice(0, 20).map(function (section) { return item(section, words); }));
    list.hidden = found.length === 0;
    count.textContent = words.length === 0 ? '' : found.length === 1 ? '1 section' : found.length + ' sections';
  }
  fetch('./guides/assets/sections.json').then(function (response) { return response.json(); }).then(function (sections) {
    sections.forEach(function (section) {
      section.plain = plain(section.text);
      section.own = plain(section.heading);
      section.head = plain(section.guide) + section.own;
    });
    input.disabled = false;
    input.addEventListener('input', function () { show(sections); });
    if (input.value !== '') show(sections);
  }).catch(function () { count.textContent = 'The search cannot be loaded.'; });
})();
`;
