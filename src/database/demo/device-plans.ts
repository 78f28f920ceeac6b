import type { Faring } from './device-reports.js';
import { PLUGIN_CONFIGS } from './plugin-configs.js';

const email = 'soc@valdoria.example.com';

/** A device that reports, by what it is told apart by: its `fqdn`, or its `deviceId`. */
export interface Reporting {
  name: string;
  faring: Faring;
}

// Names and addresses are those that RFC 2606 and RFC 5737 set aside for examples: nobody has a device like these.
export const PORTAL = {
  email,
  fqdn: 'portal.valdoria.example.com',
  endpoint: '192.0.2.10',
  services: ['waf', 'ddos-protection', 'bot-management', 'cdn'],
};
export const WEBSITE = { email, fqdn: 'www.valdoria.example.com', endpoint: '192.0.2.11', services: ['waf', 'cdn'] };
export const STATUS_PAGE = { email, fqdn: 'status.valdoria.example.com', endpoint: '192.0.2.12', services: ['cdn'] };
export const CLOSED_SHOP = { email, fqdn: 'shop.valdoria.example.com', endpoint: '192.0.2.13', services: ['waf'] };
export const TORRESINA_SITE = {
  email: 'paolo.bassi@torresina.example.com',
  fqdn: 'torresina.example.com',
  endpoint: '203.0.113.80',
  services: ['waf'],
};

export const GATEWAY = {
  email,
  type: 'network-gateway',
  endpoint: '198.51.100.24',
  privateIp: '10.20.0.2',
  services: ['vpn', 'dnsbl', 'iplist'],
  deviceId: 'VE-ATB-0001',
  pluginName: 'perimeter',
  pluginConfig: PLUGIN_CONFIGS.perimeter,
};
export const PLUGIN = {
  email,
  type: 'server-plugin',
  endpoint: '192.0.2.11',
  privateIp: '10.20.4.17',
  services: ['dnsbl', 'iplist'],
  deviceId: 'VE-ATB-0002',
  pluginName: 'web-shield',
  pluginConfig: PLUGIN_CONFIGS.webShield,
};
export const RETIRED_GATEWAY = {
  email,
  type: 'network-gateway',
  endpoint: '198.51.100.23',
  privateIp: '10.20.0.1',
  services: ['vpn', 'iplist'],
  deviceId: 'VE-ATB-0000',
  pluginName: 'perimeter',
  pluginConfig: PLUGIN_CONFIGS.perimeter,
};

/** Those that go on reporting for as long as the demo is on; the others are silent, or were deleted. */
export const REPORTING_CLOUD_DEFENDERS: readonly [portal: Reporting, website: Reporting] = [
  { name: PORTAL.fqdn, faring: { seed: 11, requestsAtNoon: 5200 } },
  { name: WEBSITE.fqdn, faring: { seed: 12, requestsAtNoon: 5200, failing: 'endpoint' } },
];
export const REPORTING_THREAT_BLOCKERS: readonly [gateway: Reporting, plugin: Reporting] = [
  { name: GATEWAY.deviceId, faring: { seed: 21, requestsAtNoon: 900 } },
  { name: PLUGIN.deviceId, faring: { seed: 22, requestsAtNoon: 900, failing: 'dnsbl' } },
];
