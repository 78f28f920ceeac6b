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

  fragment UnreadNotificationCount on UnreadNotificationCount {
    count
  }

  fragment NotificationMarks on NotificationMarks {
    changed
    unread
  }
`;
