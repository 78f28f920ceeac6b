import { chartStat, cloudDefender, point, report, threatBlocker } from '../openapi/examples.js';
import { routesAbout, type Route, type RouteByExample } from '../route.js';

/** One kind of device as REST speaks of it. */
interface DeviceNoun {
  /** Where its paths begin (specification 1). */
  path: string;
  tag: string;
  /** `CloudDefender`: the type, its view, and how mutations end. */
  type: string;
  /** `cloudDefender`: the query; several are `cloudDefenders`. */
  one: string;
  /** `an edge-protection configuration`, and several. */
  words: string;
  plural: string;
  /** View of its series. */
  series: string;
  /** Where the specification has reading and deleting. */
  readSource: string;
  deleteSource: string;
  /** What the list calls the name of a device. */
  nameField: string;
  /** The demo's deleted configuration of this kind, which may be restored. */
  deletedExample: number;
  examples: { create: object; update: object; report: object; record: object; item: object; point: object };
}

/** The routes of one kind: both have the same, each under its own segment and with its own records. */
function deviceRoutes(noun: DeviceNoun): readonly Route[] {
  const { tag, type, examples } = noun;
  const routes = [...listRoutes(noun), ...recordRoutes(noun), ...checkRoutes(noun)];
  return routesAbout({ tag, examples: { [type]: examples.record } }, routes);
}

/** Listing them, and creating one. */
function listRoutes(noun: DeviceNoun): RouteByExample<string>[] {
  const { path, type, one, words, plural, examples } = noun;
  return [
    {
      method: 'GET',
      path,
      view: `${type}Item`,
      including: { series: type },
      operationId: `list${type}s`,
      summary: `List ${plural}`,
      description: 'Those of one organization, or of all organizations that the caller can manage.',
      data: `${one}s.nodes`,
      parameters: 'limit offset sort organization_id search status deleted',
      acrossOrganizations: true,
      sort: 'id',
      sortNames: { NAME: noun.nameField },
      examples: { search: 'www' },
      errors: ['NOT_FOUND'],
      example: examples.item,
    },
    {
      method: 'POST',
      path,
      operationId: `create${type}`,
      summary: `Create ${words}`,
      description: 'Only who manages the organization can.',
      data: `create${type}.${one}`,
      view: type,
      body: { example: examples.create },
      created: `${path}/{id}`,
      errors: ['NOT_FOUND'],
    },
  ];
}

/** What can be done with one. */
function recordRoutes(noun: DeviceNoun): RouteByExample<string>[] {
  const { path, type, one, words, examples } = noun;
  const all = { view: type, arguments: { id: `${one}Id` } };
  return [
    {
      ...all,
      method: 'GET',
      path: `${path}/{id}`,
      operationId: `get${type}`,
      source: noun.readSource,
      summary: `Read ${words}`,
      description: 'Only configurations of organizations that the caller can manage are readable.',
      data: one,
    },
    {
      ...all,
      method: 'PATCH',
      path: `${path}/{id}`,
      operationId: `update${type}`,
      summary: `Change ${words}`,
      description: 'What is absent stays as it is; null empties what may be empty.',
      data: `update${type}.${one}`,
      body: { example: examples.update },
    },
    {
      ...all,
      method: 'DELETE',
      path: `${path}/{id}`,
      operationId: `delete${type}`,
      source: noun.deleteSource,
      summary: `Delete ${words}`,
      description: 'Deletes the configuration softly and returns it. Only who manages its organization can.',
      data: `delete${type}.${one}`,
    },
    {
      ...all,
      method: 'POST',
      path: `${path}/{id}/restore`,
      operationId: `restore${type}`,
      summary: `Restore ${words}`,
      description: 'One that was deleted in the last 30 days; one that is not deleted stays as it is.',
      data: `restore${type}.${one}`,
      examples: { id: noun.deletedExample },
    },
  ];
}

