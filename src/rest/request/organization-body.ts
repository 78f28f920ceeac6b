import { collected } from '../../common/collected.js';
import { isExact } from '../../common/exact-numbers.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import { shownName } from '../../common/shown-name.js';
import { badUserInput, fileTooLarge } from '../../errors.js';
import { MAX_DEPTH, parseJson, textError, wirePath } from '../../common/json-text.js';
import { type FormPart, readForm } from '../../http/multipart.js';
import { objectIn, type UnreadRequest } from '../../http/request-body.js';
import { LIMITS } from '../../values/limits.js';
import { requireMediaType } from '../../http/media-type.js';
import { bodyTooLarge, MAX_BYTES, readJsonBody } from './json.js';

interface OrganizationBody {
  /** The fields of specification 2.2 as sent: names in REST's spelling, values of whatever type came. */
  fields: Record<string, unknown>;
  /** The file part `logo` of a multipart body, already in memory. */
  logo?: IncomingFile;
}

/** Reads the body of POST /api/v1/organizations (specification 4.1) from JSON or multipart. Throws BAD_USER_INPUT. */
export async function readOrganizationBody(request: UnreadRequest): Promise<OrganizationBody> {
  const type = requireMediaType(request.headers, ['application/json', 'multipart/form-data']);
  if (type === 'application/json') return { fields: objectIn(await readJsonBody(request)) };
  const form = new OrganizationForm();
  const limits = { maxParts: MAX_PARTS, maxOverhead: MAX_BYTES, tooLarge: () => bodyTooLarge(MAX_BYTES) };
  for await (const part of readForm(request, limits)) await form.add(part);
  return form.body();
}

/** All sectors and industries of specification 2.2 in brackets, and hundreds of contacts, domains and addresses. */
const MAX_PARTS = 2000;

/** A part `data` that is one JSON document, or fields `data[…]`; and a file part `logo`. */
class OrganizationForm {
  readonly #errors = new Set<string>();
  readonly #brackets = new BracketFields(this.#errors);
  #hasBrackets = false;
  #document: string | undefined;
  #logo: IncomingFile | undefined;

  async add(part: FormPart): Promise<void> {
    if (part.name === 'logo' && part.isFile) return this.#addLogo(part);
    // A document may be a file part as well: `curl -F 'data=@organization.json'` sends it so.
    if (part.name === 'data') return this.#addDocument(part);
    if (part.isFile || !BracketFields.matches(part.name)) return this.#refuse(part);
    this.#hasBrackets = true;
    this.#brackets.add(part.name, await part.text(MAX_BYTES));
  }

