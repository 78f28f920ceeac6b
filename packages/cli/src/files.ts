import { createReadStream } from 'node:fs';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError, UsageError } from './errors.js';

/**
 * The files of names and patterns (`*`, `?`, `**` over folders), each once and in order. Shells replace most patterns
 * themselves; where one is quoted, or on Windows, this does. A name or pattern of no file is an error.
 */
export async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const pattern of patterns) {
    const entry = await stat(pattern).catch(() => undefined);
    if (entry?.isDirectory())
      throw new UsageError(`${pattern} is a folder: write '${join(pattern, '**')}' for all files in it`);
    const files = entry?.isFile() ? [pattern] : /[*?]/.test(pattern) ? await matching(pattern) : [];
    if (files.length === 0) throw new UsageError(`There is no file ${pattern}`);
    found.push(...files);
  }
  return [...new Set(found)];
}

async function matching(pattern: string): Promise<string[]> {
  const parts = pattern.split(sep === '\\' ? /[\\/]/ : '/');
  const fixed = parts.findIndex((part) => /[*?]/.test(part));
  const [folder, rest] = [parts.slice(0, fixed).join(sep), parts.slice(fixed)];
  const start = folder === '' && pattern.startsWith('/') ? sep : folder;
  const expression = new RegExp(`^${rest.map(expressionOf).join('')}$`);
  const entries = await readdir(start === '' ? '.' : start, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => expression.test(path.slice(start === '' ? 0 : join(start, sep).length).replaceAll(sep, '/')))
    .toSorted();
}

/** One part of a pattern; names that begin with a point are hidden and match only where the pattern has it. */
function expressionOf(part: string, at: number, parts: readonly string[]): string {
  const isLast = at === parts.length - 1;
  if (part === '**') return isLast ? '(?:(?!\\.)[^/]+/)*(?!\\.)[^/]+' : '(?:(?!\\.)[^/]+/)*';
  const text = part
    .replaceAll(/[\\^$+.()|[\]{}]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  return `${/^[*?]/.test(part) ? '(?!\\.)' : ''}${text}${isLast ? '' : '/'}`;
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

export async function jsonIn(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${file} is no JSON`);
  }
}

/** A checkpoint as a file has it, or hash and position of an entry as a witness has them. */
export async function checkpointIn(said: string): Promise<unknown> {
  const [, hash, position] = /^([0-9a-f]{64})@([1-9]\d{0,15})$/.exec(said) ?? [];
  return hash === undefined ? jsonIn(said) : { hash, position: Number(position) };
}
