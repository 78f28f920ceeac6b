import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Query, Resolver, Root, Mutation } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { selectionOf } from '../graphql/selection.js';
import { OrderBy } from '../schema/shared/order.js';
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
  AddIncidentNoteInput,
  DraftIncidentReportArgs,
  IncidentTimelineOrder,
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
  AddIncidentNotePayload,
  IncidentNoteConnection,
  IncidentTimelineConnection,
} from '../schema/incidents/types.js';
import { IncidentReportDraft, ReportingRegimeConnection } from '../schema/incidents/regime-types.js';
import { IncidentReportConnection } from '../schema/incidents/report-types.js';
import { Organization } from '../schema/organizations/types.js';
import type { Services } from '../services/index.js';
import type { IncidentKey, IncidentRef } from '../services/incidents/incidents.service.js';
import { connectionFrom, nestedList } from './shared/connection.js';

@Resolver(() => Organization)
export class IncidentsResolver {
  constructor(private readonly services: Services) {}

  @Query(() => Incident, { description: 'An incident of an organization.' })
  incident(
    @Arg('organizationId', () => Int, { description: 'The organization that has the incident.' })
    organizationId: number,
    @Arg('id', () => Int, { description: 'Which incident.' }) id: number,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.incidents.read(caller, { id, organizationId }, selectionOf(info));
  }

  @FieldResolver(() => IncidentConnection, {
    description: 'Its incidents, newest first unless ordered otherwise.',
  })
  incidents(
    @Root() { id }: Organization,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => IncidentFilter, { nullable: true, description: 'Which of them.' })
    filter: IncidentFilter | null,
    @OrderBy(() => IncidentOrder, { field: 'CREATED_AT', direction: 'DESC' }, 'Newest first when absent.')
    orderBy: IncidentOrder | null,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter, orderBy };
    return nestedList(context, info, query, id, {
      authorize: (organization) => this.services.incidents.authorizeList(context.caller, organization),
      load: (organizations, selection) =>
        this.services.incidents.ofOrganizations(context.caller, organizations, query, selection),
    });
  }
}

@Resolver(() => Incident)
export class IncidentResolver {
  constructor(private readonly services: Services) {}

  @Mutation(() => OpenIncidentPayload, {
    description:
      'Opens an incident. Which reports it owes follows from its facts and the settings of the organization.',
  })
  async openIncident(
    @Arg('input', () => OpenIncidentInput, { description: 'What happened.' }) input: OpenIncidentInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const incidentId = await this.services.incidentHandling.open(caller, input);
    return this.payload({ incidentId }, info);
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
    await this.services.incidentHandling.update(caller, input);
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
    await this.services.incidentHandling.close(caller, input);
    return this.payload(input, info);
  }

  @Mutation(() => ReopenIncidentPayload, { description: 'Opens a closed incident again; its status is `OPEN` then.' })
  async reopenIncident(
    @Arg('input', () => ReopenIncidentInput, { description: 'Which incident.' }) input: ReopenIncidentInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.services.incidentHandling.reopen(caller, input);
    return this.payload(input, info);
  }

  @Mutation(() => RecordIncidentReportPayload, {
    description:
      'Records that a report was sent. Those of a regime follow each other, each once; anything else is `CONFLICT`.',
  })
  async recordIncidentReport(
    @Arg('input', () => RecordIncidentReportInput, { description: 'What was sent.' }) input: RecordIncidentReportInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.services.incidentReports.record(caller, input);
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
    await this.services.incidentReports.correct(caller, input);
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
      authorize: (each) => this.services.incidentReports.authorizeList(context.caller, each),
      load: (incidents, selection) =>
        this.services.incidentReports.ofIncidents(context.caller, incidents, { page }, selection),
    });
  }

  @Query(() => ReportingRegimeConnection, {
    description: 'The laws that ask for reports after an incident, with their stages and what each report says.',
  })
  reportingRegimes(@Args(() => PageArgs) page: PageArgs, @Ctx() { caller }: GraphQLContext) {
    return connectionFrom(this.services.reportDrafts.list(caller, page));
  }

  @Query(() => IncidentReportDraft, {
    description:
      'A report that is filled from the incident, its notes and the organization, and what is still missing in it. It changes nothing.',
  })
  draftIncidentReport(
    @Args(() => DraftIncidentReportArgs) args: DraftIncidentReportArgs,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return this.services.reportDrafts.draft(caller, args);
  }

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
    return this.services.attachments.read(caller, { id, organizationId, incidentId }, selectionOf(info));
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
    return { attachment: await this.services.attachments.upload(caller, input, selectionOf(info).of('attachment')) };
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
      attachment: await this.services.attachments.delete(caller, { id, ...input }, selectionOf(info).of('attachment')),
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
      authorize: (each) => this.services.attachments.authorizeList(context.caller, each),
      load: (incidents, selection) =>
        this.services.attachments.ofIncidents(context.caller, incidents, { page }, selection),
    });
  }

  @Mutation(() => AddIncidentNotePayload, {
    description: 'Adds a note to an incident, which may be closed. Notes are neither changed nor deleted.',
  })
  async addIncidentNote(
    @Arg('input', () => AddIncidentNoteInput, { description: 'What to note.' }) input: AddIncidentNoteInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { note: await this.services.incidentNotes.add(caller, input, selectionOf(info).of('note')) };
  }

  @FieldResolver(() => IncidentNoteConnection, { description: 'Notes on it, newest first.' })
  notes(
    @Root() incident: IncidentRef,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return nestedList(context, info, page, incident, {
      authorize: (each) => this.services.incidentNotes.authorizeList(context.caller, each),
      load: (incidents, selection) =>
        this.services.incidentNotes.ofIncidents(context.caller, incidents, { page }, selection),
    });
  }

  @FieldResolver(() => IncidentTimelineConnection, {
    description:
      'What has happened to it, oldest first unless ordered otherwise: records about reports, files, notes, and for SECURITY_OFFICER and above what else the audit trail has about it.',
  })
  timeline(
    @Root() incident: IncidentRef,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(() => IncidentTimelineOrder, { field: 'AT', direction: 'ASC' }, 'Oldest first when absent.')
    orderBy: IncidentTimelineOrder | null,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, orderBy };
    return nestedList(context, info, query, incident, {
      authorize: (each) => this.services.incidentTimelines.authorize(context.caller, each),
      load: (incidents, selection) =>
        this.services.incidentTimelines.ofIncidents(context.caller, incidents, query, selection),
    });
  }

  private async payload({ incidentId }: Pick<IncidentKey, 'incidentId'>, info: GraphQLResolveInfo) {
    return { incident: await this.services.incidents.byId(incidentId, selectionOf(info).of('incident')) };
  }
}
