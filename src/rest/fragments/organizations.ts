export const ORGANIZATIONS_FRAGMENTS = /* GraphQL */ `
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
`;
