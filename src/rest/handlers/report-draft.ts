import { requestContextOf } from '../../http/request-context.js';
import type { Logger } from '../../logger.js';
import type { ReportDraftKey, ReportDraftService } from '../../services/incidents/report-drafts.service.js';
import type { RouteHandler } from '../operation-handler.js';
import { readParameters } from '../read-parameters.js';
import type { FileRoute } from '../route.js';
import { sendStreamed } from './streamed-file.js';

export type ReportDrafts = Pick<ReportDraftService, 'prepare'>;

/** GET …/draft.html: the draft of a report as a page for printing. */
export function reportDraftHandler(
  { parameters }: FileRoute,
  { reportDrafts, log }: { reportDrafts: ReportDrafts; log: Logger },
): RouteHandler {
  return async (request, response, inPath) => {
    const said = readParameters(parameters, inPath, request.url ?? '');
    const { organizationid: organizationId, incidentid: incidentId, regime_id: regimeId, ...report } = said;
    const { caller } = await requestContextOf(request).context();
    const key = { organizationId, incidentId, regimeId, ...report } as ReportDraftKey;
    const { name, open } = await reportDrafts.prepare(caller, key);
    await sendStreamed(request, response, { name, open, mediaType: 'text/html; charset=utf-8' }, log);
  };
}
