import { randomUUID } from 'node:crypto';
import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import type { Selection } from '../vocabulary/selection.js';
import type { DeviceKind } from './device-kind.js';
import { DeviceService, type DeviceSettings } from './devices.js';

/** Threat-blocker configurations (specification 2.7 and 4.6). */
export class ThreatBlockerService extends DeviceService {
  constructor(database: Database, access: Access, settings: DeviceSettings) {
    super(database, access, KIND, settings);
  }

  /** Gives the device another key; the one before is dead at once. Throws as `read` does. */
  rotateKey(caller: Caller, id: number, asked: Selection): Promise<object> {
    return this.changes.update(caller, id, KIND.given(), asked);
  }
}

const KIND: DeviceKind = {
  table: 'threat_blocker',
  columns: {
    atbKey: 'd.atb_key',
    type: 'd.type',
    email: 'd.email',
    plugin: { object: { name: 'd.plugin_name', config: 'd.plugin_config' } },
    endpoint: 'd.endpoint',
    // The specification's own spelling (2.7).
    privateIP: 'd.private_ip',
    services: 'd.services',
    deviceId: 'd.device_id',
  },
  name: 'd.device_id',
  searched: ['d.device_id', 'd.email', 'd.endpoint', 'd.private_ip', 'd.plugin_name'],
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
  },
  given: () => ({ atbKey: randomUUID() }),
  checks: {
    reports: 'threat_blocker_check',
    parts: ['vpn', 'dnsbl', 'iplist'],
    traffic: 'threat_blocker_traffic',
  },
  alerts: 'atb',
  noun: 'Threat blocker',
  href: '/atb',
};
