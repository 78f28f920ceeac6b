/** What the page carries for its script: `src/portal/application.ts` writes it. */
interface Settings {
  /** What absolute addresses begin with, without a slash at the end. */
  publicUrl: string;
  /** Tag of the page's language, and what its days and numbers are written by. */
  language: string;
  locale: string;
  /** ICU messages by their names. */
  texts: Readonly<Record<string, string>>;
}

export const settings = JSON.parse(document.getElementById('settings')!.textContent!) as Settings;

/** The path that a proxy may have put the site under, with a slash at its end. The script is at `<root>pages/assets/web.js`. */
export const ROOT = new URL('../../', import.meta.url).pathname;
