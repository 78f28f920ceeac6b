import createClient from 'openapi-fetch';
import type { Connection } from '../../connection';
import type { paths } from './openapi';

const connect = ({ url, token }: Connection) =>
  createClient<paths, 'application/json'>({ baseUrl: url, headers: { 'X-Service-Token': token } });

export async function run(connection: Connection) {
  const { organizationId } = connection;
  const client = connect(connection);
  const opened = await client.POST('/api/v1/v-ciso/incidents/{organizationid}', {
    params: { path: { organizationid: organizationId } },
    body: { title: 'Lost laptop', severity: 'LOW', aware_at: new Date().toISOString() },
  });
  const absent = await client.GET('/api/v1/organizations/{id}', { params: { path: { id: 2147483647 } } });
  const refused = await client.PATCH('/api/v1/organizations/{id}', {
    params: { path: { id: organizationId } },
    body: { name: '' },
  });
  const listed = await client.GET('/api/v1/organizations', { params: { query: { limit: 1 } } });
  const messages = (error?: { error: 1; messages: (string | number)[] }) => error?.messages;
  return {
    total: listed.data?.total,
    title: opened.data?.data.title,
    absent: messages(absent.error),
    refused: messages(refused.error),
  };
}

export async function wrong(connection: Connection) {
  const client = connect(connection);
  // @ts-expect-error There is no such path.
  await client.GET('/api/v1/organisations');
  await client.POST('/api/v1/v-ciso/incidents/{organizationid}', {
    params: { path: { organizationid: 1 } },
    // @ts-expect-error A severity is one of the enum's values.
    body: { title: 'Lost laptop', severity: 'ENORMOUS' },
  });
}
