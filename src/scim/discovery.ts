import { LIMITS } from '../values/limits.js';
import { GROUP_SCHEMA, USER_SCHEMA } from './attributes.js';
import type { Resource } from './resources.js';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:';

/** Supported features (RFC 7643, 5). */
export function serviceProviderConfig(url: string): Resource {
  return {
    schemas: [`${CORE}ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: LIMITS.scim.pageSize },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        ...{ type: 'oauthbearertoken', name: 'Bearer token', primary: true },
        description: 'A token that begins with scim_, in the header Authorization.',
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${url}/ServiceProviderConfig` },
  };
}

export function resourceTypes(url: string): Resource[] {
  const type = (name: string, schema: string) => ({
    schemas: [`${CORE}ResourceType`],
    ...{ id: name, name, endpoint: `/${name}s`, schema },
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${url}/ResourceTypes/${name}` },
  });
  return [type('User', USER_SCHEMA), type('Group', GROUP_SCHEMA)];
}

interface Attribute {
  name: string;
  type?: string;
  mutability?: 'readOnly' | 'immutable' | 'readWrite';
  required?: true;
  multiValued?: true;
  caseExact?: true;
  unique?: true;
  subAttributes?: readonly Attribute[];
}

function shown({ name, subAttributes, unique, ...given }: Attribute): Resource {
  const { type = 'string', mutability = 'readWrite' } = given;
  const { required = false, multiValued = false, caseExact = false } = given;
  return {
    ...{ name, type, multiValued, required, caseExact, mutability, returned: 'default' },
    uniqueness: unique ? 'server' : 'none',
    ...(subAttributes && { subAttributes: subAttributes.map(shown) }),
  };
}

const EXTERNAL_ID: Attribute = { name: 'externalId', caseExact: true };

const SCHEMAS: Readonly<Record<string, { name: string; attributes: readonly Attribute[] }>> = {
  [USER_SCHEMA]: {
    name: 'User',
    attributes: [
      { name: 'userName', required: true, unique: true },
      { ...EXTERNAL_ID, unique: true },
      {
        ...{ name: 'name', type: 'complex' },
        subAttributes: [{ name: 'givenName' }, { name: 'familyName' }, { name: 'formatted', mutability: 'readOnly' }],
      },
      { name: 'displayName' },
      {
        ...{ name: 'emails', type: 'complex', multiValued: true },
        subAttributes: [{ name: 'value' }, { name: 'type' }, { name: 'primary', type: 'boolean' }],
      },
      { name: 'active', type: 'boolean' },
      {
        ...{ name: 'groups', type: 'complex', multiValued: true, mutability: 'readOnly' },
        subAttributes: [
          { name: 'value', mutability: 'readOnly' },
          { name: 'display', mutability: 'readOnly' },
        ],
      },
    ],
  },
  [GROUP_SCHEMA]: {
    name: 'Group',
    attributes: [
      { name: 'displayName', required: true, unique: true },
      EXTERNAL_ID,
      {
        ...{ name: 'members', type: 'complex', multiValued: true },
        subAttributes: [
          { name: 'value', mutability: 'immutable' },
          { name: 'display', mutability: 'readOnly' },
        ],
      },
    ],
  },
};

export function schemas(url: string): Resource[] {
  return Object.entries(SCHEMAS).map(([id, { name, attributes }]) => ({
    schemas: [`${CORE}Schema`],
    ...{ id, name, attributes: attributes.map(shown) },
    meta: { resourceType: 'Schema', location: `${url}/Schemas/${id}` },
  }));
}
