import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Caller } from '../auth/caller.js';
import type { GraphQLContext } from '../context.js';
import { selectionOf } from '../graphql/selection.js';
import { OrderBy } from '../schema/shared/order.js';
import { PageArgs } from '../schema/shared/connection.js';
import { FormOptions } from '../schema/organizations/form-options.js';
import {
  CreateOrganizationInput,
  UpdateOrganizationInput,
  OrganizationFilter,
  OrganizationOrder,
  DeleteOrganizationInput,
  LeaveOrganizationInput,
  RestoreOrganizationInput,
  TransferOwnershipInput,
  RemoveOrganizationLogoInput,
  SetOrganizationLogoInput,
  UpdateOrganizationSettingsInput,
  UpdateBrandingInput,
} from '../schema/organizations/inputs.js';
import { readOrganization, readOrganizationChange } from '../schema/organizations/reader.js';
import {
  CreateOrganizationPayload,
  Organization,
  OrganizationConnection,
  UpdateOrganizationPayload,
  DeleteOrganizationPayload,
  LeaveOrganizationPayload,
  RestoreOrganizationPayload,
  TransferOwnershipPayload,
  RemoveOrganizationLogoPayload,
  SetOrganizationLogoPayload,
  OrganizationSettings,
  UpdateOrganizationSettingsPayload,
  Branding,
  UpdateBrandingPayload,
} from '../schema/organizations/types.js';
import type { Plain } from '../schema/shared/plain.js';
import { PrivilegeEnum, RoleEnum } from '../schema/shared/role.js';
import type { Services } from '../services/index.js';
import type { OrganizationChange } from '../services/organizations/organization-update.service.js';
import { authorizedBatch, connectionFrom, listSelectionOf } from './shared/connection.js';

@Resolver(() => Organization)
export class OrganizationResolver {
  constructor(private readonly services: Services) {}

  @Query(() => Organization, { description: 'An organization of the caller (specification 2.2).' })
  organization(
    @Arg('id', () => Int, { description: 'Its id, as in REST paths.' }) id: number,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.organizations.read(caller, id, selectionOf(info));
  }

