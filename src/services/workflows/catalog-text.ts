import { Composer, isNode, isScalar, Lexer, LineCounter, Parser, visit, type CST, type Document } from 'yaml';
import { auditJson, hasMoreValues } from '../../common/json-text.js';
import { DomainError, MAX_ERRORS, type Path } from '../../errors.js';

/** One error of a document. */
export interface CatalogError {
  path: Path;
  /** Follows the place; repeats no input except for a short name. */
  sentence: string;
  /** From 1, if it differs from that of the path. */
  line?: number | undefined;
}

/** Unchecked data, with the lines of its parts. */
export interface CatalogDocument {
  /** Undefined when the text is no YAML. */
  data: unknown;
  /** Why the text is no YAML; then nothing else is checked. */
  syntaxErrors: readonly CatalogError[];
  /** The line of the value at `path`, or of its nearest ancestor; undefined if it was never a text. */
  lineOf(path: Path): number | undefined;
  /** The place of a value in the original document, if that had another form. */
  originOf?(path: Path): Path;
}

/** Reads YAML, or JSON where the text begins with a brace. Every scalar of YAML is text. Syntax errors are returned. */
export function readCatalogText(text: string): CatalogDocument {
  if (/^\s*\{/.test(text)) return readJson(text);
  const lines = new LineCounter();
  try {
    const tokens = tokensOf(text, lines);
    if (typeof tokens === 'string') return unreadable(tokens);
    // The failsafe schema reads every scalar as text. Otherwise an unquoted 7.10 would silently become the control 7.1.
    // Keys are compared below: the library compares each with all others.
    const documents = new Composer({ schema: 'failsafe', uniqueKeys: false }).compose(tokens, true, text.length);
    const document = documents.next().value as Document.Parsed;
    const second = documents.next().value as Document.Parsed | undefined;
    const more = second === undefined ? [] : [{ pos: second.range, code: 'MULTIPLE_DOCS' }];
    const found = [...document.errors, ...repeatedKeys(document), ...more, ...document.warnings];
    const syntaxErrors = found.slice(0, MAX_ERRORS).map(({ pos, code }) => ({
      path: [],
      line: lines.linePos(pos[0]).line,
      sentence: SYNTAX_SENTENCES[code] ?? 'is no valid YAML',
    }));
    const data: unknown = syntaxErrors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 });
    return { data, syntaxErrors, lineOf: (path) => lineOf(document, lines, path) };
  } catch (error) {
    // The library's error for an alias.
    if (error instanceof ReferenceError) return unreadable('must not use aliases');
    throw error;
  }
}

/** Values are counted before they are parsed: millions of them would take a gigabyte. A catalog of OSCAL may have more. */
function readJson(text: string): CatalogDocument {
  if (hasMoreValues(text)) return unreadable(TOO_MUCH);
  try {
    const { value: data, errors } = auditJson(Buffer.from(text));
    if (errors.length > 0)
      return catalogDocumentOf(
        undefined,
        errors.map((sentence) => ({ path: [], sentence })),
      );
    return !isOscalCatalog(data) &&
      !isOscalProfile(data) &&
      hasMoreValues(text, isLibrary(data) ? MAX_LIBRARY_PIECES : MAX_PIECES)
      ? unreadable(TOO_MUCH)
      : catalogDocumentOf(data);
  } catch (error) {
    if (error instanceof DomainError) return unreadable('is no valid JSON');
    throw error;
  }
}

/** Whether it is an OSCAL catalog or a resolved profile, by the only key of its root. */
export function isOscalCatalog(data: unknown): data is { catalog: unknown } {
  return asPartial(data)['catalog'] !== undefined;
}

/** Whether it is an OSCAL profile, with or without its catalog. */
export function isOscalProfile(data: unknown): data is { profile: unknown; catalog?: unknown } {
  return asPartial(data)['profile'] !== undefined;
}

/** Whether it is a library of CISO Assistant. */
export function isLibrary(data: unknown): boolean {
  const { urn, objects } = asPartial(data);
  return typeof urn === 'string' && urn.startsWith('urn:') && objects !== undefined;
}

/** Whether a text of YAML may be one, before parsing it. */
export function mayBeLibrary(text: string): boolean {
  return /^urn:/m.test(text) && /^objects:/m.test(text);
}

/** Data of a separate JSON value, without lines; or why there is none. */
export function catalogDocumentOf(data: unknown, syntaxErrors: readonly CatalogError[] = []): CatalogDocument {
  return { data, syntaxErrors, lineOf: () => undefined };
}

function unreadable(sentence: string): CatalogDocument {
  return catalogDocumentOf(undefined, [{ path: [], sentence }]);
}

/** A value of the wrong type is still checked by the other rules, so that all errors are reported at once. */
export function asPartial(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** A workflow of 2,000 controls has some 50,000 tokens of the lexer, at a depth of at most a dozen. */
const MAX_PIECES = 100_000;
/** Most of a library are translations, which are not stored. */
const MAX_LIBRARY_PIECES = 200_000;
const MAX_LEVELS = 40;
const TOO_MUCH = 'has more structure than a workflow of 2,000 controls';

/**
 * Building a document recurses once a level, which can overflow the stack, and a megabyte of brackets takes seconds and a
 * gigabyte. So tokens and levels are counted first, iteratively. Returns a sentence if there are too many.
 */
function tokensOf(text: string, lines: LineCounter): CST.Token[] | string {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  const max = mayBeLibrary(text) ? MAX_LIBRARY_PIECES : MAX_PIECES;
  let pieces = 0;
  lines.addNewLine(0);
  for (const piece of new Lexer().lex(text)) {
    tokens.push(...parser.next(piece));
    if ((pieces += 1) > max) return TOO_MUCH;
    if (parser.stack.length > MAX_LEVELS) return 'is nested too deep';
  }
  return [...tokens, ...parser.end()];
}

function repeatedKeys(document: Document) {
  const repeated: { pos: readonly [number, ...number[]]; code: string }[] = [];
  visit(document, {
    Map(_key, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) repeated.push({ pos: key.range ?? [0], code: 'DUPLICATE_KEY' });
        keys.add(key.value);
      }
    },
  });
  return repeated;
}

const SYNTAX_SENTENCES: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'has a key twice: keys must be unique',
  MULTIPLE_DOCS: 'must be a single document',
  TAG_RESOLVE_FAILED: 'has a tag, and tags are not understood here',
};

function lineOf(document: Document, lines: LineCounter, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
