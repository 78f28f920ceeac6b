import { hash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Caller } from '../../auth/caller.js';
import type { Json } from '../../common/input-schema.js';
import { badUserInput, notFound } from '../../errors.js';
import { pointsOf } from '../../graphql/document-limits.js';
import type { GraphQLExecutor } from '../../graphql/executor.js';
import { type Encoding, ENCODINGS, hasCurrent, tagIn, takesEncoding } from '../../http/negotiation.js';
import { chargeMore, requestContextOf } from '../../http/request-context.js';
import { queryOf } from '../../http/target.js';
import type { Logger } from '../../logger.js';
import { DateTimeScalar } from '../../schema/shared/scalars.js';
import type { AddressSignature } from '../../services/files/download-links.js';
import type { Download, DownloadService, FileAddress } from '../../services/files/downloads.service.js';
import type { IncidentKey } from '../../services/incidents/incidents.service.js';
import type { ReportDraftKey } from '../../services/incidents/report-drafts.service.js';
import type { Services } from '../../services/index.js';
import {
  attachment,
  errorEnvelope,
  pipeOut,
  sendJson,
  sendNotModified,
  sendStreamed,
  STATUS,
  type StreamedFile,
} from './answer.js';
import { openApiDocument } from '../openapi.js';
import type { RouteHandler } from './operation-handler.js';
import { begun, guardOf, type StreamAccess } from '../../http/stream-guard.js';
import { parametersOf } from '../request/parameters.js';
import { readAddress, readParameters } from '../request/read-parameters.js';
import type { FileRoute, Parameter } from '../route.js';
import type { CompiledFile } from '../view/core-path.js';
import { markOf } from './tables.js';

/** The services that find and make the files. */
export interface FileDeps {
  executor: GraphQLExecutor;
  publicUrl: string;
  log: Logger;
  access: StreamAccess;
  downloads: Pick<DownloadService, 'find'>;
  auditExports: Pick<Services['auditExports'], 'prepare'>;
  proofs: Pick<Services['proofs'], 'forCaller' | 'bySignature'>;
  oscalExports: Pick<Services['oscalExports'], 'prepare'>;
  rehearsalReports: Pick<Services['rehearsalReports'], 'prepare'>;
  reportDrafts: Pick<Services['reportDrafts'], 'prepare'>;
  personalData: Pick<Services['personalData'], 'forCaller' | 'bySignature'>;
  evidencePacks: Pick<Services['evidencePacks'], 'forCaller' | 'bySignature'>;
}

/** A file that is made while it is sent takes a point for each. */
const BYTES_PER_POINT = 32 * 1024;

/** Sends answers without an envelope. */
export function fileHandler(route: CompiledFile, deps: FileDeps): RouteHandler {
  const { handler, cost = 0 } = route;
  const parameters = parametersOf(route);
  if (handler === 'download') return downloadsHandler(parameters, deps);
  if (handler === 'description') return descriptionHandler(parameters, deps);
  const { mediaType, prepare, isSecret = false } = EXPORTS[handler];
  const known = pointsOf(cost);
  return async (request, response, inPath) => {
    // From before it is prepared, so that the rights that it needs are known.
    const guard = isSigned(request) ? undefined : await guardOf(request, deps.access);
    const meter = isSigned(request)
      ? requestContextOf(request).anonymousMeter()
      : (await requestContextOf(request).context()).meter;
    // For HEAD as well, for which all is read but the files themselves.
    chargeMore(response, meter, 'reads', known - 1);
    const { points = known, ...file } = await prepare({ parameters, request, inPath, past: route.past }, deps);
    if (request.method !== 'HEAD') chargeMore(response, meter, 'reads', points - known);
    let bytes = 0;
    const sent = (piece: number) => {
      const before = Math.floor(bytes / BYTES_PER_POINT);
      bytes += piece;
      meter.count('reads', Math.floor(bytes / BYTES_PER_POINT) - before);
    };
    await sendStreamed(request, response, { guard, ...file, mediaType, sent, isSecret }, deps.log);
  };
}

/** Answers a `download_url` (specification 2.3): the bytes as they were uploaded, or one range of them. */
function downloadsHandler(parameters: readonly Parameter[], { downloads, log }: FileDeps): RouteHandler {
  return async (request, response, inPath) => {
    const address = readAddress(parameters, request, inPath) as unknown as FileAddress;
    const file = await downloads.find(address, requestContextOf(request).origin());
    const headers = headersOf(file);
    if (hasCurrent(request, headers.ETag)) return sendNotModified(response, headers);
    const range = rangeOf(request, headers.ETag, file.size);
    if (range === 'unsatisfiable') return refuseRange(response, file.size);
    await sendFile(request, response, { file, headers, range }, log);
  };
}

