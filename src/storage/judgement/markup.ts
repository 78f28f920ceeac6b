/** What is judged of a text: its beginning, whether that is all of it, and whether it calls itself Markdown. */
interface LeadOfText {
  lead: string;
  isWhole: boolean;
  isMarkdown: boolean;
}

/** The first element of a document in angle brackets. */
interface RootElement {
  /** Lower-case name without its prefix. */
  name: string;
  /** The namespace that its prefix, or its lack of one, stands for; empty when none is declared on it. */
  namespace: string;
}

const ACTIVE_NAMESPACES = new Set(['http://www.w3.org/1999/xhtml', 'http://www.w3.org/2000/svg']);
const ACTIVE_ROOTS = new Set(['html', 'svg', 'script', 'scriptlet']);
/** What a browser takes for HTML when a text begins with it (WHATWG MIME sniffing), and what else loads or runs. */
const HTML_ELEMENTS = new Set(
  'a applet b base body br details div embed font form frameset h1 head iframe img input link meta object p style table title video'.split(
    ' ',
  ),
);
/** Markdown legitimately opens with these: a centred title, a logo, a folded section. */
const MARKDOWN_ELEMENTS = new Set('a b br details div font h1 img p table'.split(' '));

const SCRIPT_BEGINNING = /^(#!|<\?php\b|<\?=|<%|@echo\s+off\b|#@~\^)/i;
const ELEMENT = /^<((?:[^\s<>/:="'&;!?]+:)?)([^\s<>/:="'&;!?]+)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * A text, not HTML, SVG or a script in disguise. Its beginning is read both as a browser would and as an XML
 * parser would: the two end comments and instructions at different places, and a disguise lives on the difference.
 */
export function isPlainText({ lead, isWhole, isMarkdown }: LeadOfText): boolean {
  const html = afterProlog(lead, 'html');
  // Blank as far as we see, but not to its end: nobody writes so who has nothing to hide.
  if (html === undefined || (html === '' && !isWhole)) return false;
  const tag = tagName(html);
  if (HTML_ELEMENTS.has(tag) && !(isMarkdown && MARKDOWN_ELEMENTS.has(tag))) return false;
  return !ACTIVE_ROOTS.has(tag) && !ACTIVE_ROOTS.has(tagName(afterProlog(lead, 'xml') ?? ''));
}

/**
 * An XML document whose root is neither HTML nor SVG under any prefix, and whose document type declares no entities:
 * they grow a file a billionfold, or have its reader fetch others.
 */
export function isXmlDocument(lead: string): boolean {
  const body = afterProlog(lead, 'xml');
  const root = rootElement(body ?? '');
  if (!root || ACTIVE_ROOTS.has(root.name)) return false;
  // An address with a reference in it is one that somebody hides.
  return !ACTIVE_NAMESPACES.has(root.namespace) && !root.namespace.includes('&');
}

/** The encoding that an XML declaration names, in lower case; empty when it names none. */
export function declaredEncoding(lead: string): string {
  return /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.-]+)["']/.exec(lead)?.[1]?.toLowerCase() ?? '';
}

function tagName(text: string): string {
  return /^<\/?(?:[^\s<>/:]+:)?([a-z][^\s<>/:]*)/i.exec(text)?.[1]?.toLowerCase() ?? '';
}

function rootElement(text: string): RootElement | undefined {
  const found = ELEMENT.exec(text);
  if (!found) return undefined;
  const [, prefix = '', name = '', attributes = ''] = found;
  const declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`;
  const namespace = [...attributes.matchAll(ATTRIBUTE)].find(([, attribute]) => attribute === declaration);
  return { name: name.toLowerCase(), namespace: (namespace?.[2] ?? namespace?.[3] ?? '').trim() };
}

/** Readers that forgive much take it in any case. */
const ENTITY = /^<!entity/i;

type Reader = 'html' | 'xml';

/**
 * What follows white space, processing instructions, comments and document type, behind which a root likes to hide.
 * Undefined when one of them does not end within what we see, or when there is something active among them.
 */
function afterProlog(lead: string, reader: Reader): string | undefined {
  let at = 0;
  for (;;) {
    at = skipBlank(lead, at);
    const end = prologPartEnd(lead, at, reader);
    if (end === undefined || end === at) return end === undefined ? undefined : lead.slice(at);
    at = end;
  }
}

/** Where the part of a prolog that begins at `at` ends: `at` itself when none begins there. */
function prologPartEnd(text: string, at: number, reader: Reader): number | undefined {
  if (SCRIPT_BEGINNING.test(text.slice(at, at + 32))) return undefined;
  if (text.startsWith('<!--', at)) {
    // HTML ends a comment at `<!-->` and at `--!>` as well.
    return reader === 'html' ? endOf(text, /--!?>/g, at + 2) : endOf(text, /-->/g, at + 4);
  }
  if (text.startsWith('<?', at)) return endOf(text, reader === 'html' ? />/g : /\?>/g, at + 2);
  if (!/^<!doctype/i.test(text.slice(at, at + 9))) return at;
  // A document type means markup: as a plain text it is refused.
  return reader === 'html' ? undefined : doctypeEnd(text, at);
}

function doctypeEnd(text: string, start: number): number | undefined {
  const name = /^<!doctype\s+([^\s>[]+)/i.exec(text.slice(start, start + 512))?.[1]?.toLowerCase();
  if (name === undefined || ACTIVE_ROOTS.has(name.split(':').at(-1) ?? '')) return undefined;
  let isInSubset = false;
  // Comments, instructions and quoted texts are passed over whole: what looks like an end inside of them is none.
  for (let at: number | undefined = start + 9; at !== undefined && at < text.length;) {
    const character = text.charAt(at);
    if (character === '"' || character === "'") at = indexAfter(text, character, at + 1);
    else if (text.startsWith('<!--', at)) at = indexAfter(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) at = indexAfter(text, '?>', at + 2);
    else if (ENTITY.test(text.slice(at, at + 8))) return undefined;
    else if (character === '>' && !isInSubset) return at + 1;
    else {
      if (character === '[') isInSubset = true;
      if (character === ']') isInSubset = false;
      at += 1;
    }
  }
  return undefined;
}

function skipBlank(text: string, at: number): number {
  const blank = /[\ufeff\s]*/y;
  blank.lastIndex = at;
  blank.exec(text);
  return blank.lastIndex;
}

function endOf(text: string, end: RegExp, from: number): number | undefined {
  end.lastIndex = from;
  return end.exec(text) ? end.lastIndex : undefined;
}

function indexAfter(text: string, end: string, from: number): number | undefined {
  const at = text.indexOf(end, from);
  return at < 0 ? undefined : at + end.length;
}
