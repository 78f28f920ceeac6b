import type { Access } from '../access/access.js';
import type { Database } from '../database/database.js';
import { CloudDefender } from '../entities/cloud-defender.js';
import { DeviceService, type DeviceKind, type DeviceSettings } from './devices.js';

/** Edge-protection configurations (specification 2.6, 4.4 and 4.5). */
export class CloudDefenderService extends DeviceService {
  constructor(database: Database, access: Access, settings: DeviceSettings) {
    super(database, access, KIND, settings);
  }
}

const KIND: DeviceKind = {
  table: 'cloud_defender',
  columns: { email: 'd.email', fqdn: 'd.fqdn', endpoint: 'd.endpoint', services: 'd.services' },
  searched: ['d.fqdn', 'd.email', 'd.endpoint'],
  checks: {
    reports: 'cloud_defender_check',
    stat: { datetime: 'c.datetime', fqdn: 'c.fqdn', proxy: 'c.proxy', endpoint: 'c.endpoint' },
  },
  markDeleted: (em, id, at) => em.nativeUpdate(CloudDefender, { id, deletedAt: null }, { deletedAt: at }),
};
