import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { IncidentFilter, IncidentOrder } from '../schema/incident.input.js';
import { Incident, IncidentConnection } from '../schema/incident.type.js';
import { Organization } from '../schema/organization.type.js';
import type { IncidentService } from '../services/incidents.js';
import { nestedList } from './nested-list.js';

@Resolver(() => Organization)
export class IncidentResolver {
  constructor(private readonly incidentService: IncidentService) {}

  @Query(() => Incident, { description: 'An incident of an organization.' })
  incident(
    @Arg('organizationId', () => Int, { description: 'Whose incident it is.' }) organizationId: number,
    @Arg('id', () => Int, { description: 'Which incident.' }) id: number,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.incidentService.read(caller, organizationId, id, selectionOf(info));
  }

  @FieldResolver(() => IncidentConnection, {
    description: 'Its incidents, newest first unless ordered otherwise.',
  })
  incidents(
    @Root() { id }: Organization,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => IncidentFilter, { nullable: true, description: 'Which of them.' })
    filter: IncidentFilter | null,
    @Arg('orderBy', () => IncidentOrder, { nullable: true, description: 'Newest first when absent.' })
    orderBy: IncidentOrder | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const order = orderBy && { order: { field: orderBy.field, descending: orderBy.direction === 'DESC' } };
    const query = { page, ...filter, ...order };
    return nestedList(context, info, query, id, {
      authorize: (organization) => this.incidentService.authorizeList(context.caller, organization),
      load: (organizations, asked) => this.incidentService.ofOrganizations(context.caller, organizations, query, asked),
    });
  }
}
