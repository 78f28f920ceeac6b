import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import {
  DeleteOrganizationInput,
  LeaveOrganizationInput,
  RestoreOrganizationInput,
  TransferOwnershipInput,
} from '../schema/organization-lifecycle.input.js';
import {
  DeleteOrganizationPayload,
  LeaveOrganizationPayload,
  RestoreOrganizationPayload,
  TransferOwnershipPayload,
} from '../schema/organization-lifecycle.type.js';
import type { OrganizationLifecycleService } from '../services/organization-lifecycle.js';
import type { OwnershipService } from '../services/ownership-changes.js';

@Resolver()
export class OrganizationLifecycleResolver {
  constructor(
    private readonly lifecycle: OrganizationLifecycleService,
    private readonly ownership: OwnershipService,
  ) {}

  @Mutation(() => DeleteOrganizationPayload, {
    description:
      'Deletes an organization softly: it looks absent to everybody, and an owner may restore it for 30 days. Asks for rank 5.',
  })
  async deleteOrganization(
    @Arg('input', () => DeleteOrganizationInput, { description: 'Which organization.' }) input: DeleteOrganizationInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const asked = selectionOf(info).of('organization');
    return { organization: await this.lifecycle.delete(caller, input, asked) };
  }

  @Mutation(() => RestoreOrganizationPayload, {
    description:
      'Brings back an organization that was deleted in the last 30 days. Asks for rank 5; to others it looks absent.',
  })
  async restoreOrganization(
    @Arg('input', () => RestoreOrganizationInput, { description: 'Which organization.' })
    input: RestoreOrganizationInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const asked = selectionOf(info).of('organization');
    return { organization: await this.lifecycle.restore(caller, input.id, asked) };
  }

  @Mutation(() => TransferOwnershipPayload, {
    description: 'Makes another member the owner; the caller becomes ORGANIZATION_MANAGER. Asks for rank 5.',
  })
  async transferOwnership(
    @Arg('input', () => TransferOwnershipInput, { description: 'Who is to own it.' }) input: TransferOwnershipInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const asked = selectionOf(info).of('organization');
    return { organization: await this.ownership.transfer(caller, input, asked) };
  }

  @Mutation(() => LeaveOrganizationPayload, {
    description: 'Takes the caller out of an organization. The last owner cannot leave: CONFLICT.',
  })
  async leaveOrganization(
    @Arg('input', () => LeaveOrganizationInput, { description: 'Which organization.' }) input: LeaveOrganizationInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const asked = selectionOf(info).of('organization');
    return { organization: await this.ownership.leave(caller, input.id, asked) };
  }
}
