import pg from 'pg';
import { isEmailAddress, networkOf } from './common/formats.js';
import { serversOf } from './database/primary-client.js';
import { parseSender, type Sender } from './mail/mailer.js';
import { parseStorageUrl } from './storage/storage-location.js';

/** Characters of a signing key at least. */
export const MIN_SECRET = 32;

/** Origins that browsers may call from; '*' is any. */
export type Origins = readonly (string | RegExp)[] | '*';

/** All errors of the environment, one sentence each. */
export class ConfigError extends Error {
  constructor(readonly errors: readonly string[]) {
    super(`The configuration has ${errors.length === 1 ? 'an error' : 'errors'}:\n- ${errors.join('\n- ')}`);
    this.name = 'ConfigError';
  }
}

/** Collects errors instead of stopping at the first; the stand-in value of an error is never used. */
export class EnvReader {
  readonly errors: string[] = [];

  constructor(private readonly env: Record<string, string | undefined>) {}

  text(key: string): string | undefined {
    const value = this.env[key]?.trim();
    return value === '' ? undefined : value;
  }

  integer(key: string, fallback: number, min: number, max: number): number {
    const text = this.text(key);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    return this.error(`${key} must be a whole number from ${min} to ${max}`, fallback);
  }

  /** Infinity where it is switched off. */
  limit(key: string, fallback: number): number {
    const text = this.text(key)?.toLowerCase();
    if (text === undefined) return fallback;
    if (text === 'off' || text === '0') return Infinity;
    const value = Number(text);
    if (/^\d{1,12}$/.test(text)) return value;
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

  /** A URL that begins so, and has a host after `//`. `href` is as it was written: parsers differ in what they escape. */
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

  /** With `several`, the address may name servers of which one takes writes (database/primary-client.ts). */
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
    const wanted = parsed.searchParams.get('target_session_attrs') ?? 'primary';
    if (!['primary', 'read-write'].includes(wanted))
      return this.error(`${key} has a target_session_attrs other than primary and read-write`, undefined);
    if ((parsed.hostname === '' && !parsed.searchParams.get('host')) || parsed.pathname.length < 2)
      return this.error(
        `${key} must name a host and a database, as in postgresql://user:password@host:5432/name`,
        undefined,
      );
    try {
      // It reads the files of certificates that the parameters name.
      new pg.Client({ connectionString: href });
      return href;
    } catch (error) {
      return this.error(`${key} cannot be used (${(error as Error).message})`, undefined);
    }
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

  secrets(key: string): string[] {
    const texts = (this.text(key) ?? '').split(',').map((text) => text.trim());
    const given = texts.filter((text) => text !== '');
    if (given.every((text) => text.length >= MIN_SECRET)) return given;
    return this.error(
      `${key} must be earlier secret keys with commas between, each of ${MIN_SECRET} characters at least`,
      [],
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

  private error<Value>(sentence: string, standIn: Value): Value {
    this.errors.push(sentence);
    return standIn;
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
