import { crc32, deflateRawSync } from 'node:zlib';

/** A file to add to an archive. */
export interface ZipMember {
  name: string;
  content: string | Buffer;
  /** Stored without compression; OpenDocument requires this of its `mimetype`. */
  stored?: boolean;
}

/** A ZIP archive with these members in this order. */
export function zip(members: ZipMember[], comment = ''): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const { local, entry } = packed(member, offset);
    locals.push(local);
    directory.push(entry);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  return Buffer.concat([...locals, central, end, Buffer.from(comment)]);
}

function packed({ name, content, stored }: ZipMember, offset: number): { local: Buffer; entry: Buffer } {
  const plain = Buffer.from(content);
  const data = stored ? plain : deflateRawSync(plain);
  const nameBytes = Buffer.from(name);
  // Version to extract, flags, method, time, date (1980-01-01), checksum, both sizes, name length, no extra field.
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(stored ? 0 : 8, 4);
  common.writeUInt16LE(0x21, 8);
  common.writeUInt32LE(crc32(plain), 10);
  common.writeUInt32LE(data.length, 14);
  common.writeUInt32LE(plain.length, 18);
  common.writeUInt16LE(nameBytes.length, 22);
  const entryEnd = Buffer.alloc(14);
  entryEnd.writeUInt32LE(offset, 10);
  return {
    local: Buffer.concat([Buffer.from('PK\x03\x04'), common, nameBytes, data]),
    entry: Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, entryEnd, nameBytes]),
  };
}
