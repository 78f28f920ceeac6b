import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { CorrectIncidentReportInput, RecordIncidentReportInput } from '../schema/incident-report.input.js';
import {
  CorrectIncidentReportPayload,
  IncidentReportConnection,
  RecordIncidentReportPayload,
} from '../schema/incident-report.type.js';
import { Incident } from '../schema/incident.type.js';
import type { IncidentReportService } from '../services/incident-reports.js';
import type { IncidentRef, IncidentService } from '../services/incidents.js';
import type { IncidentKey } from '../services/locked-incident.js';
import { nestedList } from './nested-list.js';

@Resolver(() => Incident)
export class IncidentReportResolver {
  constructor(
    private readonly reportService: IncidentReportService,
    private readonly incidents: IncidentService,
  ) {}

  @Mutation(() => RecordIncidentReportPayload, {
    description:
      'Records that a report was sent (NIS 2 Article 23(4)). Stages follow each other, each once; anything else is `CONFLICT`.',
  })
  async recordIncidentReport(
    @Arg('input', () => RecordIncidentReportInput, { description: 'What was sent.' }) input: RecordIncidentReportInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.reportService.record(caller, input);
    return this.payload(input, info);
  }

  @Mutation(() => CorrectIncidentReportPayload, {
    description: 'Corrects when a report was sent, or takes it back; what was recorded before stays in the history.',
  })
  async correctIncidentReport(
    @Arg('input', () => CorrectIncidentReportInput, { description: 'What is right.' })
    input: CorrectIncidentReportInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.reportService.correct(caller, input);
    return this.payload(input, info);
  }

  @FieldResolver(() => IncidentReportConnection, {
    description: 'What was recorded about its reports, corrections included, newest first.',
  })
  reports(
    @Root() incident: IncidentRef,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return nestedList(context, info, page, incident, {
      authorize: (each) => this.reportService.authorizeList(context.caller, each),
      load: (incidents, asked) => this.reportService.ofIncidents(context.caller, incidents, { page }, asked),
    });
  }

  private async payload({ organizationId, incidentId }: IncidentKey, info: GraphQLResolveInfo) {
    return { incident: await this.incidents.record(organizationId, incidentId, selectionOf(info).of('incident')) };
  }
}
