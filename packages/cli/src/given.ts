import { parseArgs } from 'node:util';
import { UsageError } from './errors.js';

export interface Option {
  help: string;
  /** Placeholder of its value, such as `DAY`; absent for a switch. */
  value?: string;
  isRepeatable?: boolean;
}

/** The parts of a command that its arguments are parsed by. */
export interface Callable {
  /** The words that select it. */
  name: string;
  options: Readonly<Record<string, Option>>;
  /** Whether it works offline: an address would be ignored. */
  isLocal?: true;
}

const ADDRESS: Option = {
  value: 'ADDRESS',
  help: 'the gateway; COMPLIANCE_URL or that of `compliance login` when absent',
};

const COMMON: Readonly<Record<string, Option>> = {
  json: { help: 'write one JSON value on each line, for programs' },
  help: { help: 'show this help' },
};

/** The options of a command, with those of every command. */
export function optionsOf({ options, isLocal }: Callable): Readonly<Record<string, Option>> {
  return { ...options, ...(isLocal !== true && { url: ADDRESS }), ...COMMON };
}

/** The options and arguments after the words of a command. */
export class Given {
  private constructor(
    private readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>,
    readonly positionals: readonly string[],
  ) {}

  static parse(args: readonly string[], command: Callable): Given {
    const options = Object.entries(optionsOf(command)).map(
      ([name, { value, isRepeatable = false }]) =>
        [
          name,
          { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: isRepeatable },
        ] as const,
    );
    if (args.some((arg) => /^--?token\b/.test(arg)))
      throw new UsageError(
        'A token is no argument: other users of this machine can read arguments. Run "compliance login", or set COMPLIANCE_TOKEN',
      );
    try {
      const { values, positionals, tokens } = parseArgs({
        ...{ args: [...args], allowPositionals: true, tokens: true },
        options: Object.fromEntries(options),
      });
      const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
      const twice = names.find((name, at) => typeof values[name] === 'string' && names.indexOf(name) < at);
      // The previous value would be ignored.
      if (twice !== undefined) throw new Error(`Option '--${twice}' is given twice`);
      return new Given(values, positionals);
    } catch (error) {
      const [sentence] = (error as Error).message.split('. ');
      throw new UsageError(`${sentence}. See "compliance ${command.name} --help"`);
    }
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  texts(name: string): string[] {
    return [this.values[name] ?? []].flat().filter((value) => typeof value === 'string');
  }

  has(name: string): boolean {
    return this.values[name] === true;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw new UsageError(`--${name} is missing`);
    return value;
  }

  /** A positive integer. */
  number(name: string): number | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : numberIn(value, `--${name}`);
  }

  /** The arguments; throws unless their number is exact. */
  arguments<Names extends readonly string[]>(...names: Names): { [K in keyof Names]: string } {
    if (this.positionals.length !== names.length)
      throw new UsageError(
        names.length === 0 ? `${this.positionals[0]} is one argument too many` : `It takes ${names.join(' ')}`,
      );
    return [...this.positionals] as { [K in keyof Names]: string };
  }
}

/** A segment of a path; one of dots alone would select another path. */
export function nameIn(text: string, name: string): string {
  if (text === '.' || text === '..') throw new UsageError(`${name} is no name: "${text}"`);
  return text;
}

export function numberIn(text: string, name: string): number {
  const number = Number(text);
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(number))
    throw new UsageError(`${name} is a whole number from 1 to ${Number.MAX_SAFE_INTEGER}, not "${text}"`);
  return number;
}
