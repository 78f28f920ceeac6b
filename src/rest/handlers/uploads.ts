import type { IncomingMessage } from 'node:http';
import type { GraphQLInputObjectType } from 'graphql';
import type { Variables } from '../../graphql/executor.js';
import type { LargeBodies } from '../../http/request-body.js';
import { requestContextOf } from '../../http/request-context.js';
import { LIMITS } from '../../values/limits.js';
import { incomingDocument, incomingPart } from '../bodies/files.js';
import { fingerprinted } from '../bodies/fingerprinted-file.js';
import { readOrganizationBody } from '../bodies/organization-body.js';
import { RestInput } from '../rest-input.js';
import { filesOf } from '../route-body.js';
import type { UploadBody } from '../route.js';

/** Reads the fields of an operation's input that a body gives. */
export type BodyReader = (request: IncomingMessage) => Promise<{
  fields: Variables;
  /** What distinguishes this body from another one, where the fields do not. */
  fingerprint?(): Promise<readonly unknown[]>;
}>;

export interface UploadDeps {
  largeBodies: LargeBodies;
}

/** Reads the bodies of a kind. Nothing is read of a file before the service has authorized the caller. */
export function uploadReader(
  upload: UploadBody['upload'],
  input: GraphQLInputObjectType,
  { largeBodies }: UploadDeps,
): BodyReader {
  if (upload === 'organization') return organizationReader(input);
  const { maxBytes } = LIMITS[upload];
  return async (request) => {
    const incoming =
      upload === 'document'
        ? incomingDocument(request, maxBytes, { largeBodies, userId: await userIdOf(request) })
        : incomingPart(upload === 'logo' ? 'logo' : 'file', request);
    const { file, fingerprint } = fingerprinted(request, incoming, maxBytes);
    return { fields: { file }, fingerprint: async () => [await fingerprint()] };
  };
}

/** Empty for a caller that is no user. */
export async function userIdOf(request: IncomingMessage): Promise<string> {
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
