export const INCIDENTS_FRAGMENTS = /* GraphQL */ `
  fragment Incident on Incident {
    id
    organization {
      ...OrganizationSummary
    }
    title
    description
    severity
    status
    significant
    aware_at: awareAt
    clock {
      applies
      early_warning: earlyWarning {
        ...IncidentStage
      }
      notification {
        ...IncidentStage
      }
      final_report: finalReport {
        ...IncidentStage
      }
    }
    opened_by: openedBy
    created_at: createdAt
    updated_at: updatedAt
    closed_at: closedAt
    closed_by: closedBy
  }

  fragment IncidentStage on IncidentStage {
    state
    due_at: dueAt
    sent_at: sentAt
    sent_by: sentBy
  }

  fragment IncidentReport on IncidentReport {
    id
    stage
    sent_at: sentAt
    reason
    recorded_by: recordedBy
    recorded_at: recordedAt
  }

  fragment IncidentAttachment on IncidentAttachment {
    id
    original_name: originalName
    content_type: contentType
    size
    created_at: createdAt
    download_url: downloadUrl
  }
`;
