import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { Organization } from '../schema/organization.type.js';
import { UpdateOrganizationSettingsInput } from '../schema/organization-settings.input.js';
import { checkOrganizationSettings } from '../schema/organization-settings.rules.js';
import { OrganizationSettings, UpdateOrganizationSettingsPayload } from '../schema/organization-settings.type.js';
import type { Plain } from '../schema/plain.js';
import type { OrganizationSettingsService } from '../services/organization-settings.js';
import { authorizedBatch } from './nested-list.js';

/** An organization; the answer to a change of its settings has them already. */
type WithSettings = Plain<Organization> & { settings?: Plain<OrganizationSettings> };

@Resolver(() => Organization)
export class OrganizationSettingsResolver {
  constructor(private readonly settingsService: OrganizationSettingsService) {}

  @FieldResolver(() => OrganizationSettings, {
    description: 'Time zone, weekday of the report, and its rule for tokens.',
  })
  settings(@Root() organization: WithSettings, @Ctx() context: RequestContext) {
    if (organization.settings !== undefined) return organization.settings;
    return authorizedBatch(
      context,
      'Organization.settings',
      organization.id,
      (id) => this.settingsService.authorizeRead(context.caller, id),
      (ids) => this.settingsService.ofOrganizations(ids),
    );
  }

  @Mutation(() => UpdateOrganizationSettingsPayload, {
    description: 'Changes the settings of an organization. Asks for rank 4.',
  })
  async updateOrganizationSettings(
    @Arg('input', () => UpdateOrganizationSettingsInput, { description: 'What to change.' })
    input: UpdateOrganizationSettingsInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    checkOrganizationSettings(input);
    return { organization: await this.settingsService.update(caller, input, selectionOf(info).of('organization')) };
  }
}
