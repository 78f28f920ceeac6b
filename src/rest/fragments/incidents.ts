export const INCIDENTS_FRAGMENTS = /* GraphQL */ `
  fragment IncidentAttachment on IncidentAttachment {
    id
    original_name: originalName
    content_type: contentType
    size
    created_at: createdAt
    download_url: downloadUrl
  }
`;
