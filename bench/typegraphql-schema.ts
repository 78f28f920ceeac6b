/**
 * Schema of two more peers: TypeGraphQL and MikroORM, set up as their guides say. An EntityManager for each request,
 * lists by `findAndCount` with populated relations, field resolvers. Without authentication, limits, and validation
 * beyond the types.
 */
import type { IncomingMessage } from 'node:http';
import type { EntityManager, InferEntity } from '@mikro-orm/postgresql';
import { Arg, buildSchema, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { PAGE_SIZE, peer } from './peer.js';
import { Membership, Notification, orm, Organization, User } from './typegraphql-orm.js';
import * as types from './typegraphql-types.js';

interface Context {
  em: EntityManager;
  userId: string;
}

export function contextOf({ req }: { req: IncomingMessage }): Promise<Context> {
  return Promise.resolve({ em: orm.em.fork(), userId: peer.callerOf(req.headers) ?? '' });
}

type Member = InferEntity<typeof Membership>;

@Resolver(() => types.OrganizationUser)
class OrganizationUserResolver {
  @FieldResolver(() => ID)
  userId(@Root() { user }: Member) {
    return user.id;
  }

  @FieldResolver(() => String)
  username(@Root() { user }: Member) {
    return user.username;
  }

  @FieldResolver(() => String)
  email(@Root() { user }: Member) {
    return user.email;
  }

  @FieldResolver(() => String)
  firstName(@Root() { user }: Member) {
    return user.firstName;
  }

  @FieldResolver(() => String)
  lastName(@Root() { user }: Member) {
    return user.lastName;
  }
}

@Resolver(() => types.OrganizationWithUsers)
class OrganizationResolver {
  @Query(() => types.OrganizationWithUsers)
  organization(@Arg('id', () => Int) id: number, @Ctx() { em }: Context) {
    return em.findOneOrFail(Organization, { id, deletedAt: null });
  }

  @FieldResolver(() => types.OrganizationUserConnection)
  users(
    @Root() { id }: types.Organization,
    @Arg('first', () => Int, { defaultValue: PAGE_SIZE }) first: number,
    @Ctx() context: Context,
  ) {
    return this.organizationUsers(id, first, context);
  }

  /** The same list for SOFA, which maps each query to a route. */
  @Query(() => types.OrganizationUserConnection)
  async organizationUsers(
    @Arg('id', () => Int) id: number,
    @Arg('first', () => Int, { defaultValue: PAGE_SIZE }) limit: number,
    @Ctx() { em }: Context,
  ) {
    const [nodes, totalCount] = await em.findAndCount(
      Membership,
      { organization: id },
      { populate: ['user'], orderBy: { user: { username: 'asc', id: 'asc' } }, limit },
    );
    return { nodes, totalCount };
  }

  @Mutation(() => types.CreateOrganizationPayload)
  async createOrganization(
    @Arg('input', () => types.CreateOrganizationInput) input: types.CreateOrganizationInput,
    @Ctx() { em, userId }: Context,
  ) {
    const organization = em.create(Organization, input);
    em.create(Membership, {
      organization,
      user: em.getReference(User, userId),
      role: 'ORGANIZATION_OWNER',
      alerts: {},
    });
    await em.flush();
    return { organization };
  }
}

@Resolver(() => types.Notification)
class NotificationResolver {
  @Query(() => types.NotificationConnection)
  async notifications(
    @Arg('first', () => Int, { defaultValue: PAGE_SIZE }) limit: number,
    @Ctx() { em, userId }: Context,
  ) {
    const [nodes, totalCount] = await em.findAndCount(
      Notification,
      { user: userId, organization: { deletedAt: null } },
      { populate: ['organization'], orderBy: { datetime: 'desc', id: 'desc' }, limit },
    );
    return { nodes, totalCount };
  }
}

export const schema = await buildSchema({
  resolvers: [OrganizationUserResolver, OrganizationResolver, NotificationResolver],
});
