import * as documents from './graphql-documents.js';

/**
 * The same operations in the schema that PostGraphile derives from the peers' tables: ids are `rowId`, nested objects
 * of the others are columns or JSON, and times have microseconds and an offset.
 */
export const USERS = inItsTerms(
  documents.USERS,
  ['$id: ID!', '$id: Int!'],
  ['organization(id: $id)', 'organization: organizationByRowId(rowId: $id)'],
  ['(first: 50)', '(first: 50, orderBy: [USERNAME_ASC, USER_ID_ASC])'],
  [/alerts \{[^}]*\}/, 'alertAtb alertCloudDefender alertVCiso'],
);

export const NOTIFICATIONS = inItsTerms(
  documents.NOTIFICATIONS,
  ['query Notifications', 'query Notifications($userId: UUID!)'],
  ['notifications(', 'notifications: allReadableNotifications(condition: { userId: $userId }, '],
  ['first: 50', 'first: 50, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]'],
  ['datetime', 'datetime: createdAt'],
  [/extra \{[^}]*\}/, 'href'],
);

export const CREATE = inItsTerms(
  documents.CREATE,
  ['CreateOrganizationInput', 'OpenOrganizationInput'],
  ['createOrganization(', 'createOrganization: openOrganization('],
  ['organization {', 'organization: result {'],
  [/(?<=complianceFrameworks) \{[^}]*\}/, ''],
  [/(?<=contacts) \{[^}]*\}/, ''],
);

function inItsTerms(document: string, ...changes: readonly (readonly [from: string | RegExp, to: string])[]): string {
  const changed = changes.reduce((text, [from, to]) => text.replace(from, to), document);
  return changed.replaceAll('id: databaseId', 'id: rowId');
}

type Columns = Record<string, unknown>;

export function contentOfUsers({ data }: { data: { organization: { users: { nodes: Columns[] } } } }) {
  const { users } = data.organization;
  const nodes = users.nodes.map(({ alertAtb: atb, alertCloudDefender: cloudDefender, alertVCiso: vCiso, ...user }) => {
    return { ...user, alerts: { atb, cloudDefender, vCiso } };
  });
  return { data: { organization: { users: { ...users, nodes } } } };
}

export function contentOfNotifications({ data }: { data: { notifications: { nodes: Columns[] } } }) {
  const nodes = data.notifications.nodes.map(({ href, datetime, ...notification }) => {
    return { ...notification, extra: { href }, datetime: new Date(datetime as string).toISOString() };
  });
  return { data: { notifications: { ...data.notifications, nodes } } };
}
