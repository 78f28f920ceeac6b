export const SEARCH_FRAGMENTS = /* GraphQL */ `
  fragment SearchResult on SearchResult {
    type
    id: recordId
    title
    snippet
    href
    organization {
      ...OrganizationSummary
    }
  }
`;
