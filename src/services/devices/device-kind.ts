import { randomUUID } from 'node:crypto';
import { properties, type ColumnMap } from '../../database/projection.js';
import { table, type Expression } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import type { AuditSubjectType } from '../../values/audit.js';
import type { Alerts } from '../notifications/notifier.js';

/** Values of a device, by property; the input types have checked every value. */
export type DeviceValues = Readonly<Record<string, unknown>>;

export type ReportTable = 'cloud_defender_check' | 'threat_blocker_check';
export type ReportPart =
  | Extract<keyof Tables['cloud_defender_check'], 'fqdn' | 'proxy' | 'endpoint'>
  | Extract<keyof Tables['threat_blocker_check'], 'vpn' | 'dnsbl' | 'iplist'>;

/** The tables of one kind's reports, and the parts of its `stat` (specification 2.6, 2.7). */
export interface CheckTables {
  reports: ReportTable;
  /** Each is a property and a column. */
  parts: readonly ReportPart[];
  /** Table of the `chart_stat`; only threat blockers have one. */
  traffic?: 'threat_blocker_traffic';
}

/** How the two kinds of devices differ. The device's alias in statements is `d`. */
export interface DeviceKind {
  table: 'cloud_defender' | 'threat_blocker';
  type: 'CloudDefender' | 'ThreatBlocker';
  columns: ColumnMap;
  /** Property by which users identify a device. */
  name: Expression;
  /** Property by which a device identifies itself, if the kind has one. */
  key?: Expression;
  searched: readonly Expression[];
  /** The column of each property that may be written. */
  written: Readonly<Record<string, string>>;
  /** Of these, columns that no audit trail may contain. */
  secret: readonly string[];
  /** Its name in audit trails. */
  subject: AuditSubjectType;
  /** Prefix of links in notifications, and the member's setting for them. */
  notified: { link: string; alerts: Alerts };
  /** Values that the gateway gives a new device. */
  given(): DeviceValues;
  checks: CheckTables;
}

type Written<Name extends keyof Tables> = Readonly<Record<string, keyof Tables[Name]>>;

const edge = table('cloud_defender', 'd');

/** Edge-protection configurations (specification 2.6, 4.4 and 4.5). */
export const CLOUD_DEFENDER: DeviceKind = {
  table: 'cloud_defender',
  type: 'CloudDefender',
  columns: properties(edge, 'email', 'fqdn', 'endpoint', 'services'),
  name: edge.fqdn,
  searched: [edge.fqdn, edge.email, edge.endpoint],
  written: {
    email: 'email',
    fqdn: 'fqdn',
    endpoint: 'endpoint',
    services: 'services',
  } satisfies Written<'cloud_defender'>,
  secret: [],
  subject: 'CLOUD_DEFENDER',
  notified: { link: '/cloud-defender', alerts: 'cloud_defender' },
  given: () => ({}),
  checks: { reports: 'cloud_defender_check', parts: ['fqdn', 'proxy', 'endpoint'] },
};

const blocker = table('threat_blocker', 'd');

/** Threat-blocker configurations (specification 2.7 and 4.6). */
export const THREAT_BLOCKER: DeviceKind = {
  table: 'threat_blocker',
  type: 'ThreatBlocker',
  columns: {
    atbKey: blocker.atb_key,
    type: blocker.type,
    email: blocker.email,
    plugin: { object: { name: blocker.plugin_name, config: blocker.plugin_config } },
    endpoint: blocker.endpoint,
    // The specification's own spelling (2.7).
    privateIP: blocker.private_ip,
    services: blocker.services,
    deviceId: blocker.device_id,
  },
  name: blocker.device_id,
  key: blocker.atb_key,
  searched: [blocker.device_id, blocker.email, blocker.endpoint, blocker.private_ip, blocker.plugin_name],
  written: {
    atbKey: 'atb_key',
    type: 'type',
    email: 'email',
    pluginName: 'plugin_name',
    pluginConfig: 'plugin_config',
    endpoint: 'endpoint',
    privateIP: 'private_ip',
    services: 'services',
    deviceId: 'device_id',
  } satisfies Written<'threat_blocker'>,
  secret: ['atbKey', 'pluginConfig'],
  subject: 'THREAT_BLOCKER',
  notified: { link: '/atb', alerts: 'atb' },
  given: () => ({ atbKey: randomUUID() }),
  checks: {
    reports: 'threat_blocker_check',
    parts: ['vpn', 'dnsbl', 'iplist'],
    traffic: 'threat_blocker_traffic',
  },
};
