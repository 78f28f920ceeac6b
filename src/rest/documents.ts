import { Kind, parse, visit, type DocumentNode } from 'graphql';

/**
 * The operations behind the routes. Their aliases are the specification's names in the specification's order: what
 * comes out of them is what goes over the wire, and no answer is ever walked. Three conventions:
 * the field called `data` is the envelope's `data` and its neighbour `total` the envelope's `total` (specification
 * 2.1); a variable is the route's parameter of that name, or `file` or `input` for what a body holds; a fragment is
 * a schema of that name in the interface description.
 */
const FRAGMENTS = fragmentsOf(/* GraphQL */ `
  fragment OrganizationSummary on Organization {
    id
    name
    logo
  }

  fragment Organization on Organization {
    id
    name
    description
    number_employees: numberEmployees
    website
    logo
    sectors
    industries
    nis2_sector: nis2Sector
    compliance_frameworks: complianceFrameworks {
      ...ComplianceFramework
    }
    infrastructure
    contacts {
      ...Contact
    }
    domains
    ips
    created_at: createdAt
    updated_at: updatedAt
  }

  fragment ComplianceFramework on ComplianceFramework {
    value
    fields
  }

  fragment Contact on Contact {
    name
    role
    email
    phone
    email_report: emailReport
  }

  fragment DocumentVersion on DocumentVersion {
    id
    artifact_id: artifactId
    original_name: originalName
    size
    content_type: contentType
    source
    created_by: createdBy
    created_at: createdAt
    download_url: downloadUrl
  }

  fragment IncidentAttachment on IncidentAttachment {
    id
    original_name: originalName
    content_type: contentType
    size
    created_at: createdAt
    download_url: downloadUrl
  }

  fragment WebStat on WebStat {
    datetime
    waf_protection: wafProtection
    total_managed_requests: totalManagedRequests
  }

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

  fragment OrganizationUser on OrganizationUser {
    id: userId
    username
    email
    first_name: firstName
    last_name: lastName
    role
    alerts {
      atb
      cloud_defender: cloudDefender
      v_ciso: vCiso
    }
  }

  fragment Workflow on Workflow {
    id
    name
  }

  fragment Branding on Branding {
    palette
    custom_colors: customColors {
      primary
      primary_hover: primaryHover
      primary_dark: primaryDark
    }
  }

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
`);

export const CREATE_ORGANIZATION = document(/* GraphQL */ `
  mutation CreateOrganization($input: CreateOrganizationInput!) {
    createOrganization(input: $input) {
      data: organization {
        ...Organization
      }
    }
  }
`);

export const UPLOAD_DOCUMENT_VERSION = document(/* GraphQL */ `
  mutation UploadDocumentVersion($organizationid: Int!, $workflowid: ID!, $artifactid: ID!, $file: Upload!) {
    uploadDocumentVersion(
      input: { organizationId: $organizationid, workflowId: $workflowid, artifactId: $artifactid, file: $file }
    ) {
      created
      data: version {
        ...DocumentVersion
      }
    }
  }
`);

export const UPLOAD_INCIDENT_ATTACHMENT = document(/* GraphQL */ `
  mutation UploadIncidentAttachment($organizationid: Int!, $incidentid: Int!, $file: Upload!) {
    uploadIncidentAttachment(input: { organizationId: $organizationid, incidentId: $incidentid, file: $file }) {
      data: attachment {
        ...IncidentAttachment
      }
    }
  }
`);

export const CLOUD_DEFENDER = document(/* GraphQL */ `
  query CloudDefender($id: Int!) {
    data: cloudDefender(id: $id) {
      ...CloudDefender
    }
  }
`);

export const DELETE_CLOUD_DEFENDER = document(/* GraphQL */ `
  mutation DeleteCloudDefender($id: Int!) {
    deleteCloudDefender(input: { id: $id }) {
      data: cloudDefender {
        ...CloudDefender
      }
    }
  }
`);

export const THREAT_BLOCKER = document(/* GraphQL */ `
  query ThreatBlocker($id: Int!) {
    data: threatBlocker(id: $id) {
      ...ThreatBlocker
    }
  }
`);

export const DELETE_THREAT_BLOCKER = document(/* GraphQL */ `
  mutation DeleteThreatBlocker($id: Int!) {
    deleteThreatBlocker(input: { id: $id }) {
      data: threatBlocker {
        ...ThreatBlocker
      }
    }
  }
`);

export const ORGANIZATION_USERS = document(/* GraphQL */ `
  query OrganizationUsers(
    $organizationid: Int!
    $limit: Int
    $offset: Int
    $sort: OrganizationUserOrder
    $role: Role
    $search: String
  ) {
    organization(id: $organizationid) {
      users(first: $limit, offset: $offset, orderBy: $sort, filter: { role: $role, search: $search }) {
        data: nodes {
          ...OrganizationUser
        }
        total: totalCount
      }
    }
  }
`);

export const AVAILABLE_WORKFLOWS = document(/* GraphQL */ `
  query AvailableWorkflows($limit: Int, $offset: Int) {
    availableWorkflows(first: $limit, offset: $offset) {
      data: nodes {
        ...Workflow
      }
      total: totalCount
    }
  }
`);

export const BRANDING = document(/* GraphQL */ `
  query Branding($id: Int!) {
    organization(id: $id) {
      data: branding {
        ...Branding
      }
    }
  }
`);

export const NOTIFICATIONS = document(/* GraphQL */ `
  query Notifications(
    $limit: Int
    $offset: Int
    $sort: NotificationOrder
    $read: Boolean
    $type: NotificationType
    $organization_id: Int
  ) {
    notifications(
      first: $limit
      offset: $offset
      orderBy: $sort
      filter: { read: $read, type: $type, organizationId: $organization_id }
    ) {
      data: nodes {
        ...Notification
      }
      total: totalCount
    }
  }
`);

/** An operation with the fragments that it spreads, and theirs: validation refuses fragments that nobody uses. */
function document(source: string): DocumentNode {
  const operation = parse(source, { noLocation: true });
  const used = new Map<string, DocumentNode>();
  spread(operation, used);
  return {
    kind: Kind.DOCUMENT,
    definitions: [...operation.definitions, ...[...used.values()].flatMap(({ definitions }) => definitions)],
  };
}

function spread(node: DocumentNode, used: Map<string, DocumentNode>): void {
  visit(node, {
    FragmentSpread({ name: { value } }) {
      const fragment = FRAGMENTS.get(value);
      if (fragment === undefined || used.has(value)) return;
      used.set(value, fragment);
      spread(fragment, used);
    },
  });
}

function fragmentsOf(source: string): ReadonlyMap<string, DocumentNode> {
  const { definitions } = parse(source, { noLocation: true });
  return new Map(
    definitions.map((definition) => [
      definition.kind === Kind.FRAGMENT_DEFINITION ? definition.name.value : '',
      { kind: Kind.DOCUMENT, definitions: [definition] },
    ]),
  );
}
