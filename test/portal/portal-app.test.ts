import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { escapeHtml } from '../../src/common/escape-html.js';
import { notFound, unavailable } from '../../src/errors.js';
import { REGIMES } from '../support/catalog.js';
import { directivesOf, inlineContents, portal, serve } from './serve-portal.js';

const schema = buildSchema('type Query { "Says it." ping: String }');
const publicUrl = 'https://compliance.example.org';

const send = await serve(portal({ publicUrl, schema }));

const PAGES = ['/', '/docs', '/guides', '/graphiql', '/invitation', '/recovery'];
/** Its links lead to the acts. */
const REGIMES_PAGE = '/regimes';
const OWN_FILES = [
  '/docs/assets/settings.js',
  '/docs/assets/page.js',
  '/docs/assets/page.css',
  '/guides/assets/search.js',
  '/graphiql/assets/page.js',
  '/graphiql/assets/page.css',
  '/invitation/assets/page.js',
  '/recovery/assets/page.js',
];
const FILES: [path: string, type: string][] = [
  ['/docs/assets/settings.js', 'text/javascript; charset=utf-8'],
  ['/docs/assets/scalar.js', 'text/javascript; charset=utf-8'],
  ['/docs/assets/page.js', 'text/javascript; charset=utf-8'],
  ['/pages/assets/look.css', 'text/css; charset=utf-8'],
  ['/pages/assets/web.css', 'text/css; charset=utf-8'],
  ['/graphiql/assets/graphiql.css', 'text/css; charset=utf-8'],
  ['/graphiql/assets/graphiql.js', 'text/javascript; charset=utf-8'],
  ['/graphiql/assets/editor.worker.js', 'text/javascript; charset=utf-8'],
  ['/graphiql/assets/json.worker.js', 'text/javascript; charset=utf-8'],
  ['/graphiql/assets/graphql.worker.js', 'text/javascript; charset=utf-8'],
  ['/graphiql/assets/page.css', 'text/css; charset=utf-8'],
  ['/graphiql/assets/page.js', 'text/javascript; charset=utf-8'],
  ['/invitation/assets/page.js', 'text/javascript; charset=utf-8'],
  ['/recovery/assets/page.js', 'text/javascript; charset=utf-8'],
  ['/schema.graphql', 'text/plain; charset=utf-8'],
  ['/favicon.svg', 'image/svg+xml'],
  ['/favicon.ico', 'image/svg+xml'],
];

