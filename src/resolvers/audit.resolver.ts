import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { AuditEntryFilter, AuditEntryOrder, CreateAuditCheckpointInput } from '../schema/audit/inputs.js';
import { AuditEntryConnection, AuditTrailVerification, CreateAuditCheckpointPayload } from '../schema/audit/types.js';
import { Viewer } from '../schema/members/types.js';
import { Organization } from '../schema/organizations/types.js';
import { OrderBy } from '../schema/shared/order.js';
import { PageArgs } from '../schema/shared/connection.js';
import type { Plain } from '../schema/shared/plain.js';
import type { Services } from '../services/index.js';
import { COSTS } from '../values/limits.js';
import { connectionFrom, listSelectionOf, nestedList } from './shared/connection.js';

const FILTER = { nullable: true, description: 'Which entries.' };
const NEWEST_FIRST = OrderBy(
  () => AuditEntryOrder,
  { field: 'POSITION', direction: 'DESC' },
  'Newest first when absent.',
);

@Resolver(() => Organization)
export class AuditTrailResolver {
  constructor(private readonly services: Services) {}

  @FieldResolver(() => AuditEntryConnection, {
    nullable: true,
    description:
      'Who did what, newest first unless ordered otherwise. Requires SECURITY_OFFICER; null with an error for lower roles.',
  })
  auditTrail(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => AuditEntryFilter, FILTER) filter: AuditEntryFilter | null,
    @NEWEST_FIRST orderBy: AuditEntryOrder | null,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter, orderBy };
    return nestedList(context, info, query, organization.id, {
      authorize: (id) => this.services.auditTrails.authorize(context.caller, id),
      load: (ids, selection) => this.services.auditTrails.ofOrganizations(ids, query, selection),
    });
  }

  @Extensions({ cost: COSTS.auditTrailVerification })
  @FieldResolver(() => AuditTrailVerification, {
    nullable: true,
    description:
      'Whether the audit trail is as it was written: reads all of it. Requires SECURITY_OFFICER; null with an error for lower roles. Counts as 5,000 of the cost of an operation.',
  })
  auditTrailVerification(@Root() { id }: Plain<Organization>, @Ctx() { caller }: GraphQLContext) {
    return this.services.auditVerification.verify(caller, id);
  }

  @Mutation(() => CreateAuditCheckpointPayload, {
    description:
      'Signs the newest entry of an audit trail. Kept elsewhere, the checkpoint shows later whether anything before it was changed. Requires SECURITY_OFFICER.',
  })
  async createAuditCheckpoint(
    @Arg('input', () => CreateAuditCheckpointInput, { description: 'Which audit trail.' })
    { organizationId }: CreateAuditCheckpointInput,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return { checkpoint: await this.services.auditCheckpoints.create(caller, organizationId) };
  }
}

@Resolver(() => Viewer)
export class OwnAuditTrailResolver {
  constructor(private readonly services: Services) {}

  @FieldResolver(() => AuditEntryConnection, {
    nullable: true,
    description:
      'What the caller did with its profile and tokens, and what the gateway did with them, newest first unless ordered otherwise. No one else can read it.',
  })
  async auditTrail(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => AuditEntryFilter, FILTER) filter: AuditEntryFilter | null,
    @NEWEST_FIRST orderBy: AuditEntryOrder | null,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return connectionFrom(
      await this.services.auditTrails.ofCaller(caller, { page, ...filter, orderBy }, listSelectionOf(info)),
    );
  }

  @Extensions({ cost: COSTS.auditTrailVerification })
  @FieldResolver(() => AuditTrailVerification, {
    nullable: true,
    description:
      'Whether that audit trail is as it was written: reads all of it. Counts as 5,000 of the cost of an operation.',
  })
  auditTrailVerification(@Ctx() { caller }: GraphQLContext) {
    return this.services.auditVerification.verifyOwn(caller);
  }
}
