import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../auth/caller.js';
import { notFound } from '../../errors.js';
import { requestContextOf } from '../../http/request-context.js';
import { queryOf } from '../../http/target.js';
import type { Logger } from '../../logger.js';
import { DateTimeScalar } from '../../schema/shared/scalars.js';
import type { AddressSignature } from '../../services/files/downloads.service.js';
import type { ReportDraftKey } from '../../services/incidents/report-drafts.service.js';
import type { Services } from '../../services/index.js';
import type { RouteHandler } from '../operation-handler.js';
import { readAddress, readParameters } from '../read-parameters.js';
import type { FileRoute, Parameter } from '../route.js';
import { sendStreamed, type StreamedFile } from './streamed-file.js';

/** The services that make the files. */
export interface ExportServices {
  auditExports: Pick<Services['auditExports'], 'prepare'>;
  oscalExports: Pick<Services['oscalExports'], 'prepare'>;
  reportDrafts: Pick<Services['reportDrafts'], 'prepare'>;
  personalData: Pick<Services['personalData'], 'forCaller' | 'bySignature'>;
  evidencePacks: Pick<Services['evidencePacks'], 'forCaller' | 'bySignature'>;
}

type ExportName = Exclude<FileRoute['handler'], 'download' | 'description'>;

/** Answers a file that is made while it is sent. */
export function exportHandler(
  name: ExportName,
  parameters: readonly Parameter[],
  { log, ...services }: ExportServices & { log: Logger },
): RouteHandler {
  const { mediaType, prepare } = EXPORTS[name];
  return async (request, response, inPath) => {
    const file = await prepare({ parameters, request, inPath }, services);
    await sendStreamed(request, response, { ...file, mediaType }, log);
  };
}

interface ExportRequest {
  parameters: readonly Parameter[];
  request: IncomingMessage;
  inPath: Readonly<Record<string, unknown>>;
}

type Prepare = (request: ExportRequest, services: ExportServices) => Promise<Omit<StreamedFile, 'mediaType'>>;

const JSON_TYPE = 'application/json; charset=utf-8';

const EXPORTS: Readonly<Record<ExportName, { mediaType: string; prepare: Prepare }>> = {
  'audit-trail-ndjson': { mediaType: 'application/x-ndjson', prepare: auditTrail('ndjson') },
  'audit-trail-csv': { mediaType: 'text/csv; charset=utf-8', prepare: auditTrail('csv') },
  'oscal-assessment-results': { mediaType: JSON_TYPE, prepare: oscal('assessment-results') },
  'oscal-component-definition': { mediaType: JSON_TYPE, prepare: oscal('component-definition') },
  'report-draft-html': { mediaType: 'text/html; charset=utf-8', prepare: reportDraft('html') },
  'report-draft-pdf': { mediaType: 'application/pdf', prepare: reportDraft('pdf') },
  'personal-data': { mediaType: JSON_TYPE, prepare: personalData },
  'evidence-pack': { mediaType: 'application/zip', prepare: evidencePack },
};

function auditTrail(format: 'ndjson' | 'csv'): Prepare {
  return async (request, { auditExports }) => {
    const { id } = parametersOf(request) as { id: number };
    return auditExports.prepare(await callerOf(request), id, format);
  };
}

/** The document alone, as OSCAL has no envelope. */
function oscal(model: 'assessment-results' | 'component-definition'): Prepare {
  return async (request, { oscalExports }) => {
    const key = workflowKey(parametersOf(request));
    const { name, open } = await oscalExports.prepare(await callerOf(request), key, model);
    return { name, open: async () => Readable.from([JSON.stringify(await open())], { objectMode: false }) };
  };
}

function reportDraft(format: 'html' | 'pdf'): Prepare {
  return async (request, { reportDrafts }) => {
    const {
      organizationid: organizationId,
      incidentid: incidentId,
      regime_id: regimeId,
      ...report
    } = parametersOf(request);
    const key = { organizationId, incidentId, regimeId, ...report } as ReportDraftKey;
    return reportDrafts.prepare(await callerOf(request), key, format);
  };
}

async function personalData(asked: ExportRequest, services: ExportServices) {
  const { parameters, request, inPath } = asked;
  const said = readAddress(parameters, request, inPath);
  return isSigned(request)
    ? services.personalData.bySignature(signatureIn(said), requestContextOf(request).origin())
    : services.personalData.forCaller(await callerOf(asked));
}

async function evidencePack(asked: ExportRequest, { evidencePacks }: ExportServices) {
  const { parameters, request, inPath } = asked;
  const said = isSigned(request) ? readAddress(parameters, request, inPath) : parametersOf(asked);
  const key = workflowKey(said);
  const period = { from: instantOf(said['from']), to: instantOf(said['to']) };
  if (!isSigned(request)) return evidencePacks.forCaller(await callerOf(asked), key, period);
  const signature = { ...signatureIn(said), ...period, names: said['names'] === true };
  return evidencePacks.bySignature(key, signature, requestContextOf(request).origin());
}

function parametersOf({ parameters, request, inPath }: ExportRequest): Record<string, unknown> {
  return readParameters(parameters, inPath, request.url ?? '');
}

async function callerOf({ request }: ExportRequest): Promise<Caller> {
  return (await requestContextOf(request).context()).caller;
}

function workflowKey(said: Readonly<Record<string, unknown>>) {
  return { organizationId: said['organizationid'] as number, workflowId: said['workflowid'] as string };
}

function instantOf(said: unknown): Date | null {
  return said === undefined ? null : DateTimeScalar.parseValue(said);
}

/** The signature among the parameters of a signed address; NOT_FOUND for one that is not whole. */
function signatureIn(said: Partial<AddressSignature>): AddressSignature {
  const { for: name, expires, signature } = said;
  if (name === undefined || expires === undefined || signature === undefined) throw notFound();
  return { for: name, expires, signature };
}

/** Whether an address claims to be signed; it needs no token then, and its signature is verified. */
export function isSigned(request: Pick<IncomingMessage, 'url'>): boolean {
  return queryOf(request).has('signature');
}
