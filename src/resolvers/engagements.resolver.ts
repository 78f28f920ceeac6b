import { Args, type ClassType, Ctx, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import { batchInOrder } from '../graphql/batch.js';
import * as inputs from '../schema/engagements/inputs.js';
import * as scope from '../schema/engagements/scope-types.js';
import {
  Engagement,
  EngagementAuditor,
  EngagementWorkflow,
  EvidenceRequest,
  SignOff,
} from '../schema/engagements/types.js';
import { Invitation } from '../schema/members/types.js';
import { connectionOf, PageArgs } from '../schema/shared/connection.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/shared/scalars.js';
import type { Plain } from '../schema/shared/types.js';
import type { Caller } from '../auth/caller.js';
import type { ListSelection } from '../common/selection.js';
import type { Page } from '../database/cursor.js';
import type { Services } from '../services/index.js';
import { COSTS } from '../values/costs.js';
import { LIMITS } from '../values/limits.js';
import { Arg, Call, FieldResolver, Input, ListCall, Mutation, Query } from './shared/decorators.js';
import { LABEL_LANGUAGE, labelLanguage } from './shared/label-language.js';
import { connectionFrom, listOf, listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';

const { perOrganization } = LIMITS.engagement;

@Resolver(() => Engagement)
class EngagementResolver {
  @FieldResolver(
    () => DateTimeScalar,
    'The instant that its controls, documents and incidents are shown as of: the end of the period or of the access, whichever is earlier. Null before it, and where the audit trail does not record that instant: then they are shown as they are now.',
    { nullable: true },
  )
  asOf(@Root() engagement: Plain<Engagement>, @Ctx() { services }: GraphQLContext) {
    return services.engagementReading.asOf(engagement);
  }

  @FieldResolver(() => [EngagementWorkflow], 'The workflows in its scope.')
  workflows(@Root() engagement: Plain<Engagement>, @Ctx() context: GraphQLContext) {
    return batchInOrder(context, 'Engagement.workflows', engagement, (engagements: readonly Plain<Engagement>[]) =>
      context.services.engagements.workflowsOf(engagements),
    );
  }

  @Query(
    connectionOf(Engagement),
    'The engagements that the caller is an auditor of and that have not ended, newest first. FORBIDDEN for a service account.',
  )
  async engagements(@Args(() => PageArgs) page: PageArgs, @ListCall() { services, caller, selection }: ListCall) {
    return connectionFrom(await services.engagements.ofCaller(caller, page, selection));
  }

  @Query(
    () => Engagement,
    'An engagement, for its auditors until it ends, and for members. Requires SECURITY_ANALYST of members.',
  )
  engagement(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that is audited.') organizationId: number,
    @Arg('id', () => SafeIntScalar, 'Which engagement.') engagementId: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.engagements.read(caller, { organizationId, engagementId }, selection);
  }

  @Query(
    () => EvidenceRequest,
    'A request of an auditor, for the auditors of its engagement until that ends, and for members. Requires SECURITY_ANALYST of members.',
  )
  evidenceRequest(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that is audited.') organizationId: number,
    @Arg('engagementId', () => SafeIntScalar, 'The engagement.') engagementId: number,
    @Arg('id', () => SafeIntScalar, 'Which request.') evidenceRequestId: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.auditorStatements.readRequest(
      caller,
      { organizationId, engagementId, evidenceRequestId },
      selection,
    );
  }

  @Mutation(
    `Creates an engagement; auditors are invited to it by \`inviteAuditor\`. CONFLICT when ${perOrganization} have not ended. Requires ORGANIZATION_MANAGER.`,
    { engagement: [() => Engagement, 'The engagement.'] },
    { adds: 'engagement' },
  )
  async createEngagement(
    @Input('The engagement.') input: inputs.CreateEngagementInput,
    @Call('engagement') { services, caller, selection }: Call,
  ) {
    return { engagement: await services.engagements.create(caller, input, selection) };
  }

  @Mutation('Renames an engagement, or changes when it ends. Requires ORGANIZATION_MANAGER.', {
    engagement: [() => Engagement, 'The engagement as it is now.'],
  })
  async updateEngagement(
    @Input('The engagement.') input: inputs.UpdateEngagementInput,
    @Call('engagement') { services, caller, selection }: Call,
  ) {
    return { engagement: await services.engagements.update(caller, input, selection) };
  }

  @Mutation(
    'Invites a person by mail to an engagement, for seven days; by accepting, the person becomes an auditor and no member. CONFLICT for members, for its auditors, and when the address has an open invitation. Requires ORGANIZATION_MANAGER.',
    { invitation: [() => Invitation, 'The invitation; its mail is on its way.'] },
    { adds: 'invitation' },
  )
  async inviteAuditor(
    @Input('Who, and to which engagement.') input: inputs.InviteAuditorInput,
    @Call('invitation') { services, caller, selection }: Call,
  ) {
    const id = await services.invite.invite(caller, { ...input, role: 'AUDITOR' });
    return { invitation: await services.invitations.byId(id, selection) };
  }

  @Mutation('Removes an auditor from an engagement, at once. Requires ORGANIZATION_MANAGER.', {
    auditor: [() => EngagementAuditor, 'The auditor, as it was.'],
  })
  async removeAuditor(@Input('The auditor.') input: inputs.RemoveAuditorInput, @Call() { services, caller }: Call) {
    return { auditor: await services.engagements.remove(caller, input) };
  }

  @Mutation(
    'Asks for evidence of a control; those who manage engagements are notified. For auditors only.',
    { request: [() => EvidenceRequest, 'The request.'] },
    { adds: 'request' },
  )
  async requestEvidence(
    @Input('The request.') input: inputs.RequestEvidenceInput,
    @Call('request') { services, caller, selection }: Call,
  ) {
    return { request: await services.auditorStatements.request(caller, input, selection) };
  }

  @Mutation('Answers or closes a request of an auditor. CONFLICT for one that is closed. Requires SECURITY_ANALYST.', {
    request: [() => EvidenceRequest, 'The request as it is now.'],
  })
  async answerEvidenceRequest(
    @Input('The answer.') input: inputs.AnswerEvidenceRequestInput,
    @Call('request') { services, caller, selection }: Call,
  ) {
    return { request: await services.auditorStatements.answer(caller, input, selection) };
  }

  @Mutation(
    'Signs a workflow or a control off. For auditors only.',
    { signOff: [() => SignOff, 'The statement.'] },
    { adds: 'signOff' },
  )
  async signOff(
    @Input('The statement.') input: inputs.SignOffInput,
    @Call('signOff') { services, caller, selection }: Call,
  ) {
    return { signOff: await services.auditorStatements.signOff(caller, input, selection) };
  }
}

@Resolver(() => scope.EngagementControl)
class EngagementControlResolver {
  @FieldResolver(() => String, 'What it is called.')
  label(
    @Root() { label }: { label: string },
    @Arg('language', () => String, LABEL_LANGUAGE, { nullable: true }) tag: string | null,
  ) {
    return labelLanguage(tag).translated(label);
  }
}

type Load = (
  services: Services,
  caller: Caller,
  id: number,
  page: PageArgs,
  selection: ListSelection,
) => Promise<Page<object>>;

/** Each list authorizes by itself, and is recorded when an auditor reads it. */
function partOf(name: string, item: ClassType, description: string, load: Load) {
  return listOf(Engagement, ({ id }: { id: number }) => id, name, item, {
    description,
    nullable: true,
    cost: COSTS.engagementList,
    authorize: async () => undefined,
    load: async (services, ids, { page }, selection, caller) => {
      const found = new Map<number, Page<object>>();
      for (const id of ids) found.set(id, await load(services, caller, id, page, selection));
      return found;
    },
  });
}

nodeOf(Engagement, ['engagementId'], ({ engagements }, caller, key, selection) =>
  engagements.read(caller, key, selection),
);
nodeOf(EvidenceRequest, ['engagementId', 'evidenceRequestId'], ({ auditorStatements }, caller, key, selection) =>
  auditorStatements.readRequest(caller, key, selection),
);

export const ENGAGEMENT_RESOLVERS = [
  EngagementResolver,
  EngagementControlResolver,
  partOf(
    'controls',
    scope.EngagementControl,
    'Controls of its workflows in reading order, as of `asOf`; null with an error for who may not read them.',
    (services, caller, engagementId, page) => services.engagementReading.controlsOf(caller, { engagementId }, page),
  ),
  partOf(
    'documents',
    scope.EngagementDocument,
    'Document versions of its workflows that were true, or else uploaded, in its period, newest first, as of `asOf`; null with an error for who may not read them.',
    (services, caller, engagementId, page, selection) =>
      services.engagementReading.documentsOf(caller, { engagementId }, page, selection),
  ),
  partOf(
    'incidents',
    scope.EngagementIncident,
    'Incidents of which the organization became aware in its period, newest first, as of `asOf`; null with an error for who may not read them.',
    (services, caller, engagementId, page, selection) =>
      services.engagementReading.incidentsOf(caller, { engagementId }, page, selection),
  ),
  partOf(
    'auditTrail',
    scope.EngagementEntry,
    'Entries of its period about its workflows, these incidents and itself, newest first. Requires SECURITY_OFFICER of members; null with an error for lower roles.',
    (services, caller, engagementId, page, selection) =>
      services.engagementReading.entriesOf(caller, { engagementId }, page, selection),
  ),
  partOf(
    'requests',
    EvidenceRequest,
    'What its auditors requested, newest first; null with an error for who may not read it.',
    (services, caller, id, page, selection) => services.auditorStatements.requestsOf(caller, id, page, selection),
  ),
  partOf(
    'signOffs',
    SignOff,
    'What its auditors stated, newest first; null with an error for who may not read it.',
    (services, caller, id, page, selection) => services.auditorStatements.signOffsOf(caller, id, page, selection),
  ),
  listOfOrganization('engagements', Engagement, {
    description:
      'Engagements of auditors, newest first. Requires SECURITY_ANALYST; null with an error for lower roles.',
    nullable: true,
    authorize: ({ engagements }, caller, id) => engagements.authorizeList(caller, id),
    load: ({ engagements }, ids, { page }, selection) => engagements.ofOrganizations(ids, page, selection),
  }),
];
