import { getNullableType, type GraphQLInputObjectType, isRequiredInputField } from 'graphql';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { IDEMPOTENCY_KEY } from '../../common/idempotency.js';
import { shownName } from '../../common/shown-name.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import { badUserInput, fileTooLarge } from '../../errors.js';
import type { Variables } from '../../graphql/executor.js';
import { isLargeBody, type LargeBodies, objectIn } from '../../http/request-body.js';
import { requestContextOf } from '../../http/request-context.js';
import { type FileAccess, fileGuard } from '../../http/stream-guard.js';
import { LIMITS } from '../../values/limits.js';
import { incomingDocument, incomingFile, incomingPart, repeatable } from './incoming-files.js';
import { MAX_BYTES, readJsonBody } from './json.js';
import { readOrganizationBody } from './organization-body.js';
import { TABLE_TYPES } from '../answer/tables.js';
import type { CompiledOperation, CorePath } from '../view/core-path.js';
import { RestInput } from './rest-input.js';
import { IF_MATCH, type JsonRoute, type OperationRoute, type UploadBody, variableOf } from '../route.js';

/** The variables of a request's operation, and the values that distinguish it from another one with the same key. */
interface RequestInput {
  variables: Variables;
  /** Fields that cannot be changed, in REST's spelling, as they were sent. */
  readOnly?: Variables;
  fingerprint(): Promise<readonly unknown[]> | readonly unknown[];
}

/** Reads the body of a route's requests, and adds parameters of the address to the operation's input. */
export function requestReader(
  route: CompiledOperation,
  deps: ReaderDeps,
): (request: IncomingMessage, parameters: Variables) => Promise<RequestInput> {
  const { input: type, filled, fixed } = route.core;
  if (type === undefined)
    return async (_request, parameters) => ({ variables: parameters, fingerprint: () => [parameters] });
  const names = new Map([...filled].map(([parameter, field]) => [variableOf(parameter), field.name]));
  const read = bodyReader(route, type, deps);
  return async (request, parameters) => {
    const { fields, readOnly, fingerprint } = await read(request, (versionsIn(parameters)?.length ?? 0) > 1);
    const given = Object.entries(parameters).map(([name, value]) => [names.get(name), value] as const);
    const variables = { input: { ...fields, ...fixed, ...Object.fromEntries(given) } };
    return {
      variables,
      ...(readOnly && { readOnly }),
      fingerprint: async () =>
        fingerprint === undefined ? [variables, readOnly] : [parameters, ...(await fingerprint())],
    };
  };
}

/** The versions that a change may be made to; null or undefined for any. */
export function versionsIn(parameters: Variables): readonly number[] | null | undefined {
  return parameters[variableOf(IF_MATCH)] as readonly number[] | null | undefined;
}

function bodyReader(route: CompiledOperation, type: GraphQLInputObjectType, deps: ReaderDeps): BodyReader {
  const { body, method, ignoresBody } = route;
  if (ignoresBody) return async () => ({ fields: {} });
  if (body === undefined) return emptyBodyReader(method);
  return 'upload' in body ? uploadReader(body.upload, type, deps) : jsonBodyReader({ ...route, body }, type, deps);
}

/** For a route without a body, which would be ignored. */
function emptyBodyReader(method: OperationRoute['method']): BodyReader {
  const limits = { types: jsonTypes(method), maxBytes: OPEN_BYTES };
  return async (request) => {
    const sent = isAbsent(request) ? [] : Object.keys(objectIn(await readJsonBody(request, limits)));
    if (sent.length > 0) throw badUserInput(sent.map((name) => `${shownName(name)} is not a known field`));
    return { fields: {} };
  };
}

/** Reads the fields of the operation's input, flat and in REST's spelling, without those that parameters fill. */
function jsonBodyReader(
  route: CompiledOperation & JsonRoute,
  type: GraphQLInputObjectType,
  { largeBodies, readOnlyNames }: ReaderDeps,
): BodyReader {
  const { method, body, open } = route;
  const limits = { types: jsonTypes(method), maxBytes: open === true ? OPEN_BYTES : (body.maxBytes ?? MAX_BYTES) };
  const input = new RestInput(type, fieldsNotInJson(route.core));
  const isOptional = mayBeAbsent(route.core);
  return async (request) => {
    const isLarge = body.maxBytes !== undefined && isLargeBody(request);
    const release = isLarge ? await largeBodies.enter(await userIdOf(request)) : undefined;
    try {
      const body = isOptional && isAbsent(request) ? {} : objectIn(await readJsonBody(request, limits));
      const sent = Object.entries(body);
      if (!sent.some(([name]) => readOnlyNames.has(name))) return { fields: input.read(body) };
      const of = (isReadOnly: boolean) => sent.filter(([name]) => readOnlyNames.has(name) === isReadOnly);
      return { fields: input.read(Object.fromEntries(of(false))), readOnly: Object.fromEntries(of(true)) };
    } finally {
      release?.();
    }
  };
}

/** A route that needs no token takes a secret and a name or two, and one without a body none at all. */
const OPEN_BYTES = 4 * 1024;

