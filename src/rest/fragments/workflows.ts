export const WORKFLOWS_FRAGMENTS = /* GraphQL */ `
  fragment Workflow on Workflow {
    id: workflowId
    name
  }

  fragment AvailableWorkflow on Workflow {
    id: workflowId
    name
    version
    kind
    source
    source_url: sourceUrl
    licence
    remarks
  }

  fragment WorkflowControl on WorkflowControl {
    id: controlId
    label
    parent_id: parentId
    kind
    position
    entities
  }

  fragment OrganizationWorkflow on OrganizationWorkflow {
    id: workflowId
    name
    associated_at: associatedAt
    progress {
      ...WorkflowProgress
    }
  }

  fragment WorkflowImport on WorkflowImport {
    id: workflowId
    mode
    name
    version
    controls: controlCount
    imported_by: importedBy
    imported_at: importedAt
  }

  fragment WorkflowProgress on WorkflowProgress {
    total
    to_do: toDo
    in_progress: inProgress
    done
    not_applicable: notApplicable
  }

  fragment ProgressDay on ProgressDay {
    day
    total
    to_do: toDo
    in_progress: inProgress
    done
    not_applicable: notApplicable
  }

  fragment OrganizationControl on OrganizationControl {
    id: controlId
    label
    parent_id: parentId
    kind
    position
    status
    justification
    owner {
      user_id: userId
      username
      first_name: firstName
      last_name: lastName
    }
    due_date: dueDate
    overdue
    note
    evidence {
      own
      mapped
      total
      sources {
        workflow_id: workflowId
        control_id: controlId
        label
        documents
      }
    }
    updated_at: updatedAt
  }
`;
