const NOTIFICATION_FIELDS = `
    id: Int!
    organization: Organization!
    title: String!
    message: String!
    type: NotificationType!
    action: NotificationAction!
    read: Boolean!
    datetime: DateTime!
    icon: String!
    extra: NotificationExtra!`;

/** The gateway's own fields, as far as they are measured. */
export const SCHEMA = /* GraphQL */ `
  scalar JSONObject
  scalar DateTime

  enum Role {
    VIEWER
    SECURITY_ANALYST
    SECURITY_OFFICER
    ORGANIZATION_MANAGER
    ORGANIZATION_OWNER
  }

  enum NotificationType {
    INCIDENT
    DOCUMENT
    DEVICE
    WORKFLOW
    MEMBER
    TOKEN
    SYSTEM
  }

  enum NotificationAction {
    OPEN
    NONE
  }

  type Query {
    organization(id: Int!): Organization!
    notifications(first: Int): NotificationConnection!
    "The same list, read with its organizations in one statement in place of a loader."
    joinedNotifications(first: Int): JoinedNotificationConnection!
  }

  type Mutation {
    createOrganization(input: CreateOrganizationInput!): CreateOrganizationPayload!
  }

  type CreateOrganizationPayload {
    organization: Organization!
  }

  type Organization {
    id: Int!
    name: String!
    description: String!
    numberEmployees: Int
    website: String!
    logo: String!
    sectors: [String!]!
    industries: [String!]!
    nis2Sector: String!
    complianceFrameworks: [ComplianceFramework!]!
    infrastructure: String!
    contacts: [Contact!]!
    domains: [String!]!
    ips: [String!]!
    createdAt: DateTime!
    updatedAt: DateTime!
    users(first: Int): OrganizationUserConnection
  }

  type ComplianceFramework {
    value: String!
    fields: JSONObject!
  }

  type Contact {
    name: String!
    role: String!
    email: String!
    phone: String!
    emailReport: Boolean!
  }

  type OrganizationUserConnection {
    nodes: [OrganizationUser!]!
    totalCount: Int!
  }

  type OrganizationUser {
    userId: ID!
    username: String!
    email: String!
    firstName: String!
    lastName: String!
    role: Role!
    alerts: Alerts!
  }

  type Alerts {
    atb: Boolean!
    cloudDefender: Boolean!
    vCiso: Boolean!
  }

  type NotificationConnection {
    nodes: [Notification!]!
    totalCount: Int!
  }

  type Notification {${NOTIFICATION_FIELDS}
  }

  type JoinedNotificationConnection {
    nodes: [JoinedNotification!]!
    totalCount: Int!
  }

  type JoinedNotification {${NOTIFICATION_FIELDS}
  }

  type NotificationExtra {
    href: String!
  }

  input CreateOrganizationInput {
    name: String!
    description: String
    numberEmployees: Int
    website: String
    logo: String
    sectors: [String!]
    industries: [String!]
    nis2Sector: String
    complianceFrameworks: [ComplianceFrameworkInput!]
    infrastructure: String
    contacts: [ContactInput!]
    domains: [String!]
    ips: [String!]
  }

  input ComplianceFrameworkInput {
    value: String!
    fields: JSONObject!
  }

  input ContactInput {
    name: String
    role: String
    email: String
    phone: String
    emailReport: Boolean
  }
`;
