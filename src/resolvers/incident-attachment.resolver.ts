import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { DeleteIncidentAttachmentInput, UploadIncidentAttachmentInput } from '../schema/incident-attachment.input.js';
import {
  DeleteIncidentAttachmentPayload,
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
    @Arg('organizationId', () => Int, { nullable: true, description: 'Only when it is of this organization.' })
    organizationId: number | null,
    @Arg('incidentId', () => Int, { nullable: true, description: 'Only when it is of this incident.' })
    incidentId: number | null,
    @Ctx() { caller }: RequestContext,
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
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { attachment: await this.attachmentService.upload(caller, input, selectionOf(info).of('attachment')) };
  }

  @Mutation(() => DeleteIncidentAttachmentPayload, {
    description:
      'Deletes a file of an incident. Whoever may attach files may delete their own; those of others take rank 3.',
  })
  async deleteIncidentAttachment(
    @Arg('input', () => DeleteIncidentAttachmentInput, { description: 'Which file.' })
    input: DeleteIncidentAttachmentInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { attachment: await this.attachmentService.delete(caller, input, selectionOf(info).of('attachment')) };
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
      load: (incidents, asked) => this.attachmentService.ofIncidents(context.caller, incidents, { page }, asked),
    });
  }
}
