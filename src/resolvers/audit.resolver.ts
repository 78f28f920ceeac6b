import { Args, Ctx, Extensions, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import { ChangesArgs, RecordedChange, RecordedChangeFilter } from '../schema/as-of.js';
import {
  AuditCheckpoint,
  AuditEntryFilter,
  AuditEntryOrder,
  AuditTrailVerification,
  CreateAuditCheckpointInput,
  AuditEntry,
} from '../schema/audit.js';
import { Viewer } from '../schema/members/types.js';
import { Organization } from '../schema/organizations/types.js';
import { connectionOf, PageArgs } from '../schema/shared/connection.js';
import { DateTimeScalar } from '../schema/shared/scalars.js';
import type { Plain } from '../schema/shared/types.js';
import { COSTS } from '../values/costs.js';
import { Arg, FieldResolver, Filter, Input, ListCall, Mutation, OrderBy } from './shared/decorators.js';
import { connectionFrom, listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';

const FILTER = [() => AuditEntryFilter, 'Which entries.'] as const;
const NEWEST_FIRST: Parameters<typeof OrderBy<AuditEntryOrder['field']>> = [
  () => AuditEntryOrder,
  { field: 'POSITION', direction: 'DESC' },
  'Newest first when absent.',
];

@Resolver(() => Organization)
class AuditTrailResolver {
  @Extensions({ cost: COSTS.auditTrailVerification, searches: 1 })
  @FieldResolver(
    () => AuditTrailVerification,
    'Whether the audit trail is as it was written: reads all of it, and counts as a search. Requires SECURITY_OFFICER; null with an error for lower roles. Counts as 5,000 of the cost of an operation.',
    { nullable: true },
  )
  auditTrailVerification(@Root() { id }: Plain<Organization>, @Ctx() { services, caller }: GraphQLContext) {
    return services.auditVerification.verify(caller, id);
  }

  @FieldResolver(
    connectionOf(RecordedChange),
    'What was changed between two instants, field by field, in the order of the audit trail: what an answer as of `to` has and one as of `from` has not. Requires SECURITY_OFFICER; null with an error for lower roles.',
    { nullable: true },
  )
  async changes(
    @Root() { id }: Plain<Organization>,
    @Args(() => ChangesArgs) { from, to, ...page }: ChangesArgs,
    @Filter(() => RecordedChangeFilter, 'Which changes.') filter: RecordedChangeFilter | null,
    @ListCall() { services, caller, selection }: ListCall,
  ) {
    return connectionFrom(await services.changes.list(caller, id, { page, from, to, ...filter }, selection));
  }

  @Extensions({ cost: COSTS.proofUrl })
  @FieldResolver(
    () => String,
    'Full address of a proof: the state at an instant, with the entries of the audit trail that made it so, checkpoints and a signature, to be verified without the gateway. It is signed, needs no token and expires soon, or as soon as you may not have the proof any more. Requires SECURITY_OFFICER; null with an error for lower roles.',
    { nullable: true },
  )
  proofUrl(
    @Root() { id: organizationId }: Plain<Organization>,
    @Arg('asOf', () => DateTimeScalar, 'The instant, in the past; now when absent.', { nullable: true })
    asOf: Date | null,
    @Arg('object', () => String, 'Only one object: its type and `databaseId`, such as `INCIDENT/12`.', {
      nullable: true,
    })
    object: string | null,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    return services.proofs.address(caller, { organizationId, asOf, object });
  }

  @Mutation(
    'Signs the newest entry of an audit trail. Kept elsewhere, the checkpoint shows later whether anything before it was changed. CONFLICT while the trail is not as it was written. Requires SECURITY_OFFICER.',
    { checkpoint: [() => AuditCheckpoint, 'The newest entry, signed.'] },
  )
  async createAuditCheckpoint(
    @Input('Which audit trail.') { organizationId }: CreateAuditCheckpointInput,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    return { checkpoint: await services.auditCheckpoints.create(caller, organizationId) };
  }
}

@Resolver(() => Viewer)
class OwnAuditTrailResolver {
  @FieldResolver(
    connectionOf(AuditEntry),
    'What the caller did with its profile, tokens and webhook endpoints and what the gateway did with them, lists of several organizations that it downloaded, and what the scopes of its tokens refused; newest first unless ordered otherwise; null with an error for a service account and a token of a sign-in. No one else can read it.',
    { nullable: true },
  )
  async auditTrail(
    @Args(() => PageArgs) page: PageArgs,
    @Filter(...FILTER) filter: AuditEntryFilter | null,
    @OrderBy(...NEWEST_FIRST) orderBy: AuditEntryOrder | null,
    @ListCall() { services, caller, selection }: ListCall,
  ) {
    return connectionFrom(await services.auditTrails.ofCaller(caller, { page, ...filter, orderBy }, selection));
  }

  @Extensions({ cost: COSTS.auditTrailVerification, searches: 1 })
  @FieldResolver(
    () => AuditTrailVerification,
    'Whether that audit trail is as it was written: reads all of it, and counts as a search; null with an error for a service account and a token of a sign-in. Counts as 5,000 of the cost of an operation.',
    { nullable: true },
  )
  auditTrailVerification(@Ctx() { services, caller }: GraphQLContext) {
    return services.auditVerification.verifyOwn(caller);
  }
}

nodeOf(AuditEntry, ['logId', 'position'], ({ auditTrails }, caller, key, selection) =>
  auditTrails.read(caller, key, selection),
);

export const AUDIT_RESOLVERS = [
  AuditTrailResolver,
  OwnAuditTrailResolver,
  listOfOrganization('auditTrail', AuditEntry, {
    description:
      'Who did what, newest first unless ordered otherwise. Requires SECURITY_OFFICER; null with an error for lower roles.',
    nullable: true,
    filter: FILTER,
    orderBy: NEWEST_FIRST,
    authorize: ({ auditTrails }, caller, id) => auditTrails.authorize(caller, id),
    load: ({ auditTrails }, ids, query, selection) => auditTrails.ofOrganizations(ids, query, selection),
  }),
];