/** What devices report, and what became of it. */
function checkRoutes(noun: DeviceNoun): RouteByExample<string>[] {
  const { path, type, one, words, series, examples } = noun;
  return [
    {
      method: 'GET',
      path: `${path}/{id}/series`,
      operationId: `get${type}Series`,
      summary: `Read what ${words} reported`,
      description: 'In buckets of an hour or a day in UTC, 2,200 at most. Reports are kept for 90 days at least.',
      data: `${one}.check.series`,
      view: series,
      parameters: 'from to bucket',
      example: { from: FROM, to: TO, bucket: 'HOUR', points: [examples.point] },
    },
    {
      method: 'POST',
      path: `${path}/{id}/checks`,
      operationId: `report${type}Check`,
      summary: `Report checks of ${words}`,
      description: REPORTING,
      data: `report${type}Check.receipt`,
      arguments: { id: `${one}Id` },
      view: 'DeviceReceipt',
      body: { example: { reports: [examples.report] } },
      errors: ['CONFLICT'],
      example: RECEIPT,
    },
  ];
}

const REPORTING =
  'With a token for telemetry of who manages the organization. The same reports again change nothing and are answered alike; another report of the same moment is a conflict, and then nothing is stored.';
const RECEIPT = { received: 1, newest: '2026-11-20T09:00:00.000Z' };

/** As lists show it: without its series. */
function itemOf(record: { check: { stat: object; status: number } }): object {
  const { stat, status } = record.check;
  return { ...record, check: { stat, status } };
}

const FROM = '2026-11-20T09:00:00.000Z';
const TO = '2026-11-20T10:00:00.000Z';

export const CLOUD_DEFENDER_ROUTES = deviceRoutes({
  path: '/api/v1/cloud-defender',
  tag: 'Edge protection',
  type: 'CloudDefender',
  one: 'cloudDefender',
  words: 'an edge-protection configuration',
  plural: 'edge-protection configurations',
  series: 'DeviceSeries',
  readSource: 'specification 4.4',
  deleteSource: 'specification 4.5',
  deletedExample: 4,
  nameField: 'fqdn',
  examples: {
    record: cloudDefender,
    item: itemOf(cloudDefender),
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

const blockerReport = { ...report, stat: { vpn: 1, dnsbl: 1, iplist: 1 }, chart_stat: chartStat };

export const THREAT_BLOCKER_ROUTES = deviceRoutes({
  path: '/api/v1/atb',
  tag: 'Threat blocker',
  type: 'ThreatBlocker',
  one: 'threatBlocker',
  words: 'a threat-blocker configuration',
  plural: 'threat-blocker configurations',
  series: 'ThreatBlockerSeries',
  readSource: 'specification 1',
  deleteSource: 'specification 4.6',
  deletedExample: 3,
  nameField: 'device_id',
  examples: {
    record: threatBlocker,
    item: itemOf(threatBlocker),
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
});

/** What only threat blockers have: each is known by a key. */
export const ATB_KEY_ROUTES = routesAbout({ tag: 'Threat blocker', examples: { ThreatBlocker: threatBlocker } }, [
  {
    method: 'POST',
    path: '/api/v1/atb/{id}/rotate-key',
    operationId: 'rotateAtbKey',
    summary: 'Give a threat-blocker configuration another key',
    description: 'The key before is dead at once. Only who manages the organization can.',
    data: 'rotateAtbKey.threatBlocker',
    arguments: { id: 'threatBlockerId' },
    view: 'ThreatBlocker',
  },
  {
    method: 'POST',
    path: '/api/v1/atb/checks',
    operationId: 'reportThreatBlockerCheckByKey',
    summary: 'Report checks of a threat blocker by its key',
    description: `For a device that knows nothing of itself but its key. ${REPORTING}`,
    data: 'reportThreatBlockerCheckByKey.receipt',
    view: 'DeviceReceipt',
    body: { example: { atb_key: threatBlocker.atb_key, reports: [blockerReport] } },
    errors: ['NOT_FOUND', 'CONFLICT'],
    example: RECEIPT,
  },
]);
