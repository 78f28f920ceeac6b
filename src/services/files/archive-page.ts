import { readFileSync } from 'node:fs';
import { languageOf, LANGUAGES } from '../../messages/language.js';

let page: string | undefined;

/** The page that verifies an unpacked archive in a browser without the gateway: what `scripts/web.js` bundles, with its texts. */
export function archivePage(): string {
  return (page ??= made());
}

function made(): string {
  const template = readFileSync(new URL('../../../assets/archive.html', import.meta.url), 'utf8');
  const settings = LANGUAGES.map(languageOf).map((language) => ({
    language: language.tag,
    locale: language.locale,
    texts: language.sourcesOf('archive', 'enums'),
  }));
  return template.replace('__SETTINGS__', () => JSON.stringify(settings).replaceAll('<', '\\u003c'));
}
