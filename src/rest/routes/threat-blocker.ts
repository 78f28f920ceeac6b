import { operation } from '../documents.js';
import { chartStat, point, report, threatBlocker } from '../openapi/device-examples.js';
import { pathId } from '../parameters.js';
import type { Route } from '../route.js';
import { ADDED, deviceRoutes, RECEIPT, REPORTING } from './devices.js';

const ROTATE_ATB_KEY = operation(/* GraphQL */ `
  mutation RotateAtbKey($id: Int!) {
    rotateAtbKey(input: { id: $id }) {
      data: threatBlocker {
        ...ThreatBlocker
      }
    }
  }
`);

const REPORT_BY_KEY = operation(/* GraphQL */ `
  mutation ReportThreatBlockerCheckByKey($input: ReportThreatBlockerCheckByKeyInput!) {
    reportThreatBlockerCheckByKey(input: $input) {
      data: receipt {
        ...DeviceReceipt
      }
    }
  }
`);

const blockerReport = { ...report, stat: { vpn: 1, dnsbl: 1, iplist: 1 }, chart_stat: chartStat };

export const THREAT_BLOCKER_ROUTES: readonly Route[] = [
  ...deviceRoutes({
    segment: 'atb',
    tag: 'Threat blocker',
    type: 'ThreatBlocker',
    one: 'threatBlocker',
    many: 'threatBlockers',
    words: 'a threat-blocker configuration',
    plural: 'threat-blocker configurations',
    series: 'ThreatBlockerSeries',
    readSource: 'specification 1, decisions 8',
    deleteSource: 'specification 4.6',
    deletedExample: 3,
    nameField: 'device_id',
    examples: {
      record: threatBlocker,
      create: {
        organization_id: threatBlocker.organization.id,
        type: threatBlocker.type,
        email: threatBlocker.email,
        plugin: threatBlocker.plugin,
        endpoint: threatBlocker.endpoint,
        privateIP: threatBlocker.privateIP,
        services: threatBlocker.services,
        device_id: threatBlocker.device_id,
      },
      update: { plugin: { config: { blockLists: ['spam'] } }, privateIP: null },
      report: blockerReport,
      point: { ...point, total_requests: 5_120, malicious_requests: 12 },
    },
  }),
  {
    method: 'POST',
    path: '/api/v1/atb/{id}/rotate-key',
    operationId: 'rotateAtbKey',
    source: ADDED,
    tag: 'Threat blocker',
    summary: 'Give a threat-blocker configuration another key',
    description: 'The key before is dead at once. Only who manages the organization can.',
    carrier: 'sofa',
    document: ROTATE_ATB_KEY,
    parameters: [pathId('id', 'Whose key.')],
    errors: ['NOT_FOUND'],
    example: threatBlocker,
  },
  {
    method: 'POST',
    path: '/api/v1/atb/checks',
    operationId: 'reportThreatBlockerCheckByKey',
    source: ADDED,
    tag: 'Threat blocker',
    summary: 'Report checks of a threat blocker by its key',
    description: `For a device that knows nothing of itself but its key. ${REPORTING}`,
    carrier: 'sofa',
    document: REPORT_BY_KEY,
    parameters: [],
    body: {
      input: 'ReportThreatBlockerCheckByKeyInput',
      example: { atb_key: threatBlocker.atb_key, reports: [blockerReport] },
    },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT', 'CONFLICT'],
    example: RECEIPT,
  },
];
