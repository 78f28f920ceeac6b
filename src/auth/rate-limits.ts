import { LRUCache } from 'lru-cache';
import { isIPv6 } from 'node:net';
import { entries } from '../common/cache-bounds.js';
import { rateLimited } from '../errors.js';
import type { Caller, ScimCaller } from './caller.js';

/** Whose requests are counted. */
type Counted = Caller | ScimCaller;

/** Policies with their own limits, by their names in headers. */
const RATE_POLICIES = ['reads', 'writes', 'uploads', 'searches', 'graphql'] as const;
export type RatePolicy = (typeof RATE_POLICIES)[number];

/** Costly requests, few of which may be under way for one token. */
export type CostlyRequest = 'uploads' | 'searches' | 'packs';

/** Infinity disables a limit. */
export interface RateLimitSettings {
  /** Points of one token in a window; of one address without a token. */
  perToken: Readonly<Record<RatePolicy, number>>;
  /** Multiple of that for all tokens of one user. */
  perUser: number;
  /** Multiple of that for all callers with a token from one address. */
  perAddress: number;
  /** Requests with a wrong token from one address in a window; further ones are RATE_LIMITED. */
  failedAuthentication: number;
  /** Concurrent requests of one token. */
  concurrent: Readonly<Record<CostlyRequest, number>>;
}

/** Points of one policy. */
export type Charge = readonly [policy: RatePolicy, points: number];

/** The remaining points of a policy. */
interface RateState {
  policy: RatePolicy;
  limit: number;
  remaining: number;
  /** Until the window ends and all points are available again. */
  resetInSeconds: number;
}

export const WINDOW_SECONDS = 60;
const WINDOW = WINDOW_SECONDS * 1000;

/** Subjects that are counted at the same time: beyond, those that were inactive longest restart. */
const MAX_SUBJECTS = 20_000;
const BOUNDS = entries(MAX_SUBJECTS);

/** The points of one subject, from its first request until the window ends. */
class Window {
  readonly used: Record<RatePolicy, number> = { reads: 0, writes: 0, uploads: 0, searches: 0, graphql: 0 };

  constructor(readonly endsAt: number) {}
}

/** A window in which a request counts, and its multiple of a token's limit. */
interface Share {
  window: Window;
  times: number;
}

/**
 * Limits requests in fixed windows of a minute, in the memory of this instance. An entry of an LRU cache for each
 * token, user and address takes a fifth of the time of `rate-limiter-flexible` and, unlike its map with a timer for
 * each key, is bounded.
 */
export class RateLimits {
  private readonly tokens = new LRUCache<number, Window>(BOUNDS);
  private readonly users = new LRUCache<string, Window>(BOUNDS);
  private readonly addresses = new LRUCache<string, Window>(BOUNDS);
  private readonly anonymous = new LRUCache<string, Window>(BOUNDS);
  private readonly failures = new LRUCache<string, { count: number; endsAt: number }>(BOUNDS);
  private readonly underWay = new Map<string, number>();
  /** `RateLimit-Policy` of each policy; absent where it is disabled. */
  readonly policyTexts: ReadonlyMap<RatePolicy, string>;

  constructor(readonly settings: RateLimitSettings) {
    const limited = RATE_POLICIES.filter((policy) => Number.isFinite(settings.perToken[policy]));
    this.policyTexts = new Map(
      limited.map((policy) => [policy, `"${policy}";q=${settings.perToken[policy]};w=${WINDOW_SECONDS}`]),
    );
  }

  /** A meter for the requests of a caller; `address` is undefined where it is unknown. */
  meter(caller: Counted, address: string | undefined): RateMeter {
    return new RateMeter(this, caller, addressKey(address));
  }

  /** Whether the address has reached its limit of wrong tokens. */
  isSuspect(address: string | undefined): boolean {
    const failures = this.failures.get(addressKey(address));
    return (
      failures !== undefined &&
      failures.endsAt > performance.now() &&
      failures.count >= this.settings.failedAuthentication
    );
  }

  /** Counts a wrong token. Throws RATE_LIMITED when the address has sent too many; valid tokens are not affected. */
  authenticationFailed(address: string | undefined): void {
    const key = addressKey(address);
    const now = performance.now();
    let failures = this.failures.get(key);
    if (failures === undefined || failures.endsAt <= now) {
      this.failures.set(key, (failures = { count: 0, endsAt: now + WINDOW }));
    }
    if (failures.count >= this.settings.failedAuthentication) throw rateLimited(secondsUntil(failures.endsAt, now));
    failures.count += 1;
  }

  /** The windows that a request of the caller counts in, narrowest first. */
  sharesOf(caller: Counted, network: string): Share[] {
    const now = performance.now();
    const { perUser, perAddress } = this.settings;
    if (caller.kind === 'scim')
      return [
        { window: windowIn(this.users, `scim ${caller.tokenId}`, now), times: 1 },
        { window: windowIn(this.addresses, network, now), times: perAddress },
      ];
    if (caller.kind !== 'user') return [{ window: windowIn(this.anonymous, network, now), times: 1 }];
    return [
      { window: windowIn(this.tokens, caller.tokenId, now), times: 1 },
      { window: windowIn(this.users, caller.userId, now), times: perUser },
      { window: windowIn(this.addresses, network, now), times: perAddress },
    ];
  }

  /** Counts a costly request of a token; returns a function that ends it. Throws RATE_LIMITED. */
  enter(kind: CostlyRequest, subject: string): () => void {
    const key = `${kind} ${subject}`;
    const count = this.underWay.get(key) ?? 0;
    if (count >= this.settings.concurrent[kind]) throw rateLimited(1);
    this.underWay.set(key, count + 1);
    return () => {
      const left = (this.underWay.get(key) as number) - 1;
      if (left === 0) this.underWay.delete(key);
      else this.underWay.set(key, left);
    };
  }
}