  @Query(() => OrganizationConnection, { description: 'The organizations that the caller belongs to.' })
  async organizations(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => OrganizationFilter, { nullable: true, description: 'Which organizations.' })
    filter: OrganizationFilter | null,
    @OrderBy(() => OrganizationOrder, { field: 'NAME', direction: 'ASC' }, 'By name when absent.')
    orderBy: OrganizationOrder | null,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter, orderBy };
    return connectionFrom(await this.services.organizations.list(caller, query, listSelectionOf(info)));
  }

  @Mutation(() => CreateOrganizationPayload, {
    description: 'Creates an organization; the caller becomes its owner (specification 4.1).',
  })
  async createOrganization(
    @Arg('input', () => CreateOrganizationInput, { description: 'The organization.' }) input: CreateOrganizationInput,
    @Ctx() { caller }: GraphQLContext,
  ) {
    const { organization, logoFile } = readOrganization(input);
    return { organization: await this.services.organizations.create(caller, organization, logoFile) };
  }

  @Mutation(() => UpdateOrganizationPayload, {
    description: 'Changes the profile of an organization. Requires ORGANIZATION_MANAGER.',
  })
  async updateOrganization(
    @Arg('input', () => UpdateOrganizationInput, { description: 'What to change.' }) input: UpdateOrganizationInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { change: values, logoFile } = readOrganizationChange(input);
    const change = { ...keyOf(input), values, logoFile };
    const selection = selectionOf(info).of('organization');
    return { organization: await this.services.changes.apply(caller, 'MANAGE_SETTINGS', change, selection) };
  }

  @FieldResolver(() => [PrivilegeEnum], {
    description:
      'The privileges of the caller in the organization, with the token of this request: also what it may read.',
  })
  viewerPrivileges(@Root() { id }: Plain<Organization>, @Ctx() { caller }: GraphQLContext) {
    return this.services.privileges.of(caller, id);
  }

  @FieldResolver(() => RoleEnum, { description: 'What the caller is in it.' })
  viewerRole(@Root() { id }: Plain<Organization>, @Ctx() { caller }: GraphQLContext) {
    return this.services.privileges.roleOf(caller, id);
  }

  @Mutation(() => DeleteOrganizationPayload, {
    description:
      'Deletes an organization softly: it looks absent, and an owner may restore it for 30 days. Requires ORGANIZATION_OWNER.',
  })
  async deleteOrganization(
    @Arg('input', () => DeleteOrganizationInput, { description: 'Which organization.' }) input: DeleteOrganizationInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const selection = selectionOf(info).of('organization');
    return { organization: await this.services.changes.delete(caller, keyOf(input), selection) };
  }

  @Mutation(() => RestoreOrganizationPayload, {
    description:
      'Brings back an organization that was deleted in the last 30 days. Requires ORGANIZATION_OWNER; to others it looks absent.',
  })
  async restoreOrganization(
    @Arg('input', () => RestoreOrganizationInput, { description: 'Which organization.' })
    input: RestoreOrganizationInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const selection = selectionOf(info).of('organization');
    return { organization: await this.services.changes.restore(caller, input.organizationId, selection) };
  }

  @Mutation(() => TransferOwnershipPayload, {
    description:
      'Makes another member the owner; the caller becomes ORGANIZATION_MANAGER. Requires ORGANIZATION_OWNER.',
  })
  async transferOwnership(
    @Arg('input', () => TransferOwnershipInput, { description: 'Who is to own it.' }) input: TransferOwnershipInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const to = { id: input.organizationId, userId: input.userId };
    return {
      organization: await this.services.memberChanges.transfer(caller, to, selectionOf(info).of('organization')),
    };
  }

  @Mutation(() => LeaveOrganizationPayload, {
    description: 'Takes the caller out of an organization. The last owner cannot leave: CONFLICT.',
  })
  async leaveOrganization(
    @Arg('input', () => LeaveOrganizationInput, { description: 'Which organization.' }) input: LeaveOrganizationInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const selection = selectionOf(info).of('organization');
    return { organization: await this.services.memberChanges.leave(caller, input.organizationId, selection) };
  }

  @Mutation(() => SetOrganizationLogoPayload, {
    description: 'Stores a logo and serves it at an address of the gateway. Requires ORGANIZATION_MANAGER.',
  })
  async setOrganizationLogo(
    @Arg('input', () => SetOrganizationLogoInput, { description: 'The logo.' }) input: SetOrganizationLogoInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.changed(caller, { ...keyOf(input), values: {}, logoFile: input.file }, info);
  }

  @Mutation(() => RemoveOrganizationLogoPayload, {
    description: 'Removes the logo of an organization. Requires ORGANIZATION_MANAGER.',
  })
  async removeOrganizationLogo(
    @Arg('input', () => RemoveOrganizationLogoInput, { description: 'The organization that has the logo.' })
    input: RemoveOrganizationLogoInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.changed(caller, { ...keyOf(input), values: { logo: '' } }, info);
  }

  private async changed(caller: Caller, change: OrganizationChange, info: GraphQLResolveInfo) {
    const selection = selectionOf(info).of('organization');
    return { organization: await this.services.changes.apply(caller, 'MANAGE_BRANDING', change, selection) };
  }

  @FieldResolver(() => OrganizationSettings, {
    description: 'Time zone, weekday of the report, and its rule for tokens.',
  })
  settings(@Root() organization: WithSettings, @Ctx() context: GraphQLContext) {
    if (organization.settings !== undefined) return organization.settings;
    return authorizedBatch(
      context,
      'Organization.settings',
      organization.id,
      (id) => this.services.settings.authorizeRead(context.caller, id),
      (ids) => this.services.settings.ofOrganizations(ids),
    );
  }

  @Mutation(() => UpdateOrganizationSettingsPayload, {
    description: 'Changes the settings of an organization. Requires ORGANIZATION_MANAGER.',
  })
  async updateOrganizationSettings(
    @Arg('input', () => UpdateOrganizationSettingsInput, { description: 'What to change.' })
    input: UpdateOrganizationSettingsInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const selection = selectionOf(info).of('organization');
    return { organization: await this.services.settings.update(caller, { ...input, ...keyOf(input) }, selection) };
  }

  @FieldResolver(() => Branding, { description: 'Palette and colours (specification 4.9).' })
  branding(@Root() organization: WithBranding, @Ctx() context: GraphQLContext) {
    if (organization.branding !== undefined) return organization.branding;
    return authorizedBatch(
      context,
      'Organization.branding',
      organization.id,
      (id) => this.services.brandings.authorizeRead(context.caller, id),
      (ids) => this.services.brandings.ofOrganizations(ids),
    );
  }

  @Mutation(() => UpdateBrandingPayload, {
    description: 'Changes how an organization looks. Requires ORGANIZATION_MANAGER.',
  })
  async updateBranding(
    @Arg('input', () => UpdateBrandingInput, { description: 'What to change.' }) input: UpdateBrandingInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const selection = selectionOf(info).of('organization');
    return { organization: await this.services.brandings.update(caller, { ...input, ...keyOf(input) }, selection) };
  }

  @Query(() => FormOptions, { description: 'Value lists, roles, types and limits, so that no frontend copies them.' })
  formOptions(@Ctx() { caller }: GraphQLContext) {
    return this.services.formOptions.read(caller);
  }
}

function keyOf({ organizationId: id, version }: RemoveOrganizationLogoInput) {
  return { id, version: version ?? null };
}

/** An organization; the answer to a change of its settings has them already. */
type WithSettings = Plain<Organization> & { settings?: Plain<OrganizationSettings> };

/** An organization; the answer to a change of its branding has it already. */
type WithBranding = Plain<Organization> & { branding?: Plain<Branding> };