/** Media types of a JSON body: a PATCH distinguishes absent from null as a merge patch does (RFC 7396). */
export function jsonTypes(method: OperationRoute['method']): readonly string[] {
  return method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];
}

/** Fields of the input that parameters or the path fill, and files. */
export function fieldsNotInJson({ input, filled, fixed }: CorePath): ReadonlySet<string> {
  const names = [...filled.values()].map(({ name }) => name);
  return new Set([...names, ...Object.keys(fixed), ...(input ? filesOf(input) : [])]);
}

/** Fields with files. */
function filesOf(type: GraphQLInputObjectType): string[] {
  const files = Object.values(type.getFields()).filter((field) => getNullableType(field.type).toString() === 'Upload');
  return files.map(({ name }) => name);
}

/** Whether a request without a body says all that has to be said. */
export function mayBeAbsent({ input, filled, fixed }: CorePath): boolean {
  const given = new Set([...[...filled.values()].map(({ name }) => name), ...Object.keys(fixed)]);
  return Object.values(input?.getFields() ?? {}).every(
    (field) => given.has(field.name) || !isRequiredInputField(field),
  );
}

function isAbsent({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}

/** Reads the fields of an operation's input that a body gives; several changes are tried with them where `isForSeveral`. */
type BodyReader = (
  request: IncomingMessage,
  isForSeveral: boolean,
) => Promise<{
  fields: Variables;
  readOnly?: Variables;
  /** Values that distinguish this body from another one, where the fields do not. */
  fingerprint?(): Promise<readonly unknown[]>;
}>;

interface ReaderDeps {
  access: FileAccess;
  largeBodies: LargeBodies;
  /** Fields of a JSON body that the record has and that cannot be changed, in REST's spelling. */
  readOnlyNames: ReadonlySet<string>;
}

/** Reads the bodies of a kind. Nothing is read of a file before the service has authorized the caller. */
function uploadReader(
  upload: UploadBody['upload'],
  input: GraphQLInputObjectType,
  { largeBodies, access }: Pick<ReaderDeps, 'largeBodies' | 'access'>,
): BodyReader {
  if (upload === 'organization') return organizationReader(input);
  const { maxBytes } = LIMITS[upload];
  return async (request, isForSeveral) => {
    const incoming =
      upload === 'document'
        ? incomingDocument(request, maxBytes, { largeBodies, userId: await userIdOf(request) })
        : upload === 'table' || upload === 'archive'
          ? incomingFile(request, WHOLE_BODIES[upload])
          : incomingPart(upload === 'logo' ? 'logo' : 'file', request);
    const judged = judgedAtEnd(incoming, await fileGuard(request, access));
    const { file, fingerprint } = fingerprinted(request, judged, maxBytes);
    return {
      fields: { file: isForSeveral ? repeatable(file) : file },
      fingerprint: async () => [await fingerprint()],
    };
  };
}

/** The file, whose bytes end only for who may still send it. */
function judgedAtEnd(file: IncomingFile, guard: () => Promise<void>): IncomingFile {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield* file.bytes;
    await guard();
  }
  return { bytes: bytes(), facts: () => file.facts() };
}

/** Media types of files that may be the whole body. */
const WHOLE_BODIES = { table: TABLE_TYPES.csv, archive: 'application/zip' };

/** Empty for a caller that is no user. */
async function userIdOf(request: IncomingMessage): Promise<string> {
  const { caller } = await requestContextOf(request).context();
  return caller.kind === 'user' ? caller.userId : '';
}

/** An organization as JSON or multipart (specification 4.1); the logo is a part of the form, not of the JSON in it. */
function organizationReader(type: GraphQLInputObjectType): BodyReader {
  const input = new RestInput(type, new Set(filesOf(type)));
  return async (request) => {
    const { fields, logo } = await readOrganizationBody(request);
    const organization = input.read(fields);
    const upload = logo && fingerprinted(request, logo, LIMITS.logo.maxBytes);
    if (upload !== undefined) organization['logoFile'] = upload.file;
    return { fields: organization, fingerprint: async () => [fields, await upload?.fingerprint()] };
  };
}

/**
 * An incoming file and its fingerprint: the same upload is recognised in any form and boundary. Only a request with an
 * idempotency key has its bytes hashed, while they are read.
 */
function fingerprinted(
  request: Pick<IncomingMessage, 'headers'>,
  file: IncomingFile,
  maxBytes: number,
): { file: IncomingFile; fingerprint(): Promise<string> } {
  if (request.headers[IDEMPOTENCY_KEY.toLowerCase()] === undefined) return { file, fingerprint: async () => '' };
  const hash = createHash('sha256');
  let isRead = false;
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const piece of file.bytes) {
      hash.update(piece);
      yield piece;
    }
    isRead = true;
  }
  const bytes = hashed();
  return {
    file: { bytes, facts: () => file.facts() },
    /** Content and facts. Reads the file if it was not read yet, and throws its errors. */
    async fingerprint() {
      let size = 0;
      if (!isRead) for await (const piece of bytes) if ((size += piece.length) > maxBytes) throw fileTooLarge(maxBytes);
      const { filename, contentType, source } = await file.facts();
      return JSON.stringify([hash.copy().digest('hex'), filename, contentType, source]);
    },
  };
}
