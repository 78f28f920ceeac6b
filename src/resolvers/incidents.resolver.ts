import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Query, Resolver, Root, Mutation } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { selectionOf } from '../graphql/selection.js';
import { PageArgs } from '../schema/shared/connection.js';
import {
  IncidentFilter,
  IncidentOrder,
  CloseIncidentInput,
  OpenIncidentInput,
  ReopenIncidentInput,
  UpdateIncidentInput,
  DeleteIncidentAttachmentInput,
  UploadIncidentAttachmentInput,
  CorrectIncidentReportInput,
  RecordIncidentReportInput,
} from '../schema/incidents/inputs.js';
import {
  Incident,
  IncidentConnection,
  CloseIncidentPayload,
  OpenIncidentPayload,
  ReopenIncidentPayload,
  UpdateIncidentPayload,
  DeleteIncidentAttachmentPayload,
  IncidentAttachment,
  IncidentAttachmentConnection,
  UploadIncidentAttachmentPayload,
  CorrectIncidentReportPayload,
  RecordIncidentReportPayload,
} from '../schema/incidents/types.js';
import { IncidentReportConnection } from '../schema/incidents/report-types.js';
import { Organization } from '../schema/organizations/types.js';
import type { IncidentAttachmentService } from '../services/incidents/attachments.service.js';
import type { IncidentHandlingService } from '../services/incidents/incident-update.service.js';
import type { IncidentKey, IncidentRef, IncidentService } from '../services/incidents/incidents.service.js';
import type { IncidentReportService } from '../services/incidents/reports.service.js';
import { nestedList } from './shared/nested-list.js';

@Resolver(() => Organization)
export class IncidentResolver {
  constructor(private readonly incidentService: IncidentService) {}

  @Query(() => Incident, { description: 'An incident of an organization.' })
  incident(
    @Arg('organizationId', () => Int, { description: 'The organization that has the incident.' })
    organizationId: number,
    @Arg('id', () => Int, { description: 'Which incident.' }) id: number,
    @Ctx() { caller }: GraphQLContext,
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
    @Arg('orderBy', () => IncidentOrder, {
      nullable: true,
      defaultValue: { field: 'CREATED_AT', direction: 'DESC' },
      description: 'Newest first when absent.',
    })
    orderBy: IncidentOrder | null,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const order = orderBy && { order: { field: orderBy.field, descending: orderBy.direction === 'DESC' } };
    const query = { page, ...filter, ...order };
    return nestedList(context, info, query, id, {
      authorize: (organization) => this.incidentService.authorizeList(context.caller, organization),
      load: (organizations, selection) =>
        this.incidentService.ofOrganizations(context.caller, organizations, query, selection),
    });
  }
}

@Resolver()
export class IncidentHandlingResolver {
  constructor(
    private readonly handling: IncidentHandlingService,
    private readonly incidents: IncidentService,
  ) {}

  @Mutation(() => OpenIncidentPayload, {
    description:
      'Opens an incident. Which reports it owes follows from its facts and the settings of the organization.',
  })
  async openIncident(
    @Arg('input', () => OpenIncidentInput, { description: 'What happened.' }) input: OpenIncidentInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const incidentId = await this.handling.open(caller, input);
    return this.payload({ organizationId: input.organizationId, incidentId }, info);
  }

  @Mutation(() => UpdateIncidentPayload, {
    description:
      'Changes an incident. One that is closed has to be opened again first (`CONFLICT`). What lets a report be sent later or not at all requires SECURITY_OFFICER and a reason.',
  })
  async updateIncident(
    @Arg('input', () => UpdateIncidentInput, { description: 'What to change.' }) input: UpdateIncidentInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.handling.update(caller, input);
    return this.payload(input, info);
  }

  @Mutation(() => CloseIncidentPayload, {
    description: 'Closes an incident. One that owes reports requires SECURITY_OFFICER and a reason.',
  })
  async closeIncident(
    @Arg('input', () => CloseIncidentInput, { description: 'Which incident.' }) input: CloseIncidentInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.handling.close(caller, input);
    return this.payload(input, info);
  }

