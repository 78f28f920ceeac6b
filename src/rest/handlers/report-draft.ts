import { requestContextOf } from '../../http/request-context.js';
import type { Logger } from '../../logger.js';
import type { ReportDraftKey, ReportDraftService } from '../../services/incidents/report-drafts.service.js';
import type { RouteHandler } from '../operation-handler.js';
import { readParameters } from '../read-parameters.js';
import type { FileRoute } from '../route.js';
import { sendStreamed } from './streamed-file.js';

export type ReportDrafts = Pick<ReportDraftService, 'prepare'>;

const MEDIA_TYPES = { html: 'text/html; charset=utf-8', pdf: 'application/pdf' };

/** GET …/draft.html and …/draft.pdf: the draft of a report for printing. */
export function reportDraftHandler(
  { parameters, handler }: FileRoute,
  { reportDrafts, log }: { reportDrafts: ReportDrafts; log: Logger },
): RouteHandler {
  const format = handler === 'report-draft-pdf' ? 'pdf' : 'html';
  return async (request, response, inPath) => {
    const said = readParameters(parameters, inPath, request.url ?? '');
    const { organizationid: organizationId, incidentid: incidentId, regime_id: regimeId, ...report } = said;
    const { caller } = await requestContextOf(request).context();
    const key = { organizationId, incidentId, regimeId, ...report } as ReportDraftKey;
    const { name, open } = await reportDrafts.prepare(caller, key, format);
    await sendStreamed(request, response, { name, open, mediaType: MEDIA_TYPES[format] }, log);
  };
}
