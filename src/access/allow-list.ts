import { BlockList, isIP } from 'node:net';

type Family = 'ipv4' | 'ipv6';

/** The networks that a token may be used from. Without any, from anywhere. */
export class AllowList {
  private readonly lists: Record<Family, BlockList> = { ipv4: new BlockList(), ipv6: new BlockList() };

  /** `networks` as `networkOf` has accepted them. */
  constructor(private readonly networks: readonly string[]) {
    for (const text of networks) {
      const { address, prefix, family } = networkOf(text) as Network;
      this.lists[family].addSubnet(address, prefix, family);
    }
  }

  get size(): number {
    return this.networks.length;
  }

  /** An address that is not known is on no list. */
  allows(address: string | undefined): boolean {
    if (this.networks.length === 0) return true;
    const family = address === undefined ? undefined : familyOf(address);
    return family !== undefined && this.lists[family].check(address as string, family);
  }

  /** Whether whoever may call from `networks` calls from nowhere that is not on this list. */
  covers(networks: readonly string[]): boolean {
    if (this.networks.length === 0) return true;
    if (networks.length === 0) return false;
    return networks.every((inner) => this.networks.some((outer) => contains(outer, inner)));
  }
}

export interface Network {
  address: string;
  /** Bits that all of its addresses begin with. */
  prefix: number;
  family: Family;
}

/**
 * Reads an address or a network in CIDR form (RFC 4632, RFC 4291): `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`.
 * Undefined for anything else, IPv4 addresses in IPv6's clothes included: as what they are, they would match nothing.
 */
export function networkOf(text: string): Network | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const family = familyOf(address);
  if (family === undefined || more.length > 0 || MAPPED.test(address)) return undefined;
  const width = WIDTHS[family];
  if (bits === undefined) return { address, prefix: width, family };
  const prefix = /^(?:0|[1-9]\d{0,2})$/.test(bits) ? Number(bits) : Number.NaN;
  return prefix <= width ? { address, prefix, family } : undefined;
}

const WIDTHS: Record<Family, number> = { ipv4: 32, ipv6: 128 };
const MAPPED = /^[0:]*:ffff:/i;

function familyOf(address: string): Family | undefined {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** Networks lie within each other or apart: one address of the smaller tells. */
function contains(outerText: string, innerText: string): boolean {
  const outer = networkOf(outerText) as Network;
  const inner = networkOf(innerText) as Network;
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false;
  const list = new BlockList();
  list.addSubnet(outer.address, outer.prefix, outer.family);
  return list.check(inner.address, inner.family);
}
