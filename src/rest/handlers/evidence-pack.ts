import type { IncomingMessage } from 'node:http';
import type { Caller, Origin } from '../../auth/caller.js';
import { notFound } from '../../errors.js';
import { requestContextOf } from '../../http/request-context.js';
import { queryOf } from '../../http/target.js';
import type { Logger } from '../../logger.js';
import { DateTimeScalar } from '../../schema/shared/scalars.js';
import type { AddressSignature, PackSignature } from '../../services/files/downloads.service.js';
import type { EvidencePack } from '../../services/files/evidence-pack.service.js';
import type { Period } from '../../services/files/evidence-snapshot.js';
import type { OrganizationWorkflowKey } from '../../services/workflows/progress.js';
import type { RouteHandler } from '../operation-handler.js';
import { readAddress, readParameters } from '../read-parameters.js';
import type { FileRoute } from '../route.js';
import { sendStreamed } from './streamed-file.js';

/** Finds the pack for a caller, or by a signed address. */
export interface EvidencePacks {
  forCaller(caller: Caller, key: OrganizationWorkflowKey, period: Period): Promise<EvidencePack>;
  bySignature(key: OrganizationWorkflowKey, signature: PackSignature, origin: Origin): Promise<EvidencePack>;
}

/** GET …/evidence-pack: one archive, made while it is sent. */
export function evidencePackHandler(
  route: FileRoute,
  { evidencePacks, log }: { evidencePacks: EvidencePacks; log: Logger },
): RouteHandler {
  return async (request, response, inPath) => {
    const { key, period, signature } = wantedPack(route, request, inPath);
    const { context, origin } = requestContextOf(request);
    const pack =
      signature === undefined
        ? await evidencePacks.forCaller((await context()).caller, key, period)
        : await evidencePacks.bySignature(key, signature, origin());
    await sendStreamed(request, response, { ...pack, mediaType: 'application/zip' }, log);
  };
}

interface WantedPack {
  key: OrganizationWorkflowKey;
  period: Period;
  /** Undefined for a caller with a token. */
  signature: PackSignature | undefined;
}

function wantedPack(route: FileRoute, request: IncomingMessage, inPath: Readonly<Record<string, unknown>>): WantedPack {
  const signed = isSigned(request);
  const said = signed
    ? readAddress(route, request, inPath)
    : readParameters(route.parameters, inPath, request.url ?? '');
  const key = { organizationId: said['organizationid'] as number, workflowId: said['workflowid'] as string };
  const period = { from: instantOf(said['from']), to: instantOf(said['to']) };
  const signature = signed ? { ...signatureIn(said), ...period, names: said['names'] === true } : undefined;
  return { key, period, signature };
}

function instantOf(said: unknown): Date | null {
  return said === undefined ? null : DateTimeScalar.parseValue(said);
}

/** The signature among the parameters of a signed address; NOT_FOUND for one that is not whole. */
export function signatureIn(said: Partial<AddressSignature>): AddressSignature {
  const { for: name, expires, signature } = said;
  if (name === undefined || expires === undefined || signature === undefined) throw notFound();
  return { for: name, expires, signature };
}

/** Whether an address claims to be signed; it needs no token then, and its signature is verified. */
export function isSigned(request: Pick<IncomingMessage, 'url'>): boolean {
  return queryOf(request).has('signature');
}
