import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { Composer, isNode, Lexer, LineCounter, Parser, type CST, type Document } from 'yaml';
import type { Path } from '../../errors.js';
import type { EntityType } from '../../values/enums.js';

export interface CatalogControl {
  /** The source's own number, such as `A.5.1` or `21.2.a`: the artifact id of documents. */
  readonly id: string;
  readonly label: string;
  /** The heading above, null at the top. A parent stands before its children. */
  readonly parentId: string | null;
  readonly kind: 'CONTROL' | 'TASK';
  /** Place in the workflow's reading order, from 1 without gaps. */
  readonly position: number;
  /** Which entities under NIS 2 it binds; null means all. */
  readonly entities: readonly EntityType[] | null;
}

export interface CatalogWorkflow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly kind: 'FRAMEWORK' | 'TASK_SET';
  readonly source: string;
  readonly sourceUrl: string | null;
  readonly licence: string;
  readonly remarks: string | null;
  /** In reading order. */
  readonly controls: readonly CatalogControl[];
}

/** What the JSON Schema promises of a valid file. */
export interface WorkflowFile {
  id: string;
  name: string;
  version: string;
  kind?: 'framework' | 'task-set';
  source: { text: string; url?: string };
  licence: string;
  remarks?: string;
  controls: { id: string; label: string; parent?: string; kind: 'control' | 'task'; entities?: EntityType[] }[];
}

/** Everything in it is frozen. */
export function toWorkflow(file: WorkflowFile): CatalogWorkflow {
  const controls = file.controls.map(({ id, label, parent, kind, entities }, index) =>
    Object.freeze({
      id,
      label,
      parentId: parent ?? null,
      kind: kind === 'task' ? ('TASK' as const) : ('CONTROL' as const),
      position: index + 1,
      entities: entities === undefined ? null : Object.freeze([...entities]),
    }),
  );
  return Object.freeze({
    id: file.id,
    name: file.name,
    version: file.version,
    kind: file.kind === 'task-set' ? 'TASK_SET' : 'FRAMEWORK',
    source: file.source.text,
    sourceUrl: file.source.url ?? null,
    licence: file.licence,
    remarks: file.remarks ?? null,
    controls: Object.freeze(controls),
  });
}

/**
 * Ids are unique, every parent precedes its children, so that the tree has no loops, and a control binds no entity that
 * its heading does not bind.
 */
export function treeErrors({ data }: CatalogDocument): CatalogError[] {
  const { controls } = asPartial(data);
  if (!Array.isArray(controls)) return [];
  const bound = new Map<unknown, unknown>();
  return controls.flatMap((control: unknown, index) => {
    const { id, parent, entities } = asPartial(control);
    const errors: CatalogError[] = [];
    const add = (key: string, sentence: string) => errors.push({ path: ['controls', index, key], sentence });
    if (id !== undefined && bound.has(id)) add('id', 'is there twice');
    if (parent !== undefined && !bound.has(parent)) add('parent', 'no control before this one has this id');
    if (!isWithin(entities, bound.get(parent))) add('entities', 'must be among those of the heading');
    bound.set(id, entities);
    return errors;
  });
}

function isWithin(entities: unknown, heading: unknown): boolean {
  if (!Array.isArray(heading)) return true;
  return Array.isArray(entities) && entities.every((entity) => heading.includes(entity));
}

/** One thing that is wrong with a document. */
export interface CatalogError {
  path: Path;
  /** Follows the place; repeats nothing that was sent but a short name. */
  sentence: string;
  /** From 1, where it is not that of the path. */
  line?: number | undefined;
}

/** Data that is not checked yet, with the lines of its parts. */
export interface CatalogDocument {
  /** Undefined when the text is no YAML. */
  data: unknown;
  /** Why the text is no YAML; then nothing else is looked at. */
  syntaxErrors: readonly CatalogError[];
  /** The line of the value at `path`, or of the nearest thing around it; undefined where it never was a text. */
  lineOf(path: Path): number | undefined;
  /** The place of a value in what was sent, where that had another form. */
  originOf?(path: Path): Path;
}

