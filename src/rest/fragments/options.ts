export const OPTIONS_FRAGMENTS = /* GraphQL */ `
  fragment FormOptions on FormOptions {
    sectors
    industries
    nis2_sectors: nis2Sectors
    compliance_frameworks: complianceFrameworks {
      ...FrameworkOption
    }
    infrastructures
    roles {
      ...RoleDescription
    }
    token_scopes: tokenScopes
    notification_types: notificationTypes
    notification_actions: notificationActions
    severities
    incident_statuses: incidentStatuses
    incident_report_stages: incidentReportStages
    control_statuses: controlStatuses
    device_kinds: deviceKinds
    check_statuses: checkStatuses {
      ...CheckStatusOption
    }
    document_sources: documentSources
    file_types: fileTypes {
      ...FileTypeOption
    }
    logo_types: logoTypes {
      ...FileTypeOption
    }
    time_zones: timeZones
    settings {
      ...OrganizationSettings
    }
    branding {
      ...Branding
    }
    limits {
      ...LimitOption
    }
  }

  fragment FrameworkOption on FrameworkOption {
    value
    extensions
    entity_types: entityTypes
  }

  fragment RoleDescription on RoleDescription {
    role
    rank
    privileges
  }

  fragment CheckStatusOption on CheckStatusOption {
    name
    value
  }

  fragment FileTypeOption on FileTypeOption {
    name
    media_types: mediaTypes
    extensions
  }

  fragment LimitOption on LimitOption {
    name
    value
  }
`;
