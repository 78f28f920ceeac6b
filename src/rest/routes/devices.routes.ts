import type { RouteGroup, ViewFields } from '../route.js';

/** One kind of device as REST speaks of it. */
interface DeviceNoun {
  /** Where its paths begin (specification 1). */
  path: string;
  tag: string;
  /** `CloudDefender`: the type, its view, and how mutations end. */
  type: string;
  /** `cloudDefender`: the query; several are `cloudDefenders`. */
  one: string;
  /** The name of a device in the list. */
  nameField: string;
  /** The demo's deleted configuration of this kind, which may be restored. */
  deletedExample: number;
  views: RouteGroup['views'];
  /** Examples of the types and inputs. */
  examples: Readonly<Record<string, object>>;
  sent: { create: object; update: object; report: object; reportOfMany: object };
  /** The fields of the record after the example of a change. */
  updated: object;
}

/** The routes of one kind: both have the same, each under its own segment and with its own records. */
function deviceRoutes(noun: DeviceNoun): RouteGroup {
  const { path, tag, type, one, views, examples, sent } = noun;
  const named = { arguments: { id: `${one}Id` } };
  return {
    tag,
    views,
    examples,
    routes: {
      [`GET ${path}`]: {
        past: true,
        operationId: `list${type}s`,
        data: `${one}s.nodes`,
        view: `${type}Item`,
        including: { series: type },
        parameters: 'organization_id search status deleted',
        acrossOrganizations: true,
        sort: 'id',
        sortNames: { NAME: noun.nameField },
        examples: { search: 'www' },
        errors: ['NOT_FOUND'],
      },
      [`POST ${path}`]: {
        operationId: `create${type}`,
        remarks: 'Only who manages the organization can.',
        data: `create${type}.${one}`,
        body: { example: sent.create },
        created: `${path}/{id}`,
        errors: ['NOT_FOUND'],
      },
      [`GET ${path}/{id}`]: {
        ...named,
        past: true,
        operationId: `get${type}`,
        data: one,
      },
      [`PATCH ${path}/{id}`]: {
        ...named,
        operationId: `update${type}`,
        remarks: 'Null empties what may be empty.',
        data: `update${type}.${one}`,
        body: { example: sent.update },
        example: noun.updated,
      },
      [`DELETE ${path}/{id}`]: {
        ...named,
        operationId: `delete${type}`,
        // Specification 4.5 and 4.6.
        ignoresBody: true,
        remarks: `The answer is what it was.`,
        data: `delete${type}.${one}`,
      },
      [`POST ${path}/{id}/restore`]: {
        ...named,
        operationId: `restore${type}`,
        data: `restore${type}.${one}`,
        examples: { id: noun.deletedExample },
      },
      [`GET ${path}/{id}/series`]: {
        past: 'DEVICE_REPORTS',
        operationId: `get${type}Series`,
        remarks: 'Buckets are those of UTC.',
        data: `${one}.check.series`,
        parameters: 'from to bucket',
      },
      [`POST ${path}/{id}/checks`]: {
        ...named,
        operationId: `report${type}Check`,
        remarks: 'Then nothing is stored.',
        data: `report${type}Check.receipt`,
        body: { example: { reports: [sent.report] } },
        errors: ['CONFLICT'],
      },
      [`POST ${path}/checks/batch`]: {
        operationId: `report${type}Checks`,
        remarks: 'The status is 200 also where reports are refused: each result says what has become of one.',
        data: `report${type}Checks.rows`,
        body: { example: { reports: [{ ...sent.reportOfMany, ...sent.report }] } },
        example: { row: 1, outcome: 'STORED', error: null },
      },
    },
  };
}

const DATETIME = '2026-11-20T09:00:00.000Z';
const WEB_STAT = { waf_protection: 41, total_managed_requests: 15_230 };
const CHART_STAT = [
  { bucket_start: 1_795_161_600, bucket_end: 1_795_165_200, total_requests: 5_120, malicious_requests: 12 },
];

/** A report of either kind, without the state of its parts; and a bucket of a series, as far as both have it. */
const REPORT = { datetime: DATETIME, web_stat: WEB_STAT };
const POINT = { begin: DATETIME, reports: 3, status: 1, ...WEB_STAT };
const SERIES = { from: DATETIME, to: '2026-11-20T10:00:00.000Z', bucket: 'HOUR' };

const SENT_DEFENDER = {
  organization_id: 1,
  email: 'soc@rossi-energia.example',
  fqdn: 'www.rossi-energia.example',
  endpoint: '192.0.2.10',
  services: ['waf', 'cdn'],
};

/** A device; lists show it without its series. */
function cloudDefender(...series: ViewFields): ViewFields {
  const check = [{ stat: 'CloudDefenderStat' }, 'status', ...series];
  return ['id', { organization: 'OrganizationSummary' }, 'email fqdn', { check }, 'endpoint services'];
}

function threatBlocker(...series: ViewFields): ViewFields {
  const check = [{ stat: 'ThreatBlockerStat' }, 'status', ...series];
  return [
    'id',
    { organization: 'OrganizationSummary' },
    'atbKey type email',
    { check, plugin: ['name config'] },
    'endpoint privateIP services deviceId',
  ];
}

