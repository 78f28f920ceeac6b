export const SETTINGS_FRAGMENTS = /* GraphQL */ `
  fragment OrganizationSettings on OrganizationSettings {
    time_zone: timeZone
    report_weekday: reportWeekday
    query_token_allowed: queryTokenAllowed
  }

  fragment OrganizationPrivileges on Organization {
    role: viewerRole
    privileges: viewerCan
  }
`;
