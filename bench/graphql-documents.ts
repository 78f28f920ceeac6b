/** The operations that both GraphQL servers are asked for. */
export const USERS = /* GraphQL */ `
  query Users($id: ID!) {
    organization(id: $id) {
      users(first: 50) {
        totalCount
        nodes {
          userId
          username
          email
          firstName
          lastName
          role
          alerts {
            atb
            cloudDefender
            vCiso
          }
        }
      }
    }
  }
`;

export const NOTIFICATIONS = /* GraphQL */ `
  query Notifications {
    notifications(first: 50) {
      totalCount
      nodes {
        id: databaseId
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
        organization {
          id: databaseId
          name
          logo
        }
      }
    }
  }
`;

export const UPLOAD = /* GraphQL */ `
  mutation Upload($input: UploadDocumentVersionInput!) {
    uploadDocumentVersion(input: $input) {
      documentVersion {
        databaseId
        artifactId
        filename
        size
        contentType
        source
        createdAt
        downloadUrl
        createdBy {
          username
        }
      }
    }
  }
`;

export const CREATE = /* GraphQL */ `
  mutation Create($input: CreateOrganizationInput!) {
    createOrganization(input: $input) {
      organization {
        id: databaseId
        name
        description
        numberEmployees
        website
        logo
        sectors
        industries
        nis2Sector
        complianceFrameworks {
          value
          fields
        }
        infrastructure
        contacts {
          name
          role
          email
          phone
          emailReport
        }
        domains
        ips
        createdAt
        updatedAt
      }
    }
  }
`;
