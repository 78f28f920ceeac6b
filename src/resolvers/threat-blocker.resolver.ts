import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { DeviceFilter } from '../schema/device.input.js';
import { Organization } from '../schema/organization.type.js';
import { DeleteThreatBlockerInput } from '../schema/threat-blocker.input.js';
import { DeleteThreatBlockerPayload, ThreatBlocker, ThreatBlockerConnection } from '../schema/threat-blocker.type.js';
import type { ThreatBlockerService } from '../services/threat-blockers.js';
import { nestedList } from './nested-list.js';

@Resolver(() => Organization)
export class ThreatBlockerResolver {
  constructor(private readonly devices: ThreatBlockerService) {}

  @Query(() => ThreatBlocker, {
    description: 'A threat-blocker configuration; the caller has to manage its organization (specification 2.7).',
  })
  threatBlocker(
    @Arg('id', () => Int, { description: 'Which configuration.' }) id: number,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.devices.read(caller, id, selectionOf(info));
  }

  @Mutation(() => DeleteThreatBlockerPayload, {
    description:
      'Deletes a threat-blocker configuration softly; the caller has to manage its organization (specification 4.6).',
  })
  async deleteThreatBlocker(
    @Arg('input', () => DeleteThreatBlockerInput, { description: 'What to delete.' }) { id }: DeleteThreatBlockerInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { threatBlocker: await this.devices.delete(caller, id, selectionOf(info).of('threatBlocker')) };
  }

  @FieldResolver(() => ThreatBlockerConnection, {
    nullable: true,
    description: 'Its threat-blocker configurations by id; null with an error for who does not manage it.',
  })
  threatBlockers(
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
