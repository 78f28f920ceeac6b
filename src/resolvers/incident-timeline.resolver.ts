import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { IncidentTimelineOrder } from '../schema/incidents/inputs.js';
import { IncidentTimelineConnection } from '../schema/incidents/timeline-types.js';
import { Incident } from '../schema/incidents/types.js';
import { PageArgs } from '../schema/shared/connection.js';
import type { IncidentRef } from '../services/incidents/incidents.service.js';
import type { IncidentTimelineService } from '../services/incidents/timeline.service.js';
import { nestedList } from './shared/nested-list.js';

@Resolver(() => Incident)
export class IncidentTimelineResolver {
  constructor(private readonly timelines: IncidentTimelineService) {}

  @FieldResolver(() => IncidentTimelineConnection, {
    description:
      'What has happened to it, oldest first unless ordered otherwise: records about reports, files, notes, and for SECURITY_OFFICER and above what else the audit trail has about it.',
  })
  timeline(
    @Root() incident: IncidentRef,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('orderBy', () => IncidentTimelineOrder, {
      nullable: true,
      defaultValue: { field: 'AT', direction: 'ASC' },
      description: 'Oldest first when absent.',
    })
    order: IncidentTimelineOrder | null,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, order };
    return nestedList(context, info, query, incident, {
      authorize: (each) => this.timelines.authorize(context.caller, each),
      load: (incidents, selection) => this.timelines.ofIncidents(context.caller, incidents, query, selection),
    });
  }
}
