import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import type { FileKindName } from '../values/file-types.js';
import type { StagedBlob } from './blob-store.js';

/** Whether a file is a text of this kind: without control characters, and not HTML, SVG, a script or a program. */
export async function isTextOf(kind: FileKindName, file: Pick<StagedBlob, 'path' | 'head'>): Promise<boolean> {
  const text = await readText(file);
  if (!text) return false;
  if (kind === 'JSON') return isJson(text);
  if (kind === 'XML') return isXmlEncoding(text) && text.last === '>' && isXmlDocument(text.lead);
  // The body of a message may have any character set; its header fields identify it.
  if (kind === 'EML') return text.encoding !== 'utf-16' && hasMessageHeaders(text.lead);
  return isPlainText(text, kind === 'MARKDOWN');
}

interface Text {
  /** `other` is an older character set, read as Latin-1. */
  encoding: 'utf-8' | 'utf-16' | 'other';
  /** The beginning (up to 64 KB), without a byte order mark. */
  lead: string;
  /** Whether `lead` is the whole text. */
  isWhole: boolean;
  /** The last character that is not white space; empty when there is none. */
  last: string;
}

const CHUNK_BYTES = 64 * 1024;
/** Allowed are tab, line feed, vertical tab, form feed, carriage return, and escape (coloured logs). */
const CONTROL = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;

/** Undefined when the file is not a text: it has control characters, or an incomplete character of UTF-16. */
async function readText({ path, head: [first, second] }: Pick<StagedBlob, 'path' | 'head'>): Promise<Text | undefined> {
  if (first === 0xff && second === 0xfe) return decoded(path, 'utf-16le', 'utf-16');
  if (first === 0xfe && second === 0xff) return decoded(path, 'utf-16be', 'utf-16');
  return (await decoded(path, 'utf-8', 'utf-8')) ?? decoded(path, 'latin1', 'other');
}

/** Reads the file to its end in chunks, so that memory stays bounded. */
async function decoded(path: string, charset: string, encoding: Text['encoding']): Promise<Text | undefined> {
  const decoder = new TextDecoder(charset, { fatal: true });
  let lead: string | undefined;
  let last = '';
  let chunks = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      const text = decoder.decode(chunk as Buffer, { stream: true });
      if (CONTROL.test(text)) return undefined;
      lead ??= text;
      last = text.trimEnd().at(-1) ?? last;
      chunks += 1;
    }
    decoder.decode();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return undefined;
    throw error;
  }
  return { encoding, lead: (lead ?? '').replace(LATIN_MARK, ''), isWhole: chunks < 2, last };
}

/** The byte order mark of UTF-8 in a text that is not UTF-8. */
const LATIN_MARK = /^\xef\xbb\xbf/;

/** Checks the first and the last character of a JSON text only. */
function isJson({ lead, last }: Text): boolean {
  const opening = lead.trimStart();
  if (opening.startsWith('{')) return last === '}';
  if (opening.startsWith('[')) return last === ']';
  return /^(?:"|-?\d|true\b|false\b|null\b)/.test(opening);
}

/**
 * Older character sets that an XML declaration may name: their markup is as in ASCII. UTF-7, EBCDIC and the ISO-2022
 * sets are excluded, because they hide it.
 */
const OLDER =
  /^(us-ascii|iso-8859-\d{1,2}|windows-125\d|windows-31j|windows-874|tis-620|(?:ibm|cp)(?:437|850|852|855|858|866)|koi8-[ru]|macintosh|shift_jis|euc-(?:jp|kr|tw)|gb2312|gbk|gb18030|big5)$/;

function isXmlEncoding({ encoding, lead }: Text): boolean {
  const declared = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.-]+)["']/.exec(lead)?.[1]?.toLowerCase() ?? '';
  if (encoding === 'other') return OLDER.test(declared);
  return declared === '' || OLDER.test(declared) || declared.startsWith(encoding);
}

/** Header fields of RFC 5322; a message has at least two of them, a log with colons does not. */
const MESSAGE_FIELDS = new Set(
  'from to cc bcc date subject sender reply-to message-id received return-path mime-version content-type delivered-to'.split(
    ' ',
  ),
);

function hasMessageHeaders(lead: string): boolean {
  const names = new Set<string>();
  // Mailboxes put a line before the header (RFC 4155), which remains when a message is saved.
  for (const line of lead.replace(/^>?From [^\r\n]*\r?\n/, '').split(/\r?\n/)) {
    if (line === '') break;
    // A folded line belongs to the previous field.
    if (/^[ \t]/.test(line) && names.size > 0) continue;
    const name = /^([!-9;-~]+):/.exec(line)?.[1]?.toLowerCase();
    if (name === undefined) return false;
    names.add(name);
  }
  return names.has('from') && [...names].filter((name) => MESSAGE_FIELDS.has(name)).length >= 2;
}

const ACTIVE_NAMESPACES = new Set(['http://www.w3.org/1999/xhtml', 'http://www.w3.org/2000/svg']);
const ACTIVE_ROOTS = new Set(['html', 'svg', 'script', 'scriptlet']);
/**
 * Elements at the beginning of a text that browsers read as HTML (WHATWG MIME sniffing), and others that load or run
 * something.
 */
const HTML_ELEMENTS = new Set(
  'a applet b base body br details div embed font form frameset h1 head iframe img input link meta object p style table title video'.split(
    ' ',
  ),
);
/** Markdown commonly begins with these: a centred title, a logo, a folded section. */
const MARKDOWN_ELEMENTS = new Set('a b br details div font h1 img p table'.split(' '));

