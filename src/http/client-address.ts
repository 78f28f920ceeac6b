import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The address that a request comes from. Each of the `trustProxy` proxies in front has added the address that it was
 * called from to the end of `X-Forwarded-For`; entries before those were written by the client, who may
 * write anything. With no proxy that is believed, only the connection itself counts. Undefined when the entry that
 * counts is no address: the proxy's own must not take its place.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers'> & { socket?: Pick<IncomingMessage['socket'], 'remoteAddress'> },
  trustProxy: number,
): string | undefined {
  const forwarded = headers['x-forwarded-for'];
  const entries = typeof forwarded === 'string' && trustProxy > 0 ? forwarded.split(',').slice(-trustProxy) : [];
  // Fewer entries than proxies: the first entry is the most distant known address.
  return plainAddress(entries.length > 0 ? (entries[0] as string).trim() : (socket?.remoteAddress ?? ''));
}

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
/** Some proxies add the port: `192.0.2.7:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\])(?::\d+)?$/;

/** Without port, zone, and the prefix that a socket for both families gives to IPv4 addresses. */
function plainAddress(text: string): string | undefined {
  const [, v4, v6] = WITH_PORT.exec(text) ?? [];
  const address = (v4 ?? v6 ?? text).replace(/%.*$/s, '').replace(MAPPED_IPV4, '');
  return isIP(address) === 0 ? undefined : address;
}
