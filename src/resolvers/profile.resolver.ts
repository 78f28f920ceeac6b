import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { UpdateAlertsInput } from '../schema/organization-user.input.js';
import { Alerts, UpdateAlertsPayload } from '../schema/organization-user.type.js';
import { Organization } from '../schema/organization.type.js';
import type { Plain } from '../schema/plain.js';
import { UpdateProfileInput } from '../schema/user.input.js';
import { checkProfile } from '../schema/user.rules.js';
import { UpdateProfilePayload } from '../schema/user.type.js';
import type { ProfileService } from '../services/profiles.js';
import { authorizedBatch } from './nested-list.js';

@Resolver(() => Organization)
export class ProfileResolver {
  constructor(private readonly profiles: ProfileService) {}

  @Mutation(() => UpdateProfilePayload, { description: 'Changes what the caller is called.' })
  async updateProfile(
    @Arg('input', () => UpdateProfileInput, { description: 'The names.' }) input: UpdateProfileInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    checkProfile(input);
    return { user: await this.profiles.update(caller, input, selectionOf(info).of('user')) };
  }

  @Mutation(() => UpdateAlertsPayload, { description: 'Changes which alerts the caller wants from an organization.' })
  async updateAlerts(
    @Arg('input', () => UpdateAlertsInput, { description: 'The preferences.' }) input: UpdateAlertsInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.profiles.updateAlerts(caller, input, selectionOf(info));
  }

  @FieldResolver(() => Alerts, { description: 'Which alerts the caller wants from the organization.' })
  alerts(@Root() organization: Plain<Organization>, @Ctx() context: RequestContext) {
    return authorizedBatch(
      context,
      'Organization.alerts',
      organization.id,
      (id) => this.profiles.authorizeAlerts(context.caller, id),
      (ids) => this.profiles.alerts(context.caller, ids),
    );
  }
}
