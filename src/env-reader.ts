import pg from 'pg';
import { isEmailAddress, networkOf } from './common/formats.js';
import { serversOf } from './database/primary-client.js';
import { parseSender, type Sender } from './mail/mailer.js';
import { needsShell, parseStorageUrl } from './storage/storage-location.js';

/** Minimum number of characters of a signing key. */
export const MIN_SECRET = 32;

/** Parameters of database addresses that the driver supports: it ignores others, such as a misspelt `sslmode`. */
const DATABASE_PARAMETERS = [
  ...['host', 'port', 'user', 'password', 'application_name', 'options', 'target_session_attrs'],
  ...['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation', 'uselibpqcompat'],
];

/** The same for SMTP_URL, and its booleans. */
const SMTP_FLAGS = ['requireTLS', 'ignoreTLS', 'tls.rejectUnauthorized'];
const SMTP_PARAMETERS = [...SMTP_FLAGS, 'tls.servername', 'name', 'authMethod'];

/** Prefixes of names that no other program uses. */
const OWN_FAMILIES = ['RATE_LIMIT_', 'QUOTA_', 'CONCURRENT_'];
/** Minimum number of characters of a name that others are compared with: short ones resemble those of other programs. */
const COMPARABLE = 8;

/** Origins that browsers may call from; '*' is any. */
export type Origins = readonly (string | RegExp)[] | '*';

/** All errors of the environment, one sentence each. */
export class ConfigError extends Error {
  constructor(readonly errors: readonly string[]) {
    super(`The configuration has ${errors.length === 1 ? 'an error' : 'errors'}:\n- ${errors.join('\n- ')}`);
    this.name = 'ConfigError';
  }
}

/** Collects errors instead of stopping at the first; the fallback value of an error is never used. */
export class EnvReader {
  readonly errors: string[] = [];
  private readonly known = new Set<string>();

  constructor(private readonly env: Record<string, string | undefined>) {}

  text(key: string): string | undefined {
    this.known.add(key);
    const value = this.env[key]?.trim();
    return value === '' ? undefined : value;
  }

  folder(key: string, fallback: string): string {
    const text = this.text(key) ?? fallback;
    if (!needsShell(text)) return text;
    return this.error(`${key} begins with a ~, a $ or a quotation mark, which nothing replaces here`, fallback);
  }

  integer(key: string, fallback: number, min: number, max: number): number {
    const text = this.text(key);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    return this.error(`${key} must be a whole number from ${min} to ${max}`, fallback);
  }

  /** Infinity if disabled. */
  limit(key: string, fallback: number): number {
    const text = this.text(key)?.toLowerCase();
    if (text === undefined) return fallback;
    if (text === 'off') return Infinity;
    if (/^\d{1,12}$/.test(text)) return Number(text) || Infinity;
    return this.error(`${key} must be a whole number from 0 to 999999999999, or off`, fallback);
  }

  flag(key: string, fallback: boolean): boolean {
    const text = this.text(key);
    if (text === undefined) return fallback;
    if (text === '1' || text === 'true') return true;
    if (text === '0' || text === 'false') return false;
    return this.error(`${key} must be 1 or 0`, fallback);
  }

  oneOf<Value extends string>(key: string, values: readonly Value[], fallback: Value): Value {
    const text = this.text(key);
    if (text === undefined) return fallback;
    return values.find((value) => value === text) ?? this.error(`${key} must be one of ${values.join(', ')}`, fallback);
  }

  /** A URL with one of these prefixes and a host after `//`. `href` is as written: parsers differ in escaping. */
  url(key: string, beginnings: readonly string[], { isLocal = false, href = this.text(key) } = {}) {
    if (href === undefined) return undefined;
    const parsed = URL.parse(href);
    const beginning = beginnings.find((each) => href.slice(0, each.length).toLowerCase() === each);
    if (parsed === null || beginning === undefined)
      return this.error(`${key} must be a URL that begins with ${beginnings.join(' or ')}`, undefined);
    if (parsed.hostname === '' && beginning.endsWith('//') && !isLocal)
      return this.error(`${key} must name a host`, undefined);
    if (!isDecodable(parsed))
      return this.error(`${key} has a % that does not begin a percent-encoded character`, undefined);
    return { href, parsed };
  }

