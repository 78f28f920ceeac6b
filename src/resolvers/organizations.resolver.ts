import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Caller } from '../auth/caller.js';
import type { GraphQLContext } from '../context.js';
import { selectionOf } from '../graphql/selection.js';
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
import type { FormOptionsService } from '../services/organizations/form-options.service.js';
import type {
  OrganizationChangeService,
  OrganizationChange,
} from '../services/organizations/organization-update.service.js';
import type { OrganizationService } from '../services/organizations/organizations.service.js';
import type { OrganizationSettingsService, BrandingService } from '../services/organizations/settings.service.js';
import type { MemberChangeService } from '../services/members/member-update.service.js';
import type { PrivilegeService } from '../services/shared/privileges.js';
import { listSelectionOf, connectionFrom } from './shared/connection.js';
import { authorizedBatch } from './shared/nested-list.js';

@Resolver(() => Organization)
export class OrganizationResolver {
  constructor(
    private readonly organizationService: OrganizationService,
    private readonly changes: OrganizationChangeService,
    private readonly privileges: PrivilegeService,
  ) {}

  @Query(() => Organization, { description: 'An organization of the caller (specification 2.2).' })
  organization(
    @Arg('id', () => Int, { description: 'Its id, as in REST paths.' }) id: number,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.organizationService.read(caller, id, selectionOf(info));
  }

  @Query(() => OrganizationConnection, { description: 'The organizations that the caller belongs to.' })
  async organizations(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => OrganizationFilter, { nullable: true, description: 'Which organizations.' })
    filter: OrganizationFilter | null,
    @Arg('orderBy', () => OrganizationOrder, {
      nullable: true,
      defaultValue: { field: 'NAME', direction: 'ASC' },
      description: 'By name when absent.',
    })
    orderBy: OrganizationOrder | null,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter, sort: orderBy?.field, descending: orderBy?.direction === 'DESC' };
    return connectionFrom(await this.organizationService.list(caller, query, listSelectionOf(info)));
  }

  @Mutation(() => CreateOrganizationPayload, {
    description: 'Creates an organization; the caller becomes its owner (specification 4.1).',
  })
  async createOrganization(
    @Arg('input', () => CreateOrganizationInput, { description: 'The organization.' }) input: CreateOrganizationInput,
    @Ctx() { caller }: GraphQLContext,
  ) {
    const { organization, logoFile } = readOrganization(input);
    return { organization: await this.organizationService.create(caller, organization, logoFile) };
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
    return { organization: await this.changes.apply(caller, 'MANAGE_SETTINGS', change, selection) };
  }

  @FieldResolver(() => [PrivilegeEnum], {
    description:
      'The privileges of the caller in the organization, with the token of this request: also what it may read.',
  })
  viewerPrivileges(@Root() { id }: Plain<Organization>, @Ctx() { caller }: GraphQLContext) {
    return this.privileges.of(caller, id);
  }

  @FieldResolver(() => RoleEnum, { description: 'What the caller is in it.' })
  viewerRole(@Root() { id }: Plain<Organization>, @Ctx() { caller }: GraphQLContext) {
    return this.privileges.roleOf(caller, id);
  }
}

@Resolver()
export class OrganizationLifecycleResolver {
  constructor(
    private readonly changes: OrganizationChangeService,
    private readonly members: MemberChangeService,
  ) {}

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
    return { organization: await this.changes.delete(caller, keyOf(input), selection) };
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
    return { organization: await this.changes.restore(caller, input.organizationId, selection) };
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
    return { organization: await this.members.transfer(caller, to, selectionOf(info).of('organization')) };
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
    return { organization: await this.members.leave(caller, input.organizationId, selection) };
  }
}

@Resolver()
export class OrganizationLogoResolver {
  constructor(private readonly changes: OrganizationChangeService) {}

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
    return { organization: await this.changes.apply(caller, 'MANAGE_BRANDING', change, selection) };
  }
}

function keyOf({ organizationId: id, version }: RemoveOrganizationLogoInput) {
  return { id, version: version ?? null };
}

/** An organization; the answer to a change of its settings has them already. */
type WithSettings = Plain<Organization> & { settings?: Plain<OrganizationSettings> };

@Resolver(() => Organization)
export class OrganizationSettingsResolver {
  constructor(private readonly settingsService: OrganizationSettingsService) {}

  @FieldResolver(() => OrganizationSettings, {
    description: 'Time zone, weekday of the report, and its rule for tokens.',
  })
  settings(@Root() organization: WithSettings, @Ctx() context: GraphQLContext) {
    if (organization.settings !== undefined) return organization.settings;
    return authorizedBatch(
      context,
      'Organization.settings',
      organization.id,
      (id) => this.settingsService.authorizeRead(context.caller, id),
      (ids) => this.settingsService.ofOrganizations(ids),
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
    return { organization: await this.settingsService.update(caller, { ...input, ...keyOf(input) }, selection) };
  }
}

/** An organization; the answer to a change of its branding has it already. */
type WithBranding = Plain<Organization> & { branding?: Plain<Branding> };

@Resolver(() => Organization)
export class BrandingResolver {
  constructor(private readonly brandings: BrandingService) {}

  @FieldResolver(() => Branding, { description: 'Palette and colours (specification 4.9).' })
  branding(@Root() organization: WithBranding, @Ctx() context: GraphQLContext) {
    if (organization.branding !== undefined) return organization.branding;
    return authorizedBatch(
      context,
      'Organization.branding',
      organization.id,
      (id) => this.brandings.authorizeRead(context.caller, id),
      (ids) => this.brandings.ofOrganizations(ids),
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
    return { organization: await this.brandings.update(caller, { ...input, ...keyOf(input) }, selection) };
  }
}

@Resolver()
export class FormOptionsResolver {
  constructor(private readonly options: FormOptionsService) {}

  @Query(() => FormOptions, { description: 'Value lists, roles, types and limits, so that no frontend copies them.' })
  formOptions(@Ctx() { caller }: GraphQLContext) {
    return this.options.read(caller);
  }
}
