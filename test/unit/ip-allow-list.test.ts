import { describe, expect, it } from '@jest/globals';
import { IpAllowList } from '../../src/auth/ip-allow-list.js';
import { networkOf } from '../../src/common/formats.js';
import { clientAddress } from '../../src/http/client-address.js';

describe('a network', () => {
  it.each([
    '192.0.2.7',
    '192.0.2.0/24',
    '192.0.2.9/0',
    '192.0.2.7/32',
    '::1',
    '2001:db8::/32',
    '2001:DB8::1/128',
    '::/0',
  ])('may be %s', (text) => expect(networkOf(text)).toBeDefined());

  it.each([
    '',
    ' ',
    '192.0.2',
    '192.0.2.256',
    '192.0.02.1',
    '192.0.2.0/33',
    '192.0.2.0/',
    '192.0.2.0/-1',
    '192.0.2.0/08',
    '192.0.2.0/24/24',
    '192.0.2.0/255.255.255.0',
    '2001:db8::/129',
    '2001:db8::1%eth0',
    '::ffff:192.0.2.1',
    '0:0:0:0:0:ffff:c000:0201/128',
    'example.com',
    '10.0.0.0-10.0.0.9',
  ])('cannot be %j', (text) => expect(networkOf(text)).toBeUndefined());
});

describe('a list of networks', () => {
  const list = new IpAllowList(['192.0.2.0/25', '198.51.100.7', '2001:db8:1::/48']);

  it.each(['192.0.2.0', '192.0.2.127', '198.51.100.7', '2001:db8:1::', '2001:db8:1:ffff:ffff:ffff:ffff:ffff'])(
    'allows %s',
    (address) => expect(list.allows(address)).toBe(true),
  );

  it.each(['192.0.1.255', '192.0.2.128', '198.51.100.6', '198.51.100.8', '2001:db8:2::', '2001:db8:0:ffff::', 'x', ''])(
    'does not allow %j',
    (address) => expect(list.allows(address)).toBe(false),
  );

  it('does not allow an unknown address, unless it is empty', () => {
    expect(list.allows(undefined)).toBe(false);
    expect(new IpAllowList([]).allows(undefined)).toBe(true);
  });

  it('of one family says nothing about the other', () => {
    expect(new IpAllowList(['0.0.0.0/0']).allows('::1')).toBe(false);
    expect(new IpAllowList(['::/0']).allows('192.0.2.1')).toBe(false);
  });

  it.each([
    [['192.0.2.0/25'], true],
    [['192.0.2.64/26', '2001:db8:1:2::/64', '198.51.100.7/32'], true],
    [['192.0.2.0/24'], false],
    [['192.0.2.64/26', '203.0.113.1'], false],
    [['::/0'], false],
    [[], false],
  ])('covers %j: %j', (networks, covered) => expect(list.covers(networks)).toBe(covered));

  it('that is empty covers everything', () => {
    expect(new IpAllowList([]).covers([])).toBe(true);
    expect(new IpAllowList([]).covers(['0.0.0.0/0'])).toBe(true);
  });
});

describe('the address of a client', () => {
  const of = (forwarded: string | undefined, trustProxy: number, remoteAddress: string | undefined = '192.0.2.1') =>
    clientAddress(
      { headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, socket: { remoteAddress } as never },
      trustProxy,
    );

  it.each([
    ['is that of the connection when no proxy is believed', '203.0.113.9', 0, '192.0.2.1'],
    ['is that of the connection when no proxy says more', undefined, 2, '192.0.2.1'],
    ['is what the only proxy was called from', '203.0.113.9', 1, '203.0.113.9'],
    ['is not what the client wrote before the proxies did', '10.0.0.1, 203.0.113.9', 1, '203.0.113.9'],
    ['is what the first of two proxies was called from', '10.0.0.1, 203.0.113.9, 198.51.100.2', 2, '203.0.113.9'],
    ['is the outermost that is there when there are fewer', '203.0.113.9', 3, '203.0.113.9'],
    ['comes without a port', '203.0.113.9:4711', 1, '203.0.113.9'],
    ['comes without a port in brackets', '[2001:db8::1]:4711', 1, '2001:db8::1'],
    ['comes without a zone', 'fe80::1%eth0', 1, 'fe80::1'],
    ['is unknown when the entry that counts is no address', 'unknown, 198.51.100.2', 2, undefined],
    ['is unknown when the entry that counts is empty', ',', 1, undefined],
  ])('%s', (_law, forwarded, trust, address) => expect(of(forwarded, trust)).toBe(address));

  it('is IPv4 as IPv4, on a socket of both families as well', () => {
    expect(of(undefined, 0, '::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(of(undefined, 0, '::1')).toBe('::1');
    expect(clientAddress({ headers: {} }, 0)).toBeUndefined();
  });
});
