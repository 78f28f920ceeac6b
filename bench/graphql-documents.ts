import { hash } from 'node:crypto';

/** The operations that are sent to both GraphQL servers. */
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

/** As long as documents of frontends with many fragments, with the smallest possible response. */
const PART = `viewer @include(if: $all) {
    user {
      id
      kind
      username
      firstName
      lastName
      email
      language
      createdAt
      version
    }
    token {
      id
      name
      prefix
      scopes
      allowedIps
      blockedIn
      origin
      createdAt
      expiresAt
      lastUsedAt
      replacedAt
      revokedAt
      version
    }
  }`;
const PARTS = Array.from({ length: 18 }, (_, n) => `  part${n}: ${PART}`).join('\n');
const LONG = `query Long($all: Boolean = false) {\n  __typename\n${PARTS}\n}`;
export const REGISTERED = { text: LONG, sha256: hash('sha256', LONG), id: `sha256:${hash('sha256', LONG)}` };
