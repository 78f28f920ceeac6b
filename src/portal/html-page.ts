export interface PageParts {
  title: string;
  /** From the page to the root of the site, such as "./"; a proxy may have put the site under a path. */
  root: string;
  /** Elements of the head beside what every page has. */
  head?: string;
  body: string;
}

/** A whole page. Its parts are trusted: whatever came from elsewhere went through `escapeHtml`. */
export function htmlPage({ title, root, head = '', body }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/** Text as it may stand between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export const HTML_TYPE = 'text/html; charset=utf-8';
export const CSS_TYPE = 'text/css; charset=utf-8';
export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
export const SVG_TYPE = 'image/svg+xml';
