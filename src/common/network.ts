import { isIP } from 'node:net';

export type NetworkFamily = 'ipv4' | 'ipv6';

export interface Network {
  address: string;
  /** Bits that all of its addresses begin with. */
  prefix: number;
  family: NetworkFamily;
}

/**
 * Reads an address or a network in CIDR form (RFC 4632, RFC 4291): `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`.
 * Undefined for anything else, IPv4 addresses written as IPv6 included: as what they are, they would match nothing.
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

const WIDTHS: Record<NetworkFamily, number> = { ipv4: 32, ipv6: 128 };
const MAPPED = /^[0:]*:ffff:/i;

export function familyOf(address: string): NetworkFamily | undefined {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}
