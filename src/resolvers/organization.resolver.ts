import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { CreateOrganizationInput, UpdateOrganizationInput } from '../schema/organization.input.js';
import { readOrganizationChange, readOrganizationInput } from '../schema/organization.reader.js';
import {
  CreateOrganizationPayload,
  Organization,
  OrganizationConnection,
  UpdateOrganizationPayload,
} from '../schema/organization.type.js';
import { OrganizationFilter, OrganizationOrder } from '../schema/organization-list.input.js';
import type { Plain } from '../schema/plain.js';
import { RoleEnum } from '../schema/role.type.js';
import type { OrganizationChangeService } from '../services/organization-changes.js';
import type { OrganizationService } from '../services/organizations.js';
import type { PrivilegeService } from '../services/privileges.js';
import { askedOf, connectionFrom } from './connection.js';

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
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.organizationService.read(caller, id, selectionOf(info));
  }

  @Query(() => OrganizationConnection, { description: 'The organizations that the caller belongs to.' })
  async organizations(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => OrganizationFilter, { nullable: true, description: 'Which organizations.' })
    filter: OrganizationFilter | null,
    @Arg('orderBy', () => OrganizationOrder, { nullable: true, description: 'By name when absent.' })
    orderBy: OrganizationOrder | null,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter, sort: orderBy?.field, descending: orderBy?.direction === 'DESC' };
    return connectionFrom(await this.organizationService.list(caller, query, askedOf(info)));
  }

  @Mutation(() => CreateOrganizationPayload, {
    description: 'Creates an organization; the caller becomes its owner (specification 4.1).',
  })
  async createOrganization(
    @Arg('input', () => CreateOrganizationInput, { description: 'The organization.' }) input: CreateOrganizationInput,
    @Ctx() { caller }: RequestContext,
  ) {
    const { organization, logoFile } = readOrganizationInput(input);
    return { organization: await this.organizationService.create(caller, organization, logoFile) };
  }

  @Mutation(() => UpdateOrganizationPayload, {
    description: 'Changes the profile of an organization. Asks for rank 4.',
  })
  async updateOrganization(
    @Arg('input', () => UpdateOrganizationInput, { description: 'What to change.' }) input: UpdateOrganizationInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { change: values, logoFile } = readOrganizationChange(input);
    const change = { id: input.id, version: input.version ?? null, values, logoFile };
    const asked = selectionOf(info).of('organization');
    return { organization: await this.changes.apply(caller, 'MANAGE_SETTINGS', change, asked) };
  }

  @FieldResolver(() => RoleEnum, { description: 'What the caller is in it.' })
  viewerRole(@Root() { id }: Plain<Organization>, @Ctx() { caller }: RequestContext) {
    return this.privileges.roleOf(caller, id);
  }
}