/** Reads YAML, or JSON where the text begins with a brace. Every scalar of YAML is text. Syntax errors are returned. */
export function readCatalogText(text: string): CatalogDocument {
  const lines = new LineCounter();
  try {
    if (/^\s*\{/.test(text)) return catalogDocumentOf(JSON.parse(text));
    const tokens = tokensOf(text, lines);
    if (typeof tokens === 'string') return unreadable(tokens);
    // The failsafe schema reads every scalar as text. Otherwise an unquoted 7.10 would silently become the control 7.1.
    const documents = new Composer({ schema: 'failsafe' }).compose(tokens, true, text.length);
    const document = documents.next().value as Document.Parsed;
    const second = documents.next().value as Document.Parsed | undefined;
    const more = second === undefined ? [] : [{ pos: second.range, code: 'MULTIPLE_DOCS' }];
    const syntaxErrors = [...document.errors, ...more, ...document.warnings].map(({ pos, code }) => ({
      path: [],
      line: lines.linePos(pos[0]).line,
      sentence: SYNTAX_SENTENCES[code] ?? 'is no valid YAML',
    }));
    const data: unknown = syntaxErrors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 });
    return { data, syntaxErrors, lineOf: (path) => lineOf(document, lines, path) };
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable('is no valid JSON');
    // How the library refuses an alias.
    if (error instanceof ReferenceError) return unreadable('must not use aliases');
    throw error;
  }
}

/** Data that came as JSON of its own, and therefore without lines; or why there is none. */
export function catalogDocumentOf(data: unknown, syntaxErrors: readonly CatalogError[] = []): CatalogDocument {
  return { data, syntaxErrors, lineOf: () => undefined };
}

function unreadable(sentence: string): CatalogDocument {
  return catalogDocumentOf(undefined, [{ path: [], sentence }]);
}

/** A test validates the schemas that are shipped: that and optimizing take longer than all checks of a start. */
const AJV = {
  allErrors: true,
  strict: true,
  meta: false,
  validateSchema: false,
  code: { optimize: false },
} as const;

/** A JSON Schema beside the files that it validates; read and compiled for the first of them. */
export class CatalogSchema {
  private isValid: ValidateFunction | undefined;

  constructor(private readonly path: string) {}

  /** All errors, each with its path; those of the syntax alone where it has some. */
  errorsOf({ data, syntaxErrors }: CatalogDocument): readonly CatalogError[] {
    if (syntaxErrors.length > 0) return syntaxErrors;
    this.isValid ??= new Ajv2020(AJV).compile(JSON.parse(readFileSync(this.path, 'utf8')) as object);
    if (this.isValid(data)) return [];
    return (this.isValid.errors ?? []).map((error) => ({
      path: error.instancePath.split('/').slice(1).map(fromPointer),
      sentence: sentenceOf(error),
    }));
  }
}

/** A value of the wrong shape is still checked by the other rules, so that all errors are reported at once. */
export function asPartial(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** A workflow of 2,000 controls has some 50,000 pieces of text, and nothing in it lies deeper than a dozen. */
const MAX_PIECES = 100_000;
const MAX_LEVELS = 40;

/**
 * Building a document recurses once a level, which can end the process, and a megabyte of brackets takes seconds and a
 * gigabyte. So pieces and levels are counted first, in steps that do not recurse. A sentence where there are too many.
 */
function tokensOf(text: string, lines: LineCounter): CST.Token[] | string {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let pieces = 0;
  lines.addNewLine(0);
  for (const piece of new Lexer().lex(text)) {
    tokens.push(...parser.next(piece));
    if ((pieces += 1) > MAX_PIECES) return 'has more structure than a workflow of 2,000 controls';
    if (parser.stack.length > MAX_LEVELS) return 'is nested too deep';
  }
  return [...tokens, ...parser.end()];
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
