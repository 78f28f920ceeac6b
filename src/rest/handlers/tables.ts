import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { csv } from '../../common/csv.js';
import type { GraphQLContext } from '../../context.js';
import type { Variables } from '../../graphql/executor.js';
import type { Logger } from '../../logger.js';
import { LIMITS } from '../../values/limits.js';
import type { ListTable } from '../list-table.js';
import type { OperationRoute } from '../route.js';
import { sendStreamed } from './streamed-file.js';

interface WantedTable {
  route: OperationRoute;
  table: ListTable;
  variables: Variables;
  context: GraphQLContext;
}

/** A list as CSV: all of it, or `limit` items, read page by page while it is sent. */
export async function sendTable(
  request: IncomingMessage,
  response: ServerResponse,
  { route, table, variables, context }: WantedTable,
  log: Logger,
): Promise<void> {
  context.meter.enter('packs');
  const { offset, limit = Infinity, ...query } = variables as { offset?: number; limit?: number };
  const size = (left: number) => Math.min(left, LIMITS.page.maxSize);
  // Before the first header goes out, so that a failure can still be answered.
  const first = await table.page({ ...query, offset, limit: size(limit) }, context);
  async function* lines(): AsyncGenerator<string> {
    yield csv([table.names]);
    let [page, left] = [first, limit];
    for (;;) {
      yield csv(page.rows);
      left -= page.rows.length;
      if (page.next === undefined || left <= 0) return;
      page = await table.page({ ...query, after: page.next, limit: size(left) }, context);
    }
  }
  const name = `${route.path.split('/').at(-1)}.csv`;
  const open = () => Readable.from(lines(), { objectMode: false });
  await sendStreamed(request, response, { name, mediaType: 'text/csv; charset=utf-8', open }, log);
}
