import { readFileSync } from 'node:fs';
import { languageOf, LANGUAGES } from '../../messages/language.js';

let page: string | undefined;

/** A reporting regime, by its id in the tables of an archive. */
export interface NamedRegime {
  readonly id: string;
  readonly name: string;
}

/** The page that verifies an unpacked archive in a browser without the gateway: what `scripts/web.js` bundles, with its texts. */
export function archivePage(regimes: readonly NamedRegime[]): string {
  return (page ??= made(regimes));
}

function made(regimes: readonly NamedRegime[]): string {
  const template = readFileSync(new URL('../../../assets/archive.html', import.meta.url), 'utf8');
  const settings = LANGUAGES.map(languageOf).map((language) => ({
    language: language.tag,
    locale: language.locale,
    texts: language.sourcesOf('archive', 'enums'),
    regimes: Object.fromEntries(regimes.map(({ id, name }) => [id, language.translated(name)])),
  }));
  return template.replace('__SETTINGS__', () => JSON.stringify(settings).replaceAll('<', '\\u003c'));
}
