import { requestContextOf } from '../../http/request-context.js';
import type { Logger } from '../../logger.js';
import type { AuditExportService } from '../../services/audit/export.service.js';
import type { RouteHandler } from '../operation-handler.js';
import { readParameters } from '../read-parameters.js';
import type { FileRoute } from '../route.js';
import { sendStreamed } from './streamed-file.js';

export type AuditExports = Pick<AuditExportService, 'prepare'>;

const MEDIA_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' };

/** GET …/audit-trail.ndjson and …/audit-trail.csv: a trail of any length, read while it is sent. */
export function auditExportHandler(
  route: FileRoute,
  { auditExports, log }: { auditExports: AuditExports; log: Logger },
): RouteHandler {
  const format = route.handler === 'audit-trail-csv' ? 'csv' : 'ndjson';
  return async (request, response, inPath) => {
    const { id } = readParameters(route.parameters, inPath, request.url ?? '') as { id: number };
    const { caller } = await requestContextOf(request).context();
    const { name, open } = await auditExports.prepare(caller, id, format);
    await sendStreamed(request, response, { name, open, mediaType: MEDIA_TYPES[format] }, log);
  };
}
