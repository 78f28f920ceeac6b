import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { BOM, csvFile, xlsxStream } from '../../common/spreadsheets.js';
import type { GraphQLContext } from '../../http/context.js';
import type { Variables } from '../../graphql/executor.js';
import { preferred } from '../../http/negotiation.js';
import { badUserInput } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { ListDownloadService } from '../../services/audit/list-downloads.service.js';
import { LIMITS } from '../../values/limits.js';
import { showAsOf } from './past.js';
import { sendStreamed } from './answer.js';
import type { ListTable, Row } from '../view/operation.js';
import type { OperationRoute } from '../route.js';
import { guardOf, type StreamAccess } from '../../http/stream-guard.js';

/** Formats of a list besides JSON, by the parameter `format` or by the header `Accept`. */
export const TABLE_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

type TableFormat = keyof typeof TABLE_TYPES;

export type ListDownloads = Pick<ListDownloadService, 'authorize' | 'record'>;

interface WantedTable {
  route: OperationRoute;
  table: ListTable;
  format: TableFormat;
  variables: Variables;
  context: GraphQLContext;
  /** Of a page. */
  points: number;
  /** Whether it may have a secret in it. */
  isSecret: boolean;
}

/** The parameter `format`, or the format that the client prefers to JSON; undefined for JSON. */
export function tableFormat(request: IncomingMessage, { format }: Variables): TableFormat | undefined {
  if (format !== undefined) return format as TableFormat;
  // Common values of `Accept` are not parsed, which takes 2 µs.
  const { accept = '*/*' } = request.headers;
  if (accept === '*/*' || accept === 'application/json') return undefined;
  const formats = Object.keys(TABLE_TYPES) as TableFormat[];
  const type = preferred(request, ['application/json', ...Object.values(TABLE_TYPES)]);
  return formats.find((each) => TABLE_TYPES[each] === type);
}

/** Whether a file of CSV begins with a byte order mark, by the parameter `bom`. */
export function markOf({ bom }: Readonly<Record<string, unknown>>): typeof BOM | '' {
  return bom === '0' ? '' : BOM;
}

/** A list as a file: all of it, or `limit` items, read page by page while it is sent. */
export async function sendTable(
  request: IncomingMessage,
  response: ServerResponse,
  { route, table, format, variables, context, points, isSecret }: WantedTable,
  { access, listDownloads, log }: { access: StreamAccess; listDownloads: ListDownloads; log: Logger },
): Promise<void> {
  context.meter.enter('packs');
  const { offset, limit = Infinity, bom, ...query } = variables as { offset?: number; limit?: number; bom?: string };
  if (bom !== undefined && format !== 'csv') throw badUserInput([ONLY_CSV]);
  const { operationId: list, acrossOrganizations = false } = route;
  const organizationId = organizationOf(route, variables);
  const isRecorded = organizationId !== undefined || acrossOrganizations;
  // Before a page is read: reads of auditors are recorded as shown, and are not available as files.
  if (isRecorded) await listDownloads.authorize(context.caller, organizationId);
  const guard = await guardOf(request, access);
  const size = (left: number) => Math.min(left, LIMITS.page.maxSize);
  // Before the first header is sent, so that an error can still be answered.
  const first = await table.page({ ...query, offset, limit: size(limit) }, context);
  if (context.asOf !== undefined) await showAsOf(response, context.asOf, context);
  async function* batches(): AsyncGenerator<readonly Row[]> {
    yield [table.names];
    let [page, left] = [first, limit];
    for (;;) {
      yield page.rows;
      left -= page.rows.length;
      if (page.next === undefined || left <= 0) return;
      context.meter.count('reads', points);
      page = await table.page({ ...query, after: page.next, limit: size(left) }, context);
    }
  }
  const name = nameOf(route);
  const mediaType = format === 'csv' ? `${TABLE_TYPES.csv}; charset=utf-8` : TABLE_TYPES[format];
  const open = async () => {
    if (isRecorded) await listDownloads.record(context.caller, { list, format, organizationId });
    return format === 'csv' ? textStream(csvFile(batches(), markOf({ bom }))) : xlsxStream(name, batches());
  };
  await sendStreamed(request, response, { name: `${name}.${format}`, mediaType, open, guard, isSecret }, log);
}

/** The organization whose list it is, or to which a list across organizations was narrowed. */
function organizationOf({ acrossOrganizations }: OperationRoute, variables: Variables): number | undefined {
  const { id, organizationid = id, organization_id: narrowed } = variables as Record<string, number>;
  return acrossOrganizations ? narrowed : organizationid;
}

function nameOf({ path }: OperationRoute): string {
  return path.replaceAll(/\/\{\w+\}/g, '').replace(/^.*\//, '');
}

const textStream = (text: AsyncIterable<string>) => Readable.from(text, { objectMode: false });

export const ONLY_CSV = 'bom is for CSV only';
