import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { DeviceFilter, DeviceOrder } from '../schema/device.input.js';
import { checkDeviceFilter } from '../schema/device.rules.js';
import { Organization } from '../schema/organization.type.js';
import type { DeviceQuery, DeviceService } from '../services/devices.js';
import { askedOf, connectionFrom } from './connection.js';
import { capital, type DeviceNoun } from './device-noun.js';
import { nestedList } from './nested-list.js';

type ReadNoun = Pick<DeviceNoun<never, never, never>, 'one' | 'many' | 'words' | 'plural' | 'type' | 'connection'>;

/**
 * Reading devices of one kind. Both kinds do the same under their own names, therefore their resolvers are made: here,
 * in device-change.resolver.ts and in device-check.resolver.ts. What only one of them can do stands with its noun.
 */
export function deviceResolver({ one, many, words, plural, ...noun }: ReadNoun) {
  @Resolver(() => Organization)
  class DeviceResolver {
    constructor(private readonly devices: DeviceService) {}

    @Query(() => noun.type, { name: one, description: `${capital(words)}; the caller has to manage its organization.` })
    read(
      @Arg('id', () => Int, { description: 'Which configuration.' }) id: number,
      @Ctx() { caller }: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      return this.devices.read(caller, id, selectionOf(info));
    }

    @Query(() => noun.connection, {
      name: many,
      description: `The ${plural} of one organization, or of all that the caller manages.`,
    })
    async list(
      @Arg('organizationId', () => Int, {
        nullable: true,
        description: 'Whose; all that the caller manages when absent.',
      })
      organizationId: number | null | undefined,
      @Args(() => PageArgs) page: PageArgs,
      @Arg('filter', () => DeviceFilter, { nullable: true, description: 'Which of them.' }) filter: DeviceFilter | null,
      @Arg('orderBy', () => DeviceOrder, { nullable: true, description: 'By id when absent.' })
      orderBy: DeviceOrder | null,
      @Ctx() { caller }: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const query = queryOf(page, filter, orderBy);
      return connectionFrom(await this.devices.list(caller, organizationId ?? null, query, askedOf(info)));
    }

    @FieldResolver(() => noun.connection, {
      nullable: true,
      description: `Its ${plural}; null with an error for who does not manage it.`,
    })
    [many](
      @Root() { id }: Organization,
      @Args(() => PageArgs) page: PageArgs,
      @Arg('filter', () => DeviceFilter, { nullable: true, description: 'Which of them.' }) filter: DeviceFilter | null,
      @Arg('orderBy', () => DeviceOrder, { nullable: true, description: 'By id when absent.' })
      orderBy: DeviceOrder | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const query = queryOf(page, filter, orderBy);
      return nestedList(context, info, query, id, {
        authorize: (organization) => this.devices.authorizeList(context.caller, organization),
        load: (organizations, asked) => this.devices.ofOrganizations(context.caller, organizations, query, asked),
      });
    }
  }
  return DeviceResolver;
}

function queryOf(page: PageArgs, filter: DeviceFilter | null, orderBy: DeviceOrder | null): DeviceQuery {
  checkDeviceFilter(filter);
  return {
    page,
    ...(filter as object),
    sort: orderBy?.field,
    descending: orderBy?.direction === 'DESC',
  } as DeviceQuery;
}
