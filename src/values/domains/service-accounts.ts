import { ORGANIZATION, allows, toAuditors } from './domain.js';

export const SERVICE_ACCOUNTS = {
  privileges: {
    ...allows('ORGANIZATION_MANAGER', 'read', {
      LIST_SERVICE_ACCOUNTS: 'List the service accounts of the organization and their tokens.',
    }),
    ...allows('ORGANIZATION_MANAGER', 'write', {
      MANAGE_SERVICE_ACCOUNTS:
        'Create, change and delete service accounts below ORGANIZATION_MANAGER, and their tokens.',
    }),
  },
  subjects: {
    SERVICE_ACCOUNT: { text: 'A service account; its UUID.', path: `${ORGANIZATION}/service-accounts/{id}` },
  },
  actions: {
    SERVICE_ACCOUNT_CREATED: toAuditors('service_account.created', 'A service account was created.'),
    SERVICE_ACCOUNT_UPDATED: toAuditors(
      'service_account.updated',
      'A service account was changed, or the person responsible for it left.',
    ),
    SERVICE_ACCOUNT_DELETED: toAuditors(
      'service_account.deleted',
      'A service account was deleted, and its tokens revoked.',
    ),
  },
} as const;
