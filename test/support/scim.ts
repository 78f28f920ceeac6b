import { randomBytes } from 'node:crypto';
import type { TestGateway } from './gateway.js';
import { newMember } from './people.js';
import { buildOrganization } from './test-data.js';

/** An answer of SCIM. */
export interface ScimAnswer {
  status: number;
  headers: Headers;
  // Tests read it and specify their expectation.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

type Sent = { body?: unknown; headers?: Record<string, string>; token?: string | null };

/** A directory as a client: calls SCIM of its organization. */
export class Directory {
  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  async call(method: string, path: string, { body, headers, token = this.token }: Sent = {}): Promise<ScimAnswer> {
    const response = await fetch(`${this.url}/${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  get = (path: string, sent?: Sent) => this.call('GET', path, sent);
  post = (path: string, body: unknown, sent?: Sent) => this.call('POST', path, { body, ...sent });
  put = (path: string, body: unknown, sent?: Sent) => this.call('PUT', path, { body, ...sent });
  delete = (path: string, sent?: Sent) => this.call('DELETE', path, sent);
  /** PATCH operations, in the message format that all directories use. */
  patch = (path: string, operations: readonly object[], sent?: Sent) =>
    this.call('PATCH', path, {
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations },
      ...sent,
    });
}

/** An organization with a verified domain, an owner, a manager, and a directory that may provision its members. */
export async function provisionedOrganization(gateway: TestGateway, settings: object = {}) {
  const { database } = gateway.app;
  const organizationId = await buildOrganization(database, 'Provisioned');
  const owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
  const manager = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
  return { organizationId, owner, manager, ...(await provisioning(gateway, organizationId, owner, settings)) };
}

/** A directory that may provision the members of an organization, and its verified domain. */
export async function provisioning(
  { app: { database }, url, rest }: TestGateway,
  organizationId: number,
  owner: { token: string },
  settings: object = {},
) {
  const domain = `d${randomBytes(4).toString('hex')}.example`;
  await database.rows(
    `with provider as (
       insert into identity_provider (organization_id, name, issuer, client_id, group_roles, redirect_uris)
       values ($1, $2::text, 'https://login.' || $2, 'gateway', '[]', '{}') returning id)
     insert into identity_domain (organization_id, provider_id, domain, challenge, verified_at)
     select $1, id, $2, 'c', now() from provider`,
    [organizationId, domain],
  );
  const path = `/api/v1/organizations/${organizationId}/scim`;
  await rest.patch(path, { token: owner.token, body: { enabled: true, ...settings } });
  const { body } = await rest.post(`${path}/tokens`, { token: owner.token, body: { name: 'Entra ID' } });
  const directory = new Directory(`${url}/scim/v2/organizations/${organizationId}`, body.data.token);
  return { domain, directory, path, tokenId: body.data.scim_token.id as number };
}

export type Provisioned = Awaited<ReturnType<typeof provisionedOrganization>>;

/** A user with the attributes that every directory sends. */
export function person(domain: string, name: string, more: object = {}) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: `${name}@${domain}`,
    externalId: `ext-${name}`,
    name: { givenName: name, familyName: 'Rossi' },
    emails: [{ value: `${name}@${domain}`, type: 'work', primary: true }],
    active: true,
    ...more,
  };
}
