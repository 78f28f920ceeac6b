import { expect, test } from '@jest/globals';
import { networkKey } from '../../src/auth/rate-limits.js';
import { networkOf } from '../../src/services/audit/personal-values.js';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001::1:2:3:4:5', '2001:0:0:1'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
  ['::1', '0:0:0:0'],
  ['fe80::', 'fe80:0:0:0'],
])('%s is counted as %s', (address, key) => expect(networkKey(address)).toBe(key));

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['::ffff:192.0.2.255', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
])('%s of an unknown person is recorded as %s', (address, network) => expect(networkOf(address)).toBe(network));
