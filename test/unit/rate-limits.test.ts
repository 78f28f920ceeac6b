import { afterEach, expect, test } from '@jest/globals';
import { RateLimits, WINDOW_SECONDS } from '../../src/auth/rate-limits.js';
import { ANONYMOUS } from '../../src/auth/caller.js';
import { pauseAfter } from '../../src/services/webhooks/attempt.js';
import { testConfig } from '../support/gateway.js';

const { rateLimits } = testConfig('', '');
const settings = { ...rateLimits, perToken: { ...rateLimits.perToken, reads: 2 }, failedAuthentication: 2 };

const now = performance.now;
afterEach(() => void (performance.now = now));

/** Sets the clock of the windows. */
function setSeconds(seconds: number): void {
  performance.now = () => 1_000 * seconds;
}

test('a window takes its whole limit until it ends, and the next one begins with all of it', () => {
  const meter = new RateLimits(settings).meter(ANONYMOUS, '192.0.2.1');
  const read = () => meter.charge(['reads', 1]);
  setSeconds(1);
  read();
  read();
  setSeconds(WINDOW_SECONDS);
  expect(read).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', retryAfter: 1 }));
  setSeconds(WINDOW_SECONDS + 1);
  read();
  expect(meter.headers()?.state).toBe(`"reads";r=1;t=${WINDOW_SECONDS}`);
});

test('wrong tokens of an address are forgotten when their window ends', () => {
  const limits = new RateLimits(settings);
  const fail = () => limits.authenticationFailed('192.0.2.1');
  setSeconds(1);
  fail();
  fail();
  expect(limits.isSuspect('192.0.2.1')).toBe(true);
  expect(fail).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', retryAfter: WINDOW_SECONDS }));
  setSeconds(WINDOW_SECONDS + 1);
  expect(limits.isSuspect('192.0.2.1')).toBe(false);
  fail();
});

test('an endpoint is left alone from the third failure in a row on, for five minutes and a fifth at most', () => {
  const failed = { accepted: false, statusCode: 500, error: '', answer: '' };
  expect(pauseAfter(2, failed)).toBe(0);
  expect(pauseAfter(3, failed)).toBeGreaterThanOrEqual(10);
  expect(pauseAfter(30, failed)).toBeLessThanOrEqual(360);
});
