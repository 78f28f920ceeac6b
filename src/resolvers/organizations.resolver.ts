import { LABEL_LANGUAGE, labelLanguage } from './shared/label-language.js';
import { Args, Ctx, Extensions, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import { PrivilegeEnum, RoleEnum } from '../schema/members/types.js';
import { FormOptions } from '../schema/organizations/form-options.js';
import * as inputs from '../schema/organizations/inputs.js';
import { readOrganization, readOrganizationChange } from '../schema/organizations/reader.js';
import { Branding, Organization, OrganizationSettings } from '../schema/organizations/types.js';
import { connectionOf, PageArgs } from '../schema/shared/connection.js';
import type { Plain } from '../schema/shared/types.js';
import type { Role } from '../values/enums.js';
import type { OrganizationChange } from '../services/organizations/organization-update.service.js';
import { Arg, Call, FieldResolver, Filter, Input, ListCall, Mutation, OrderBy, Query } from './shared/decorators.js';
import { authorizedBatch, connectionFrom } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';
import { SafeIntScalar } from '../schema/shared/scalars.js';
import { AsOf } from '../schema/as-of.js';
import { AS_OF } from './shared/as-of.js';
import { COSTS } from '../values/costs.js';

@Resolver(() => Organization)
export class OrganizationResolver {
  @FieldResolver(
    () => AsOf,
    'The entry of the audit trail that the answer is made of; null where it is about the present.',
    { nullable: true },
  )
  asOf(@Root() { id }: Plain<Organization>, @Ctx() { services }: GraphQLContext) {
    return services.asOf.current(id);
  }

  // Specification 2.2.
  @Query(() => Organization, 'An organization of the caller.')
  organization(
    @Arg('id', () => SafeIntScalar, 'Its id, as in REST paths.') id: number,
    @Arg(...AS_OF) _asOf: Date | null,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.organizations.read(caller, id, selection);
  }

  @Query(connectionOf(Organization), 'The organizations that the caller belongs to.')
  async organizations(
    @Args(() => PageArgs) page: PageArgs,
    @Filter(() => inputs.OrganizationFilter, 'Which organizations.') filter: inputs.OrganizationFilter | null,
    @OrderBy(() => inputs.OrganizationOrder, { field: 'NAME', direction: 'ASC' }, 'By name when absent.')
    orderBy: inputs.OrganizationOrder | null,
    @ListCall() { services, caller, selection }: ListCall,
  ) {
    const query = { page, ...filter, orderBy };
    return connectionFrom(await services.organizations.list(caller, query, selection));
  }

  // Specification 4.1.
  @Mutation(
    'Creates an organization; the caller becomes its owner.',
    {
      organization: [() => Organization, 'The new organization, whose owner is the caller.'],
    },
    { adds: 'organization' },
  )
  async createOrganization(
    @Input('The organization.') input: inputs.CreateOrganizationInput,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    const { organization, logoFile } = readOrganization(input);
    return { organization: await services.organizations.create(caller, organization, logoFile) };
  }

  @Mutation('Changes the profile of an organization. Requires ORGANIZATION_MANAGER.', {
    organization: [() => Organization, 'The organization as it is now.'],
  })
  async updateOrganization(
    @Input('What to change.') input: inputs.UpdateOrganizationInput,
    @Call('organization') { services, caller, selection }: Call,
  ) {
    const { change: values, logoFile } = readOrganizationChange(input);
    const change = { ...keyOf(input), values, logoFile };
    return { organization: await services.organizationUpdates.apply(caller, 'MANAGE_SETTINGS', change, selection) };
  }

  @FieldResolver(
    () => [PrivilegeEnum],
    'The privileges of the caller in the organization, with the token of this request: also what it may read.',
  )
  viewerPrivileges(@Root() { id }: Plain<Organization>, @Ctx() { services, caller }: GraphQLContext) {
    return services.privileges.of(caller, id);
  }

  @FieldResolver(() => RoleEnum, 'What the caller is in it.')
  viewerRole(@Root() { id, viewerRole }: WithRole, @Ctx() { services, caller }: GraphQLContext) {
    return viewerRole ?? services.privileges.roleOf(caller, id);
  }

  @Mutation(
    'Deletes an organization softly: it looks absent, and an owner may restore it for 30 days. Requires ORGANIZATION_OWNER.',
    {
      organization: [
        () => Organization,
        'The organization as it went, with its settings, its branding and what the caller was in it. What else belongs to it is absent by now, and not found below it.',
      ],
    },
  )
  async deleteOrganization(
    @Input('Which organization.') input: inputs.DeleteOrganizationInput,
    @Call('organization') call: Call,
  ) {
    const { services, caller, selection } = call;
    const key = keyOf(input);
    const own = await ownOf(call, key.id);
    return { organization: { ...(await services.organizationUpdates.delete(caller, key, selection)), ...own } };
  }

  @Mutation(
    'Brings back an organization that was deleted in the last 30 days. Requires ORGANIZATION_OWNER; to others it looks absent.',
    { organization: [() => Organization, 'The organization, which is there again.'] },
  )
  async restoreOrganization(
    @Input('Which organization.') input: inputs.RestoreOrganizationInput,
    @Call('organization') { services, caller, selection }: Call,
  ) {
    return { organization: await services.organizationUpdates.restore(caller, input.organizationId, selection) };
  }

  @Extensions({ cost: COSTS.sandboxReset })
  @Mutation(
    'Empties a sandbox but for its name, its owners and its audit trail, and fills it with example data. Requires ORGANIZATION_OWNER; CONFLICT for an organization that is no sandbox.',
    { organization: [() => Organization, 'The sandbox as it is now.'] },
  )
  async resetSandbox(
    @Input('Which sandbox.') input: inputs.ResetSandboxInput,
    @Call('organization') { services, caller, selection }: Call,
  ) {
    return { organization: await services.sandboxes.reset(caller, keyOf(input), selection) };
  }

  @Mutation('Makes another member the owner; the caller becomes ORGANIZATION_MANAGER. Requires ORGANIZATION_OWNER.', {
    organization: [() => Organization, 'The organization, which the caller now manages.'],
  })
  async transferOwnership(
    @Input('Who is to own it.') input: inputs.TransferOwnershipInput,
    @Call('organization') { services, caller, selection }: Call,
  ) {
    const to = { id: input.organizationId, userId: input.userId };
    return { organization: await services.memberUpdates.transfer(caller, to, selection) };
  }

  @Mutation('Takes the caller out of an organization. The last owner cannot leave: CONFLICT.', {
    organization: [
      () => Organization,
      'The organization that was left, with its settings, its branding and what the caller was in it. What else belongs to it is not found below it any more.',
    ],
  })
  async leaveOrganization(
    @Input('Which organization.') input: inputs.LeaveOrganizationInput,
    @Call('organization') call: Call,
  ) {
    const { services, caller, selection } = call;
    const own = await ownOf(call, input.organizationId);
    const left = await services.memberUpdates.leave(caller, input.organizationId, selection);
    return { organization: { ...left, ...own } };
  }

  @Mutation('Stores a logo and serves it at an address of the gateway. Requires ORGANIZATION_MANAGER.', {
    organization: [() => Organization, 'The organization with its new logo.'],
  })
  async setOrganizationLogo(
    @Input('The logo.') input: inputs.SetOrganizationLogoInput,
    @Call('organization') call: Call,
  ) {
    return branded(call, { ...keyOf(input), values: {}, logoFile: input.file });
  }

  @Mutation('Removes the logo of an organization. Requires ORGANIZATION_MANAGER.', {
    organization: [() => Organization, 'The organization without a logo.'],
  })
  async removeOrganizationLogo(
    @Input('The organization that has the logo.') input: inputs.RemoveOrganizationLogoInput,
    @Call('organization') call: Call,
  ) {
    return branded(call, { ...keyOf(input), values: { logo: '' } });
  }

  @FieldResolver(() => OrganizationSettings, 'Time zone, weekday of the report, and its rule for tokens.')
  settings(@Root() organization: WithSettings, @Ctx() context: GraphQLContext) {
    if (organization.settings !== undefined) return organization.settings;
    return authorizedBatch(
      context,
      'Organization.settings',
      organization.id,
      (id) => context.services.settings.authorizeRead(context.caller, id),
      (ids) => context.services.settings.ofOrganizations(ids),
    );
  }

  @Mutation('Changes the settings of an organization. Requires ORGANIZATION_MANAGER.', {
    organization: [() => Organization, 'The organization, with its settings as they are now.'],
  })
  async updateOrganizationSettings(
    @Input('What to change.') input: inputs.UpdateOrganizationSettingsInput,
    @Call('organization') { services, caller, selection }: Call,
  ) {
    return { organization: await services.settings.update(caller, { ...input, ...keyOf(input) }, selection) };
  }

  // Specification 4.9.
  @FieldResolver(() => Branding, 'Palette and colours.')
  branding(@Root() organization: WithBranding, @Ctx() context: GraphQLContext) {
    if (organization.branding !== undefined) return organization.branding;
    return authorizedBatch(
      context,
      'Organization.branding',
      organization.id,
      (id) => context.services.brandings.authorizeRead(context.caller, id),
      (ids) => context.services.brandings.ofOrganizations(ids),
    );
  }

  @Mutation('Changes how an organization looks. Requires ORGANIZATION_MANAGER.', {
    organization: [() => Organization, 'The organization, with its branding as it is now.'],
  })
  async updateBranding(
    @Input('What to change.') input: inputs.UpdateBrandingInput,
    @Call('organization') { services, caller, selection }: Call,
  ) {
    return { organization: await services.brandings.update(caller, { ...input, ...keyOf(input) }, selection) };
  }

  @Query(() => FormOptions, 'Value lists, roles, types and limits, so that no frontend copies them.')
  formOptions(
    @Arg('language', () => String, LABEL_LANGUAGE, { nullable: true }) tag: string | null,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    return services.formOptions.read(caller, labelLanguage(tag));
  }
}

/** The answer to a change of how an organization looks. */
async function branded({ services, caller, selection }: Call, change: OrganizationChange) {
  return { organization: await services.organizationUpdates.apply(caller, 'MANAGE_BRANDING', change, selection) };
}

/**
 * Reads the selected parts of an organization's own record, and the caller's role in it, before a change after which the caller
 * could not read them. The change decides whether the caller gets them.
 */
async function ownOf({ services, caller, selection }: Call, id: number) {
  return {
    ...(selection.has('viewerRole') && { viewerRole: await services.privileges.roleOf(caller, id) }),
    ...(selection.has('settings') && { settings: (await services.settings.ofOrganizations([id])).get(id) }),
    ...(selection.has('branding') && { branding: (await services.brandings.ofOrganizations([id])).get(id) }),
  };
}

function keyOf({ organizationId: id, version }: inputs.RemoveOrganizationLogoInput) {
  return { id, version: version ?? null };
}

/** An organization; the answer of a deletion has the caller's role before it. */
type WithRole = Plain<Organization> & { viewerRole?: Role };

/** An organization; the answer to a change of its settings has them already. */
type WithSettings = Plain<Organization> & { settings?: Plain<OrganizationSettings> };

/** An organization; the answer to a change of its branding has it already. */
type WithBranding = Plain<Organization> & { branding?: Plain<Branding> };

nodeOf(Organization, ['organizationId'], ({ organizations }, caller, { organizationId: id }, selection) =>
  organizations.read(caller, id, selection),
);
