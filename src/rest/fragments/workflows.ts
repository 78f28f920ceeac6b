export const WORKFLOWS_FRAGMENTS = /* GraphQL */ `
  fragment Workflow on Workflow {
    id
    name
  }
`;
