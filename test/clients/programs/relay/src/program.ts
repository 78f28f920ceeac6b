import { createElement, Suspense } from 'react';
import {
  commitMutation,
  graphql,
  RelayEnvironmentProvider,
  useLazyLoadQuery,
  usePaginationFragment,
  useRefetchableFragment,
} from 'react-relay';
import { act, create } from 'react-test-renderer';
import { Environment, Network, RecordSource, Store, type GraphQLResponse } from 'relay-runtime';
import type { Connection } from '../../connection';
import type { programIncidents$key } from './__generated__/programIncidents.graphql';
import type { programIncidentsPageQuery } from './__generated__/programIncidentsPageQuery.graphql';
import type { programNode$key } from './__generated__/programNode.graphql';
import type { programNodeRefetchQuery } from './__generated__/programNodeRefetchQuery.graphql';
import type { programNotifications$key } from './__generated__/programNotifications.graphql';
import type { programNotificationsPageQuery } from './__generated__/programNotificationsPageQuery.graphql';
import type { programQuery } from './__generated__/programQuery.graphql';
import type { programRenameMutation } from './__generated__/programRenameMutation.graphql';

const PageQuery = graphql`
  query programQuery($organizationId: ID!) {
    organization(id: $organizationId) {
      ...programNode
      ...programIncidents
      cloudDefenders(first: 1) {
        nodes {
          ...programNode
        }
      }
      documentVersions(first: 1) {
        nodes {
          ...programNode
        }
      }
      latestIncidents: incidents(first: 1) {
        nodes {
          ...programNode
        }
      }
    }
    latestNotifications: notifications(first: 1) {
      nodes {
        ...programNode
      }
    }
    ...programNotifications
  }
`;

const NodeFragment = graphql`
  fragment programNode on Node @refetchable(queryName: "programNodeRefetchQuery") {
    __typename
    ... on Organization {
      name
    }
    ... on CloudDefender {
      fqdn
    }
    ... on DocumentVersion {
      filename
    }
    ... on Incident {
      title
    }
    ... on Notification {
      title
    }
  }
`;

const IncidentsFragment = graphql`
  fragment programIncidents on Organization
  @refetchable(queryName: "programIncidentsPageQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 2 }, cursor: { type: "String" }) {
    incidents(first: $count, after: $cursor) @connection(key: "programIncidents_incidents") {
      edges {
        node {
          id
          title
        }
      }
    }
  }
`;

const NotificationsFragment = graphql`
  fragment programNotifications on Query
  @refetchable(queryName: "programNotificationsPageQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 2 }, cursor: { type: "String" }) {
    notifications(first: $count, after: $cursor) @connection(key: "programNotifications_notifications") {
      edges {
        node {
          title
        }
      }
    }
  }
`;

const RenameMutation = graphql`
  mutation programRenameMutation($input: UpdateIncidentInput!) {
    updateIncident(input: $input) {
      incident {
        id
        title
      }
    }
  }
`;

/** Renders a page, loads more of its lists, renames an incident and refetches every node; returns the shown data. */
export async function run({ url, token, organizationId }: Connection) {
  // React's `act` needs the first; the second keeps the test renderer from announcing its deprecation.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, IS_REACT_NATIVE_TEST_ENVIRONMENT: true });
  const refetched: unknown[] = [];
  const network = Network.create(async ({ name, text }, variables) => {
    if (name === 'programNodeRefetchQuery') refetched.push(variables['id']);
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Service-Token': token },
      body: JSON.stringify({ query: text, variables }),
    });
    return (await response.json()) as GraphQLResponse;
  });
  const environment = new Environment({ network, store: new Store(new RecordSource()) });

  let incidents: ReturnType<typeof useIncidents> | undefined;
  let notifications: ReturnType<typeof useNotifications> | undefined;
  const nodes = new Map<string, ReturnType<typeof useNode>>();

  const Node = ({ node }: { node: programNode$key }) => {
    const used = useNode(node);
    nodes.set(used[0].__typename, used);
    return null;
  };
  const Incidents = ({ organization }: { organization: programIncidents$key }) => {
    incidents = useIncidents(organization);
    return null;
  };
  const Page = () => {
    const data = useLazyLoadQuery<programQuery>(PageQuery, { organizationId: String(organizationId) });
    notifications = useNotifications(data);
    const { organization } = data;
    if (!organization || !data.latestNotifications) throw new Error('No organization');
    const shown = [
      organization,
      ...organization.latestIncidents.nodes,
      ...organization.documentVersions.nodes,
      ...(organization.cloudDefenders?.nodes ?? []),
      ...data.latestNotifications.nodes,
    ];
    return [
      createElement(Incidents, { organization, key: '' }),
      ...shown.map((node, key) => createElement(Node, { node, key })),
    ];
  };

  const app = createElement(Suspense, null, createElement(Page));
  await act(async () => {
    create(createElement(RelayEnvironmentProvider, { environment, children: app }));
  });
  const wait = () => act(() => new Promise<void>((done) => setTimeout(done, 5)));
  while (!incidents || !notifications) await wait();
  const complete = async (start: (onComplete: () => void) => unknown) => {
    let isComplete = false;
    await act(async () => void start(() => (isComplete = true)));
    while (!isComplete) await wait();
  };

  const titles = () => incidents?.data.incidents.edges.map(({ node }) => node.title);
  const shown = [titles()];
  await complete((onComplete) => incidents?.loadNext(2, { onComplete }));
  shown.push(titles());
  await complete((onComplete) => notifications?.loadNext(2, { onComplete }));

  const incidentId = incidents.data.incidents.edges[0]?.node.id ?? '';
  const variables = { input: { organizationId: String(organizationId), incidentId, title: 'Renamed' } };
  const mutation = { mutation: RenameMutation, variables };
  await complete((onCompleted) => commitMutation<programRenameMutation>(environment, { ...mutation, onCompleted }));
  shown.push(titles());

  for (const [, refetch] of nodes.values()) {
    await complete((onComplete) => refetch({}, { fetchPolicy: 'network-only', onComplete }));
  }
  return {
    shown,
    notifications: notifications.data.notifications?.edges.length,
    nodes: [...nodes.values()].map(([data]) => data),
    refetched,
  };
}

const useNode = (node: programNode$key) =>
  useRefetchableFragment<programNodeRefetchQuery, programNode$key>(NodeFragment, node);
const useIncidents = (organization: programIncidents$key) =>
  usePaginationFragment<programIncidentsPageQuery, programIncidents$key>(IncidentsFragment, organization);
const useNotifications = (query: programNotifications$key) =>
  usePaginationFragment<programNotificationsPageQuery, programNotifications$key>(NotificationsFragment, query);