  body(): OrganizationBody {
    if (this.#hasBrackets && this.#document !== undefined) {
      this.#errors.add('data must be either one JSON document or fields in brackets, not both');
    }
    const fields = this.#fields();
    if (this.#errors.size > 0) throw badUserInput([...this.#errors]);
    return this.#logo ? { fields, logo: this.#logo } : { fields };
  }

  #fields(): Record<string, unknown> {
    const bracketed = this.#brackets.value();
    if (this.#document === undefined || this.#errors.size > 0) return bracketed;
    return objectIn(parseJson(Buffer.from(this.#document), { what: 'data', maxDepth: MAX_DEPTH }), 'data');
  }

  async #addDocument(part: FormPart): Promise<void> {
    const text = await part.text(MAX_BYTES);
    if (this.#document !== undefined) this.#errors.add('data must not be given twice');
    this.#document = text;
  }

  #refuse({ name }: FormPart): void {
    const isKnown = name === 'logo' || BracketFields.matches(name);
    const wanted = name === 'logo' ? 'must be a file part' : 'must be a text field';
    this.#errors.add(`${shownName(name)} ${isKnown ? wanted : 'is not a known field'}`);
  }

  async #addLogo(part: FormPart): Promise<void> {
    const { maxBytes } = LIMITS.logo;
    const content = await collected(part.content(), maxBytes, () => fileTooLarge(maxBytes));
    if (this.#logo) this.#errors.add('logo must not be given twice');
    // A browser sends an empty file without a name for a file input that was left empty.
    if (content.length === 0 && part.facts.filename === '') return;
    if (content.length === 0) this.#errors.add('logo must not be empty');
    this.#logo = { bytes: bytesOf(content), facts: async () => part.facts };
  }
}

async function* bytesOf(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

type Branch = Map<string, Branch | string>;

/**
 * Gathers form fields in bracket form (`data[contacts][0][email]`, `data[sectors][]`) into the JSON they stand for. An
 * object whose names are all numbers is an array; its numbers must run from 0 without gaps, so that an index never
 * buys more memory than its own text. What is wrong is added to `errors`.
 */
class BracketFields {
  readonly #root: Branch = new Map();

  constructor(private readonly errors: Set<string>) {}

  /** True when `name` is in bracket form under `data`. */
  static matches(name: string): boolean {
    return NAME.test(name);
  }

  /** Adds one field of the form; errors of its name or text are added to `errors`. */
  add(name: string, text: string): void {
    const keys = [...name.matchAll(/\[([^[\]]*)\]/g)].map(([, key]) => key!);
    const path = wirePath(keys.map(indexOrName));
    const error = textError(text) ?? keys.map(textError).find(Boolean) ?? this.#place(keys, text);
    if (error) this.errors.add(`${keys.includes('') ? shownName(name) : path} ${error}`);
  }

  /** The fields as JSON would have given them. */
  value(): Record<string, unknown> {
    return Object.fromEntries([...this.#root].map(([name, node]) => [name, this.#read(node, [name])]));
  }

  #place(keys: readonly string[], text: string): string | undefined {
    if (keys.length > MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`;
    let branch = this.#root;
    for (const key of keys.slice(0, -1)) {
      if (key === '') return 'may have empty brackets only at its end';
      const next = branch.get(key) ?? new Map();
      if (typeof next === 'string') return 'must not be both a text and an object';
      branch.set(key, next);
      branch = next;
    }
    if (keys.length === 1 && keys[0] === '') return 'must have a name in its brackets';
    const last = keys.at(-1) === '' ? String(branch.size) : keys.at(-1)!;
    if (branch.has(last)) return 'must not be given twice';
    branch.set(last, text);
    return undefined;
  }

  #read(node: Branch | string, path: readonly (string | number)[]): unknown {
    if (typeof node === 'string') return typedValue(node, path);
    const names = [...node.keys()];
    if (!names.some((name) => INDEX.test(name))) {
      return Object.fromEntries([...node].map(([name, inner]) => [name, this.#read(inner, [...path, name])]));
    }
    const items = names.map((_, index) => node.get(String(index)));
    if (items.every((item) => item !== undefined)) return items.map((item, i) => this.#read(item, [...path, i]));
    this.errors.add(`${wirePath(path)} must have indices that run from 0 without gaps`);
    return undefined;
  }
}

const NAME = /^data(?:\[[^[\]]*\])+$/;
const INDEX = /^\d+$/;

function indexOrName(key: string): string | number {
  return INDEX.test(key) && key.length < 16 ? Number(key) : key;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/**
 * A form knows only text. Three fields of specification 2.2 are none, nor is `sandbox`; what does not read as their type stays the text that
 * it is, for the validation to name.
 */
function typedValue(text: string, path: readonly (string | number)[]): unknown {
  const names = path.filter((part) => typeof part === 'string');
  if (text === '' && names.join('.') === 'compliance_frameworks.fields') return {};
  if (path.length === 1 && path[0] === 'number_employees')
    return NUMBER.test(text) && isExact(text) ? Number(text) : text;
  if (path.length === 1 && path[0] === 'sandbox') return BOOLEANS.get(text) ?? text;
  const [field, , name] = path;
  if (path.length === 3 && field === 'contacts' && name === 'email_report') return BOOLEANS.get(text) ?? text;
  return text;
}
