import { Client, fetchExchange } from '@urql/core';
import { initGraphQLTada, readFragment, type ResultOf } from 'gql.tada';
import type { Connection } from '../../connection';
import type { introspection } from './graphql-env';

const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: {
    DateTime: string;
    Date: string;
    JSONObject: Record<string, unknown>;
    JSON: unknown;
    SafeInt: number;
    Upload: File;
  };
}>();

const NotificationFragment = graphql(`
  fragment NotificationFragment on Notification {
    title
    type
    datetime
  }
`);

const NotificationsQuery = graphql(
  `
    query Notifications($filter: NotificationFilter) {
      notifications(first: 2, filter: $filter) {
        nodes {
          ...NotificationFragment
        }
      }
    }
  `,
  [NotificationFragment],
);

export async function run({ url, token }: Connection) {
  const client = new Client({
    url: `${url}/graphql`,
    exchanges: [fetchExchange],
    fetchOptions: { headers: { 'X-Service-Token': token } },
  });
  const { data, error } = await client.query(NotificationsQuery, { filter: { read: false } });
  if (!data?.notifications) throw error ?? new Error('No notifications');
  return readFragment(NotificationFragment, data.notifications.nodes).map(({ title, type, datetime }) => ({
    title,
    type,
    day: datetime.slice(0, 10),
  }));
}

export async function wrong(client: Client, notification: ResultOf<typeof NotificationFragment>) {
  // @ts-expect-error A filter has no such field.
  await client.query(NotificationsQuery, { filter: { unread: true } });
  // @ts-expect-error An instant is a text.
  const seconds: number = notification.datetime;
  return seconds;
}
