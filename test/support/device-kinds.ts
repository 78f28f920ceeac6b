import type { Operation } from './apis.js';
import type { Database } from '../../src/database/database.js';
import { CLOUD_DEFENDER, THREAT_BLOCKER, type DeviceKind } from '../../src/services/devices/device-kind.js';
import { DeviceService } from '../../src/services/devices/devices.service.js';
import type { DeviceReport } from '../../src/services/devices/device-report-storage.js';
import { anonymousAccess } from './callers.js';
import { buildCloudDefender, buildThreatBlocker } from './test-data.js';

/** The facts of a kind of devices for tests: names, paths, tables, a body. */
export interface TestedKind {
  /** The segment of its paths. */
  segment: 'cloud-defender' | 'atb';
  table: 'cloud_defender' | 'threat_blocker';
  /** Suffix of mutation names. */
  type: 'CloudDefender' | 'ThreatBlocker';
  one: string;
  many: string;
  build: typeof buildCloudDefender;
  /** Stores a report of any time. */
  store(database: Database, id: number, report: TestedReport): Promise<unknown>;
  /** A body with only the required fields, without the organization. */
  least: Record<string, unknown>;
  /** The name of a part, and the state of all parts. */
  part: string;
  stat(state: number): Record<string, number>;
  /** The device name by which the list is sorted. */
  nameField: string;
  /** The alert preference of members, and the beginning of messages. */
  alert: 'alert_cloud_defender' | 'alert_atb';
  noun: string;
}

type TestedReport = Partial<Omit<DeviceReport, 'stat'>> & { datetime: Date; stat: Record<string, number> };

function storing(kind: DeviceKind): TestedKind['store'] {
  return (database, id, report) => {
    const { reports } = new DeviceService(database, anonymousAccess(), kind, '', () => new Date());
    return reports.take(id, [{ webStat: null, chartStat: [], ...report } as DeviceReport]);
  };
}

/** Both kinds of devices, for `describe.each`. */
export const KINDS: readonly TestedKind[] = [
  {
    segment: 'cloud-defender',
    table: 'cloud_defender',
    type: 'CloudDefender',
    one: 'cloudDefender',
    many: 'cloudDefenders',
    build: buildCloudDefender,
    store: storing(CLOUD_DEFENDER),
    least: { email: 'soc@example.com', fqdn: 'www.example.com', endpoint: '192.0.2.1' },
    part: 'proxy',
    stat: (state) => ({ fqdn: 1, proxy: state, endpoint: 0 }),
    nameField: 'fqdn',
    alert: 'alert_cloud_defender',
    noun: 'Edge protection',
  },
  {
    segment: 'atb',
    table: 'threat_blocker',
    type: 'ThreatBlocker',
    one: 'threatBlocker',
    many: 'threatBlockers',
    build: buildThreatBlocker,
    store: storing(THREAT_BLOCKER),
    least: { type: 'gateway', email: 'soc@example.com', endpoint: '192.0.2.1' },
    part: 'vpn',
    stat: (state) => ({ vpn: state, dnsbl: 1, iplist: 0 }),
    nameField: 'device_id',
    alert: 'alert_atb',
    noun: 'Threat blocker',
  },
];

const WEB = 'web_stat: webStat { datetime waf_protection: wafProtection total_managed_requests: totalManagedRequests }';
/** Fields of the organization in the response for a device. */
export const SUMMARY = 'organization { id: databaseId name logo }';
/** All fields of a device of each kind, with REST's names as aliases. */
export const RECORDS = {
  CloudDefender: `id: databaseId ${SUMMARY} email fqdn check { stat { fqdn proxy endpoint datetime } status ${WEB} } endpoint services`,
  ThreatBlocker: `id: databaseId ${SUMMARY} atb_key: atbKey type email check { stat { vpn dnsbl iplist datetime } status ${WEB}
    chart_stat: chartStat { bucket_start: bucketStart bucket_end: bucketEnd total_requests: totalRequests malicious_requests: maliciousRequests } }
    plugin { name config } endpoint privateIP services device_id: deviceId`,
};

/** The operations of both APIs on devices of a kind. */
export function operationsOf({ segment, type, one, many }: Pick<TestedKind, 'segment' | 'type' | 'one' | 'many'>) {
  const path = `/api/v1/${segment}`;
  const names = { id: `${one}Id` };
  const mutation = (verb: string, of = '', fields = `${one} { ${RECORDS[type]} }`) => {
    const name = `${verb}${type}${of}`;
    return `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${fields} } }`;
  };
  return {
    list: {
      rest: `GET ${path}`,
      graphql: `query ($organizationId: ID, $first: Int, $offset: Int, $orderBy: DeviceOrder, $filter: DeviceFilter) {
        ${many}(organizationId: $organizationId, first: $first, offset: $offset, orderBy: $orderBy, filter: $filter) {
          totalCount nodes { ${RECORDS[type]} } } }`,
      at: many,
    },
    read: {
      rest: `GET ${path}/{id}`,
      graphql: `query ($id: ID!) { ${one}(id: $id) { ${RECORDS[type]} } }`,
      at: one,
    },
    create: { rest: `POST ${path}`, graphql: mutation('create'), at: `create${type}.${one}` },
    update: { rest: `PATCH ${path}/{id}`, graphql: mutation('update'), at: `update${type}.${one}`, names },
    remove: { rest: `DELETE ${path}/{id}`, graphql: mutation('delete'), at: `delete${type}.${one}`, names },
    restore: { rest: `POST ${path}/{id}/restore`, graphql: mutation('restore'), at: `restore${type}.${one}`, names },
    report: {
      rest: `POST ${path}/{id}/checks`,
      graphql: mutation('report', 'Check', 'receipt { received newest }'),
      at: `report${type}Check.receipt`,
      names,
    },
  } satisfies Record<string, Operation>;
}
