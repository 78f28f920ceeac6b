import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import { createHash, randomUUID } from 'node:crypto';
import { lstat, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './errors.js';

/**
 * The files of names and patterns (`*`, `?`, `**` over folders), each once and in order. Needed for quoted patterns and
 * on Windows; other shells expand them. A name or pattern without a file is an error.
 */
export async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const pattern of patterns) {
    const entry = await orMissing(stat(pattern));
    if (entry?.isDirectory())
      throw new UsageError(`${pattern} is a folder: write '${join(pattern, '**')}' for all files in it`);
    const files = entry?.isFile() ? [pattern] : /[*?]/.test(pattern) ? await matching(pattern) : [];
    if (files.length === 0) throw new UsageError(`There is no file ${pattern}`);
    found.push(...files);
  }
  return [...new Set(found)];
}

async function matching(pattern: string): Promise<string[]> {
  const { root } = parse(pattern);
  const parts = pattern.slice(root.length).split(sep === '\\' ? /[\\/]/ : '/');
  return (await expanded(root, parts)).toSorted();
}

/**
 * The files below a folder that match the parts of a pattern. Links are followed, as in shells; `**` enters no folder
 * that contains it (`above`). Anything that is neither file nor folder is an error: it would be missing.
 */
async function expanded(folder: string, parts: readonly string[], above: readonly string[] = []): Promise<string[]> {
  const [part = '', ...rest] = parts;
  if (part === '**') {
    const here = await realpath(folder || '.');
    if (above.includes(here)) return [];
    const found = await expanded(folder, rest.length === 0 ? ['*'] : rest);
    for (const path of await entriesOf(folder, '*'))
      if (await isFolder(path)) found.push(...(await expanded(path, parts, [...above, here])));
    return found;
  }
  const found: string[] = [];
  for (const path of await entriesOf(folder, part)) {
    if (await isFolder(path)) found.push(...(rest.length === 0 ? [] : await expanded(path, rest)));
    else if (rest.length === 0) found.push(await requireFile(path));
  }
  return found;
}

/** Entries of a folder that match one part of a pattern; hidden ones only if the part begins with a dot. */
async function entriesOf(folder: string, part: string): Promise<string[]> {
  if (!/[*?]/.test(part)) {
    const path = join(folder, part);
    return (await orMissing(lstat(path))) === undefined ? [] : [path];
  }
  const text = part
    .replaceAll(/[\\^$+.()|[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${/^[*?]/.test(part) ? '(?!\\.)' : ''}${text}$`, 'su');
  const names = await readdir(folder || '.');
  return names.filter((name) => expression.test(name)).map((name) => join(folder, name));
}

async function isFolder(path: string): Promise<boolean> {
  return (await orMissing(stat(path)))?.isDirectory() === true;
}

async function requireFile(path: string): Promise<string> {
  if ((await orMissing(stat(path)))?.isFile()) return path;
  throw new UsageError(`${path} is neither a file nor a link to one: remove it, or name the files without it`);
}

/** Undefined if the file does not exist or is a broken link. */
function orMissing(found: Promise<Stats>): Promise<Stats | undefined> {
  return found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}

/** Stores a response as a file once it is complete and verified; until then the existing file is unchanged. */
export async function save<Checked>(
  file: string,
  request: () => Promise<Response>,
  check: (scratch: string) => Checked | Promise<Checked>,
): Promise<Checked> {
  return replace(file, async (scratch) => {
    const { body } = await request();
    await pipeline(Readable.fromWeb(body!), createWriteStream(scratch, { mode: 0o600 }));
    return check(scratch);
  });
}

/**
 * Writes a temporary file and renames it: after a crash, either the old or the new file is complete. A link remains a
 * link.
 */
export async function replace<Written>(file: string, write: (scratch: string) => Promise<Written>): Promise<Written> {
  const entry = await orMissing(stat(file));
  // A device such as /dev/null would become a file, and the reader of a pipe would receive nothing.
  if (entry?.isFile() === false) throw new UsageError(`${file} is a folder, a device or a pipe: name a file to write`);
  const target = await targetOf(file);
  // Random name, which no file of the user has.
  const scratch = `${target}.${randomUUID()}.new`;
  try {
    const written = await write(scratch);
    await rename(scratch, target);
    return written;
  } catch (error) {
    await rm(scratch, { force: true });
    throw error;
  }
}

/** The path that links lead to, also if there is no file yet. Not normalized: `..` behind a linked folder is its own. */
async function targetOf(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  if (link === undefined) return path;
  return targetOf(isAbsolute(link) ? link : `${dirname(path)}${sep}${link}`);
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
