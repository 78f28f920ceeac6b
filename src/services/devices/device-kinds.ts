import { randomUUID } from 'node:crypto';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import type { Database } from '../../database/database.js';
import { table } from '../../database/sql.js';
import { properties } from '../../database/projection.js';
import type { Tables } from '../../entities/index.js';
import type { DeviceKind } from './device-kind.js';
import { DeviceService } from './devices.service.js';

/** The column of each property that may be written. */
type Written<Name extends keyof Tables> = Readonly<Record<string, keyof Tables[Name]>>;

/** Edge-protection configurations (specification 2.6, 4.4 and 4.5). */
export class CloudDefenderService extends DeviceService {
  constructor(database: Database, access: Access, publicUrl: string, now: () => Date) {
    super(database, access, CLOUD_DEFENDER, publicUrl, now);
  }
}

const edge = table('cloud_defender', 'd');

const CLOUD_DEFENDER: DeviceKind = {
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
  given: () => ({}),
  checks: { reports: 'cloud_defender_check', parts: ['fqdn', 'proxy', 'endpoint'] },
};

/** Threat-blocker configurations (specification 2.7 and 4.6). */
export class ThreatBlockerService extends DeviceService {
  constructor(database: Database, access: Access, publicUrl: string, now: () => Date) {
    super(database, access, ATB, publicUrl, now);
  }

  /** Gives the device another key; the one before is dead at once. Throws as `read` does. */
  rotateKey(caller: Caller, id: number, selection: Selection): Promise<object> {
    return this.changes.update(caller, id, ATB.given(), selection, 'DEVICE_KEY_ROTATED');
  }
}

const blocker = table('threat_blocker', 'd');

const ATB: DeviceKind = {
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
  given: () => ({ atbKey: randomUUID() }),
  checks: {
    reports: 'threat_blocker_check',
    parts: ['vpn', 'dnsbl', 'iplist'],
    traffic: 'threat_blocker_traffic',
  },
};
