import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { Branding } from '../schema/branding.type.js';
import { CreateOrganizationInput } from '../schema/organization.input.js';
import { readOrganizationInput } from '../schema/organization.reader.js';
import { CreateOrganizationPayload, Organization } from '../schema/organization.type.js';
import type { Plain } from '../schema/plain.js';
import type { OrganizationService } from '../services/organizations.js';
import { authorizedBatch } from './nested-list.js';

@Resolver(() => Organization)
export class OrganizationResolver {
  constructor(private readonly organizations: OrganizationService) {}

  @Query(() => Organization, { description: 'An organization of the caller (specification 2.2).' })
  organization(
    @Arg('id', () => Int, { description: 'Its id, as in REST paths.' }) id: number,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.organizations.read(caller, id, selectionOf(info));
  }

  @Mutation(() => CreateOrganizationPayload, {
    description: 'Creates an organization; the caller becomes its owner (specification 4.1).',
  })
  async createOrganization(
    @Arg('input', () => CreateOrganizationInput, { description: 'The organization.' }) input: CreateOrganizationInput,
    @Ctx() { caller }: RequestContext,
  ) {
    const { organization, logoFile } = readOrganizationInput(input);
    return { organization: await this.organizations.create(caller, organization, logoFile) };
  }

  @FieldResolver(() => Branding, { description: 'Palette and colours (specification 4.9).' })
  branding(@Root() organization: Plain<Organization>, @Ctx() context: RequestContext) {
    return authorizedBatch(
      context,
      'Organization.branding',
      organization.id,
      (id) => this.organizations.authorizeBranding(context.caller, id),
      (ids) => this.organizations.brandings(ids),
    );
  }
}
