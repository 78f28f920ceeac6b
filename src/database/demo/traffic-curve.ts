/** One hour of a device's traffic. */
export interface TrafficHour {
  begin: Date;
  end: Date;
  requests: number;
  malicious: number;
}

const HOUR = 60 * 60 * 1000;

/**
 * The last `hours` whole hours before `end`, oldest first: busy by day, quiet by night and at the weekend, with noise
 * and now and then an attack. An hour of one `seed` is the same whenever it is told: a curve that ends later goes on
 * where this one ends.
 */
export function trafficCurve(seed: number, end: Date, hours: number, requestsAtNoon: number): TrafficHour[] {
  return Array.from({ length: hours }, (_, index) => {
    const begin = new Date(end.getTime() - (hours - index) * HOUR);
    const random = randomOf(seed * 1_000_003 + begin.getTime() / HOUR);
    const usual = requestsAtNoon * shareOf(begin) * (0.85 + 0.3 * random());
    const attack = random() < 0.03 ? requestsAtNoon * (0.5 + random()) : 0;
    const malicious = Math.round(usual * (0.01 + 0.02 * random()) + attack);
    return { begin, end: new Date(begin.getTime() + HOUR), requests: Math.round(usual) + malicious, malicious };
  });
}

/** From a seventh at three in the morning to all of it at three in the afternoon; Saturday and Sunday bring half. */
function shareOf(begin: Date): number {
  const angle = ((begin.getUTCHours() - 15) / 24) * 2 * Math.PI;
  const weekend = begin.getUTCDay() === 0 || begin.getUTCDay() === 6;
  return (4 / 7 + (3 / 7) * Math.cos(angle)) * (weekend ? 0.5 : 1);
}

/** Numbers from 0 to 1 that only look random (a mixed counter, after "mulberry32"). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