  @Mutation(() => ReopenIncidentPayload, { description: 'Opens a closed incident again; its status is `OPEN` then.' })
  async reopenIncident(
    @Arg('input', () => ReopenIncidentInput, { description: 'Which incident.' }) input: ReopenIncidentInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.handling.reopen(caller, input);
    return this.payload(input, info);
  }

  private async payload({ organizationId, incidentId }: IncidentKey, info: GraphQLResolveInfo) {
    return { incident: await this.incidents.record(organizationId, incidentId, selectionOf(info).of('incident')) };
  }
}

@Resolver(() => Incident)
export class IncidentAttachmentResolver {
  constructor(private readonly attachmentService: IncidentAttachmentService) {}

  @Query(() => IncidentAttachment, { description: 'A file of an incident, without its bytes.' })
  incidentAttachment(
    @Arg('id', () => Int, { description: 'Which attachment.' }) id: number,
    @Arg('organizationId', () => Int, { nullable: true, description: 'Only when it is of this organization.' })
    organizationId: number | null,
    @Arg('incidentId', () => Int, { nullable: true, description: 'Only when it is of this incident.' })
    incidentId: number | null,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.attachmentService.read(caller, { id, organizationId, incidentId }, selectionOf(info));
  }

  @Mutation(() => UploadIncidentAttachmentPayload, {
    description: 'Attaches a file to an incident: 25 MB at most, of the types that documents have (specification 4.3).',
  })
  async uploadIncidentAttachment(
    @Arg('input', () => UploadIncidentAttachmentInput, { description: 'The file, and where it belongs.' })
    input: UploadIncidentAttachmentInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { attachment: await this.attachmentService.upload(caller, input, selectionOf(info).of('attachment')) };
  }

  @Mutation(() => DeleteIncidentAttachmentPayload, {
    description: 'Deletes a file of an incident. Files of other users require SECURITY_OFFICER.',
  })
  async deleteIncidentAttachment(
    @Arg('input', () => DeleteIncidentAttachmentInput, { description: 'Which file.' })
    { attachmentId: id, ...input }: DeleteIncidentAttachmentInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return {
      attachment: await this.attachmentService.delete(caller, { id, ...input }, selectionOf(info).of('attachment')),
    };
  }

  @FieldResolver(() => IncidentAttachmentConnection, { description: 'Its files, newest first.' })
  attachments(
    @Root() incident: IncidentRef,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return nestedList(context, info, page, incident, {
      authorize: (each) => this.attachmentService.authorizeList(context.caller, each),
      load: (incidents, selection) =>
        this.attachmentService.ofIncidents(context.caller, incidents, { page }, selection),
    });
  }
}

@Resolver(() => Incident)
export class IncidentReportResolver {
  constructor(
    private readonly reportService: IncidentReportService,
    private readonly incidents: IncidentService,
  ) {}

  @Mutation(() => RecordIncidentReportPayload, {
    description:
      'Records that a report was sent. Those of a regime follow each other, each once; anything else is `CONFLICT`.',
  })
  async recordIncidentReport(
    @Arg('input', () => RecordIncidentReportInput, { description: 'What was sent.' }) input: RecordIncidentReportInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.reportService.record(caller, input);
    return this.payload(input, info);
  }

  @Mutation(() => CorrectIncidentReportPayload, {
    description:
      'Corrects what is recorded of a report, or takes it back; what was recorded before stays in the history.',
  })
  async correctIncidentReport(
    @Arg('input', () => CorrectIncidentReportInput, { description: 'What is right.' })
    input: CorrectIncidentReportInput,
    @Ctx() { caller }: GraphQLContext,
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
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return nestedList(context, info, page, incident, {
      authorize: (each) => this.reportService.authorizeList(context.caller, each),
      load: (incidents, selection) => this.reportService.ofIncidents(context.caller, incidents, { page }, selection),
    });
  }

  private async payload({ organizationId, incidentId }: IncidentKey, info: GraphQLResolveInfo) {
    return { incident: await this.incidents.record(organizationId, incidentId, selectionOf(info).of('incident')) };
  }
}
