/**
 * The second peer: Mercurius with graphql-jit, set up as its guide says, with loaders for lists. Without
 * authentication, limits, and validation beyond the types.
 */
import fastify, { type FastifyRequest } from 'fastify';
import { GraphQLScalarType } from 'graphql';
import mercurius, { type MercuriusContext } from 'mercurius';
import { SCHEMA } from './mercurius-schema.js';
import type { organizationInput } from './organization-body.js';
import { PAGE_SIZE, peer } from './peer.js';
import { PeerDatabase } from './peer-database.js';
import * as sql from './statements.js';

const database = await PeerDatabase.open();

type OrganizationInput = ReturnType<typeof organizationInput>;

const LIST_USERS = { name: 'users', text: sql.USERS, count: sql.COUNT_USERS };
const LIST_NOTIFICATIONS = { name: 'bare', text: sql.BARE_NOTIFICATIONS, count: sql.COUNT_NOTIFICATIONS };
const LIST_JOINED = { name: 'joined', text: sql.NOTIFICATIONS, count: sql.COUNT_NOTIFICATIONS };

declare module 'mercurius' {
  interface MercuriusContext {
    userId: string | undefined;
  }
}

const context = ({ headers }: FastifyRequest) => ({ userId: peer.callerOf(headers) });

const resolvers = {
  JSONObject: new GraphQLScalarType({ name: 'JSONObject' }),
  DateTime: new GraphQLScalarType({ name: 'DateTime' }),
  Query: {
    async organization(_root: unknown, { id }: { id: number }) {
      const [row] = await database.read('organization', sql.ORGANIZATION, [id]);
      if (row === undefined) throw new Error('There is no such organization');
      return row;
    },
    async notifications(_root: unknown, { first }: { first?: number }, { userId }: MercuriusContext) {
      const page = await database.page<sql.BareNotificationRow>(LIST_NOTIFICATIONS, userId, first ?? PAGE_SIZE);
      return { nodes: page.rows.map(notificationOf), totalCount: page.total };
    },
    async joinedNotifications(_root: unknown, { first }: { first?: number }, { userId }: MercuriusContext) {
      const page = await database.page<sql.NotificationRow>(LIST_JOINED, userId, first ?? PAGE_SIZE);
      return { nodes: page.rows.map(joinedNotificationOf), totalCount: page.total };
    },
  },
  Organization: {
    async users({ id }: { id: number }, { first }: { first?: number }) {
      const page = await database.page<sql.UserRow>(LIST_USERS, id, first ?? PAGE_SIZE);
      return { nodes: page.rows.map(userOf), totalCount: page.total };
    },
  },
  Mutation: {
    async createOrganization(_root: unknown, { input }: { input: OrganizationInput }, { userId }: MercuriusContext) {
      return { organization: await create(input, userId) };
    },
  },
};

function userOf(row: sql.UserRow) {
  return {
    userId: row.id,
    username: row.username,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    role: row.role,
    alerts: { atb: row.alert_atb, cloudDefender: row.alert_cloud_defender, vCiso: row.alert_v_ciso },
  };
}

function notificationOf(row: sql.BareNotificationRow) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    title: row.title,
    message: row.message,
    type: row.type,
    action: row.action,
    read: row.read,
    datetime: row.created_at,
    icon: row.icon,
    extra: { href: row.href },
  };
}

function joinedNotificationOf(row: sql.NotificationRow) {
  const organization = { id: row.organization_id, name: row.organization_name, logo: row.organization_logo };
  return Object.assign(notificationOf(row), { organization });
}

async function create(input: OrganizationInput, ownerId: string | undefined) {
  const [row] = await database.write<sql.CreatedRow>('create', sql.CREATE_ORGANIZATION, [
    input.name,
    input.description,
    input.numberEmployees,
    input.website,
    input.logo,
    input.sectors,
    input.industries,
    input.nis2Sector,
    JSON.stringify(input.complianceFrameworks),
    input.infrastructure,
    JSON.stringify(input.contacts),
    input.domains,
    input.ips,
    ownerId,
  ]);
  const { id, created_at, updated_at } = row as sql.CreatedRow;
  return { id, ...input, createdAt: created_at, updatedAt: updated_at };
}

/** Its cache is off, as the guide advises where computing cache keys costs more than it saves. */
const loaders = {
  Notification: {
    organization: {
      async loader(queries: { obj: { organizationId: number } }[]) {
        const ids = [...new Set(queries.map(({ obj }) => obj.organizationId))];
        const rows = await database.read<{ id: number }>('organizations', sql.ORGANIZATIONS, [ids]);
        const byId = new Map(rows.map((row) => [row.id, row]));
        return queries.map(({ obj }) => byId.get(obj.organizationId));
      },
      opts: { cache: false },
    },
  },
};

const app = fastify();
app.get('/ready', () => ({}));
await app.register(mercurius, { schema: SCHEMA, resolvers, loaders, context, jit: 1 });
await app.listen({ port: peer.port, host: '127.0.0.1' });
