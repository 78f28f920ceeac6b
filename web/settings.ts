/**
 * Settings embedded in the page for its script: written by `src/portal/application.ts`, and for archives by
 * `src/services/files/archive-page.ts`.
 */
interface Settings {
  /** Origin and base path of absolute addresses, without a slash at the end. */
  publicUrl: string;
  /** Whether the gateway serves GraphiQL. */
  explorer?: boolean;
  /** Language tag of the page, and the locale of its days and numbers. */
  language: string;
  locale: string;
  /** Names of reporting regimes by their ids, in archives. */
  regimes?: Readonly<Record<string, string>>;
  /** ICU messages by their names. */
  texts: Readonly<Record<string, string>>;
}

const given = JSON.parse(document.getElementById('settings')!.textContent!) as Settings | readonly Settings[];

/** A page that was not sent by a server has every language, and the reader's first supported one is used. */
export const settings = Array.isArray(given) ? preferred(given) : (given as Settings);

function preferred(all: readonly Settings[]): Settings {
  const wanted = navigator.languages.map((tag) => tag.split('-', 1)[0]);
  const first = wanted.find((tag) => all.some(({ language }) => language === tag));
  return all.find(({ language }) => language === first) ?? all[0]!;
}

/** The path prefix of a proxy, with a slash at its end. The script is at `<root>pages/assets/web.js`. */
export const ROOT = new URL('../../', import.meta.url).pathname;

/** An address of the gateway, as reachable from this page, which may have another origin than the public one. */
export const here = (address: string) => ROOT + address.slice(settings.publicUrl.length + 1);
