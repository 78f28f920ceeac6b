import { Ctx, ID, Resolver } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import * as identity from '../schema/identity.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/shared/scalars.js';
import { Arg, Call, Input, Mutation, Query } from './shared/decorators.js';
import { listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';

const { IdentityProvider } = identity;

@Resolver(() => IdentityProvider)
class IdentityProviderResolver {
  @Query(() => IdentityProvider, 'An identity provider of an organization. Requires ORGANIZATION_MANAGER.')
  identityProvider(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that has it.') organizationId: number,
    @Arg('id', () => SafeIntScalar, 'Its id.') id: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.identityProviders.read(caller, { organizationId, id }, selection);
  }

  @Mutation(
    'Connects an OpenID Connect provider, through which members sign in. Requires ORGANIZATION_OWNER, because a provider decides who signs in as whom. CONFLICT for a name that is taken, and for an eleventh provider.',
    { identityProvider: [() => IdentityProvider, 'The provider.'] },
    { adds: 'identityProvider' },
  )
  async createIdentityProvider(
    @Input('The provider.') { organizationId, ...values }: identity.CreateIdentityProviderInput,
    @Call('identityProvider') { services, caller, selection }: Call,
  ) {
    const id = await services.identityProviders.create(caller, organizationId, values);
    return { identityProvider: await services.identityProviders.byId(id, selection) };
  }

  @Mutation(
    'Changes an identity provider. Another issuer or client ends the tokens that it has given. Requires ORGANIZATION_OWNER.',
    { identityProvider: [() => IdentityProvider, 'The provider as it is now.'] },
  )
  async updateIdentityProvider(
    @Input('The changes.')
    { organizationId, identityProviderId: id, version, ...values }: identity.UpdateIdentityProviderInput,
    @Call('identityProvider') { services, caller, selection }: Call,
  ) {
    await services.identityProviders.update(caller, { organizationId, id, version }, values);
    return { identityProvider: await services.identityProviders.byId(id, selection) };
  }

  @Mutation('Disconnects an identity provider, and ends the tokens that it has given. Requires ORGANIZATION_OWNER.', {
    identityProvider: [() => IdentityProvider, 'The provider as it was.'],
  })
  async deleteIdentityProvider(
    @Input('The provider.') { identityProviderId: id, ...key }: identity.DeleteIdentityProviderInput,
    @Call('identityProvider') { services, caller, selection }: Call,
  ) {
    return { identityProvider: await services.identityProviders.delete(caller, { id, ...key }, selection) };
  }

  @Mutation(
    'Looks for the TXT record that proves a domain. CONFLICT when it is not there yet, or the domain was proven for another provider. Requires ORGANIZATION_OWNER.',
    { identityProvider: [() => IdentityProvider, 'The provider as it is now.'] },
  )
  async verifyIdentityDomain(
    @Input('The domain.')
    { organizationId, identityProviderId: id, version, domain }: identity.VerifyIdentityDomainInput,
    @Call('identityProvider') { services, caller, selection }: Call,
  ) {
    await services.identityProviders.verifyDomain(caller, { organizationId, id, version }, domain);
    return { identityProvider: await services.identityProviders.byId(id, selection) };
  }

  @Mutation(
    'Exchanges the code that an application got at the end of a sign-in for a token, once and within 60 seconds. Needs no token. NOT_FOUND when the code is unknown, used, expired, or not that of this verifier and redirect address.',
    {
      token: [() => String, 'The token, with the scopes `READ` and `WRITE`. It is shown here once.'],
      tokenExpiresAt: [() => DateTimeScalar, 'From when on it is refused: after eight hours.'],
      userId: [() => ID, 'The UUID of its user.'],
      organizationId: [() => SafeIntScalar, 'The one organization that it reaches.'],
    },
  )
  exchangeSignInCode(
    @Input('The code.') input: identity.ExchangeSignInCodeInput,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    return services.signIn.exchange(caller, input);
  }
}

nodeOf(
  IdentityProvider,
  ['identityProviderId'],
  ({ identityProviders }, caller, { identityProviderId: id }, selection) =>
    identityProviders.read(caller, { id }, selection),
);

export const IDENTITY_RESOLVERS = [
  IdentityProviderResolver,
  listOfOrganization('identityProviders', IdentityProvider, {
    description:
      'The identity providers that it has connected, oldest first. Requires ORGANIZATION_MANAGER; null with an error for lower roles.',
    nullable: true,
    authorize: ({ identityProviders }, caller, id) => identityProviders.authorizeList(caller, id),
    load: ({ identityProviders }, ids, query, selection, caller) =>
      identityProviders.ofOrganizations(caller, ids, query, selection),
  }),
] as const;
