import { Readable } from 'node:stream';
import { requestContextOf } from '../../http/request-context.js';
import type { Logger } from '../../logger.js';
import type { OscalExportService } from '../../services/files/oscal-export.service.js';
import type { RouteHandler } from '../operation-handler.js';
import { readParameters } from '../read-parameters.js';
import type { FileRoute } from '../route.js';
import { sendStreamed } from './streamed-file.js';

export type OscalExports = Pick<OscalExportService, 'prepare'>;

const MEDIA_TYPE = 'application/json; charset=utf-8';

/** GET …/oscal/assessment-results and …/oscal/component-definition: the document alone, as OSCAL has no envelope. */
export function oscalHandler(
  route: FileRoute,
  { oscalExports, log }: { oscalExports: OscalExports; log: Logger },
): RouteHandler {
  const model = route.handler === 'oscal-component-definition' ? 'component-definition' : 'assessment-results';
  return async (request, response, inPath) => {
    const said = readParameters(route.parameters, inPath, request.url ?? '');
    const key = { organizationId: said['organizationid'] as number, workflowId: said['workflowid'] as string };
    const { caller } = await requestContextOf(request).context();
    const exported = await oscalExports.prepare(caller, key, model);
    const open = async () => Readable.from([JSON.stringify(await exported.open())], { objectMode: false });
    await sendStreamed(request, response, { name: exported.name, mediaType: MEDIA_TYPE, open }, log);
  };
}
