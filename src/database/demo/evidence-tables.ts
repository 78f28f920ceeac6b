import { csv } from './file-makers.js';
import type { DemoFile } from './stored-files.js';

const ASSETS = [
  ['asset', 'kind', 'owner', 'place', 'criticality'],
  ['scada-01', 'server', 'Control room', 'Substation north', 'very high'],
  ['scada-02', 'server', 'Control room', 'Substation south', 'very high'],
  ['meter-db', 'database', 'Billing', 'Data centre', 'high'],
  ['portal', 'web application', 'Customer care', 'Cloud', 'high'],
  ['mail', 'service', 'IT', 'Cloud', 'medium'],
  ['eng-ws-07', 'workstation', 'Engineering', 'Substation north', 'high'],
] as const;

const ADDED_LATER = [
  ['hydro-plc-3', 'controller', 'Hydro plant "Alto"', 'Dam, upper gallery', 'very high'],
  ['vpn-gw', 'network device', 'IT', 'Data centre', 'high'],
] as const;

export function assetInventory(edition: 1 | 2): DemoFile {
  return { name: 'asset-inventory.csv', content: csv(edition === 1 ? ASSETS : [...ASSETS, ...ADDED_LATER]) };
}

export function privilegedAccounts(): DemoFile {
  const rows = [
    ['account', 'system', 'holder', 'second_factor', 'decision'],
    ['adm-gferri', 'directory', 'Giulia Ferri', 'yes', 'keep'],
    ['adm-mdeluca', 'cloud', 'Marco De Luca', 'yes', 'keep'],
    ['svc-backup', 'backup', 'service', 'no', 'keep, key rotated'],
    ['adm-contractor2', 'scada-02', 'former contractor', 'no', 'removed'],
  ];
  return { name: 'privileged-accounts-review.csv', content: csv(rows) };
}

/** What happened when, by hours since the organization became aware; negative is before. */
export function incidentTimeline(at: (hoursAfterAware: number) => Date): DemoFile {
  const events: readonly (readonly [number, string, string])[] = [
    [-9.5, 'mail', 'Message with a forged invoice reaches engineering'],
    [-8.7, 'eng-ws-07', 'Macro starts a remote access tool'],
    [-1.2, 'vpn-gw', 'Login from an unusual network, 203.0.113.77'],
    [0, 'monitoring', 'Alarm: many renamed files on eng-ws-07 and eng-ws-08'],
    [0.4, 'network', 'Both workstations separated'],
    [3, 'eng-ws-07', 'Disk image taken'],
    [14, 'CSIRT', 'Early warning sent'],
  ];
  const rows = events.map(([hours, source, event]) => [at(hours).toISOString(), source, event]);
  return { name: 'incident-timeline.csv', content: csv([['time', 'source', 'event'], ...rows]) };
}
