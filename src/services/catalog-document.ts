import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { Lexer, LineCounter, Parser, type Document, isNode, parseDocument } from 'yaml';

export type Path = readonly (string | number)[];

/** One thing that is wrong with a document. */
export interface CatalogFault {
  path: Path;
  /** From 1; undefined where the document never was a text. */
  line: number | undefined;
  /** Goes on after the place, and repeats nothing that was sent but a short name. */
  sentence: string;
}

/** Data that somebody wrote, not yet judged, with the means to say where something in it stands. */
export interface CatalogDocument {
  /** Undefined when the text is no YAML. */
  data: unknown;
  /** Why the text is no YAML; then nothing else is looked at. */
  syntaxFaults: readonly CatalogFault[];
  /** The line of the value at `path`, or of the nearest thing around it when the value is missing. */
  lineOf(path: Path): number | undefined;
}

/**
 * Reads YAML, or JSON where the text begins with a brace. Every scalar of YAML is text. Never throws: what cannot be
 * read is a fault.
 */
export function readCatalogText(text: string): CatalogDocument {
  const lines = new LineCounter();
  try {
    if (/^\s*\{/.test(text)) return catalogDocumentOf(JSON.parse(text));
    const overwrought = structureFault(text);
    if (overwrought !== undefined) return unreadable(overwrought);
    // The failsafe schema reads every scalar as text. Otherwise an unquoted 7.10 would silently become the control 7.1.
    const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, prettyErrors: false });
    const syntaxFaults = [...document.errors, ...document.warnings].map(({ pos, code }) => ({
      path: [],
      line: lines.linePos(pos[0]).line,
      sentence: SYNTAX_SENTENCES[code] ?? 'is no valid YAML',
    }));
    const data: unknown = syntaxFaults.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 });
    return { data, syntaxFaults, lineOf: (path) => lineOf(document, lines, path) };
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable('is no valid JSON');
    // How the library refuses an alias.
    if (error instanceof ReferenceError) return unreadable('must not use aliases');
    throw error;
  }
}

/** Data that came as JSON of its own, and therefore without lines. */
export function catalogDocumentOf(data: unknown): CatalogDocument {
  return { data, syntaxFaults: [], lineOf: () => undefined };
}

/** A JSON Schema beside the files that it judges. */
export class CatalogSchema {
  private readonly isValid: ValidateFunction;

  constructor(path: string) {
    this.isValid = new Ajv2020({ allErrors: true, strict: true }).compile(JSON.parse(readFileSync(path, 'utf8')));
  }

  /**
   * Every fault at once, each with its path and, where the text is known, its line; empty when the document is as it
   * should be.
   */
  faultsOf(document: CatalogDocument): CatalogFault[] {
    if (this.isValid(document.data)) return [];
    return (this.isValid.errors ?? []).map((error) => {
      const path = error.instancePath.split('/').slice(1).map(fromPointer);
      return { path, line: document.lineOf(path), sentence: sentenceOf(error) };
    });
  }
}

/** `controls[3].label`, or the whole document's name where the path is empty. */
export function placeOf(path: Path, whole: string): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return place.replace(/^\./, '') || whole;
}

/** Lets all faults be told at once: what lacks its shape is still looked through for the other rules. */
export function asPartial(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function unreadable(sentence: string): CatalogDocument {
  return { data: undefined, syntaxFaults: [{ path: [], line: undefined, sentence }], lineOf: () => undefined };
}

/** A workflow of 2,000 controls has some 50,000 pieces of text, and nothing in it lies deeper than a dozen. */
const MAX_PIECES = 100_000;
const MAX_LEVELS = 40;

/**
 * What makes of the pieces a document calls itself for each level, and out of room it can end the process rather than
 * throw; on a megabyte of brackets it spends seconds and a gigabyte. So the pieces are counted first, and the levels as
 * the reader itself keeps them: both steps before that one go without recursion and can be left at any piece.
 */
function structureFault(text: string): string | undefined {
  const parser = new Parser();
  let pieces = 0;
  for (const piece of new Lexer().lex(text)) {
    // Documents come out of here when they end; there is nothing to do with them yet.
    Array.from(parser.next(piece));
    if ((pieces += 1) > MAX_PIECES) return 'has more structure than a workflow of 2,000 controls';
    if (parser.stack.length > MAX_LEVELS) return 'is nested too deep';
  }
  return undefined;
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

function fromPointer(segment: string): string | number {
  return /^\d+$/.test(segment) ? Number(segment) : segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function sentenceOf(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params.additionalProperty);
    return /^\w{1,64}$/.test(key) ? `unknown key ${key}` : 'unknown key';
  }
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  return error.message ?? 'is not valid';
}
