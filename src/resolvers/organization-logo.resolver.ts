import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { Caller } from '../access/caller.js';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { RemoveOrganizationLogoInput, SetOrganizationLogoInput } from '../schema/organization-lifecycle.input.js';
import { RemoveOrganizationLogoPayload, SetOrganizationLogoPayload } from '../schema/organization-lifecycle.type.js';
import type { OrganizationChange, OrganizationChangeService } from '../services/organization-changes.js';

@Resolver()
export class OrganizationLogoResolver {
  constructor(private readonly changes: OrganizationChangeService) {}

  @Mutation(() => SetOrganizationLogoPayload, {
    description: 'Stores a logo and shows it at an address of ours. Asks for rank 4.',
  })
  async setOrganizationLogo(
    @Arg('input', () => SetOrganizationLogoInput, { description: 'The logo.' }) input: SetOrganizationLogoInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.changed(caller, { ...keyOf(input), values: {}, logoFile: input.file }, info);
  }

  @Mutation(() => RemoveOrganizationLogoPayload, {
    description: 'Takes the logo of an organization away, wherever it is stored. Asks for rank 4.',
  })
  async removeOrganizationLogo(
    @Arg('input', () => RemoveOrganizationLogoInput, { description: 'Whose logo.' }) input: RemoveOrganizationLogoInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.changed(caller, { ...keyOf(input), values: { logo: '' } }, info);
  }

  private async changed(caller: Caller, change: OrganizationChange, info: GraphQLResolveInfo) {
    const asked = selectionOf(info).of('organization');
    return { organization: await this.changes.apply(caller, 'MANAGE_BRANDING', change, asked) };
  }
}

function keyOf({ id, version }: RemoveOrganizationLogoInput) {
  return { id, version: version ?? null };
}
