import { ID, Resolver } from 'type-graphql';
import { ofMade } from '../graphql/selection.js';
import * as inputs from '../schema/service-accounts.js';
import { ServiceAccount, ServiceAccountToken } from '../schema/service-accounts.js';
import { Arg, Call, Input, Mutation, Query } from './shared/decorators.js';
import { listOf, listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';
import { SafeIntScalar } from '../schema/shared/scalars.js';

/** Of a change. */
const MANAGERS =
  'Requires ORGANIZATION_MANAGER, and ORGANIZATION_OWNER for a service account with the role ORGANIZATION_MANAGER.';

@Resolver(() => ServiceAccount)
class ServiceAccountResolver {
  @Query(() => ServiceAccount, 'A service account of an organization. Requires ORGANIZATION_MANAGER.')
  serviceAccount(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that has the service account.')
    organizationId: number,
    @Arg('id', () => ID, 'The UUID of the service account.') serviceAccountId: string,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.serviceAccounts.read(caller, { organizationId, serviceAccountId }, selection);
  }

  @Mutation(
    `Creates a service account, without a token. ${inputs.MOST_ACCOUNTS}: CONFLICT beyond. ORGANIZATION_MANAGER creates those below its own role, ORGANIZATION_OWNER up to ORGANIZATION_MANAGER.`,
    { serviceAccount: [() => ServiceAccount, 'The service account.'] },
    { adds: 'serviceAccount' },
  )
  async createServiceAccount(
    @Input('The service account.') input: inputs.CreateServiceAccountInput,
    @Call('serviceAccount') { services, caller, selection }: Call,
  ) {
    return { serviceAccount: await services.serviceAccounts.create(caller, input, selection) };
  }

  @Mutation(`Changes a service account: its name, what it is for, its role, and who answers for it. ${MANAGERS}`, {
    serviceAccount: [() => ServiceAccount, 'The service account as it is now.'],
  })
  async updateServiceAccount(
    @Input('The service account.') input: inputs.UpdateServiceAccountInput,
    @Call('serviceAccount') { services, caller, selection }: Call,
  ) {
    return { serviceAccount: await services.serviceAccounts.update(caller, input, selection) };
  }

  @Mutation(
    `Deletes a service account and revokes its tokens; within a second no instance takes them any more. ${MANAGERS}`,
    {
      serviceAccount: [() => ServiceAccount, 'The service account as it was.'],
    },
  )
  async deleteServiceAccount(
    @Input('The service account.') input: inputs.DeleteServiceAccountInput,
    @Call('serviceAccount') { services, caller, selection }: Call,
  ) {
    return { serviceAccount: await services.serviceAccounts.delete(caller, input, selection) };
  }
}

@Resolver(() => ServiceAccountToken)
class ServiceAccountTokenResolver {
  @Query(() => ServiceAccountToken, 'A token of a service account. Requires ORGANIZATION_MANAGER.')
  serviceAccountToken(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that has the service account.')
    organizationId: number,
    @Arg('serviceAccountId', () => ID, 'The UUID of the service account.') serviceAccountId: string,
    @Arg('id', () => SafeIntScalar, 'Which token.') tokenId: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.serviceAccountTokens.read(caller, { organizationId, serviceAccountId, tokenId }, selection);
  }

  @Mutation(
    `Makes a token for a service account. The secret is in this answer and never again. CONFLICT for one with 500 valid tokens. ${MANAGERS}`,
    {
      token: [() => String, 'The token to send as `X-Service-Token`. It is shown here once and not stored.'],
      serviceAccountToken: [() => ServiceAccountToken, 'What is known of the token from now on.'],
    },
    { adds: 'serviceAccountToken' },
  )
  async createServiceAccountToken(
    @Input('The token.') { organizationId, serviceAccountId, ...input }: inputs.CreateServiceAccountTokenInput,
    @Call('serviceAccountToken') { services, caller, selection }: Call,
  ) {
    const tokens = services.serviceAccountTokens;
    const { token, id } = await tokens.create(caller, { organizationId, serviceAccountId }, input);
    return { token, serviceAccountToken: await tokens.one(serviceAccountId, id, selection) };
  }

  @Mutation(
    `Puts a new token of the same name, scopes and addresses in the place of one of a service account, which goes on for a grace period. CONFLICT when that one has ended or was replaced already. ${MANAGERS}`,
    {
      token: [() => String, 'The new token. It is shown here once and not stored.'],
      serviceAccountToken: [() => ServiceAccountToken, 'What is known of the new token.'],
      replaced: [() => ServiceAccountToken, 'The old token, which goes on until its new `expiresAt`.'],
    },
    { adds: 'serviceAccountToken' },
  )
  async rotateServiceAccountToken(
    @Input('The token.') input: inputs.RotateServiceAccountTokenInput,
    @Call() { services, caller, selection }: Call,
  ) {
    const { organizationId, serviceAccountId, tokenId, ...wanted } = input;
    const tokens = services.serviceAccountTokens;
    const request = { id: tokenId, ...wanted };
    const { token, id } = await tokens.rotate(caller, { organizationId, serviceAccountId }, request);
    const [serviceAccountToken, replaced] = await Promise.all([
      tokens.one(serviceAccountId, id, ofMade(selection, 'serviceAccountToken')),
      tokens.one(serviceAccountId, tokenId, selection.of('replaced')),
    ]);
    return { token, serviceAccountToken, replaced };
  }

  @Mutation(`Revokes a token of a service account; within a second no instance takes it any more. ${MANAGERS}`, {
    serviceAccountToken: [() => ServiceAccountToken, 'The token, now revoked.'],
  })
  async revokeServiceAccountToken(
    @Input('The token.') { tokenId, version, ...key }: inputs.RevokeServiceAccountTokenInput,
    @Call('serviceAccountToken') { services, caller, selection }: Call,
  ) {
    await services.serviceAccountTokens.revoke(caller, key, { id: tokenId, version });
    return { serviceAccountToken: await services.serviceAccountTokens.one(key.serviceAccountId, tokenId, selection) };
  }
}

nodeOf(ServiceAccount, ['serviceAccountId'], ({ serviceAccounts }, caller, key, selection) =>
  serviceAccounts.read(caller, key, selection),
);
nodeOf(ServiceAccountToken, ['serviceAccountId', 'tokenId'], ({ serviceAccountTokens }, caller, key, selection) =>
  serviceAccountTokens.read(caller, key, selection),
);

/** The organization that says who may read the tokens, those of an account that was deleted as well. */
interface AccountRow {
  id: string;
  organizationId: number;
}

export const SERVICE_ACCOUNT_RESOLVERS = [
  ServiceAccountResolver,
  ServiceAccountTokenResolver,
  listOfOrganization('serviceAccounts', ServiceAccount, {
    description:
      'Service accounts by name: callers that belong to the organization and are no members. Requires ORGANIZATION_MANAGER; null with an error for lower roles.',
    nullable: true,
    authorize: ({ serviceAccounts }, caller, id) => serviceAccounts.authorizeList(caller, id),
    load: ({ serviceAccounts }, ids, { page }, selection) => serviceAccounts.ofOrganizations(ids, page, selection),
  }),
  listOf(
    ServiceAccount,
    ({ organizationId, id }: AccountRow) => `${organizationId}/${id}` as const,
    'tokens',
    ServiceAccountToken,
    {
      description: 'Its tokens, newest first, revoked ones as well.',
      authorize: ({ serviceAccounts }, caller, key) => serviceAccounts.authorizeList(caller, Number.parseInt(key)),
      async load({ serviceAccountTokens }, keys, { page }, selection) {
        const ids = new Map(keys.map((key) => [key, key.slice(key.indexOf('/') + 1)]));
        const found = await serviceAccountTokens.ofAccounts([...ids.values()], page, selection);
        return new Map(keys.map((key) => [key, found.get(ids.get(key)!)!]));
      },
    },
  ),
];
