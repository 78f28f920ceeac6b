import { Client, fetchExchange, gql } from '@urql/core';
import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import type { Connection } from '../../connection';
import { createCache } from './graphcache';

interface Page {
  organization: {
    id: string;
    branding: { palette: string };
    incidents: {
      edges: { cursor: string; node: { id: string; title: string } }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
  };
}

const INCIDENTS = gql<Page>`
  query ($organizationId: ID!, $after: String) {
    organization(id: $organizationId) {
      id
      branding {
        palette
      }
      incidents(first: 2, after: $after) {
        edges {
          cursor
          node {
            id
            title
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`;

const RENAME = gql`
  mutation ($input: UpdateIncidentInput!) {
    updateIncident(input: $input) {
      incident {
        id
        title
      }
    }
  }
`;

const INTROSPECTION = gql<IntrospectionQuery>(getIntrospectionQuery());

/** Shows a list, adds its second page, renames one of its incidents, and returns every state of the list. */
export async function run({ url, token, organizationId }: Connection) {
  const options = { url: `${url}/graphql`, fetchOptions: { headers: { 'X-Service-Token': token } } };
  const schema = await new Client({ ...options, exchanges: [fetchExchange] }).query(INTROSPECTION, {});
  if (!schema.data) throw schema.error ?? new Error('No schema');
  const client = new Client({ ...options, exchanges: [createCache(schema.data), fetchExchange] });

  const shown: string[][] = [];
  const list = client.query(INCIDENTS, { organizationId });
  const first = await list;
  if (!first.data) throw first.error ?? new Error('No list');
  const { unsubscribe } = list.subscribe(({ data }) => {
    const titles = data?.organization.incidents.edges.map(({ node }) => node.title) ?? [];
    if (titles.join() !== shown.at(-1)?.join()) shown.push(titles);
  });
  const { edges, pageInfo } = first.data.organization.incidents;
  await client.query(INCIDENTS, { organizationId, after: pageInfo.endCursor });
  const input = { organizationId, incidentId: edges[0]?.node.id, title: 'Renamed' };
  await client.mutation(RENAME, { input });
  unsubscribe();
  return shown;
}

interface Found {
  search: { nodes: { snippet: string | null }[] };
}

const FOUND = gql<Found>`
  query ($query: String!) {
    search(query: $query) {
      nodes {
        id
        snippet
      }
    }
  }
`;

/** Searches for each word, and returns the snippets that are then shown for the first one. */
export async function search({ url, token }: Connection, words: string[]) {
  const options = { url: `${url}/graphql`, fetchOptions: { headers: { 'X-Service-Token': token } } };
  const schema = await new Client({ ...options, exchanges: [fetchExchange] }).query(INTROSPECTION, {});
  if (!schema.data) throw schema.error ?? new Error('No schema');
  const client = new Client({ ...options, exchanges: [createCache(schema.data), fetchExchange] });
  for (const query of words) await client.query(FOUND, { query });
  const shown = await client.query(FOUND, { query: words[0]! }, { requestPolicy: 'cache-only' });
  return shown.data?.search.nodes.map(({ snippet }) => snippet);
}
