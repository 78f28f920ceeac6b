import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { selectionOf } from '../graphql/selection.js';
import { AddIncidentNoteInput } from '../schema/incidents/inputs.js';
import { AddIncidentNotePayload, IncidentNoteConnection } from '../schema/incidents/note-types.js';
import { Incident } from '../schema/incidents/types.js';
import { PageArgs } from '../schema/shared/connection.js';
import type { IncidentRef } from '../services/incidents/incidents.service.js';
import type { IncidentNoteService } from '../services/incidents/notes.service.js';
import { nestedList } from './shared/nested-list.js';

@Resolver(() => Incident)
export class IncidentNoteResolver {
  constructor(private readonly noteService: IncidentNoteService) {}

  @Mutation(() => AddIncidentNotePayload, {
    description: 'Adds a note to an incident, which may be closed. Notes are neither changed nor deleted.',
  })
  async addIncidentNote(
    @Arg('input', () => AddIncidentNoteInput, { description: 'What to note.' }) input: AddIncidentNoteInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { note: await this.noteService.add(caller, input, selectionOf(info).of('note')) };
  }

  @FieldResolver(() => IncidentNoteConnection, { description: 'Notes on it, newest first.' })
  notes(
    @Root() incident: IncidentRef,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return nestedList(context, info, page, incident, {
      authorize: (each) => this.noteService.authorizeList(context.caller, each),
      load: (incidents, selection) => this.noteService.ofIncidents(context.caller, incidents, { page }, selection),
    });
  }
}
