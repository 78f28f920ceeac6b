import { MAX_DEPTH, shownName, textError, wirePath } from './json.js';

type Branch = Map<string, Branch | string>;

/**
 * Gathers form fields in bracket form (`data[contacts][0][email]`, `data[sectors][]`) into the JSON they stand for. An
 * object whose names are all numbers is an array; its numbers must run from 0 without gaps, so that an index never
 * buys more memory than its own text. What is wrong is added to `errors`.
 */
export class BracketFields {
  readonly #root: Branch = new Map();

  constructor(private readonly errors: Set<string>) {}

  /** True when `name` is in bracket form under `data`. */
  static matches(name: string): boolean {
    return NAME.test(name);
  }

  /** Adds one field of the form; what is wrong with its name or text goes to `errors`. */
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
 * A form knows only text. Three fields of specification 2.2 are none; what does not read as their type stays the text that
 * it is, for the validation to name.
 */
function typedValue(text: string, path: readonly (string | number)[]): unknown {
  const names = path.filter((part) => typeof part === 'string');
  if (text === '' && names.join('.') === 'compliance_frameworks.fields') return {};
  if (path.length === 1 && path[0] === 'number_employees') return NUMBER.test(text) ? Number(text) : text;
  const [field, , name] = path;
  if (path.length === 3 && field === 'contacts' && name === 'email_report') return BOOLEANS.get(text) ?? text;
  return text;
}
