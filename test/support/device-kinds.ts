import { buildCloudDefender, buildThreatBlocker } from './test-data.js';

/** What tests of both kinds of devices need to know of each. */
export interface TestedKind {
  /** The segment of its paths. */
  segment: 'cloud-defender' | 'atb';
  table: 'cloud_defender' | 'threat_blocker';
  /** How mutations end. */
  type: 'CloudDefender' | 'ThreatBlocker';
  one: string;
  many: string;
  build: typeof buildCloudDefender;
  /** A body that says only what has to be said, without the organization. */
  least: Record<string, unknown>;
  /** The name of a part, and the state of all parts. */
  part: string;
  stat(state: number): Record<string, number>;
  /** What the list is sorted by as the name of a device. */
  nameField: string;
  /** The alert preference of members, and how messages begin. */
  alert: 'alert_cloud_defender' | 'alert_atb';
  noun: string;
}

export const KINDS: readonly TestedKind[] = [
  {
    segment: 'cloud-defender',
    table: 'cloud_defender',
    type: 'CloudDefender',
    one: 'cloudDefender',
    many: 'cloudDefenders',
    build: buildCloudDefender,
    least: { email: 'soc@example.com', fqdn: 'www.example.com', endpoint: '192.0.2.1' },
    part: 'proxy',
    stat: (state) => ({ fqdn: 1, proxy: state, endpoint: 0 }),
    nameField: 'fqdn',
    alert: 'alert_cloud_defender',
    noun: 'Edge protection',
  },
  {
    segment: 'atb',
    table: 'threat_blocker',
    type: 'ThreatBlocker',
    one: 'threatBlocker',
    many: 'threatBlockers',
    build: buildThreatBlocker,
    least: { type: 'gateway', email: 'soc@example.com', endpoint: '192.0.2.1' },
    part: 'vpn',
    stat: (state) => ({ vpn: state, dnsbl: 1, iplist: 0 }),
    nameField: 'device_id',
    alert: 'alert_atb',
    noun: 'Threat blocker',
  },
];
