import type { IncomingHttpHeaders } from 'node:http';
import type { Facts } from './dataset.js';

const { readers, writerId, writerName, writerToken } = JSON.parse(process.env['FACTS'] ?? '') as Facts;
const callers = new Map<unknown, string>([
  ...readers.map(({ token, id }) => [token, id] as const),
  [writerToken, writerId],
]);

/** Start options of a peer. */
export const peer = {
  port: Number(process.env['PORT']),
  databaseUrl: process.env['DATABASE_URL'] ?? '',
  /** Schema of the tables that it reads and writes. */
  schema: process.env['DATABASE_SCHEMA'] ?? '',
  files: process.env['FILES'] ?? '',
  writerName,
  /** Id of the user who owns the token. */
  callerOf: (headers: IncomingHttpHeaders) => callers.get(headers['x-service-token']),
};

export const PAGE_SIZE = 50;
