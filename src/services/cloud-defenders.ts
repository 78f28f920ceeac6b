import type { Access } from '../access/access.js';
import type { Database } from '../database/database.js';
import type { DeviceKind } from './device-kind.js';
import { DeviceService, type DeviceSettings } from './devices.js';

/** Edge-protection configurations (specification 2.6, 4.4 and 4.5). */
export class CloudDefenderService extends DeviceService {
  constructor(database: Database, access: Access, settings: DeviceSettings) {
    super(database, access, KIND, settings);
  }
}

const KIND: DeviceKind = {
  table: 'cloud_defender',
  columns: { email: 'd.email', fqdn: 'd.fqdn', endpoint: 'd.endpoint', services: 'd.services' },
  name: 'd.fqdn',
  searched: ['d.fqdn', 'd.email', 'd.endpoint'],
  written: { email: 'email', fqdn: 'fqdn', endpoint: 'endpoint', services: 'services' },
  given: () => ({}),
  checks: { reports: 'cloud_defender_check', parts: ['fqdn', 'proxy', 'endpoint'] },
  alerts: 'cloud_defender',
  noun: 'Edge protection',
  href: '/cloud-defender',
};
