import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { DraftIncidentReportArgs } from '../schema/incidents/inputs.js';
import { IncidentReportDraft, ReportingRegimeConnection } from '../schema/incidents/regime-types.js';
import { PageArgs } from '../schema/shared/connection.js';
import type { ReportDraftService } from '../services/incidents/report-drafts.service.js';
import { connectionFrom } from './shared/connection.js';

@Resolver()
export class IncidentReportDraftResolver {
  constructor(private readonly drafts: ReportDraftService) {}

  @Query(() => ReportingRegimeConnection, {
    description: 'The laws that ask for reports after an incident, with their stages and what each report says.',
  })
  reportingRegimes(@Args(() => PageArgs) page: PageArgs, @Ctx() { caller }: GraphQLContext) {
    return connectionFrom(this.drafts.list(caller, page));
  }

  @Query(() => IncidentReportDraft, {
    description:
      'A report that is filled from the incident, its notes and the organization, and what is still missing in it. It changes nothing.',
  })
  draftIncidentReport(
    @Args(() => DraftIncidentReportArgs) args: DraftIncidentReportArgs,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return this.drafts.draft(caller, args);
  }
}
