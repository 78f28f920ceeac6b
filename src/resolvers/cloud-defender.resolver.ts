import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { DeleteCloudDefenderInput } from '../schema/cloud-defender.input.js';
import { CloudDefender, CloudDefenderConnection, DeleteCloudDefenderPayload } from '../schema/cloud-defender.type.js';
import { PageArgs } from '../schema/connection.js';
import { DeviceFilter } from '../schema/device.input.js';
import { Organization } from '../schema/organization.type.js';
import type { CloudDefenderService } from '../services/cloud-defenders.js';
import { nestedList } from './nested-list.js';

@Resolver(() => Organization)
export class CloudDefenderResolver {
  constructor(private readonly devices: CloudDefenderService) {}

  @Query(() => CloudDefender, {
    description: 'An edge-protection configuration; the caller has to manage its organization (specification 4.4).',
  })
  cloudDefender(
    @Arg('id', () => Int, { description: 'Which configuration.' }) id: number,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.devices.read(caller, id, selectionOf(info));
  }

  @Mutation(() => DeleteCloudDefenderPayload, {
    description:
      'Deletes an edge-protection configuration softly; the caller has to manage its organization (specification 4.5).',
  })
  async deleteCloudDefender(
    @Arg('input', () => DeleteCloudDefenderInput, { description: 'What to delete.' }) { id }: DeleteCloudDefenderInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { cloudDefender: await this.devices.delete(caller, id, selectionOf(info).of('cloudDefender')) };
  }

  @FieldResolver(() => CloudDefenderConnection, {
    nullable: true,
    description: 'Its edge-protection configurations by id; null with an error for who does not manage it.',
  })
  cloudDefenders(
    @Root() { id }: Organization,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => DeviceFilter, { nullable: true, description: 'Which of them.' }) filter: DeviceFilter | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, search: filter?.search };
    return nestedList(context, info, query, id, {
      authorize: (organization) => this.devices.authorizeList(context.caller, organization),
      load: (organizations, asked, total) =>
        this.devices.ofOrganizations(context.caller, organizations, query, asked, total),
    });
  }
}
