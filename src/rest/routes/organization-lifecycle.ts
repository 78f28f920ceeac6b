import { operation } from '../documents.js';
import { ORGANIZATION_EXAMPLE } from '../openapi/examples.js';
import { ifMatch, pathId } from '../parameters.js';
import type { Route } from '../route.js';

const DELETE = operation(/* GraphQL */ `
  mutation DeleteOrganization($id: Int!, $version: Int) {
    deleteOrganization(input: { id: $id, version: $version }) {
      data: organization {
        ...Organization
      }
    }
  }
`);

const RESTORE = operation(/* GraphQL */ `
  mutation RestoreOrganization($id: Int!) {
    restoreOrganization(input: { id: $id }) {
      data: organization {
        ...Organization
        etag: version
      }
    }
  }
`);

const TRANSFER = operation(/* GraphQL */ `
  mutation TransferOwnership($input: TransferOwnershipInput!) {
    transferOwnership(input: $input) {
      data: organization {
        ...Organization
        etag: version
      }
    }
  }
`);

const LEAVE = operation(/* GraphQL */ `
  mutation LeaveOrganization($id: Int!) {
    leaveOrganization(input: { id: $id }) {
      data: organization {
        ...Organization
      }
    }
  }
`);

const SET_LOGO = operation(/* GraphQL */ `
  mutation SetOrganizationLogo($id: Int!, $version: Int, $file: Upload!) {
    setOrganizationLogo(input: { id: $id, version: $version, file: $file }) {
      data: organization {
        ...Organization
        etag: version
      }
    }
  }
`);

const REMOVE_LOGO = operation(/* GraphQL */ `
  mutation RemoveOrganizationLogo($id: Int!, $version: Int) {
    removeOrganizationLogo(input: { id: $id, version: $version }) {
      data: organization {
        ...Organization
        etag: version
      }
    }
  }
`);

export const ORGANIZATION_LIFECYCLE_ROUTES: readonly Route[] = [
  {
    method: 'DELETE',
    path: '/api/v1/organizations/{id}',
    operationId: 'deleteOrganization',
    source: 'decisions §5',
    tag: 'Organizations',
    summary: 'Delete an organization',
    description:
      'Deletes the organization softly and returns it. It looks absent to everybody; an owner may restore it for 30 days, and then it goes for good. Only an owner can.',
    carrier: 'sofa',
    document: DELETE,
    parameters: [pathId('id', 'Which organization.'), ifMatch],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: ORGANIZATION_EXAMPLE,
  },
  {
    method: 'POST',
    path: '/api/v1/organizations/{id}/restore',
    operationId: 'restoreOrganization',
    source: 'decisions §5',
    tag: 'Organizations',
    summary: 'Restore a deleted organization',
    description:
      'Brings back an organization that was deleted in the last 30 days; one that is not deleted stays as it is. Only an owner can, and to others it looks absent.',
    carrier: 'sofa',
    document: RESTORE,
    parameters: [pathId('id', 'Which organization.', 3)],
    errors: ['NOT_FOUND'],
    example: ORGANIZATION_EXAMPLE,
  },
  {
    method: 'POST',
    path: '/api/v1/organizations/{id}/transfer',
    operationId: 'transferOwnership',
    source: 'decisions §2',
    tag: 'Organizations',
    summary: 'Hand the ownership over to another member',
    description:
      'The member becomes ORGANIZATION_OWNER and the caller ORGANIZATION_MANAGER, both at once. Only an owner can.',
    carrier: 'sofa',
    document: TRANSFER,
    parameters: [pathId('id', 'Which organization.')],
    body: { input: 'TransferOwnershipInput', example: { user_id: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d' } },
    errors: ['NOT_FOUND', 'CONFLICT', 'BAD_USER_INPUT'],
    example: ORGANIZATION_EXAMPLE,
  },
  {
    method: 'POST',
    path: '/api/v1/organizations/{id}/leave',
    operationId: 'leaveOrganization',
    source: 'decisions §2',
    tag: 'Organizations',
    summary: 'Leave an organization',
    description: 'Takes the caller out of the organization and returns it. The last owner cannot leave: 409.',
    carrier: 'sofa',
    document: LEAVE,
    parameters: [pathId('id', 'Which organization.')],
    errors: ['NOT_FOUND', 'CONFLICT'],
    example: ORGANIZATION_EXAMPLE,
  },
  {
    method: 'PUT',
    path: '/api/v1/organizations/{id}/logo',
    operationId: 'setOrganizationLogo',
    source: 'decisions §5',
    tag: 'Organizations',
    summary: 'Store the logo of an organization',
    description: 'Its URL becomes `logo`. Only who manages the organization can.',
    carrier: 'organization-logo',
    limit: 'uploads',
    costly: 'uploads',
    document: SET_LOGO,
    parameters: [pathId('id', 'Whose logo.'), ifMatch],
    errors: ['NOT_FOUND', 'CONFLICT', 'BAD_USER_INPUT', 'INVALID_DATA', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
    example: ORGANIZATION_EXAMPLE,
  },
  {
    method: 'DELETE',
    path: '/api/v1/organizations/{id}/logo',
    operationId: 'removeOrganizationLogo',
    source: 'decisions §5',
    tag: 'Organizations',
    summary: 'Take the logo of an organization away',
    description: '`logo` becomes empty, wherever it was stored. Only who manages the organization can.',
    carrier: 'sofa',
    document: REMOVE_LOGO,
    parameters: [pathId('id', 'Whose logo.'), ifMatch],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: { ...ORGANIZATION_EXAMPLE, logo: '' },
  },
];
