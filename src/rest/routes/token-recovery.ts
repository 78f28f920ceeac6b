import { operation } from '../documents.js';
import type { Route } from '../route.js';

const REQUEST = operation(/* GraphQL */ `
  mutation RequestTokenRecovery($input: RequestTokenRecoveryInput!) {
    data: requestTokenRecovery(input: $input) {
      ...RequestedTokenRecovery
    }
  }
`);

const RECOVER = operation(/* GraphQL */ `
  mutation RecoverToken($input: RecoverTokenInput!) {
    data: recoverToken(input: $input) {
      ...RecoveredToken
    }
  }
`);

export const TOKEN_RECOVERY_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/v1/recovery',
    operationId: 'requestTokenRecovery',
    source: 'decisions 1',
    tag: 'Account',
    summary: 'Request a link for a new token',
    description:
      'For who has lost every token: mails a link to the verified e-mail address of a user, which can be used once within 30 minutes. Needs no token. The answer is the same whether the address is known or not. One address gets three mails in an hour, and one caller may make ten requests in an hour.',
    carrier: 'sofa',
    document: REQUEST,
    parameters: [],
    body: { input: 'RequestTokenRecoveryInput', example: { email: 'luca.moretti@example.com' } },
    errors: ['BAD_USER_INPUT'],
    example: { accepted: true, link_minutes: 30 },
    open: true,
  },
  {
    method: 'POST',
    path: '/api/v1/recovery/accept',
    operationId: 'recoverToken',
    source: 'decisions 1',
    tag: 'Account',
    summary: 'Make a new token by a recovery link',
    description:
      'Exchanges the secret of the link for one token with the scopes `READ` and `WRITE`, and tells the owners of the organizations of the user. Needs no token. Whatever is wrong with the secret, it is not found.',
    carrier: 'sofa',
    document: RECOVER,
    parameters: [],
    body: { input: 'RecoverTokenInput', example: { secret: 'rec_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy' } },
    created: true,
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: {
      token: 'scp_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy',
      token_expires_at: '2027-02-18T08:15:30.500Z',
      user_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
      username: 'luca.moretti',
      email: 'luca.moretti@example.com',
    },
    open: true,
  },
];
