import { ApolloClient, gql, HttpLink, InMemoryCache, type TypedDocumentNode } from '@apollo/client';
import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import type { Connection } from '../../connection';
import { createCache } from './apollo';

interface Page {
  organization: {
    incidents: {
      edges: { node: { id: string; title: string } }[];
      pageInfo: { endCursor: string };
    };
  };
}

const INCIDENTS: TypedDocumentNode<Page, { organizationId: number; after?: string }> = gql`
  query ($organizationId: ID!, $after: String) {
    organization(id: $organizationId) {
      id
      incidents(first: 2, after: $after) {
        edges {
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

const INTROSPECTION: TypedDocumentNode<IntrospectionQuery> = gql(getIntrospectionQuery());

async function connect({ url, token }: Pick<Connection, 'url' | 'token'>) {
  const link = new HttpLink({ uri: `${url}/graphql`, headers: { 'X-Service-Token': token } });
  const { data } = await new ApolloClient({ cache: new InMemoryCache(), link }).query({ query: INTROSPECTION });
  if (!data) throw new Error('No schema');
  return new ApolloClient({ cache: createCache(data), link });
}

/** Shows a list, adds its second page, renames one of its incidents, and returns every state of the list. */
export async function run({ organizationId, ...connection }: Connection) {
  const client = await connect(connection);
  const variables = { organizationId };
  const { data } = await client.query({ query: INCIDENTS, variables });
  const { edges, pageInfo } = data!.organization.incidents;
  const shown: string[][] = [];
  const list = client.watchQuery({ query: INCIDENTS, variables });
  const subscription = list.subscribe(({ data, dataState }) => {
    const titles = dataState === 'complete' ? data.organization.incidents.edges.map(({ node }) => node.title) : [];
    if (titles.join() !== shown.at(-1)?.join()) shown.push(titles);
  });
  await list.fetchMore({ variables: { after: pageInfo.endCursor } });
  const input = { organizationId, incidentId: edges[0]?.node.id, title: 'Renamed' };
  await client.mutate({ mutation: RENAME, variables: { input } });
  subscription.unsubscribe();
  return shown;
}

interface Found {
  search: { nodes: { snippet: string | null }[] };
}

const FOUND: TypedDocumentNode<Found, { query: string }> = gql`
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
export async function search(connection: Connection, words: string[]) {
  const client = await connect(connection);
  for (const query of words) await client.query({ query: FOUND, variables: { query } });
  const shown = client.readQuery({ query: FOUND, variables: { query: words[0]! } });
  return shown?.search.nodes.map(({ snippet }) => snippet);
}

const PARTS = [
  gql`
    query {
      viewer {
        user {
          username
        }
      }
    }
  `,
  gql`
    query {
      viewer {
        organizations {
          nodes {
            role
          }
        }
      }
    }
  `,
  gql`
    query {
      viewer {
        organizations {
          totalCount
        }
      }
    }
  `,
  gql`
    query {
      work(kind: REPORT) {
        nodes {
          ... on WorkItem {
            kind
          }
        }
      }
    }
  `,
  gql`
    query {
      oldest: notifications(first: 1, orderBy: { field: DATETIME, direction: ASC }) {
        edges {
          node {
            title
          }
        }
      }
    }
  `,
  gql`
    query {
      newest: notifications(first: 1) {
        edges {
          node {
            title
          }
        }
      }
    }
  `,
];

/** Reads objects without an id by successive queries, and returns their cache entries. */
export async function parts(connection: Connection) {
  const client = await connect(connection);
  for (const query of PARTS) await client.query({ query });
  return PARTS.map((query) => client.readQuery({ query }));
}
