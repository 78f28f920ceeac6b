import { requestContextOf } from '../../http/request-context.js';
import type { Logger } from '../../logger.js';
import type { PersonalDataService } from '../../services/members/personal-data.service.js';
import type { RouteHandler } from '../operation-handler.js';
import { readAddress } from '../read-parameters.js';
import type { FileRoute } from '../route.js';
import { isSigned, signatureIn } from './evidence-pack.js';
import { sendStreamed } from './streamed-file.js';

export type PersonalDataExports = Pick<PersonalDataService, 'forCaller' | 'bySignature'>;

/** GET /profile/export: everything about a user, read while it is sent. */
export function personalDataHandler(
  route: FileRoute,
  { personalData, log }: { personalData: PersonalDataExports; log: Logger },
): RouteHandler {
  return async (request, response, inPath) => {
    const { context, origin } = requestContextOf(request);
    const said = readAddress(route, request, inPath);
    const data = isSigned(request)
      ? await personalData.bySignature(signatureIn(said), origin())
      : await personalData.forCaller((await context()).caller);
    await sendStreamed(request, response, { ...data, mediaType: 'application/json; charset=utf-8' }, log);
  };
}