function headersOf({ name, sha256 }: Download) {
  return {
    ETag: `"${sha256}"`,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private',
    'Content-Disposition': attachment(name),
    'X-Content-Type-Options': 'nosniff',
  };
}

interface Range {
  start: number;
  end: number;
}

/**
 * The range that is requested; undefined for the whole file. A header that is malformed, names several ranges, or
 * belongs to other bytes (If-Range) is as good as none (RFC 9110 14.2); so is any with a HEAD request.
 */
function rangeOf(
  { headers, method }: IncomingMessage,
  etag: string,
  size: number,
): Range | 'unsatisfiable' | undefined {
  const condition = headers['if-range'];
  if (method !== 'GET' || (condition !== undefined && condition !== etag)) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start > end ? 'unsatisfiable' : { start, end };
}

/** No DomainError: their list is closed, and this failure has no message. */
function refuseRange(response: ServerResponse, size: number): void {
  const body = JSON.stringify(errorEnvelope({ messages: [] }));
  sendJson(response, STATUS.rangeNotSatisfiable, body, { 'Content-Range': `bytes */${size}` });
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { file, headers, range }: { file: Download; headers: OutgoingHttpHeaders; range: Range | undefined },
  log: Logger,
): Promise<void> {
  const length = range === undefined ? file.size : range.end - range.start + 1;
  const complete = { ...headers, 'Content-Type': file.mediaType, 'Content-Length': length };
  if (request.method === 'HEAD') {
    await file.requireBytes();
    return void response.writeHead(STATUS.ok, complete).end();
  }
  const bytes = await file.open(range);
  try {
    const pieces = await begun(bytes);
    if (range === undefined) response.writeHead(STATUS.ok, complete);
    else {
      const contentRange = `bytes ${range.start}-${range.end}/${file.size}`;
      response.writeHead(STATUS.partialContent, { ...complete, 'Content-Range': contentRange });
    }
    await pipeOut(request, response, pieces, log);
  } finally {
    // Where nothing was read, as after a refusal of the request's slow body.
    bytes.destroy();
  }
}

type ExportName = Exclude<FileRoute['handler'], 'download' | 'description'>;

interface ExportRequest {
  parameters: readonly Parameter[];
  request: IncomingMessage;
  inPath: Readonly<Record<string, unknown>>;
  past: CompiledFile['past'];
}

type Prepare = (
  request: ExportRequest,
  services: FileDeps,
) => Promise<Omit<StreamedFile, 'mediaType'> & { points?: number }>;

const JSON_TYPE = 'application/json; charset=utf-8';

const EXPORTS: Readonly<Record<ExportName, { mediaType: string; prepare: Prepare; isSecret?: boolean }>> = {
  'audit-trail-ndjson': { mediaType: 'application/x-ndjson', prepare: auditTrail('ndjson') },
  'audit-trail-csv': { mediaType: 'text/csv; charset=utf-8', prepare: auditTrail('csv') },
  'oscal-assessment-results': { mediaType: JSON_TYPE, prepare: oscal('assessment-results') },
  'oscal-component-definition': { mediaType: JSON_TYPE, prepare: oscal('component-definition') },
  'report-draft-html': { mediaType: 'text/html; charset=utf-8', prepare: reportDraft('html') },
  'report-draft-pdf': { mediaType: 'application/pdf', prepare: reportDraft('pdf') },
  'rehearsal-report-pdf': { mediaType: 'application/pdf', prepare: rehearsalReport },
  // All stored data about a person, including text of others.
  'personal-data': { mediaType: JSON_TYPE, prepare: personalData, isSecret: true },
  'evidence-pack': { mediaType: 'application/zip', prepare: evidencePack },
  proof: { mediaType: 'application/x-ndjson', prepare: proof },
};

function auditTrail(format: 'ndjson' | 'csv'): Prepare {
  return async (request, { auditExports }) => {
    const { id, ...said } = saidIn(request) as { id: number };
    return auditExports.prepare(await callerOf(request), id, format, markOf(said));
  };
}

/** The document alone, as OSCAL has no envelope. */
function oscal(model: 'assessment-results' | 'component-definition'): Prepare {
  return async (request, { oscalExports }) => {
    const key = workflowKey(saidIn(request));
    const { name, open } = await oscalExports.prepare(await callerOf(request), key, model);
    return { name, open: async () => Readable.from([JSON.stringify(await open())], { objectMode: false }) };
  };
}