describe('the page of reporting regimes', () => {
  const cells = (html: string, first: string) =>
    [...html.matchAll(/<tr>(.*?)<\/tr>/g)]
      .map(([, row]) => [...row!.matchAll(/<t[dh]>(.*?)<\/t[dh]>/g)].map(([, cell]) => cell))
      .filter(([cell]) => cell === first);

  it('says of each law the act, since when it is in force, when it was compared, and its reports', async () => {
    const { text } = await send(REGIMES_PAGE);
    for (const id of ['dora', 'eidas', 'gdpr', 'nis2', 'nis2-it']) expect(text).toContain(`<h2 id="${id}">`);
    expect(text).toContain('<h3>In force since 1 January 2026 until 14 January 2026</h3>');
    expect(text).toContain('href="https://eur-lex.europa.eu/eli/reg/2022/2554/oj"');
    expect(text).toContain('Checked against the act: 27 November 2026.');
    const section = text.slice(text.indexOf('id="dora"'), text.indexOf('id="eidas"'));
    expect(cells(section, 'Notification')[0]).toEqual([
      'Notification',
      '4 hours after the classification as major, 24 hours after awareness at the latest unless it is classified later.',
      'Competent authority under Article 46',
      expect.stringContaining('Article 2(b)'),
    ]);
    expect(cells(section, 'Final report')[0]![1]).toContain('until 12:00 on the next one');
    const cra = text.slice(text.indexOf('id="cra-incident"'), text.indexOf('id="cra-vulnerability"'));
    expect(cells(cra, 'Final report')[0]![1]).toContain(
      '1 month after the report “Notification”, until the end of that day, or of the next working day (Regulation (EEC, Euratom) No 1182/71, Article 3(2) and (4)).',
    );
    expect(cells(section, 'Communication to the people concerned')[0]![1]).toMatch(
      /^Without undue delay\. Required only where/,
    );
  });

  it('is in the language that the browser requests, its days and numbers too', async () => {
    const { text, headers } = await send(REGIMES_PAGE, { headers: { 'accept-language': 'it' } });
    expect([headers['content-language'], headers['vary']]).toEqual(['it', 'Accept-Encoding, Accept-Language']);
    expect(text).toContain('<html lang="it">');
    expect(text).toContain('<h3>In vigore dal 1 gennaio 2026 al 14 gennaio 2026</h3>');
    const section = text.slice(text.indexOf('id="dora"'), text.indexOf('id="eidas"'));
    expect(cells(section, 'Notifica')[0]!.slice(0, 2)).toEqual([
      'Notifica',
      '4 ore dopo la classificazione come grave, al più tardi 24 ore dopo l’avvenuta conoscenza, salvo classificazione successiva.',
    ]);
    expect(section).not.toMatch(/Article |In force|awareness/);
  });

  it.each(['it', 'de'])('has remarks and what was read for a check in the language of the reader: %s', async (tag) => {
    const english = await send(REGIMES_PAGE);
    const { text } = await send(REGIMES_PAGE, { headers: { 'accept-language': tag } });
    const rules = REGIMES.all.flatMap(({ national }) => national);
    const said = rules.flatMap(({ remarks, checked }) => [remarks ?? [], checked].flat()).map(escapeHtml);
    expect(said.filter((each) => !english.text.includes(each))).toEqual([]);
    expect(said.filter((each) => text.includes(each))).toEqual([]);
  });

  it('says what a version has changed of the one before it, and nothing else', async () => {
    const { text } = await send(REGIMES_PAGE);
    const section = text.slice(text.indexOf('Changes from the version of 1 January 2026'));
    const end = section.indexOf('</table>');
    expect(cells(section.slice(0, end), 'stages NOTIFICATION fields category law')).toEqual([
      ['stages NOTIFICATION fields category law', 'ACN determination 164179/2025', 'ACN determination 379907/2025'],
    ]);
    const places = [...section.slice(0, end).matchAll(/<tr><td>(.*?)<\/td>/g)].map(([, place]) => place);
    expect(places).toEqual([
      ...['source text', 'valid_from', 'begins reason'],
      ...['stages NOTIFICATION fields category law', 'stages FINAL_REPORT fields category law', 'valid_until'],
    ]);
  });
});

