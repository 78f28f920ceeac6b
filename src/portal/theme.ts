/** Colours and letters that all of our own pages share; the blue is the platform's default brand (decisions §10). */
export const THEME_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f6f8fb; --card: #ffffff; --ink: #16202e; --quiet: #55637a; --line: #dde4ee;
  --brand: #1f6feb; --brand-ink: #1a5fcc; --code: #0f1b2d; --code-ink: #dbe7f8; --code-quiet: #8fa6c4;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0d1420; --card: #141e2d; --ink: #e6edf7; --quiet: #9fb0c8; --line: #263449;
    --brand: #5b9bff; --brand-ink: #8fbcff; --code: #080d15; --code-ink: #dbe7f8; --code-quiet: #8299b8;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); }
a { color: var(--brand-ink); text-underline-offset: .2em; }
a:focus-visible, summary:focus-visible, pre:focus-visible, input:focus-visible {
  outline: 3px solid var(--brand); outline-offset: 3px; border-radius: 4px;
}
code, pre { font-family: var(--mono); font-size: .9em; }
.bar { display: flex; align-items: center; gap: .5rem 1.5rem; flex-wrap: wrap; padding: .75rem clamp(1rem, 4vw, 3rem);
  background: var(--card); border-bottom: 1px solid var(--line); }
.bar .name { display: flex; align-items: center; gap: .6rem; margin-right: auto; color: var(--ink); font-weight: 650;
  text-decoration: none; }
.bar nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .95rem; }
.bar svg { width: 1.75rem; height: 1.75rem; }
`;

/** A shield with an opened door: what is guarded, and the way in. */
export const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true">' +
  '<path fill="#1f6feb" d="M16 1.5 28 5.6v9.9c0 7.2-5 12.5-12 15-7-2.5-12-7.8-12-15V5.6z"/>' +
  '<path fill="#fff" d="M10.5 22.5V12.6a5.5 5.5 0 0 1 11 0v9.9h-3V12.6a2.5 2.5 0 0 0-5 0v9.9z"/>' +
  '<circle cx="16" cy="20.8" r="1.7" fill="#fff"/></svg>';

export interface BarLinks {
  /** From the page to the root of the site, such as "./". */
  root: string;
  explorer: boolean;
  schema: boolean;
}

/** The bar on top of our own pages: where one is, and the way to the others. */
export function bar({ root, explorer, schema }: BarLinks): string {
  const links = [
    ...(explorer ? [['graphql', 'GraphQL explorer']] : []),
    ['docs', 'REST reference'],
    ...(schema ? [['schema', 'Schema map']] : []),
  ];
  const items = links.map(([path, label]) => `<a href="${root}${path}">${label}</a>`).join('');
  return `<header class="bar"><a class="name" href="${root}">${MARK}Compliance Gateway</a><nav aria-label="Pages">${items}</nav></header>`;
}
