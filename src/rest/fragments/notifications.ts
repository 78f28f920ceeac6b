export const NOTIFICATIONS_FRAGMENTS = /* GraphQL */ `
  fragment Notification on Notification {
    id
    organization {
      ...OrganizationSummary
    }
    title
    message
    type
    action
    read
    datetime
    icon
    extra {
      href
    }
  }
`;