function reportDraft(format: 'html' | 'pdf'): Prepare {
  return async (request, { reportDrafts }) => {
    const { organizationid: organizationId, incidentid: incidentId, regimeid: regimeId, ...report } = saidIn(request);
    const key = { organizationId, incidentId, regimeId, ...report } as ReportDraftKey;
    return reportDrafts.prepare(await callerOf(request), key, format);
  };
}

async function rehearsalReport(request: ExportRequest, { rehearsalReports }: FileDeps) {
  const { organizationid: organizationId, incidentid: incidentId } = saidIn(request);
  return rehearsalReports.prepare(await callerOf(request), { organizationId, incidentId } as IncidentKey);
}

async function personalData(exported: ExportRequest, services: FileDeps) {
  const { parameters, request, inPath } = exported;
  const said = isSigned(request) ? readAddress(parameters, request, inPath) : saidIn(exported);
  return isSigned(request)
    ? services.personalData.bySignature(signatureIn(said), requestContextOf(request).origin())
    : services.personalData.forCaller(await callerOf(exported));
}

async function evidencePack(exported: ExportRequest, { evidencePacks }: FileDeps) {
  const { parameters, request, inPath } = exported;
  const said = isSigned(request) ? readAddress(parameters, request, inPath) : saidIn(exported);
  const key = workflowKey(said);
  const period = { from: instantOf(said['from']), to: instantOf(said['to']) };
  if (!isSigned(request)) return evidencePacks.forCaller(await callerOf(exported), key, period);
  const signature = { ...signatureIn(said), ...period, names: said['names'] === true };
  return evidencePacks.bySignature(key, signature, requestContextOf(request).origin());
}

async function proof(exported: ExportRequest, { proofs }: FileDeps) {
  const { parameters, request, inPath } = exported;
  const said = isSigned(request) ? readAddress(parameters, request, inPath) : saidIn(exported);
  const organizationId = said['id'] as number;
  const [asOf, object] = [instantOf(said['as_of']), (said['object'] as string | undefined) ?? null];
  if (!isSigned(request)) return proofs.forCaller(await callerOf(exported), { organizationId, asOf, object });
  if (asOf === null) throw notFound();
  return proofs.bySignature(organizationId, { ...signatureIn(said), asOf, object }, requestContextOf(request).origin());
}

/** For an address that is not signed. Throws BAD_USER_INPUT for parameters of signed ones. */
function saidIn({ parameters, request, inPath, past }: ExportRequest): Record<string, unknown> {
  const said = readParameters(parameters, inPath, request.url ?? '', {}, { past });
  const alone = OF_SIGNATURE.filter((name) => said[name] !== undefined);
  if (alone.length > 0) throw badUserInput(alone.map((name) => `${name} must be given together with signature`));
  return said;
}

const OF_SIGNATURE = ['names', 'for', 'expires'];

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

/** The signature of an address that claims to be signed: it needs no token then, and the signature is verified. */
export function signatureOf(request: Pick<IncomingMessage, 'url'>): string | undefined {
  return queryOf(request).get('signature') ?? undefined;
}

function isSigned(request: Pick<IncomingMessage, 'url'>): boolean {
  return signatureOf(request) !== undefined;
}

/** GET /api/v1/openapi.json: the interface description (specification 9), made when it is first requested. */
function descriptionHandler(parameters: readonly Parameter[], { executor, publicUrl }: FileDeps): RouteHandler {
  let made: { text: Buffer; tag: string } | undefined;
  const compressed: Partial<Record<Encoding, Promise<Buffer>>> = {};
  return async (request, response, inPath) => {
    readParameters(parameters, inPath, request.url ?? '');
    made ??= describe(openApiDocument(executor.schema, { url: publicUrl }));
    const { text, tag } = made;
    response.appendHeader('Vary', 'Accept-Encoding');
    const encoding = ENCODINGS.find((each) => takesEncoding(request, each));
    // It names the text in this encoding (RFC 9110 8.8.3).
    const etag = encoding === undefined ? `"${tag}"` : tagIn(encoding, `"${tag}"`);
    const headers = { ETag: etag, 'Cache-Control': 'no-cache' };
    if (hasCurrent(request, etag)) return sendNotModified(response, headers);
    if (encoding === undefined) return sendJson(response, STATUS.ok, text, headers);
    const body = await (compressed[encoding] ??= COMPRESS[encoding](text));
    sendJson(response, STATUS.ok, body, { ...headers, 'Content-Encoding': encoding });
  };
}

function describe(document: Json) {
  const text = JSON.stringify(document);
  return { text: Buffer.from(text), tag: hash('sha256', text, 'base64url') };
}

/** The best quality of Brotli takes seconds for a description of this size. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const COMPRESS: Readonly<Record<Encoding, (text: Buffer) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text) => promisify(gzip)(text),
};
