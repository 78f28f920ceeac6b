export const CLOUD_DEFENDER_FRAGMENTS = /* GraphQL */ `
  fragment CloudDefender on CloudDefender {
    id
    organization {
      ...OrganizationSummary
    }
    email
    fqdn
    check {
      stat {
        ...CloudDefenderStat
      }
      status
      web_stat: webStat {
        ...WebStat
      }
    }
    endpoint
    services
  }

  fragment CloudDefenderStat on CloudDefenderStat {
    fqdn
    proxy
    endpoint
    datetime
  }

  fragment WebStat on WebStat {
    datetime
    waf_protection: wafProtection
    total_managed_requests: totalManagedRequests
  }

  fragment DeviceReceipt on DeviceReceipt {
    received
    newest
  }

  fragment DeviceSeries on DeviceSeries {
    from
    to
    bucket
    points {
      ...DevicePoint
    }
  }

  fragment DevicePoint on DevicePoint {
    begin
    reports
    status
    waf_protection: wafProtection
    total_managed_requests: totalManagedRequests
  }
`;