const PROGRAM = /^(?:MZ|%!PS)/;
const SCRIPT = /^(#!|<\?php\b|<\?=|<%|@echo\s+off\b|#@~\^)/i;
const ELEMENT = /^<((?:[^\s<>/:="'&;!?]+:)?)([^\s<>/:="'&;!?]+)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Reads the beginning both as a browser and as an XML parser: the two end comments and instructions at different
 * places, between which markup can be hidden.
 */
function isPlainText({ lead, isWhole, encoding }: Text, isMarkdown: boolean): boolean {
  if (UTF_7.test(lead) || (encoding === 'other' && isMarkupInEbcdic(lead))) return false;
  return isHarmless({ lead: lead.replaceAll(ESCAPES, ''), isWhole }, isMarkdown);
}

/** A byte order mark, or markup, in UTF-7. */
const UTF_7 = /^\s*\+(?:\/v[89+/]|ADw)/;
/** Terminal colours, and changes of the character set (ISO 2022), which are invisible to readers. */
const ESCAPES = /\x1b(?:\[[\d;]*[A-Za-z]|[ -/]+[0-~])/g;

/** Whether it begins with markup in EBCDIC, of which no byte is as in ASCII. */
function isMarkupInEbcdic(lead: string): boolean {
  const text = Array.from(lead.slice(0, 200), (character) => EBCDIC.get(character) ?? '\u00b7').join('');
  const tag = tagName(text.trimStart());
  return /^\s*<(?:!doctype|\?xml)/.test(text) || (tag.length > 2 && (HTML_ELEMENTS.has(tag) || ACTIVE_ROOTS.has(tag)));
}

/** Letters and signs of EBCDIC by their characters in Latin-1: letters are in three rows, twice. */
const EBCDIC: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '\n <>!?/': [0x25, 0x40, 0x4c, 0x6e, 0x5a, 0x6f, 0x61],
    abcdefghijklmnopqrstuvwxyz: [...rows(0x80), ...rows(0xc0)],
  }).flatMap(([signs, bytes]) => {
    const shown = new TextDecoder('latin1').decode(Uint8Array.from(bytes));
    return Array.from(shown, (character, at) => [character, signs.charAt(at % signs.length)] as const);
  }),
);

function rows(first: number): number[] {
  return Array.from({ length: 26 }, (_, at) => first + 1 + at + (at < 9 ? 0 : at < 18 ? 7 : 15));
}

function isHarmless({ lead, isWhole }: Pick<Text, 'lead' | 'isWhole'>, isMarkdown: boolean): boolean {
  const html = afterProlog(lead, 'html');
  // A lead that is blank, of a longer text, is suspicious.
  if (PROGRAM.test(lead) || html === undefined || (html === '' && !isWhole)) return false;
  const tag = tagName(html);
  if (HTML_ELEMENTS.has(tag) && !(isMarkdown && MARKDOWN_ELEMENTS.has(tag))) return false;
  return !ACTIVE_ROOTS.has(tag) && !ACTIVE_ROOTS.has(tagName(afterProlog(lead, 'xml') ?? ''));
}

/**
 * An XML document whose root is neither HTML nor SVG under any prefix, and whose document type declares no entities.
 */
function isXmlDocument(lead: string): boolean {
  const [, prefix = '', name, attributes = ''] = ELEMENT.exec(afterProlog(lead, 'xml') ?? '') ?? [];
  // XML does not allow the escape character.
  if (name === undefined || ACTIVE_ROOTS.has(name.toLowerCase()) || lead.includes('\x1b')) return false;
  const declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`;
  const [, , double, single] = [...attributes.matchAll(ATTRIBUTE)].find(([, key]) => key === declaration) ?? [];
  const namespace = (double ?? single ?? '').trim();
  // A reference within an address may hide it.
  return !ACTIVE_NAMESPACES.has(namespace) && !namespace.includes('&');
}

function tagName(text: string): string {
  return /^<\/?(?:[^\s<>/:]+:)?([a-z][^\s<>/:]*)/i.exec(text)?.[1]?.toLowerCase() ?? '';
}

/**
 * The text after white space, instructions, comments and document type. Undefined when one of them does not end
 * within the lead, is a script, or declares entities, which may expand a billionfold or load others.
 */
function afterProlog(text: string, reader: 'html' | 'xml'): string | undefined {
  for (let rest = text; ;) {
    rest = rest.replace(/^[\ufeff\s]+/, '');
    if (SCRIPT.test(rest)) return undefined;
    const isDocumentType = /^<!doctype/i.test(rest);
    if (!isDocumentType && !/^<(?:!--|\?)/.test(rest)) return rest;
    // In HTML a document type is markup, a comment also ends at `<!-->` and `--!>`, and an instruction at its first `>`.
    if (isDocumentType && reader === 'html') return undefined;
    const part = isDocumentType ? DOCUMENT_TYPE : rest.startsWith('<?') ? INSTRUCTION[reader] : COMMENT[reader];
    const [found, name] = part.exec(rest) ?? [];
    if (found === undefined || ACTIVE_ROOTS.has(name?.toLowerCase() ?? '')) return undefined;
    rest = rest.slice(found.length);
  }
}

const COMMENT = { html: /^<!--(?:-?>|[^]*?--!?>)/, xml: /^<!--[^]*?-->/ };
const INSTRUCTION = { html: /^<\?[^>]*>/, xml: /^<\?[^]*?\?>/ };
/** Quoted texts, comments and instructions are skipped: an end inside of them does not count. */
const DOCUMENT_TYPE =
  /^<!doctype\s+(?:[^\s>[:]*:)*([^\s>[:]+)(?:"[^"]*"|'[^']*'|[^"'<>[])*(?:\[(?:"[^"]*"|'[^']*'|<!--(?:(?!-->)[^])*-->|<\?(?:(?!\?>)[^])*\?>|<(?!!--|\?|!entity)|[^"'<\]])*\][^"'<>[]*)?>/i;
