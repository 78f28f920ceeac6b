export const DOCUMENTS_FRAGMENTS = /* GraphQL */ `
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
`;
