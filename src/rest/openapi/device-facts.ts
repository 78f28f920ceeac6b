import { CHECK_STATUSES } from '../../vocabulary/check-statuses.js';
import { LIMITS } from '../../vocabulary/limits.js';
import { ref, type Json } from './json-schema.js';

const MAX = LIMITS.device;
const STATE = { enum: Object.values(CHECK_STATUSES) };
const COUNT = { minimum: 0 };
const SUM = { type: 'integer', format: 'int64', minimum: 0 };

const email = { type: 'string', format: 'email', maxLength: LIMITS.organization.emailCharacters };
const hostname = { type: 'string', format: 'hostname', maxLength: LIMITS.organization.domainCharacters };
const word = { type: 'string', minLength: 1, maxLength: MAX.wordCharacters };
const addresses = [
  { type: 'string', format: 'ipv4' },
  { type: 'string', format: 'ipv6' },
];
const address = { anyOf: addresses };
const services = { maxItems: MAX.services, items: word };

/** A device that has one report may send it alone. */
const reportsOf = (input: string): Json => {
  const report = ref('schemas', input);
  return { anyOf: [{ type: 'array', minItems: 1, maxItems: LIMITS.check.reports, items: report }, report] };
};

/** What is known of fields of devices beyond their GraphQL types. By `Type.field`. */
export const DEVICE_FACTS: Readonly<Record<string, Json>> = {
  'ThreatBlocker.atbKey': { format: 'uuid' },
  'CloudDefenderCheck.status': STATE,
  'ThreatBlockerCheck.status': STATE,
  ...ofTypes(['DevicePoint', 'ThreatBlockerPoint'], {
    status: STATE,
    wafProtection: SUM,
    totalManagedRequests: SUM,
    totalRequests: SUM,
    maliciousRequests: SUM,
  }),
};

/** The same for what is sent. */
export const DEVICE_INPUT_FACTS: Readonly<Record<string, Json>> = {
  ...ofTypes(['CreateCloudDefenderInput', 'UpdateCloudDefenderInput'], {
    email,
    fqdn: hostname,
    endpoint: address,
    services,
  }),
  ...ofTypes(['CreateThreatBlockerInput', 'UpdateThreatBlockerInput'], {
    type: word,
    email,
    endpoint: address,
    privateIP: { anyOf: [...addresses, { enum: ['', null] }] },
    services,
    deviceId: { maxLength: MAX.deviceIdCharacters },
  }),
  'ThreatBlockerPluginInput.name': { maxLength: MAX.wordCharacters },
  'CloudDefenderStatInput.fqdn': STATE,
  'CloudDefenderStatInput.proxy': STATE,
  'CloudDefenderStatInput.endpoint': STATE,
  'ThreatBlockerStatInput.vpn': STATE,
  'ThreatBlockerStatInput.dnsbl': STATE,
  'ThreatBlockerStatInput.iplist': STATE,
  'WebStatInput.wafProtection': COUNT,
  'WebStatInput.totalManagedRequests': COUNT,
  'ChartStatInput.totalRequests': COUNT,
  'ChartStatInput.maliciousRequests': COUNT,
  'ThreatBlockerReportInput.chartStat': { maxItems: LIMITS.check.bucketsPerReport },
  'ReportCloudDefenderCheckInput.reports': reportsOf('CloudDefenderReportInput'),
  'ReportThreatBlockerCheckInput.reports': reportsOf('ThreatBlockerReportInput'),
  'ReportThreatBlockerCheckByKeyInput.atbKey': { format: 'uuid' },
  'ReportThreatBlockerCheckByKeyInput.reports': reportsOf('ThreatBlockerReportInput'),
};

function ofTypes(types: readonly string[], facts: Readonly<Record<string, Json>>): Record<string, Json> {
  return Object.fromEntries(
    types.flatMap((type) => Object.entries(facts).map(([field, fact]) => [`${type}.${field}`, fact])),
  );
}
