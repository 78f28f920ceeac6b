import { allows, toAuditors } from './domain.js';

export const DEVICES = {
  privileges: {
    ...allows('ORGANIZATION_MANAGER', 'read', {
      // Specification 4.4.
      READ_DEVICES: 'Read device configurations.',
    }),
    ...allows('ORGANIZATION_MANAGER', 'write', {
      // Specification 4.5, 4.6.
      MANAGE_DEVICES: 'Create, change, delete and restore device configurations.',
    }),
    ...allows('ORGANIZATION_MANAGER', 'telemetry', {
      REPORT_CHECKS: 'Report the checks of devices, with a token for telemetry.',
    }),
  },
  subjects: {
    CLOUD_DEFENDER: { text: 'An edge-protection device; its number.', path: 'cloud-defender/{id}' },
    THREAT_BLOCKER: { text: 'A threat-blocker device; its number.', path: 'atb/{id}' },
  },
  actions: {
    DEVICE_CREATED: toAuditors('device.created', 'A device was configured.'),
    DEVICE_UPDATED: toAuditors('device.updated', 'The configuration of a device was changed.'),
    DEVICE_DELETED: toAuditors('device.deleted', 'A device was deleted.'),
    DEVICE_RESTORED: toAuditors('device.restored', 'A deleted device was restored.'),
    DEVICE_KEY_ROTATED: toAuditors('device.key_rotated', 'The key of a device was replaced.'),
    DEVICE_STATUS_CHANGED: toAuditors(
      'device.status_changed',
      'A device went down, by its report or by its silence, or is no longer down.',
    ),
  },
} as const;
