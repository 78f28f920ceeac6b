import { Resolver } from 'type-graphql';
import * as scim from '../schema/scim-settings.js';
import { SafeIntScalar } from '../schema/shared/scalars.js';
import { Arg, Call, Input, Mutation, Query } from './shared/decorators.js';
import { listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';

const { ScimSettings, ScimToken } = scim;

@Resolver(() => ScimSettings)
class ScimSettingsResolver {
  @Query(() => ScimSettings, 'What a directory may do in an organization by SCIM. Requires ORGANIZATION_MANAGER.')
  scimSettings(
    @Arg('organizationId', () => SafeIntScalar, 'The organization.') organizationId: number,
    @Call() { services, caller }: Call,
  ) {
    return services.scimSettings.read(caller, organizationId);
  }

  @Mutation(
    'Changes what a directory may do in an organization by SCIM. Requires ORGANIZATION_MANAGER; what concerns the role ORGANIZATION_MANAGER, and linking members, ORGANIZATION_OWNER.',
    { scimSettings: [() => ScimSettings, 'The settings as they are now.'] },
  )
  async updateScimSettings(
    @Input('The changes.') input: scim.UpdateScimSettingsInput,
    @Call() { services, caller }: Call,
  ) {
    return { scimSettings: await services.scimSettings.update(caller, input) };
  }
}

@Resolver(() => ScimToken)
class ScimTokenResolver {
  @Query(() => ScimToken, 'A token of the directory of an organization. Requires ORGANIZATION_MANAGER.')
  scimToken(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that has it.') organizationId: number,
    @Arg('id', () => SafeIntScalar, 'Which token.') id: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.scimTokens.read(caller, { organizationId, id }, selection);
  }

  @Mutation(
    'Makes a token for a directory. The secret is in this answer and never again. CONFLICT for a third valid one. Requires ORGANIZATION_MANAGER, or ORGANIZATION_OWNER where the directory gives the role ORGANIZATION_MANAGER.',
    {
      token: [() => String, 'The token, to be entered in the directory. It is shown here once and not stored.'],
      scimToken: [() => ScimToken, 'What is known of the token from now on.'],
    },
    { adds: 'scimToken' },
  )
  async createScimToken(
    @Input('The token.') input: scim.CreateScimTokenInput,
    @Call('scimToken') { services, caller, selection }: Call,
  ) {
    const { token, id } = await services.scimTokens.create(caller, input);
    return { token, scimToken: await services.scimTokens.byId(id, selection) };
  }

  @Mutation('Revokes a token of a directory, at once. Requires ORGANIZATION_MANAGER.', {
    scimToken: [() => ScimToken, 'The token, now revoked.'],
  })
  async revokeScimToken(
    @Input('The token.') { organizationId, scimTokenId: id, version }: scim.RevokeScimTokenInput,
    @Call('scimToken') { services, caller, selection }: Call,
  ) {
    await services.scimTokens.revoke(caller, { organizationId, id, version });
    return { scimToken: await services.scimTokens.byId(id, selection) };
  }
}

nodeOf(ScimToken, ['scimTokenId'], ({ scimTokens }, caller, { scimTokenId }, selection) =>
  scimTokens.read(caller, { id: scimTokenId }, selection),
);

export const SCIM_RESOLVERS = [
  ScimSettingsResolver,
  ScimTokenResolver,
  listOfOrganization('scimTokens', ScimToken, {
    description:
      'Tokens of its directory, newest first, ended ones as well. Requires ORGANIZATION_MANAGER; null with an error for lower roles.',
    nullable: true,
    authorize: ({ scimTokens }, caller, id) => scimTokens.authorizeList(caller, id),
    load: ({ scimTokens }, ids, query, selection, caller) => scimTokens.ofOrganizations(caller, ids, query, selection),
  }),
] as const;
