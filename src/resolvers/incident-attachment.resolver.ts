import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { UploadIncidentAttachmentInput } from '../schema/incident-attachment.input.js';
import {
  IncidentAttachment,
  IncidentAttachmentConnection,
  UploadIncidentAttachmentPayload,
} from '../schema/incident-attachment.type.js';
import { Incident } from '../schema/incident.type.js';
import type { IncidentAttachmentService } from '../services/incident-attachments.js';
import type { IncidentRef } from '../services/incidents.js';
import { nestedList } from './nested-list.js';

@Resolver(() => Incident)
export class IncidentAttachmentResolver {
  constructor(private readonly attachmentService: IncidentAttachmentService) {}

  @Query(() => IncidentAttachment, { description: 'A file of an incident, without its bytes.' })
  incidentAttachment(
    @Arg('id', () => Int, { description: 'Which attachment.' }) id: number,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.attachmentService.read(caller, id, selectionOf(info));
  }

  @Mutation(() => UploadIncidentAttachmentPayload, {
    description: 'Attaches a file to an incident: 25 MB at most, of the types that documents have (specification 4.3).',
  })
  async uploadIncidentAttachment(
    @Arg('input', () => UploadIncidentAttachmentInput, { description: 'The file, and where it belongs.' })
    input: UploadIncidentAttachmentInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { attachment: await this.attachmentService.upload(caller, input, selectionOf(info).of('attachment')) };
  }

  @FieldResolver(() => IncidentAttachmentConnection, { description: 'Its files, newest first.' })
  attachments(
    @Root() incident: IncidentRef,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return nestedList(context, info, page, incident, {
      authorize: (each) => this.attachmentService.authorizeList(context.caller, each),
      load: (incidents, asked, total) =>
        this.attachmentService.ofIncidents(context.caller, incidents, { page }, asked, total),
    });
  }
}