describe('a page of the portal', () => {
  it.each([...PAGES, REGIMES_PAGE])('%s is HTML that loads nothing by default and cannot be framed', async (path) => {
    const { status, headers } = await send(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
    const policy = directivesOf(headers['content-security-policy']);
    for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors']) {
      expect([name, policy[name]]).toEqual([name, ["'none'"]]);
    }
  });

  it.each([...PAGES, REGIMES_PAGE])('%s allows no foreign host and no inline script', async (path) => {
    const { headers } = await send(path);
    const { 'script-src': scripts = [], ...policy } = directivesOf(headers['content-security-policy']);
    expect(Object.values(policy).flat().join(' ')).not.toMatch(/\*|https?:|\/\//);
    expect(["'self'", undefined]).toContain(scripts.join(' ') || undefined);
  });

  it.each([...PAGES, ...OWN_FILES])('%s names no foreign host', async (path) => {
    const { text } = await send(path);
    const addresses = text.match(/(?:https?:)?\/\/[\w.-]+\.\w+[^\s"'<)\\]*/g) ?? [];
    expect(
      addresses.filter((address) => !address.startsWith(publicUrl) && address !== 'http://www.w3.org/2000/svg'),
    ).toEqual([]);
  });

  it.each([...PAGES, REGIMES_PAGE])('%s has neither script nor style in itself', async (path) => {
    const { text } = await send(path);
    expect([...inlineContents(text, 'script'), ...inlineContents(text, 'style')]).toEqual([]);
  });

  it.each(PAGES)('%s refers only to what is there', async (path) => {
    const { text } = await send(path);
    const addresses = [...text.matchAll(/(?:src|href)="(\.\/[^"]*)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(0);
    // Served by other handlers than the portal.
    const elsewhere = ['/graphql', '/health/ready', '/health/live', '/api/v1/openapi.json'];
    for (const address of addresses) {
      const target = new URL(address!, `http://host${path}`).pathname;
      if (!elsewhere.includes(target)) expect([target, (await send(target)).status]).toEqual([target, 200]);
    }
  });
});

describe('a page for people who have no token yet', () => {
  it.each([
    ['it', 'it'],
    ['fr-CH, de;q=0.5, en;q=0.4', 'de'],
    ['EN-us, it;q=0.9', 'en'],
    ['it;q=0, fr', 'en'],
    ['it;q=2', 'en'],
    ['it;q=1.0001, de;q=0.5', 'de'],
    ['de;q=x, *;q=1', 'en'],
    [',;;q=, =1;q=0.5,\u00e9', 'en'],
    ['', 'en'],
  ])('is in the language that "%s" asks for: %s', async (sent, tag) => {
    for (const path of ['/invitation', '/recovery', '/invitation/assets/page.js', '/no-such-page', '/sign-in']) {
      const { headers, text } = await send(path, { headers: { 'accept-language': sent } });
      expect([path, headers['content-language'], headers['vary']]).toEqual([
        path,
        tag,
        expect.stringContaining('Accept-Language'),
      ]);
      if (!path.endsWith('.js')) expect(text).toContain(`<html lang="${tag}">`);
    }
  });

  it('has its words in Italian, in the page and in its script', async () => {
    const italian = { headers: { 'accept-language': 'it' } };
    const page = await send('/invitation', italian);
    expect(page.text).toContain('<button>Accetta l’invito</button>');
    expect(page.text).toContain('<code>X-Service-Token</code>');
    const script = await send('/invitation/assets/page.js', italian);
    expect(script.text).toContain('"join":"Entra a far parte di {0}"');
    expect(script.text).toContain('"SECURITY_OFFICER":"Responsabile della sicurezza"');
    // The response for a browser with one language is not in another.
    const german = await send('/invitation', {
      headers: { 'accept-language': 'de', 'if-none-match': page.headers.etag! },
    });
    expect([german.status, german.text.includes('Einladung annehmen')]).toEqual([200, true]);
  });
});

describe('the start page', () => {
  it('leads to the explorer, the reference and the health of the instance', async () => {
    const { text } = await send('/');
    for (const path of ['graphql', 'graphiql', 'docs', 'schema.graphql', 'health/ready', 'api/v1/openapi.json']) {
      expect(text).toContain(`href="./${path}"`);
    }
  });

  it('shows a command that needs only the token', async () => {
    const { text } = await send('/');
    expect(text).toContain(`curl -H "X-Service-Token: $TOKEN" ${publicUrl}/api/v1/notifications`);
  });

  it('escapes the public address', async () => {
    const odd = await serve(portal({ publicUrl: 'http://h/"><script>x</script>' }));
    expect((await odd('/')).text).not.toContain('<script');
  });
});

describe('the offline explorer', () => {
  it('does not scroll, although the editor shows parts of itself outside of its frame', async () => {
    const [editor, page] = [await send('/graphiql/assets/graphiql.css'), await send('/graphiql/assets/page.css')];
    expect(editor.text).toContain('.overflow-guard{overflow:unset!important}');
    expect(page.text).toMatch(/^body \{ overflow: hidden; \}$/m);
  });
});

const MISSPELT = ['//api/v1/notifications', '/API/v1', '/Api/V1/notifications', '/api//v1/x'];
const OTHER_PLACES = ['/api/organizations', '/api/v2/x', '/api', '/graphql/', '/GraphQL'];

describe('a path that is one of the APIs but for its spelling', () => {
  it.each([...MISSPELT, ...OTHER_PLACES])('%s gets an error that says so', async (path) => {
    const { status, headers, text } = await send(path, { headers: { accept: 'text/html' } });
    expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toEqual({
      error: 1,
      messages: ['The APIs are at /graphql and below /api/v1: in lower case, with single slashes and none at the end'],
    });
  });

  it('is not any other path', async () => {
    expect((await send('/apis/v1', { headers: { accept: 'text/html' } })).headers['content-type']).toMatch(/html/);
  });
});

describe('what programs look for under /.well-known', () => {
  it('is a catalogue of both APIs, whose links lead to what is there', async () => {
    const { headers, text } = await send('/.well-known/api-catalog');
    expect(headers['content-type']).toBe('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"');
    const { linkset } = JSON.parse(text) as { linkset: Record<string, { href: string }[]>[] };
    expect(linkset.map(({ anchor }) => anchor)).toEqual([`${publicUrl}/api/v1`, `${publicUrl}/graphql`]);
    const paths = linkset.flatMap((api) => ['service-desc', 'service-doc'].flatMap((name) => api[name] ?? []));
    expect(paths).toHaveLength(4);
    for (const { href } of paths.filter((link) => !link.href.includes('/api/v1/')))
      expect([href, (await send(href.slice(publicUrl.length))).status]).toEqual([href, 200]);
  });

  it('names where vulnerabilities are reported, for less than a year, where there is a contact', async () => {
    const securityContact = 'mailto:security@example.com';
    const { text } = await (await serve(portal({ publicUrl, securityContact })))('/.well-known/security.txt');
    expect(text).toContain(`Contact: ${securityContact}\n`);
    const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '');
    expect(expires).toBeGreaterThan(Date.now());
    expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
    expect((await send('/.well-known/security.txt')).status).toBe(404);
  });
});

describe('a file of the portal', () => {
  it.each(FILES)('%s is %s', async (path, type) => {
    const { status, headers, body } = await send(path);
    expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([200, type, 'nosniff']);
    expect(body.length).toBeGreaterThan(0);
  });

  it.each([
    '/docs/assets/../../package.json',
    '/docs/assets/../package.json',
    '/docs/assets/%2e%2e/%2e%2e/package.json',
    '/docs/assets/..%2f..%2fpackage.json',
    '/docs/assets/..%5c..%5cpackage.json',
    '/docs/assets/....//package.json',
    '/docs/assets//etc/passwd',
    '/docs/assets/scalar.js%00.css',
    '/docs/assets/package.json',
    '/docs/assets/NOTICE.txt',
    '/docs/assets/graphiql.js',
    '/docs/assets/scalar.js.map',
    '/docs/assets/constructor',
    '/docs/assets/',
    '/docs/assets',
    '/graphiql/assets/../../../package.json',
    '/graphiql/assets/__proto__',
  ])('does not exist outside of the list: %s', async (path) => {
    expect((await send(path)).status).toBe(404);
  });

  it('is not reached by an absolute address in the request line either', async () => {
    expect((await send('http://127.0.0.1/docs/assets/../../package.json')).status).toBe(404);
  });
});

describe('caching', () => {
  it('answers 304 without a body to a client that has the page', async () => {
    const { etag } = (await send('/')).headers;
    for (const condition of [etag!, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await send('/', { headers: { 'if-none-match': condition } });
      expect([condition, answer.status, answer.body.length]).toEqual([condition, 304, 0]);
      expect(answer.headers.etag).toBe(etag);
    }
  });

  it('sends the page to a client that has another', async () => {
    expect((await send('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('makes browsers revalidate, so that they never mix files of two releases', async () => {
    expect((await send('/docs/assets/page.js')).headers['cache-control']).toBe('no-cache');
  });

  it('sends the same content compressed and plain, under two tags', async () => {
    const plain = await send('/docs/assets/scalar.js');
    const packed = await send('/docs/assets/scalar.js', { headers: { 'accept-encoding': 'br, gzip' } });
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect(packed.text).toBe(plain.text);
    expect(packed.body.length).toBeLessThan(plain.body.length / 2);
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
    expect(packed.headers.vary).toBe('Accept-Encoding');
  });

  it.each(['gzip;q=0', 'gzip; q=0.000', 'identity', 'xgzip'])('does not compress for "%s"', async (coding) => {
    expect((await send('/', { headers: { 'accept-encoding': coding } })).headers['content-encoding']).toBeUndefined();
  });
});

describe('methods', () => {
  it.each([...PAGES, '/docs/assets/page.js', '/favicon.ico'])(
    'HEAD %s has the headers of GET and no body',
    async (path) => {
      const [get, head] = [await send(path), await send(path, { method: 'HEAD' })];
      expect([head.status, head.body.length]).toEqual([200, 0]);
      for (const name of ['content-type', 'content-length', 'etag', 'content-security-policy']) {
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
      }
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s is refused, naming those that are allowed',
    async (method) => {
      for (const path of ['/', '/docs', '/docs/', '/graphiql/assets/page.js']) {
        const { status, headers } = await send(path, { method });
        expect([path, status, headers.allow]).toEqual([path, 405, 'GET, HEAD']);
      }
    },
  );
});

describe('an address', () => {
  it.each([...PAGES, '/docs/', '/docs/assets/nothing', '/nothing', '/favicon.svg'])(
    'never repeats its query string: %s',
    async (path) => {
      const { headers, text } = await send(`${path}?X-Service-Token=scp_echo&url=scp_echo`);
      expect(JSON.stringify(headers) + text).not.toContain('scp_echo');
    },
  );

  it('redirects to the page when it ends with a slash', async () => {
    const { status, headers } = await send('/docs/');
    expect(status).toBe(308);
    expect(new URL(headers.location!, 'http://host/gateway/docs/').pathname).toBe('/gateway/docs');
  });

  it('is 404 when it is unknown', async () => {
    const { status, headers, text } = await send('/nothing/here');
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).not.toContain('nothing/here');
  });
});

describe('the portal', () => {
  it('neither serves nor links the explorer where it is switched off', async () => {
    const bare = await serve(portal({ explorer: false }));
    for (const path of ['/graphiql', '/graphiql/assets/page.js']) expect((await bare(path)).status).toBe(404);
    for (const path of ['/', '/docs']) expect((await bare(path)).text).not.toMatch(/href="[^"]*graphi?ql/);
  });

  it('neither serves nor links the text of the schema where it has none', async () => {
    const bare = await serve(portal());
    expect((await bare('/schema.graphql')).status).toBe(404);
    expect((await bare('/')).text).not.toContain('schema.graphql');
  });
});

describe('a logo', () => {
  let opened: Readable | undefined;
  const errors: unknown[] = [];
  const logos = portal({
    onError: (error) => errors.push(error),
    openLogo: async (name) => {
      if (name === 'away.png') throw unavailable();
      if (name === 'broken.png') throw new Error('an internal secret');
      if (name === 'cut.png') return { content: Readable.from(failing()), mediaType: 'image/png' };
      if (name === 'endless.png') return { content: (opened = Readable.from(endless())), mediaType: 'image/png' };
      if (name !== 'a.png') throw notFound();
      opened = Readable.from([Buffer.from('PNG')]);
      return { content: opened, mediaType: 'image/png' };
    },
  });

  it('is sent without a token, as an image', async () => {
    const { status, headers, text } = await (await serve(logos))('/logos/a.png?x=1');
    expect([status, headers['content-type'], text]).toEqual([200, 'image/png', 'PNG']);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(directivesOf(headers['content-security-policy'])['default-src']).toEqual(["'none'"]);
  });

  it.each([
    ['b.png', 404],
    ['../a.png', 404],
    ['away.png', 503],
    ['broken.png', 500],
  ])('%s is answered with %d and no reason', async (name, expected) => {
    const { status, text } = await (await serve(logos))(`/logos/${name}`);
    expect(status).toBe(expected);
    expect(text).not.toContain('secret');
    expect(errors.splice(0)).toHaveLength(expected === 500 ? 1 : 0);
  });

  it('answers HEAD without reading its bytes and refuses POST', async () => {
    const request = await serve(logos);
    expect(await request('/logos/a.png', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect([opened?.destroyed, opened?.readableDidRead]).toEqual([true, false]);
    expect((await request('/logos/a.png', { method: 'POST' })).status).toBe(405);
  });

  it('closes the connection when reading it fails', async () => {
    await expect((await serve(logos))('/logos/cut.png')).rejects.toThrow();
    expect(errors.splice(0)).toEqual([new Error('the disk is gone')]);
  });

  it('is closed without an error when its client disconnects', async () => {
    const server = createServer(logos).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /logos/endless.png HTTP/1.1\r\nhost: h\r\n\r\n');
    await once(socket, 'data');
    const closed = new Promise((resolve) => opened!.once('close', resolve));
    socket.destroy();
    await closed;
    await new Promise((resolve) => server.close(resolve));
    expect(errors).toEqual([]);
  });
});

describe('a client', () => {
  it('can disconnect in the middle of a large file', async () => {
    const server = createServer(portal()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /graphiql/assets/graphiql.js HTTP/1.1\r\nhost: h\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(response.status).toBe(200);
    await response.text();
    server.closeAllConnections();
    server.close();
  });
});

async function* endless() {
  for (;;) yield Buffer.alloc(10_000);
}

async function* failing() {
  yield Buffer.alloc(10);
  throw new Error('the disk is gone');
}
