import { type FileHandle, open } from 'node:fs/promises';
import type { FileKindName } from '../values/file-types.js';
import { bytesAt } from './bytes-at.js';

/** Content of a compound file (MS-CFB): a message, or an old or password-protected office document. */
export type CompoundKind = Extract<FileKindName, 'DOC' | 'XLS' | 'PPT' | 'MSG'> | 'ENCRYPTED';

/** Kinds by the streams of their root. */
const STREAMS: ReadonlyMap<string, CompoundKind> = new Map([
  ['WordDocument', 'DOC'],
  ['Workbook', 'XLS'],
  ['Book', 'XLS'],
  ['PowerPoint Document', 'PPT'],
  ['__properties_version1.0', 'MSG'],
  ['EncryptedPackage', 'ENCRYPTED'],
]);
/** Macros of the document or of an embedded one. */
const MACRO = /^(?:_VBA_PROJECT(?:_CUR)?|VBA|Macros)$/i;

/**
 * Detects the kind from the directory, as office programs do. Undefined for contradictions and documents with macros.
 */
export async function compoundKind(path: string): Promise<CompoundKind | undefined> {
  const handle = await open(path, 'r');
  try {
    const file = await CompoundFile.read(handle);
    const entries = await file?.entries();
    if (!file || !entries || entries.some(({ name }) => MACRO.test(name))) return undefined;
    const [root] = entries;
    if (root?.type !== ROOT) return undefined;
    const inRoot = childrenOf(root, entries);
    const found = new Set(inRoot.map(({ name }) => STREAMS.get(name)).filter((kind) => kind !== undefined));
    const [kind] = found;
    if (found.size !== 1 || (await mayHideMacros(kind, file, root, inRoot))) return undefined;
    return kind;
  } finally {
    await handle.close();
  }
}

/** Excel 4.0 macros are sheets, and those of PowerPoint a record: the directory shows neither. */
async function mayHideMacros(
  kind: CompoundKind | undefined,
  file: CompoundFile,
  root: Entry,
  entries: readonly Entry[],
): Promise<boolean> {
  if (kind !== 'XLS' && kind !== 'PPT') return false;
  for (const entry of entries.filter(({ name }) => STREAMS.get(name) === kind)) {
    const content = await file.content(entry, root);
    if (content === undefined || (kind === 'XLS' ? hasMacroSheet(content) : hasMacroRecord(content))) return true;
  }
  return false;
}

const BOUND_SHEET = 0x85;
const END_OF_GLOBALS = 0x0a;
const PASSWORD = 0x2f;

/** Whether a record of the first part of a workbook (MS-XLS 2.4.28) names a sheet of macros or a module. */
function hasMacroSheet(workbook: Buffer): boolean {
  for (let at = 0; at + 4 <= workbook.length;) {
    const type = workbook.readUInt16LE(at);
    // The rest is encrypted. A project of macros would still be in the directory.
    if (type === END_OF_GLOBALS || type === PASSWORD) return false;
    if (type === BOUND_SHEET && [1, 6].includes(workbook[at + 9] ?? 0)) return true;
    at += 4 + workbook.readUInt16LE(at + 2);
  }
  return false;
}

/** VBAInfoContainer with its VBAInfoAtom (MS-PPT 2.4.10), up to the flag of macros. */
const VBA_INFO = Buffer.from('0f00ff0314000000020000040c000000', 'hex');

function hasMacroRecord(presentation: Buffer): boolean {
  for (let at = presentation.indexOf(VBA_INFO); at !== -1; at = presentation.indexOf(VBA_INFO, at + 1)) {
    if (at + 24 <= presentation.length && presentation.readUInt32LE(at + 20) !== 0) return true;
  }
  return false;
}

interface Entry {
  name: string;
  type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

const ROOT = 5;
const ENTRY_BYTES = 128;
const HEADER_BYTES = 512;
/** Numbers from here on are not sectors. */
const LAST_SECTOR = 0xfffffff9;
/** Shorter streams are in the stream of the root. */
const MINI_LIMIT = 4096;
const MINI_BYTES = 64;
/** The most entries of a directory; a message with hundreds of attachments has some thousand. */
const MAX_ENTRIES = 100_000;

/** Reads chains of sectors; undefined where one does not end or leaves the file. */
class CompoundFile {
  private readonly tables = new Map<number, Buffer>();

  private constructor(
    private readonly handle: FileHandle,
    private readonly sectorBytes: number,
    private readonly sectors: number,
    /** Sectors of the allocation table. */
    private readonly tableSectors: readonly number[],
    private readonly directory: number,
    private readonly miniTable: number,
  ) {}

