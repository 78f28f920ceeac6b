export const THREAT_BLOCKER_FRAGMENTS = /* GraphQL */ `
  fragment ThreatBlocker on ThreatBlocker {
    id
    organization {
      ...OrganizationSummary
    }
    atb_key: atbKey
    type
    email
    check {
      stat {
        ...ThreatBlockerStat
      }
      status
      web_stat: webStat {
        ...WebStat
      }
      chart_stat: chartStat {
        ...ChartStat
      }
    }
    plugin {
      name
      config
    }
    endpoint
    privateIP
    services
    device_id: deviceId
  }

  fragment ThreatBlockerStat on ThreatBlockerStat {
    vpn
    dnsbl
    iplist
    datetime
  }

  fragment ChartStat on ChartStat {
    bucket_start: bucketStart
    bucket_end: bucketEnd
    total_requests: totalRequests
    malicious_requests: maliciousRequests
  }

  fragment ThreatBlockerSeries on ThreatBlockerSeries {
    from
    to
    bucket
    points {
      ...ThreatBlockerPoint
    }
  }

  fragment ThreatBlockerPoint on ThreatBlockerPoint {
    begin
    reports
    status
    waf_protection: wafProtection
    total_managed_requests: totalManagedRequests
    total_requests: totalRequests
    malicious_requests: maliciousRequests
  }
`;
