import { Args, Ctx, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import * as inputs from '../schema/incidents/inputs.js';
import * as reportInputs from '../schema/incidents/report-inputs.js';
import { IncidentReportDraft } from '../schema/incidents/draft-types.js';
import { ReportingRegime } from '../schema/incidents/regime-types.js';
import { AssessIncidentInput, SignificanceQuestionsArgs } from '../schema/incidents/significance-inputs.js';
import { SignificanceQuestions } from '../schema/incidents/significance-types.js';
import { RehearsalReport, RehearsalReportArgs } from '../schema/incidents/rehearsal-types.js';
import { IncidentClock, IncidentReport } from '../schema/incidents/report-types.js';
import { Incident, IncidentAttachment, IncidentNote, IncidentTimelineItem } from '../schema/incidents/types.js';
import { connectionOf } from '../schema/shared/connection.js';
import { translatedClock } from '../services/incidents/clock-language.js';
import type { IncidentKey, IncidentRef } from '../services/incidents/incidents.service.js';
import type { IncidentClock as RecordedClock } from '../services/incidents/reporting-clock.js';
import { Arg, Call, FieldResolver, Input, Mutation, Query } from './shared/decorators.js';
import { labelLanguage, TEXT_LANGUAGE } from './shared/label-language.js';
import { connectionFrom, listOf, listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';
import { SafeIntScalar } from '../schema/shared/scalars.js';

@Resolver(() => Incident)
class IncidentResolver {
  @Query(() => Incident, 'An incident of an organization.')
  incident(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that has the incident.') organizationId: number,
    @Arg('id', () => SafeIntScalar, 'Which incident.') id: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.incidents.read(caller, { id, organizationId }, selection);
  }

  @FieldResolver(() => IncidentClock, 'The reports that authorities expect.')
  clock(
    @Root() { clock }: { clock: RecordedClock },
    @Arg('language', () => String, TEXT_LANGUAGE, { nullable: true }) tag: string | null,
  ) {
    return tag === null ? clock : translatedClock(clock, labelLanguage(tag));
  }

  @Mutation(
    'Opens an incident. Which reports it owes follows from its facts and the settings of the organization. Requires SECURITY_ANALYST.',
    {
      incident: [() => Incident, 'The new incident.'],
    },
    { adds: 'incident' },
  )
  async openIncident(@Input('What happened.') input: inputs.OpenIncidentInput, @Call('incident') call: Call) {
    const incidentId = await call.services.incidentUpdates.open(call.caller, input);
    return incidentOf({ incidentId }, call);
  }

  @Mutation(
    'Changes an incident. One that is closed has to be opened again first (`CONFLICT`). Requires SECURITY_ANALYST; what lets a report be sent later or not at all, SECURITY_OFFICER and a reason.',
    { incident: [() => Incident, 'The incident as it is now.'] },
  )
  async updateIncident(@Input('What to change.') input: inputs.UpdateIncidentInput, @Call('incident') call: Call) {
    await call.services.incidentUpdates.update(call.caller, input);
    return incidentOf(input, call);
  }

  @Query(
    () => SignificanceQuestions,
    'The questions whose answers say whether an incident is significant, by the services that the organization may provide.',
  )
  significanceQuestions(
    @Args(() => SignificanceQuestionsArgs) args: SignificanceQuestionsArgs,
    @Arg('language', () => String, TEXT_LANGUAGE, { nullable: true }) tag: string | null,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    const language = labelLanguage(tag);
    return services.incidentSignificance.questions(caller, args, language);
  }

  @Mutation(
    'Sets whether an incident is significant by answers to the questions of the acts that say so; the reason is recorded. Answers that contradict each other, or leave it open, are refused. Requires SECURITY_ANALYST; one that was significant and is not by them, SECURITY_OFFICER.',
    { incident: [() => Incident, 'The incident with its clock as it is now.'] },
  )
  async assessIncident(
    @Input('What the incident concerns, and the answers.') input: AssessIncidentInput,
    @Call('incident') call: Call,
  ) {
    await call.services.incidentSignificance.assess(call.caller, input);
    return incidentOf(input, call);
  }

  @Mutation('Closes an incident. Requires SECURITY_ANALYST; one that owes reports, SECURITY_OFFICER and a reason.', {
    incident: [() => Incident, 'The incident as it is now.'],
  })
  async closeIncident(@Input('Which incident.') input: inputs.CloseIncidentInput, @Call('incident') call: Call) {
    await call.services.incidentUpdates.close(call.caller, input);
    return incidentOf(input, call);
  }

  @Mutation(
    'Judges an incident by the facts of its organization as they are now, instead of those of awareness; what was recorded about its reports stays. It requires SECURITY_OFFICER.',
    { incident: [() => Incident, 'The incident with its clock as it is now.'] },
  )
  async rejudgeIncident(
    @Input('Which incident, and why.') input: inputs.RejudgeIncidentInput,
    @Call('incident') call: Call,
  ) {
    await call.services.incidentJudgements.rejudge(call.caller, input);
    return incidentOf(input, call);
  }

  @Mutation('Opens a closed incident again; its status is `OPEN` then. Requires SECURITY_OFFICER.', {
    incident: [() => Incident, 'The incident as it is now.'],
  })
  async reopenIncident(@Input('Which incident.') input: inputs.ReopenIncidentInput, @Call('incident') call: Call) {
    await call.services.incidentUpdates.reopen(call.caller, input);
    return incidentOf(input, call);
  }

  @Mutation(
    'Records that a report was sent, alone or in one with reports before it, that what it asks for was provided already, or that it is not due (SECURITY_OFFICER). Those of a regime follow each other, each once; anything else is `CONFLICT` with a reason. Its deadline and the regime are fixed by it. Requires SECURITY_ANALYST.',
    { incident: [() => Incident, 'The incident with its clock as it is now.'] },
  )
  async recordIncidentReport(
    @Input('What was sent.') input: reportInputs.RecordIncidentReportInput,
    @Call('incident') call: Call,
  ) {
    await call.services.incidentReports.record(call.caller, input);
    return incidentOf(input, call);
  }

  @Mutation(
    'Corrects what is recorded of a report, or takes it back; what was recorded before stays in the history. Requires SECURITY_OFFICER.',
    {
      incident: [() => Incident, 'The incident with its clock as it is now.'],
    },
  )
  async correctIncidentReport(
    @Input('What is right.') input: reportInputs.CorrectIncidentReportInput,
    @Call('incident') call: Call,
  ) {
    await call.services.incidentReports.correct(call.caller, input);
    return incidentOf(input, call);
  }

  @Query(
    connectionOf(ReportingRegime),
    'The laws that ask for reports after an incident, with their stages and what each report says.',
  )
  reportingRegimes(
    @Args(() => reportInputs.ReportingRegimesArgs) { asOf, ...page }: reportInputs.ReportingRegimesArgs,
    @Arg('language', () => String, TEXT_LANGUAGE, { nullable: true }) tag: string | null,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    const language = labelLanguage(tag);
    return connectionFrom(services.reportDrafts.list(caller, page, { asOf, language }));
  }

  @Query(
    () => IncidentReportDraft,
    'A report that is filled from the incident, its notes and the organization, and what is still missing in it. It changes nothing.',
  )
  draftIncidentReport(
    @Args(() => reportInputs.DraftIncidentReportArgs) args: reportInputs.DraftIncidentReportArgs,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    return services.reportDrafts.draft(caller, args);
  }

  @Query(
    () => RehearsalReport,
    'Who reacted when in a rehearsal, for evidence of exercises. NOT_FOUND for an incident that is no rehearsal. Requires SECURITY_OFFICER.',
  )
  rehearsalReport(
    @Args(() => RehearsalReportArgs) args: RehearsalReportArgs,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    return services.rehearsalReports.report(caller, args);
  }

  @Query(() => IncidentAttachment, 'A file of an incident, without its bytes.')
  incidentAttachment(
    @Arg('id', () => SafeIntScalar, 'Which attachment.') id: number,
    @Arg('organizationId', () => SafeIntScalar, 'Only when it is of this organization.', { nullable: true })
    organizationId: number | null,
    @Arg('incidentId', () => SafeIntScalar, 'Only when it is of this incident.', { nullable: true })
    incidentId: number | null,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.attachments.read(caller, { id, organizationId, incidentId }, selection);
  }

  // Specification 4.3.
  @Mutation(
    'Attaches a file to an incident: 25 MB at most, of the types that documents have. Requires SECURITY_ANALYST.',
    {
      attachment: [() => IncidentAttachment, 'The new attachment.'],
    },
    { adds: 'attachment' },
  )
  async uploadIncidentAttachment(
    @Input('The file, and where it belongs.') input: inputs.UploadIncidentAttachmentInput,
    @Call('attachment') { services, caller, selection }: Call,
  ) {
    return { attachment: await services.attachments.upload(caller, input, selection) };
  }

  @Mutation(
    'Deletes a file of an incident. Requires SECURITY_ANALYST, and SECURITY_OFFICER for those of other users.',
    {
      attachment: [() => IncidentAttachment, 'The attachment as it was.'],
    },
  )
  async deleteIncidentAttachment(
    @Input('Which file.') { attachmentId: id, ...input }: inputs.DeleteIncidentAttachmentInput,
    @Call('attachment') { services, caller, selection }: Call,
  ) {
    return { attachment: await services.attachments.delete(caller, { id, ...input }, selection) };
  }

  @Mutation(
    'Adds a note to an incident, which may be closed. Notes are neither changed nor deleted. Requires SECURITY_ANALYST.',
    {
      note: [() => IncidentNote, 'The new note.'],
    },
    { adds: 'note' },
  )
  async addIncidentNote(
    @Input('What to note.') input: inputs.AddIncidentNoteInput,
    @Call('note') { services, caller, selection }: Call,
  ) {
    return { note: await services.incidentNotes.add(caller, input, selection) };
  }
}

/** The answer to a change of an incident. */
async function incidentOf({ incidentId }: Pick<IncidentKey, 'incidentId'>, { services, selection }: Call) {
  return { incident: await services.incidents.byId(incidentId, selection) };
}

/** Incidents are parents as the rows that they are. */
const incident = (row: IncidentRef) => row;

nodeOf(Incident, ['incidentId'], ({ incidents }, caller, { incidentId: id }, selection) =>
  incidents.read(caller, { id }, selection),
);
nodeOf(IncidentAttachment, ['attachmentId'], ({ attachments }, caller, { attachmentId: id }, selection) =>
  attachments.read(caller, { id }, selection),
);
nodeOf(IncidentNote, ['noteId'], ({ incidentNotes }, caller, { noteId: id }, selection) =>
  incidentNotes.read(caller, { id }, selection),
);
nodeOf(IncidentReport, ['reportId'], ({ incidentReports }, caller, { reportId: id }, selection) =>
  incidentReports.read(caller, { id }, selection),
);

export const INCIDENT_RESOLVERS = [
  IncidentResolver,
  listOfOrganization('incidents', Incident, {
    description: 'Its incidents, newest first unless ordered otherwise.',
    filter: [() => inputs.IncidentFilter, 'Which of them.'],
    orderBy: [() => inputs.IncidentOrder, { field: 'CREATED_AT', direction: 'DESC' }, 'Newest first when absent.'],
    authorize: ({ incidents }, caller, id) => incidents.authorizeList(caller, id),
    load: ({ incidents }, ids, query, selection, caller) => incidents.ofOrganizations(caller, ids, query, selection),
  }),
  listOf(Incident, incident, 'reports', IncidentReport, {
    description: 'What was recorded about its reports, corrections included, newest first.',
    authorize: ({ incidentReports }, caller, row) => incidentReports.authorizeList(caller, row),
    load: ({ incidentReports }, rows, query, selection, caller) =>
      incidentReports.ofIncidents(caller, rows, query, selection),
  }),
  listOf(Incident, incident, 'attachments', IncidentAttachment, {
    description: 'The files of the incident, newest first.',
    authorize: ({ attachments }, caller, row) => attachments.authorizeList(caller, row),
    load: ({ attachments }, rows, query, selection, caller) => attachments.ofIncidents(caller, rows, query, selection),
  }),
  listOf(Incident, incident, 'notes', IncidentNote, {
    description: 'The notes on the incident, newest first.',
    authorize: ({ incidentNotes }, caller, row) => incidentNotes.authorizeList(caller, row),
    load: ({ incidentNotes }, rows, query, selection, caller) =>
      incidentNotes.ofIncidents(caller, rows, query, selection),
  }),
  listOf(Incident, incident, 'timeline', IncidentTimelineItem, {
    description:
      'What has happened to it, oldest first unless ordered otherwise: records about reports, files, notes, and for SECURITY_OFFICER and above what else the audit trail has about it.',
    orderBy: [() => inputs.IncidentTimelineOrder, { field: 'AT', direction: 'ASC' }, 'Oldest first when absent.'],
    authorize: ({ incidentTimelines }, caller, row) => incidentTimelines.authorize(caller, row),
    load: ({ incidentTimelines }, rows, query, selection, caller) =>
      incidentTimelines.ofIncidents(caller, rows, query, selection),
  }),
];
