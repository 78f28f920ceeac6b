import { escapeHtml } from '../common/escape-html.js';
import { languageOf, LANGUAGES, type Language } from '../messages/language.js';
import { contentPolicy, HTML_TYPE, lazyAsset, type Served, type Site } from './page.js';
import { htmlOf, link } from './words.js';

/** Bundles of `web/` that `scripts/web.js` makes. */
export const APPLICATION_FILES = ['web.js', 'web.css', 'look.css'] as const;

/** Addresses that the application answers; it says itself where one of them names nothing. */
const PATHS = /^\/(?:portfolio|tokens|signed-in|(?:organizations|cloud-defender|atb)(?:\/[^/]+){1,5})$/;

/** Its files and pictures are of this site, and it sends requests to this site only. */
const POLICY = contentPolicy({
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
});

/** Finds the page of a path: the same for all, but for its language and for how far it is from the root of the site. */
export function application(site: Site): (path: string) => Served | undefined {
  const byDepth = new Map<number, Served>();
  return (path) => {
    if (!PATHS.test(path)) return undefined;
    const depth = path.split('/').length - 2;
    const known = byDepth.get(depth);
    if (known !== undefined) return known;
    const root = depth === 0 ? './' : '../'.repeat(depth);
    const pages = LANGUAGES.map(languageOf).map((language) => [language.tag, page(language, site, root)] as const);
    const load = new Map(pages.map(([tag, html]) => [tag, lazyAsset(HTML_TYPE, () => html)]));
    const served = { policy: POLICY, load };
    byDepth.set(depth, served);
    return served;
  };
}

function page(language: Language, { publicUrl, explorer }: Site, root: string): string {
  const settings = {
    publicUrl,
    explorer,
    language: language.tag,
    locale: language.locale,
    texts: language.sourcesOf('pages', 'enums'),
  };
  const reference = link(`${root}docs`, language.text('web-page.reference'));
  return `<!doctype html>
<html lang="${language.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${language.text('pages.gateway')}</title>
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}pages/assets/web.css">
<script type="module" src="${root}pages/assets/web.js"></script>
<script type="application/json" id="settings">${JSON.stringify(settings).replaceAll('<', '\\u003c')}</script>
</head>
<body>
<div id="application"><main class="wide"><p role="status">${escapeHtml(language.text('pages.loading'))}</p></main></div>
<noscript>${htmlOf(language, 'application.noScript', { reference })}</noscript>
</body>
</html>
`;
}