  /** With `several`, the address may name several servers, one of which is writable (database/primary-client.ts). */
  database(key: string, { several = true } = {}): string | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    const servers = serversOf(text);
    if (servers.length > 1 && !several) return this.error(`${key} must name one server`, undefined);
    return servers.every((server) => this.server(key, server) !== undefined) ? text : undefined;
  }

  private server(key: string, address: string): string | undefined {
    const url = this.url(key, ['postgres://', 'postgresql://'], { isLocal: true, href: address });
    if (url === undefined) return undefined;
    const { href, parsed } = url;
    if (!this.knowsParameters(key, parsed, DATABASE_PARAMETERS)) return undefined;
    const wanted = parsed.searchParams.get('target_session_attrs') ?? 'primary';
    if (!['primary', 'read-write'].includes(wanted))
      return this.error(`${key} has a target_session_attrs other than primary and read-write`, undefined);
    if ((parsed.hostname === '' && !parsed.searchParams.get('host')) || parsed.pathname.length < 2)
      return this.error(
        `${key} must name a host and a database, as in postgresql://user:password@host:5432/name`,
        undefined,
      );
    try {
      // It reads the certificate files named by the parameters.
      new pg.Client({ connectionString: href });
      return href;
    } catch (error) {
      return this.error(`${key} cannot be used (${(error as Error).message})`, undefined);
    }
  }

  smtp(key: string): string | undefined {
    const url = this.url(key, ['smtp://', 'smtps://']);
    if (url === undefined || !this.knowsParameters(key, url.parsed, SMTP_PARAMETERS)) return undefined;
    const { searchParams: query, pathname } = url.parsed;
    if (!['', '/'].includes(pathname)) return this.error(`${key} has a path, of which nothing takes notice`, undefined);
    const flags = SMTP_FLAGS.filter((flag) => query.has(flag));
    if (flags.some((flag) => !['true', 'false'].includes(query.get(flag) ?? '')))
      return this.error(`${key} must give ${flags.join(', ')} as true or false`, undefined);
    if (query.get('requireTLS') === 'true' && query.get('ignoreTLS') === 'true')
      return this.error(`${key} has both requireTLS and ignoreTLS`, undefined);
    if (query.get('ignoreTLS') === 'true' && url.parsed.protocol === 'smtps:')
      return this.error(`${key} has ignoreTLS, of which smtps: takes no notice`, undefined);
    return url.href;
  }

  /** An unknown one would have no effect, unnoticed. */
  private knowsParameters(key: string, { searchParams: query, href }: URL, known: readonly string[]): boolean {
    if (href.includes('#'))
      return this.error(`${key} has a #, from which on nothing is read: %23 is that character`, false);
    const names = [...query.keys()];
    if (names.every((name, index) => known.includes(name) && names.indexOf(name) === index)) return true;
    return this.error(`${key} knows only the parameters ${known.join(', ')}, each once`, false);
  }

  publicUrl(key: string): string | undefined {
    const url = this.url(key, ['http://', 'https://']);
    if (url === undefined) return undefined;
    const { search, hash, username, password } = url.parsed;
    if (`${search}${hash}${username}${password}` === '' && !/[?#]/.test(url.href)) return url.href;
    return this.error(`${key} must have neither a user name, nor a query, nor a fragment`, undefined);
  }

  storage(key: string, fallback: string): string {
    const text = this.text(key);
    if (text === undefined) return fallback;
    try {
      parseStorageUrl(text);
      return text;
    } catch (error) {
      return this.error(`${key}: ${(error as Error).message}`, fallback);
    }
  }

  sender(key: string, fallback: string): Sender {
    const text = this.text(key) ?? fallback;
    try {
      return parseSender(text);
    } catch (error) {
      return this.error(`${key} ${(error as Error).message}`, { name: '', address: '' });
    }
  }

  secret(key: string, { optional }: { optional: boolean }): string {
    const text = this.text(key);
    if (text === undefined) return optional ? '' : this.error(`${key} is required together with DATABASE_URL`, '');
    return text.length >= MIN_SECRET ? text : this.error(`${key} must have at least ${MIN_SECRET} characters`, '');
  }

  /** `lost` replaces one that the operator no longer has. */
  earlierKeys(key: string): { earlierSecretKeys: string[]; isEarlierKeyLost: boolean } {
    const texts = listIn(this.text(key) ?? '');
    const earlierSecretKeys = texts?.filter((text) => text !== '' && text !== 'lost');
    const isEarlierKeyLost = texts?.includes('lost') === true;
    if (earlierSecretKeys?.every((text) => text.length >= MIN_SECRET)) return { earlierSecretKeys, isEarlierKeyLost };
    return this.error(
      `${key} must be earlier secret keys with commas between, each of ${MIN_SECRET} characters at least; keys that have commas, as in ["first", "second"]`,
      { earlierSecretKeys: [], isEarlierKeyLost },
    );
  }

  mailAddress(key: string): string | undefined {
    const text = this.text(key);
    if (text === undefined || isEmailAddress(text)) return text;
    return this.error(`${key} must be an e-mail address`, undefined);
  }

  networks(key: string, fallback: readonly string[]): readonly string[] {
    const text = this.text(key);
    if (text === undefined) return fallback;
    const networks = text === 'none' ? [] : text.split(',').map((network) => network.trim());
    if (networks.every((network) => network.includes('/') && networkOf(network) !== undefined)) return networks;
    return this.error(`${key} must be none or networks such as 10.20.0.0/16, separated by commas`, []);
  }

  origins(key: string, fallback: Origins): Origins {
    const text = this.text(key);
    if (text === undefined) return fallback;
    if (text === 'none') return [];
    if (text === '*') return '*';
    const origins = text.split(',').map((origin) => origin.trim());
    if (origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)) return origins;
    return this.error(
      `${key} must be *, none or a list of origins such as https://app.example.com, separated by commas`,
      [],
    );
  }

  /** Adds an error for each set variable whose name resembles that of a read one. */
  refuseMisspelt(families: readonly string[] = OWN_FAMILIES): void {
    const known = [...this.known];
    for (const name of Object.keys(this.env)) {
      if (this.known.has(name) || !this.env[name]?.trim()) continue;
      const upper = name.toUpperCase();
      const near = known.find((each) => each === upper || (each.length >= COMPARABLE && isNear(each, upper)));
      if (near !== undefined) this.errors.push(`${name} is no variable of the gateway: ${near} is`);
      else if (families.some((family) => upper.startsWith(family)))
        this.errors.push(`${name} is no variable of the gateway: .env.example has them all`);
    }
  }

  private error<Value>(sentence: string, fallback: Value): Value {
    this.errors.push(sentence);
    return fallback;
  }
}

function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(`${username}${password}${pathname}`);
    return true;
  } catch {
    return false;
  }
}

/** Whether one character is missing, added, different, or moved. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  const others = withOneLess(other);
  return withOneLess(one).some((each) => others.includes(each));
}

function withOneLess(name: string): string[] {
  return [name, ...Array.from(name, (_, at) => name.slice(0, at) + name.slice(at + 1))];
}

/** Comma-separated texts, or a JSON array for texts with commas or surrounding spaces; undefined for another array. */
function listIn(text: string): string[] | undefined {
  if (!text.startsWith('[') || !text.endsWith(']')) return text.split(',').map((each) => each.trim());
  try {
    const list = JSON.parse(text) as unknown[];
    return list.every((each) => typeof each === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}
