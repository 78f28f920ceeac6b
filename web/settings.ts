/**
 * The settings that the page carries for its script: `src/portal/application.ts` writes it, and for archives
 * `src/services/files/archive-page.ts`.
 */
interface Settings {
  /** The beginning of absolute addresses, without a slash at the end. */
  publicUrl: string;
  /** Whether the gateway serves GraphiQL. */
  explorer?: boolean;
  /** Tag of the page's language, and what its days and numbers are written by. */
  language: string;
  locale: string;
  /** Names of reporting regimes by their ids, in archives. */
  regimes?: Readonly<Record<string, string>>;
  /** ICU messages by their names. */
  texts: Readonly<Record<string, string>>;
}

const given = JSON.parse(document.getElementById('settings')!.textContent!) as Settings | readonly Settings[];

/** A page that no server has sent carries every language, and the reader's first one counts. */
export const settings = Array.isArray(given) ? preferred(given) : (given as Settings);

function preferred(all: readonly Settings[]): Settings {
  const wanted = navigator.languages.map((tag) => tag.split('-', 1)[0]);
  const first = wanted.find((tag) => all.some(({ language }) => language === tag));
  return all.find(({ language }) => language === first) ?? all[0]!;
}

/** The path that a proxy may have put the site under, with a slash at its end. The script is at `<root>pages/assets/web.js`. */
export const ROOT = new URL('../../', import.meta.url).pathname;
