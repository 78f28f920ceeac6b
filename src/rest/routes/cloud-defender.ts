import { cloudDefender, point, report } from '../openapi/device-examples.js';
import { deviceRoutes } from './devices.js';

export const CLOUD_DEFENDER_ROUTES = deviceRoutes({
  segment: 'cloud-defender',
  tag: 'Edge protection',
  type: 'CloudDefender',
  one: 'cloudDefender',
  many: 'cloudDefenders',
  words: 'an edge-protection configuration',
  plural: 'edge-protection configurations',
  series: 'DeviceSeries',
  readSource: 'specification 4.4',
  deleteSource: 'specification 4.5',
  deletedExample: 4,
  nameField: 'fqdn',
  examples: {
    record: cloudDefender,
    create: {
      organization_id: cloudDefender.organization.id,
      email: cloudDefender.email,
      fqdn: cloudDefender.fqdn,
      endpoint: cloudDefender.endpoint,
      services: cloudDefender.services,
    },
    update: { endpoint: '2001:db8::10', services: ['waf'] },
    report: { ...report, stat: { fqdn: 1, proxy: 1, endpoint: 1 } },
    point,
  },
});
