import { Client, fetchExchange } from '@urql/core';
import type { Connection } from '../../connection';
import { graphql, useFragment } from './gql';

const IncidentFragment = graphql(`
  fragment IncidentFragment on Incident {
    title
    severity
    awareAt
  }
`);

const IncidentsQuery = graphql(`
  query Incidents($organizationId: ID!, $filter: IncidentFilter) {
    organization(id: $organizationId) {
      complianceFrameworks {
        fields
      }
      incidents(first: 10, filter: $filter) {
        nodes {
          ...IncidentFragment
        }
      }
    }
  }
`);

export async function run({ url, token, organizationId }: Connection) {
  const client = new Client({
    url: `${url}/graphql`,
    exchanges: [fetchExchange],
    fetchOptions: { headers: { 'X-Service-Token': token } },
  });
  const { data, error } = await client.query(IncidentsQuery, {
    organizationId: `Organization:${organizationId}`,
    filter: { severity: 'HIGH' },
  });
  if (!data?.organization) throw error ?? new Error('No organization');
  const { complianceFrameworks, incidents } = data.organization;
  const fields: Record<string, unknown>[] = complianceFrameworks.map((framework) => framework.fields);
  const found = useFragment(IncidentFragment, incidents.nodes);
  return {
    fields,
    incidents: found.map(({ title, severity, awareAt }) => ({ title, severity, day: awareAt.slice(0, 10) })),
  };
}

export async function wrong(client: Client) {
  // @ts-expect-error An organization's id is required.
  await client.query(IncidentsQuery, {});
  // @ts-expect-error A severity is one of the enum's values.
  await client.query(IncidentsQuery, { organizationId: '1', filter: { severity: 'ENORMOUS' } });
  const { data } = await client.query(IncidentsQuery, { organizationId: '1' });
  // @ts-expect-error The field is not selected.
  return data?.organization?.name;
}