  static async read(handle: FileHandle): Promise<CompoundFile | undefined> {
    const header = await bytesAt(handle, 0, HEADER_BYTES);
    if (header.length < HEADER_BYTES) return undefined;
    const shift = header.readUInt16LE(30);
    if (shift !== 9 && shift !== 12) return undefined;
    const sectorBytes = 1 << shift;
    const { size } = await handle.stat();
    const sectors = Math.ceil(size / sectorBytes);
    const tableSectors: number[] = [];
    const take = (list: Buffer, count: number) => {
      for (let at = 0; at < count; at += 1) {
        const sector = list.readUInt32LE(at * 4);
        if (sector < LAST_SECTOR) tableSectors.push(sector);
      }
    };
    take(header.subarray(76), 109);
    // Further sectors of the list in files above seven megabytes; each ends with the number of the next.
    const perSector = sectorBytes / 4 - 1;
    for (let next = header.readUInt32LE(68), seen = 0; next < LAST_SECTOR; seen += 1) {
      const list = await bytesAt(handle, (next + 1) * sectorBytes, sectorBytes);
      if (list.length < sectorBytes || seen > sectors) return undefined;
      take(list, perSector);
      next = list.readUInt32LE(perSector * 4);
    }
    const [directory, miniTable] = [header.readUInt32LE(48), header.readUInt32LE(60)];
    return new CompoundFile(handle, sectorBytes, sectors, tableSectors, directory, miniTable);
  }

  async entries(): Promise<Entry[] | undefined> {
    const bytes = await this.chain(this.directory, MAX_ENTRIES * ENTRY_BYTES);
    if (bytes === undefined || bytes.length === 0) return undefined;
    return Array.from({ length: Math.floor(bytes.length / ENTRY_BYTES) }, (_, index) => {
      const entry = bytes.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
      const nameBytes = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 62);
      return {
        name: entry.toString('utf16le', 0, nameBytes),
        type: entry[66] ?? 0,
        left: entry.readUInt32LE(68),
        right: entry.readUInt32LE(72),
        child: entry.readUInt32LE(76),
        start: entry.readUInt32LE(116),
        size: entry.readUInt32LE(120),
      };
    });
  }

  /** The bytes of a stream; a short one is in the stream of the root. */
  async content({ start, size }: Entry, root: Entry): Promise<Buffer | undefined> {
    if (size >= MINI_LIMIT) return this.chain(start, size);
    const [minis, table] = [await this.chain(root.start, root.size), await this.chain(this.miniTable, root.size)];
    if (minis === undefined || table === undefined) return undefined;
    const pieces: Buffer[] = [];
    for (let mini = start; mini < LAST_SECTOR && pieces.length * MINI_BYTES < size;) {
      if ((mini + 1) * 4 > table.length) return undefined;
      pieces.push(minis.subarray(mini * MINI_BYTES, (mini + 1) * MINI_BYTES));
      mini = table.readUInt32LE(mini * 4);
    }
    return Buffer.concat(pieces);
  }

  private async chain(start: number, maxBytes: number): Promise<Buffer | undefined> {
    const most = Math.ceil(maxBytes / this.sectorBytes);
    const runs: { first: number; count: number }[] = [];
    let count = 0;
    for (let sector = start; sector < LAST_SECTOR && count < most; count += 1) {
      const run = runs.at(-1);
      if (run !== undefined && sector === run.first + run.count) run.count += 1;
      else runs.push({ first: sector, count: 1 });
      const next = sector < this.sectors ? await this.next(sector) : undefined;
      if (next === undefined || count > this.sectors) return undefined;
      sector = next;
    }
    const pieces: Buffer[] = [];
    for (const run of runs)
      pieces.push(await bytesAt(this.handle, (run.first + 1) * this.sectorBytes, run.count * this.sectorBytes));
    return Buffer.concat(pieces).subarray(0, maxBytes);
  }

  private async next(sector: number): Promise<number | undefined> {
    const perTable = this.sectorBytes / 4;
    const at = this.tableSectors[Math.floor(sector / perTable)];
    if (at === undefined) return undefined;
    let table = this.tables.get(at);
    if (table === undefined) {
      table = await bytesAt(this.handle, (at + 1) * this.sectorBytes, this.sectorBytes);
      this.tables.set(at, table);
    }
    const place = (sector % perTable) * 4;
    return place + 4 <= table.length ? table.readUInt32LE(place) : undefined;
  }
}

/** The entries of the root itself, without embedded documents. */
function childrenOf(root: Entry, entries: readonly Entry[]): Entry[] {
  const found = new Set<Entry>();
  const open = [root.child];
  while (open.length > 0) {
    const entry = entries[open.pop() ?? -1];
    if (entry === undefined || found.has(entry)) continue;
    found.add(entry);
    open.push(entry.left, entry.right);
  }
  return [...found];
}
