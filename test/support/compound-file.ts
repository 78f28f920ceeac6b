const SECTOR = 512;
const MINI = 64;
const END_OF_CHAIN = 0xfffffffe;

/**
 * A Compound File (MS-CFB version 3) whose root storage has these small streams: the container of Outlook messages and
 * of old Office formats. Sectors: 0 allocation table, 1 mini allocation table, mini stream, directory.
 */
export function compoundFile(members: { name: string; content: Buffer }[]): Buffer {
  const streams = members.toSorted(byNameOrder);
  const minis = streams.map(({ content }) => Math.ceil(content.length / MINI));
  const miniStream = padded(Buffer.concat(streams.map(({ content }) => padded(content, MINI))), SECTOR);
  const miniSectors = miniStream.length / SECTOR;
  const entries = [
    rootEntry(miniStream.length, streams.length),
    ...streams.map((stream, at) => streamEntry(stream, at)),
  ];
  streams.forEach((_, at) => entries[at + 1]?.writeUInt32LE(sum(minis.slice(0, at)), 116));
  while (entries.length % 4 !== 0) entries.push(unusedEntry());
  const directory = Buffer.concat(entries);
  const directoryStart = 2 + miniSectors;
  const table = [
    0xfffffffd,
    END_OF_CHAIN,
    ...chain(2, miniSectors),
    ...chain(directoryStart, directory.length / SECTOR),
  ];
  const miniTable = minis.flatMap((count, at) => chain(sum(minis.slice(0, at)), count));
  return Buffer.concat([header(directoryStart), numbers(table), numbers(miniTable), miniStream, directory]);
}

/**
 * The same with one stream in sectors of its own, like streams from 4096 bytes on. Sectors: the allocation table, the
 * further sectors of its list, the stream, then the directory.
 */
export function largeCompoundFile(name: string, content: Buffer, sector: 512 | 4096 = SECTOR): Buffer {
  const perSector = sector / 4;
  const own = Math.ceil(content.length / sector);
  const directory = Buffer.concat([rootEntry(0, 1), streamEntry({ name, content }, 0)]);
  let [tables, lists] = [1, 0];
  while (tables * perSector < tables + lists + own + 1) {
    tables += 1;
    lists = Math.ceil(Math.max(tables - IN_HEADER, 0) / (perSector - 1));
  }
  const start = tables + lists;
  directory.writeUInt32LE(END_OF_CHAIN, 116);
  directory.writeUInt32LE(start, 128 + 116);
  const used = [...Array.from({ length: start }, () => 0xfffffffd), ...chain(start, own), END_OF_CHAIN];
  const table = numbers(used, tables * sector);
  const ids = Array.from({ length: tables }, (_, at) => at);
  const further = Array.from({ length: lists }, (_, at) => {
    const first = IN_HEADER + at * (perSector - 1);
    const bytes = numbers(ids.slice(first, first + perSector - 1), sector);
    bytes.writeUInt32LE(at + 1 < lists ? tables + at + 1 : END_OF_CHAIN, sector - 4);
    return bytes;
  });
  const head = header(start + own);
  head.writeUInt16LE(Math.log2(sector), 30);
  head.writeUInt32LE(END_OF_CHAIN, 60);
  if (lists > 0) head.writeUInt32LE(tables, 68);
  ids.slice(0, IN_HEADER).forEach((id) => head.writeUInt32LE(id, 76 + id * 4));
  return Buffer.concat([padded(head, sector), table, ...further, padded(content, sector), padded(directory, sector)]);
}

/** Number of sectors of the allocation table that fit into the header. */
const IN_HEADER = 109;

function header(directoryStart: number): Buffer {
  const bytes = Buffer.alloc(SECTOR);
  bytes.write('d0cf11e0a1b11ae1', 'hex');
  // Minor and major version, byte order, sector sizes as powers of two.
  [0x3e, 3, 0xfffe, 9, 6].forEach((value, at) => bytes.writeUInt16LE(value, 24 + at * 2));
  bytes.writeUInt32LE(1, 44);
  bytes.writeUInt32LE(directoryStart, 48);
  bytes.writeUInt32LE(4096, 56);
  bytes.writeUInt32LE(1, 60);
  bytes.writeUInt32LE(1, 64);
  bytes.writeUInt32LE(END_OF_CHAIN, 68);
  bytes.fill(0xff, 76);
  bytes.writeUInt32LE(0, 76);
  return bytes;
}

function entry(name: string, type: number): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write(name, 'utf16le');
  bytes.writeUInt16LE(name === '' ? 0 : name.length * 2 + 2, 64);
  bytes.writeUInt8(type, 66);
  bytes.writeUInt8(1, 67);
  bytes.fill(0xff, 68, 80);
  return bytes;
}

function rootEntry(miniStreamSize: number, streamCount: number): Buffer {
  const bytes = entry('Root Entry', 5);
  if (streamCount > 0) bytes.writeUInt32LE(streamCount, 76);
  bytes.writeUInt32LE(2, 116);
  bytes.writeUInt32LE(miniStreamSize, 120);
  return bytes;
}

/** The siblings are linked to the left: a valid tree, if not a balanced one. */
function streamEntry({ name, content }: { name: string; content: Buffer }, at: number): Buffer {
  const bytes = entry(name, 2);
  if (at > 0) bytes.writeUInt32LE(at, 68);
  bytes.writeUInt32LE(content.length, 120);
  return bytes;
}

/** Names are ordered by length first. */
function byNameOrder(a: { name: string }, b: { name: string }): number {
  return a.name.length - b.name.length || (a.name.toUpperCase() < b.name.toUpperCase() ? -1 : 1);
}

function unusedEntry(): Buffer {
  return entry('', 0);
}

function chain(start: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => (at === count - 1 ? END_OF_CHAIN : start + at + 1));
}

function numbers(values: number[], size = SECTOR): Buffer {
  const bytes = Buffer.alloc(size, 0xff);
  values.forEach((value, at) => bytes.writeUInt32LE(value, at * 4));
  return bytes;
}

function padded(bytes: Buffer, unit: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((unit - (bytes.length % unit)) % unit)]);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
