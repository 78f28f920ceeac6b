export const WEEKLY_REPORTS_FRAGMENTS = /* GraphQL */ `
  fragment WeeklyReportPreview on WeeklyReportPreview {
    week
    subject
    html
    text
  }

  fragment WeeklyReportDelivery on WeeklyReportDelivery {
    id
    week
    email
    state
    attempts
    created_at: createdAt
    sent_at: sentAt
    last_error: lastError
  }
`;
