import { BlockList, isIP } from 'node:net';

/**
 * Whether an http URL has a host on the public Internet: a name whose top level is not reserved for local networks,
 * or an address that is globally routed. Names are not resolved.
 */
export function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  // Parsed as in browsers: `0x7f.1`, `2130706433` and full-width digits become `127.0.0.1`.
  const { hostname } = new URL(text);
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) === 4) return !SPECIAL.check(host, 'ipv4');
  // IPv4 in IPv6 (mapped, NAT64) and all local addresses are outside of the global range.
  if (isIP(host) === 6) return GLOBAL.check(host, 'ipv6') && !SPECIAL.check(host, 'ipv6');
  return host.includes('.') && !LOCAL_NAME.test(host);
}

/** RFC 6761, RFC 6762, RFC 8375, `.internal` of ICANN, and similar names common in routers and companies. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/i;

const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');

/** Blocks that are not globally reachable (IANA special-purpose address registries), and multicast. */
const SPECIAL = new BlockList();
for (const [network, prefix] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
  ] as const),
  ...([
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const),
] as const)
  SPECIAL.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  SPECIAL.addSubnet(network, prefix, 'ipv6');
