import { CHECK_STATUSES } from '../../vocabulary/check-statuses.js';
import { SERIES_SIZES } from '../../vocabulary/series-sizes.js';
import { choice, code, flag, instant, limit, offset, pathId, queryId, sort, text } from '../parameters.js';
import type { Route } from '../route.js';
import { deviceDocuments, type DeviceDocuments } from './device-documents.js';

/** One kind of device as REST speaks of it. */
export interface DeviceNoun {
  /** The segment of its paths (specification 1). */
  segment: string;
  tag: string;
  /** `CloudDefender`: the type, its fragment, and how mutations end. */
  type: string;
  /** `cloudDefender` and `cloudDefenders`: the queries. */
  one: string;
  many: string;
  /** `an edge-protection configuration`, and several. */
  words: string;
  plural: string;
  /** Fragment of its series. */
  series: string;
  /** Where the specification has reading and deleting. */
  readSource: string;
  deleteSource: string;
  /** What the list calls the name of a device. */
  nameField: string;
  /** The demo's deleted configuration of this kind, which may be restored. */
  deletedExample: number;
  examples: { create: object; update: object; report: object; record: object; point: object };
}

/** The routes of one kind: both have the same, each under its own segment and with its own records. */
export function deviceRoutes(noun: DeviceNoun): readonly Route[] {
  const documents = deviceDocuments(noun);
  return [...listRoutes(noun, documents), ...recordRoutes(noun, documents), ...checkRoutes(noun, documents)];
}

/** Listing them, and creating one. */
function listRoutes(noun: DeviceNoun, documents: DeviceDocuments): Route[] {
  const { type, words, plural, examples } = noun;
  const path = pathOf(noun);
  const all = { tag: noun.tag, carrier: 'sofa', source: ADDED } as const;
  return [
    {
      ...all,
      method: 'GET',
      path,
      operationId: `list${type}s`,
      summary: `List ${plural}`,
      description: 'Those of one organization, or of all organizations that the caller can manage.',
      document: documents.list,
      parameters: listParameters(noun),
      errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
      example: examples.record,
    },
    {
      ...all,
      method: 'POST',
      path,
      operationId: `create${type}`,
      summary: `Create ${words}`,
      description: 'Only who manages the organization can.',
      document: documents.create,
      parameters: [],
      body: { input: `Create${type}Input`, example: examples.create },
      created: `${path}/{id}`,
      errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
      example: examples.record,
    },
  ];
}

/** What can be done with one. */
function recordRoutes(noun: DeviceNoun, documents: DeviceDocuments): Route[] {
  const { type, words, examples } = noun;
  const path = pathOf(noun);
  const one = { ...ofOne(noun), example: examples.record };
  return [
    {
      ...one,
      method: 'GET',
      path: `${path}/{id}`,
      operationId: `get${type}`,
      source: noun.readSource,
      summary: `Read ${words}`,
      description: 'Only configurations of organizations that the caller can manage are readable.',
      document: documents.read,
    },
    {
      ...one,
      method: 'PATCH',
      path: `${path}/{id}`,
      operationId: `update${type}`,
      summary: `Change ${words}`,
      description: 'What is absent stays as it is; null empties what may be empty.',
      document: documents.update,
      body: { input: `Update${type}Input`, example: examples.update },
      errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    },
    {
      ...one,
      method: 'DELETE',
      path: `${path}/{id}`,
      operationId: `delete${type}`,
      source: noun.deleteSource,
      summary: `Delete ${words}`,
      description: 'Deletes the configuration softly and returns it. Only who manages its organization can.',
      document: documents.delete,
    },
    {
      ...one,
      method: 'POST',
      path: `${path}/{id}/restore`,
      operationId: `restore${type}`,
      summary: `Restore ${words}`,
      description: 'One that was deleted in the last 30 days; one that is not deleted stays as it is.',
      document: documents.restore,
      parameters: [pathId('id', 'Which configuration.', noun.deletedExample)],
    },
  ];
}

/** What devices report, and what became of it. */
function checkRoutes(noun: DeviceNoun, documents: DeviceDocuments): Route[] {
  const { type, words, examples } = noun;
  const path = pathOf(noun);
  const one = ofOne(noun);
  return [
    {
      ...one,
      method: 'GET',
      path: `${path}/{id}/series`,
      operationId: `get${type}Series`,
      summary: `Read what ${words} reported`,
      description: 'In buckets of an hour or a day in UTC, 2,200 at most. Reports are kept for 90 days.',
      document: documents.series,
      parameters: [...one.parameters, ...SERIES_PARAMETERS],
      errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
      example: { from: FROM, to: TO, bucket: 'HOUR', points: [examples.point] },
    },
    {
      ...one,
      method: 'POST',
      path: `${path}/{id}/checks`,
      operationId: `report${type}Check`,
      summary: `Report checks of ${words}`,
      description: REPORTING,
      document: documents.report,
      body: { input: `Report${type}CheckInput`, example: { reports: [examples.report] } },
      errors: ['NOT_FOUND', 'BAD_USER_INPUT', 'CONFLICT'],
      example: RECEIPT,
    },
  ];
}

function ofOne({ tag }: DeviceNoun) {
  const parameters = [pathId('id', 'Which configuration.')];
  return { tag, carrier: 'sofa', source: ADDED, parameters, errors: ['NOT_FOUND'] } as const satisfies Partial<Route>;
}

function pathOf({ segment }: DeviceNoun): string {
  return `/api/v1/${segment}`;
}

export const ADDED = 'decisions 8';
export const REPORTING =
  'With a token for telemetry of who manages the organization. The same reports again change nothing and are answered alike; another report of the same moment is a conflict, and then nothing is stored.';
export const RECEIPT = { received: 1, newest: '2026-11-20T09:00:00.000Z' };

const FROM = '2026-11-20T09:00:00.000Z';
const TO = '2026-11-20T10:00:00.000Z';

const SERIES_PARAMETERS = [
  instant('from', 'The series begins with the bucket of this moment; seven days before its end when absent.'),
  instant('to', 'The series ends where the bucket before this moment ends; now when absent.'),
  choice('bucket', SERIES_SIZES, 'How long the buckets are; an hour when absent.'),
];

function listParameters({ nameField }: DeviceNoun) {
  return [
    limit,
    offset,
    sort({ id: 'ID', [nameField]: 'NAME', status: 'STATUS', last_seen: 'LAST_SEEN' }, 'id'),
    queryId('organization_id', 'Only those of this organization.'),
    text('search', 'Only those whose names or addresses contain this text, in whatever case.', 'www'),
    code('status', Object.values(CHECK_STATUSES), 'Only those of this `check.status`.'),
    flag('deleted', 'Only deleted ones that may still be restored.'),
  ];
}
