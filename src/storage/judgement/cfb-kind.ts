import type { FileKindName } from '../../vocabulary/file-kinds.js';
import type { FileWindow } from './file-window.js';

const ENTRY_BYTES = 128;
const NONE = 0xffffffff;
const LAST_REGULAR = 0xfffffffa;
/** Sector numbers of the allocation table that the header itself holds. */
const IN_HEADER = 109;
/** A message has some hundred properties; more is a loop, or a file made to keep us busy. */
const MAX_ENTRIES = 4_096;
/** Main streams of other programs' files. */
const FOREIGN = ['WordDocument', 'Workbook', 'Book', 'PowerPoint Document', 'EncryptedPackage'];

/**
 * Tells an Outlook message from the other files in a Compound File container (old Word, Excel and PowerPoint,
 * installers, encrypted documents): the names directly below the root storage decide. A name deeper in does not:
 * a Word file may hold a message.
 */
export async function cfbKind(file: FileWindow): Promise<FileKindName | undefined> {
  const names = await new CompoundFile(file).rootNames();
  if (!names?.has('__properties_version1.0')) return undefined;
  return FOREIGN.some((name) => names.has(name)) ? undefined : 'MSG';
}

interface DirectoryEntry {
  name: string;
  left: number;
  right: number;
  child: number;
}

/** Reads the directory of a Compound File (MS-CFB, version 3 or 4). Each method gives undefined on a broken file. */
class CompoundFile {
  private shift = 9;
  private header = Buffer.alloc(0);
  private directory: number[] = [];

  constructor(private readonly file: FileWindow) {}

  async rootNames(): Promise<Set<string> | undefined> {
    if (!(await this.readHeader())) return undefined;
    const root = await this.entry(0);
    if (!root) return undefined;
    const names = new Set<string>();
    const seen = new Set<number>();
    const pending = [root.child];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      if (id === NONE) continue;
      const entry = await this.entry(id);
      if (!entry || seen.has(id) || seen.size >= MAX_ENTRIES) return undefined;
      seen.add(id);
      names.add(entry.name);
      pending.push(entry.left, entry.right);
    }
    return names;
  }

  private async readHeader(): Promise<boolean> {
    const header = await this.file.at(0, 512);
    if (!header) return false;
    this.header = Buffer.from(header);
    this.shift = header.readUInt16LE(30);
    if (this.shift !== 9 && this.shift !== 12) return false;
    this.directory = [header.readUInt32LE(48)];
    return true;
  }

  private async entry(id: number): Promise<DirectoryEntry | undefined> {
    const perSector = 2 ** this.shift / ENTRY_BYTES;
    const sector = id < MAX_ENTRIES ? await this.directorySector(Math.floor(id / perSector)) : undefined;
    if (sector === undefined) return undefined;
    const bytes = await this.file.at(this.offset(sector) + (id % perSector) * ENTRY_BYTES, ENTRY_BYTES);
    // The length counts bytes, its closing NUL with them.
    const nameBytes = (bytes?.readUInt16LE(64) ?? 0) - 2;
    if (!bytes || nameBytes < 0 || nameBytes > 62) return undefined;
    return {
      name: bytes.toString('utf16le', 0, nameBytes),
      left: bytes.readUInt32LE(68),
      right: bytes.readUInt32LE(72),
      child: bytes.readUInt32LE(76),
    };
  }

  /** The directory is a chain of sectors; it is followed only as far as somebody asks. */
  private async directorySector(index: number): Promise<number | undefined> {
    while (this.directory.length <= index) {
      const next = await this.nextSector(this.directory.at(-1) ?? NONE);
      if (next === undefined) return undefined;
      this.directory.push(next);
    }
    return this.directory[index];
  }

  private async nextSector(sector: number): Promise<number | undefined> {
    const perSector = 2 ** this.shift / 4;
    const isInside = sector <= LAST_REGULAR && this.offset(sector) < this.file.size;
    const table = isInside ? await this.tableSector(Math.floor(sector / perSector)) : undefined;
    return table === undefined ? undefined : this.number(table, sector % perSector);
  }

  /** Where a sector of the allocation table lies: told by the header, then by a chain of further lists. */
  private async tableSector(index: number): Promise<number | undefined> {
    if (index < IN_HEADER) return this.header.readUInt32LE(76 + index * 4);
    const perList = 2 ** this.shift / 4 - 1;
    let list = this.header.readUInt32LE(68);
    for (let skip = Math.floor((index - IN_HEADER) / perList); skip > 0; skip -= 1) {
      const next = await this.number(list, perList);
      if (next === undefined) return undefined;
      list = next;
    }
    return this.number(list, (index - IN_HEADER) % perList);
  }

  private async number(sector: number, index: number): Promise<number | undefined> {
    if (sector > LAST_REGULAR) return undefined;
    return (await this.file.at(this.offset(sector) + index * 4, 4))?.readUInt32LE(0);
  }

  private offset(sector: number): number {
    return (sector + 1) * 2 ** this.shift;
  }
}
