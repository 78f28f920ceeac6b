import type { DeviceReport } from '../../services/report-store.js';
import { CHECK_STATUSES, type CheckStatus } from '../../vocabulary/check-statuses.js';
import { trafficCurve } from './traffic-curve.js';

/** How a device of the demo fares. */
export interface Faring {
  /** Tells its traffic from that of the others. */
  seed: number;
  requestsAtNoon: number;
  /** The part that does not do well; none of a healthy device. */
  failing?: string;
}

/** What devices of one kind report about (specification 2.6, 2.7). */
export interface ReportedKind<Part extends string> {
  table: string;
  /** The column of what its devices are told apart by. */
  name: string;
  parts: readonly Part[];
  /** Whether their traffic is told in buckets as well. */
  buckets: boolean;
}

export const REPORTED = {
  cloudDefender: { table: 'cloud_defender', name: 'fqdn', parts: ['fqdn', 'proxy', 'endpoint'], buckets: false },
  threatBlocker: { table: 'threat_blocker', name: 'device_id', parts: ['vpn', 'dnsbl', 'iplist'], buckets: true },
} as const satisfies Record<string, ReportedKind<string>>;

export interface HourlyReport<Part extends string> extends DeviceReport {
  stat: Readonly<Record<Part, CheckStatus>>;
}

/** Hourly reports, the last of which is of `end`; in the last `failingHours` of them the failing part fails. */
export function hourlyReports<Part extends string>(
  { parts, buckets }: ReportedKind<Part>,
  { seed, requestsAtNoon, failing }: Faring,
  { end, hours, failingHours = hours }: { end: Date; hours: number; failingHours?: number },
): HourlyReport<Part>[] {
  return trafficCurve(seed, end, hours, requestsAtNoon).map((hour, index) => {
    const fails = index >= hours - failingHours;
    const stateOf = (part: Part): CheckStatus =>
      fails && part === failing ? CHECK_STATUSES.DEGRADED : CHECK_STATUSES.HEALTHY;
    const bucket = {
      bucketStart: hour.begin.getTime() / 1000,
      bucketEnd: hour.end.getTime() / 1000,
      totalRequests: hour.requests,
      maliciousRequests: hour.malicious,
    };
    return {
      datetime: hour.end,
      stat: Object.fromEntries(parts.map((part) => [part, stateOf(part)])) as Record<Part, CheckStatus>,
      webStat: { wafProtection: hour.malicious, totalManagedRequests: hour.requests },
      chartStat: buckets ? [bucket] : [],
    };
  });
}
