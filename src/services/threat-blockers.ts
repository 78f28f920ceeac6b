import type { Access } from '../access/access.js';
import type { Database } from '../database/database.js';
import { ThreatBlocker } from '../entities/threat-blocker.js';
import { DeviceService, type DeviceKind, type DeviceSettings } from './devices.js';

/** Threat-blocker configurations (specification 2.7 and 4.6). */
export class ThreatBlockerService extends DeviceService {
  constructor(database: Database, access: Access, settings: DeviceSettings) {
    super(database, access, KIND, settings);
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
  searched: ['d.device_id', 'd.email', 'd.endpoint', 'd.private_ip', 'd.plugin_name'],
  checks: {
    reports: 'threat_blocker_check',
    stat: { datetime: 'c.datetime', vpn: 'c.vpn', dnsbl: 'c.dnsbl', iplist: 'c.iplist' },
    traffic: 'threat_blocker_traffic',
  },
  markDeleted: (em, id, at) => em.nativeUpdate(ThreatBlocker, { id, deletedAt: null }, { deletedAt: at }),
};