export const CLOUD_DEFENDER = deviceRoutes({
  path: '/api/v1/cloud-defender',
  tag: 'Edge protection',
  type: 'CloudDefender',
  one: 'cloudDefender',
  deletedExample: 4,
  nameField: 'fqdn',
  examples: {
    CloudDefender: { id: 1, ...SENT_DEFENDER },
    CloudDefenderCheck: { stat: {}, status: 1, web_stat: [{ datetime: DATETIME, ...WEB_STAT }] },
    CloudDefenderStat: { fqdn: 1, proxy: 1, endpoint: 1, datetime: DATETIME },
    DeviceSeries: { ...SERIES, points: [POINT] },
    DeviceReceipt: { received: 1, newest: DATETIME },
  },
  views: {
    CloudDefender: cloudDefender({ webStat: 'WebStat' }),
    CloudDefenderItem: { of: 'CloudDefender', fields: cloudDefender() },
    CloudDefenderStat: ['fqdn proxy endpoint datetime'],
    WebStat: ['datetime wafProtection totalManagedRequests'],
    DeviceReceipt: ['received newest'],
    DeviceReportRow: ['row outcome', { error: 'RowError' }],
    DeviceSeries: ['from to bucket', { points: 'DevicePoint' }],
    DevicePoint: ['begin reports status wafProtection totalManagedRequests'],
  },
  sent: {
    create: SENT_DEFENDER,
    update: { endpoint: '2001:db8::10', services: ['waf'] },
    report: { ...REPORT, stat: { fqdn: 1, proxy: 1, endpoint: 1 } },
    reportOfMany: { cloud_defender_id: 1 },
  },
  updated: { endpoint: '2001:db8::10', services: ['waf'] },
});

const SENT_BLOCKER = {
  organization_id: 1,
  type: 'gateway',
  email: 'soc@rossi-energia.example',
  plugin: { name: 'firewall', config: { blockLists: ['spam', 'botnet'] } },
  endpoint: '192.0.2.11',
  privateIP: '10.0.0.11',
  services: ['vpn', 'dnsbl'],
  device_id: 'atb-0007',
};
const ATB_KEY_EXAMPLE = '6f1c2a3e-8d4b-4c5d-9e6f-7a8b9c0d1e2f';
const BLOCKER_REPORT = { ...REPORT, stat: { vpn: 1, dnsbl: 1, iplist: 1 }, chart_stat: CHART_STAT };

export const THREAT_BLOCKER = deviceRoutes({
  path: '/api/v1/atb',
  tag: 'Threat blocker',
  type: 'ThreatBlocker',
  one: 'threatBlocker',
  deletedExample: 3,
  nameField: 'device_id',
  examples: {
    ThreatBlocker: { id: 1, atb_key: ATB_KEY_EXAMPLE, ...SENT_BLOCKER },
    ThreatBlockerCheck: {
      stat: {},
      status: 1,
      web_stat: [{ datetime: DATETIME, ...WEB_STAT }],
      chart_stat: CHART_STAT,
    },
    ThreatBlockerStat: { vpn: 1, dnsbl: 1, iplist: 1, datetime: DATETIME },
    ThreatBlockerSeries: { ...SERIES, points: [{ ...POINT, total_requests: 5_120, malicious_requests: 12 }] },
  },
  views: {
    ThreatBlocker: threatBlocker({ webStat: 'WebStat', chartStat: 'ChartStat' }),
    ThreatBlockerItem: { of: 'ThreatBlocker', fields: threatBlocker() },
    ThreatBlockerStat: ['vpn dnsbl iplist datetime'],
    ChartStat: ['bucketStart bucketEnd totalRequests maliciousRequests'],
    ThreatBlockerSeries: ['from to bucket', { points: 'ThreatBlockerPoint' }],
    ThreatBlockerPoint: ['begin reports status wafProtection totalManagedRequests totalRequests maliciousRequests'],
  },
  sent: {
    create: SENT_BLOCKER,
    update: { plugin: { config: { blockLists: ['spam'] } }, privateIP: null },
    report: BLOCKER_REPORT,
    reportOfMany: { atb_key: ATB_KEY_EXAMPLE },
  },
  updated: { plugin: { name: 'firewall', config: { blockLists: ['spam'] } }, privateIP: '' },
});

/** Routes of threat blockers alone: each is known by a key. */
export const ATB_KEY: RouteGroup = {
  tag: 'Threat blocker',
  routes: {
    'POST /api/v1/atb/{id}/rotate-key': {
      operationId: 'rotateAtbKey',
      remarks: 'Only who manages the organization can.',
      data: 'rotateAtbKey.threatBlocker',
      arguments: { id: 'threatBlockerId' },
    },
    'POST /api/v1/atb/checks': {
      operationId: 'reportThreatBlockerCheckByKey',
      data: 'reportThreatBlockerCheckByKey.receipt',
      body: { example: { atb_key: ATB_KEY_EXAMPLE, reports: [BLOCKER_REPORT] } },
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
  },
};