/** The limits of one caller, for one request or one connection. */
export class RateMeter {
  /** Points of the last GraphQL operation. */
  points = 0;
  private readonly charged: Charge[] = [];
  private shares: readonly Share[] = [];
  private readonly places: (() => void)[] = [];

  constructor(
    private readonly limits: RateLimits,
    private readonly caller: Counted,
    private readonly network: string,
  ) {}

  /** Throws RATE_LIMITED without counting. Charges beyond a whole limit are accepted in a fresh window. */
  charge(...charges: readonly Charge[]): void {
    const shares = this.limits.sharesOf(this.caller, this.network);
    this.note(charges, shares);
    for (const { window, times } of shares) {
      for (const [policy, points] of charges) {
        const used = window.used[policy];
        if (used > 0 && points > 0 && used + points > this.limits.settings.perToken[policy] * times)
          this.refuse(window);
      }
    }
    for (const { window } of shares) for (const [policy, points] of charges) window.used[policy] += points;
  }

  /** Counts the cost of a request beyond its first point, once it is known. Throws RATE_LIMITED without counting. */
  chargeMore(policy: RatePolicy, points: number): void {
    const shares = this.limits.sharesOf(this.caller, this.network);
    this.note([[policy, points]], shares);
    for (const { window, times } of shares) {
      const used = window.used[policy];
      if (used > 1 && used + points > this.limits.settings.perToken[policy] * times) this.refuse(window);
    }
    for (const { window } of shares) window.used[policy] += points;
  }

  private note(charges: readonly Charge[], shares: readonly Share[]): void {
    this.charged.push(...charges.filter(([policy]) => !this.isCharged(policy)));
    this.shares = shares;
  }

  /** Counts completed work without refusing it: the next request has fewer points left. */
  count(policy: RatePolicy, points: number): void {
    for (const { window } of this.limits.sharesOf(this.caller, this.network)) window.used[policy] += points;
  }

  isCharged(policy: RatePolicy): boolean {
    return this.charged.some(([charged]) => charged === policy);
  }

  /** Counts one point when none was counted: a refused request counts as well. */
  settle(policy: RatePolicy): void {
    if (this.isCharged(policy)) return;
    this.charged.push([policy, 1]);
    this.shares = this.limits.sharesOf(this.caller, this.network);
    for (const { window } of this.shares) window.used[policy] += 1;
  }

  /** Throws RATE_LIMITED when no points are left; counts nothing. */
  requireLeft(policy: RatePolicy): void {
    const limit = this.limits.settings.perToken[policy];
    for (const { window, times } of this.limits.sharesOf(this.caller, this.network)) {
      if (window.used[policy] < limit * times) continue;
      if (!this.isCharged(policy)) this.charged.push([policy, 0]);
      this.shares = this.limits.sharesOf(this.caller, this.network);
      this.refuse(window);
    }
  }

  /** Counts a costly request of the caller, or of another subject, until `leave`. Throws RATE_LIMITED. */
  enter(kind: CostlyRequest, subject = this.caller.kind === 'user' ? String(this.caller.tokenId) : this.network): void {
    this.places.push(this.limits.enter(kind, subject));
  }

  /** Ends all costly requests of the meter. */
  leave(): void {
    for (const giveBack of this.places.splice(0)) giveBack();
  }

  /** State of each policy that is limited. */
  states(): RateState[] {
    const shares = this.limits.sharesOf(this.caller, this.network);
    return [...this.limits.policyTexts.keys()].map((policy) => this.stateOf(policy, shares));
  }

  /** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11) of the last counted policies. */
  headers(): { policy: string; state: string } | undefined {
    let policies = '';
    let states = '';
    for (const [policy] of this.charged) {
      const text = this.limits.policyTexts.get(policy);
      if (text === undefined) continue;
      const { remaining, resetInSeconds } = this.stateOf(policy, this.shares);
      const separator = policies === '' ? '' : ', ';
      policies += separator + text;
      states += `${separator}"${policy}";r=${remaining};t=${resetInSeconds}`;
    }
    return policies === '' ? undefined : { policy: policies, state: states };
  }

  /** State of the window with the least points left: the token's own, unless its user or address has used more. */
  private stateOf(policy: RatePolicy, shares: readonly Share[]): RateState {
    const limit = this.limits.settings.perToken[policy];
    let remaining = Infinity;
    let endsAt = 0;
    for (const { window, times } of shares) {
      const left = limit * times - window.used[policy];
      if (left >= remaining) continue;
      remaining = left;
      endsAt = window.endsAt;
    }
    const resetInSeconds = secondsUntil(endsAt, performance.now());
    return { policy, limit, remaining: Math.max(remaining, 0), resetInSeconds };
  }

  private refuse({ endsAt }: Window): never {
    throw rateLimited(secondsUntil(endsAt, performance.now()));
  }
}

function addressKey(address: string | undefined): string {
  return address === undefined ? 'unknown' : networkKey(address);
}

function windowIn<Key extends number | string>(windows: LRUCache<Key, Window>, key: Key, now: number): Window {
  let window = windows.get(key);
  if (window === undefined || window.endsAt <= now) windows.set(key, (window = new Window(now + WINDOW)));
  return window;
}

function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000));
}

/** The key by which an address is counted: a customer of a network provider has 64 bits of IPv6 addresses. */
export function networkKey(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('%', 1)[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
