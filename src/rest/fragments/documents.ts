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

  fragment Document on DocumentVersion {
    id
    workflow_id: workflowId
    artifact_id: artifactId
    original_name: originalName
    size
    content_type: contentType
    source
    sha256
    created_by: createdBy
    created_at: createdAt
    effective_at: effectiveAt
    note
    download_url: downloadUrl
  }
`;
