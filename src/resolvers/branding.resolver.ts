import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { UpdateBrandingInput } from '../schema/branding.input.js';
import { checkBranding } from '../schema/branding.rules.js';
import { Branding, UpdateBrandingPayload } from '../schema/branding.type.js';
import { Organization } from '../schema/organization.type.js';
import type { Plain } from '../schema/plain.js';
import type { BrandingService } from '../services/brandings.js';
import { authorizedBatch } from './nested-list.js';

/** An organization; the answer to a change of its branding has it already. */
type WithBranding = Plain<Organization> & { branding?: Plain<Branding> };

@Resolver(() => Organization)
export class BrandingResolver {
  constructor(private readonly brandings: BrandingService) {}

  @FieldResolver(() => Branding, { description: 'Palette and colours (specification 4.9).' })
  branding(@Root() organization: WithBranding, @Ctx() context: RequestContext) {
    if (organization.branding !== undefined) return organization.branding;
    return authorizedBatch(
      context,
      'Organization.branding',
      organization.id,
      (id) => this.brandings.authorizeRead(context.caller, id),
      (ids) => this.brandings.ofOrganizations(ids),
    );
  }

  @Mutation(() => UpdateBrandingPayload, { description: 'Changes how an organization looks. Asks for rank 4.' })
  async updateBranding(
    @Arg('input', () => UpdateBrandingInput, { description: 'What to change.' }) input: UpdateBrandingInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    checkBranding(input);
    return { organization: await this.brandings.update(caller, input, selectionOf(info).of('organization')) };
  }
}
