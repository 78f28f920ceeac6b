import { LIMITS } from '../values/limits.js';

/** The effect of a tool on the data of an organization, for clients that request confirmation before a call. */
export type Effect = 'reads' | 'adds' | 'changes';

/**
 * A tool as data. Its arguments are the variables of its operation, or the fields of `$input` where that is the only one;
 * its result is the data of the operation. What an argument may be, and how it is described, is known by the schema.
 */
export interface ToolText {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  /** Whether calling it again with the same arguments changes nothing more. */
  readonly isIdempotent?: true;
  readonly operation: string;
  /** Bytes that an argument in base64 has at most, where that is less than its field takes. */
  readonly maxBytes?: Readonly<Record<string, number>>;
}

const NAMED = 'id databaseId name sandbox';
const ORGANIZATION = `organization { ${NAMED} }`;
const PAGE = 'totalCount pageInfo { hasNextPage endCursor }';
const EVIDENCE =
  'evidenceState evidence { own mapped total validUntil sources { workflowId controlId label documents } }';
const CONTROL = `id workflowId controlId label kind status justification note dueDate overdue version updatedAt
  owner { userId username } ${EVIDENCE}`;
const DOCUMENT = `id databaseId workflowId artifactId filename contentType size sha256 source createdAt createdBy { username }
  effectiveAt validUntil evidenceState note`;
/** One selection cannot have two types of one name. */
const AS_NODE = {
  incident: (text: string) => text.replace(' status ', ' incidentStatus: status '),
  document: (text: string) => text.replace(' evidenceState ', ' documentState: evidenceState '),
};
const NOTE = 'id text createdAt createdBy { username }';
/** The facts by which the clock of an incident runs, and those that its reports say. */
const FACTS = `significant awareAt occurredAt classifiedAt handledAt fixAvailableAt intermediateReportDueAt suspectedMalicious
  crossBorder affectsTrustService affectsQualifiedTrustService personalDataConcerned exploitedVulnerability productConcerned
  category rehearsal`;
const INCIDENT = `id databaseId title description severity status ${FACTS} createdAt openedBy { username }
  closedAt closedBy { username } rootCause impact mitigation indicators version`;
const OWED = 'clock { applies stages { regimeId regimeName stage number state dueAt extendedTo } }';
const STAGE = `regimeId regimeName stage number state dueAt extendedTo sentAt sentBy { username } late manner mannerReason
  recipient reference portalUrl reason source`;
const DEADLINE =
  'regimeId regimeName stage number state dueAt extendedTo incident { id databaseId title severity status }';
const PROGRESS = 'progress { total done inProgress toDo notApplicable }';
const ENTRY = `position at action reason requestId hash subject { type databaseId name parent { type databaseId } }
  actor { type userId user { username } job tokenId via client } changes { field before after }`;

export const TOOLS: readonly ToolText[] = [
  {
    name: 'find',
    title: 'Find',
    description:
      'Finds text in everything that you may see: organizations, members, controls, documents, incidents and notifications. `record.id` is what `get` takes.',
    effect: 'reads',
    operation: `query Find($query: String!, $types: [SearchType!], $organizationId: ID, $first: Int, $after: String) {
      search(query: $query, types: $types, organizationId: $organizationId, first: $first, after: $after) {
        ${PAGE} nodes { type recordId title snippet record { id } ${ORGANIZATION} } } }`,
  },
  {
    name: 'get',
    title: 'Get one object',
    description:
      'Reads an organization, a member, an incident, a control, a workflow of an organization, a document or a notification by its `id`. Where the list in it (workflows, notes, controls) `hasNextPage`, call again with its `endCursor` as `after`.',
    effect: 'reads',
    operation: `query Get($id: ID!, $after: String) { node(id: $id) { __typename id
      ... on Organization { databaseId name sandbox description website sectors viewerRole
        workflows(first: 100, after: $after) { ${PAGE} nodes { id workflowId name } } }
      ... on Incident { ${AS_NODE.incident(INCIDENT)} ${ORGANIZATION}
        notes(first: 50, after: $after) { ${PAGE} nodes { ${NOTE} } } }
      ... on OrganizationControl { ${CONTROL} text }
      ... on OrganizationWorkflow { workflowId name staleEvidence ${PROGRESS}
        controls(first: 100, after: $after) { ${PAGE} nodes { id controlId label kind status overdue dueDate } } }
      ... on DocumentVersion { ${AS_NODE.document(DOCUMENT)} ${ORGANIZATION} }
      ... on OrganizationUser { userId username firstName lastName role active joinedAt deactivatedAt }
      ... on Notification { databaseId type title message datetime read ${ORGANIZATION} } } }`,
  },
  {
    name: 'what_is_due',
    title: 'What is due',
    description:
      'Lists what is to be done in all of your organizations but sandboxes, the earliest first: open controls with a due date, evidence to renew, and reports that a law asks for. It is what you answer for; that of all members with the `assignee` ANYONE. The 1,000 earliest controls and reviews are among it, and of each organization the reports of the 50 open incidents whose deadlines are first: there may be more.',
    effect: 'reads',
    operation: `query WhatIsDue($assignee: WorkAssignee, $dueBefore: DateTime, $first: Int, $after: String) {
      work(assignee: $assignee, dueBefore: $dueBefore, first: $first, after: $after) {
        ${PAGE} nodes { kind title dueAt overdue ${ORGANIZATION} control { id workflowId controlId label status }
          report { ${DEADLINE} } } } }`,
  },
  {
    name: 'portfolio',
    title: 'Portfolio',
    description:
      'Lists your organizations, each with your role, its progress, overdue controls, incidents and next legal deadline. Begin here: the other tools take the `databaseId` of an organization. Sandboxes are left out: `find` has them.',
    effect: 'reads',
    operation: `query Portfolio($first: Int, $after: String, $orderBy: PortfolioOrder) {
      portfolio(first: $first, after: $after, orderBy: $orderBy) {
        ${PAGE} nodes { ${ORGANIZATION} role ${PROGRESS} overdueControls devicesDown
          incidents { open contained resolved closed overdue } nextDeadline { ${DEADLINE} } } } }`,
  },
  {
    name: 'list_incidents',
    title: 'List incidents',
    description: 'Lists the incidents of an organization, the newest first.',
    effect: 'reads',
    operation: `query ListIncidents($organizationId: ID!, $status: IncidentStatus, $severity: IncidentSeverity,
      $significant: Boolean, $first: Int, $after: String) { organization(id: $organizationId) { ${NAMED}
        incidents(filter: { status: $status, severity: $severity, significant: $significant }, first: $first, after: $after) {
          ${PAGE} nodes { ${INCIDENT} } } } }`,
  },
  {
    name: 'incident_clock',
    title: 'Clock of an incident',
    description:
      'Says which laws ask for reports of an incident, until when, to whom and why, and what was sent. `dueAt` is the legal deadline.',
    effect: 'reads',
    operation: `query IncidentClock($incidentId: ID!, $organizationId: ID) {
      incident(id: $incidentId, organizationId: $organizationId) { id databaseId title severity status ${FACTS}
        clock { applies factsAsOf facts { fact values } stages { ${STAGE} }
          outOfScope { regimeId regimeName reason source } } } }`,
  },
  {
    name: 'draft_report',
    title: 'Draft a report',
    description:
      'Drafts a report of an incident for an authority from what is recorded, and names what is missing. It sends and changes nothing.',
    effect: 'reads',
    operation: `query DraftReport($incidentId: ID!, $organizationId: ID, $regimeId: String!, $stage: IncidentReportStage!, $number: Int) {
      draftIncidentReport(incidentId: $incidentId, organizationId: $organizationId, regimeId: $regimeId, stage: $stage, number: $number) {
        regimeId regimeName stage number state dueAt extendedTo recipient portalUrl source reason language draftedAt missing sandbox
        fields { key label value missing optional law source } } }`,
  },
  {
    name: 'open_incident',
    title: 'Open an incident',
    description:
      'Opens an incident. Members are notified, and which reports it owes to authorities follows from its facts: say only what is known.',
    effect: 'adds',
    operation: `mutation OpenIncident($input: OpenIncidentInput!) {
      openIncident(input: $input) { incident { ${INCIDENT} ${OWED} } } }`,
  },
  {
    name: 'update_incident',
    title: 'Change an incident',
    description:
      'Changes what is known of an incident, such as when it occurred, whether it is significant or concerns personal data: deadlines follow from it. What is absent stays, null is not known. Send the `version` that was shown, so that no change of another person is overwritten; what makes a report due later or not at all requires SECURITY_OFFICER and a `reason`.',
    effect: 'changes',
    isIdempotent: true,
    operation: `mutation UpdateIncident($input: UpdateIncidentInput!) {
      updateIncident(input: $input) { incident { ${INCIDENT} ${OWED} } } }`,
  },
  {
    name: 'add_note',
    title: 'Add a note',
    description: 'Adds a note to an incident. Notes are neither changed nor deleted.',
    effect: 'adds',
    operation: `mutation AddNote($input: AddIncidentNoteInput!) { addIncidentNote(input: $input) { note { ${NOTE} } } }`,
  },
  {
    name: 'control_status',
    title: 'Status of a control',
    description: 'Says how far an organization is with a control of a workflow, who answers for it, and what shows it.',
    effect: 'reads',
    operation: `query ControlStatus($organizationId: ID, $workflowId: ID!, $controlId: ID!) {
      organizationControl(organizationId: $organizationId, workflowId: $workflowId, controlId: $controlId) { ${CONTROL} text } }`,
  },
  {
    name: 'set_control_status',
    title: 'Set the status of a control',
    description:
      'Sets the status of a control, and its note where one is given. Send the `version` that `control_status` has shown, so that no change of another person is overwritten.',
    effect: 'changes',
    isIdempotent: true,
    operation: `mutation SetControlStatus($organizationId: ID, $workflowId: ID!, $controlId: ID!, $status: ControlStatus!,
      $justification: String, $note: String, $version: Int) {
      updateControl(input: { organizationId: $organizationId, workflowId: $workflowId, controlId: $controlId, status: $status,
        justification: $justification, note: $note, version: $version }) { control { ${CONTROL} } } }`,
  },
  {
    name: 'evidence_of_control',
    title: 'Evidence of a control',
    description:
      'Lists the documents that show that a control is met, the newest first, without their content: how fresh they are, who uploaded them, and their SHA-256.',
    effect: 'reads',
    operation: `query EvidenceOfControl($organizationId: ID, $workflowId: ID!, $controlId: ID!, $first: Int, $after: String) {
      organizationControl(organizationId: $organizationId, workflowId: $workflowId, controlId: $controlId) {
        id workflowId controlId label status ${EVIDENCE}
        documentVersions(first: $first, after: $after) { ${PAGE} nodes { ${DOCUMENT} } } } }`,
  },
  {
    name: 'upload_evidence',
    title: 'Upload evidence',
    description:
      'Uploads a document of 1 MB at most that shows that a control is met. The same content again is the version that is there; of one control the ten newest are kept, so that an older one may go.',
    // The eleventh version of a document is removed.
    effect: 'changes',
    isIdempotent: true,
    maxBytes: { content: LIMITS.mcp.uploadBytes },
    operation: `mutation UploadEvidence($organizationId: ID, $workflowId: ID!, $controlId: ID!, $filename: String!,
      $contentType: String, $content: String!, $effectiveAt: DateTime, $validUntil: Date) {
      uploadDocumentVersion(input: { organizationId: $organizationId, workflowId: $workflowId, artifactId: $controlId,
        filename: $filename, contentType: $contentType, content: $content, effectiveAt: $effectiveAt, validUntil: $validUntil }) {
        created documentVersion { ${DOCUMENT} } } }`,
  },
  {
    name: 'audit_trail',
    title: 'Audit trail',
    description: 'Lists who did what in an organization, the newest first. It requires SECURITY_OFFICER.',
    effect: 'reads',
    operation: `query AuditTrail($organizationId: ID!, $action: AuditAction, $actorId: ID, $actorJob: String, $subjectType: AuditSubjectType,
      $subjectId: ID, $from: DateTime, $to: DateTime, $first: Int, $after: String) {
      organization(id: $organizationId) { ${NAMED} auditTrail(filter: { action: $action, actorId: $actorId,
        actorJob: $actorJob, subjectType: $subjectType, subjectId: $subjectId, from: $from, to: $to }, first: $first, after: $after) {
        ${PAGE} nodes { ${ENTRY} } } } }`,
  },
  {
    name: 'verify_audit_trail',
    title: 'Verify the audit trail',
    description:
      'Reads the whole audit trail of an organization and says whether it is as it was written. It requires SECURITY_OFFICER.',
    effect: 'reads',
    operation: `query VerifyAuditTrail($organizationId: ID!) { organization(id: $organizationId) { ${NAMED}
      auditTrailVerification { valid entries checkpoints verifiedFrom verifiedUpTo fault { position reason message } } } }`,
  },
  {
    name: 'explain_role',
    title: 'Explain my role',
    description:
      'Says who you act for, with which role and privileges in an organization, what the token allows, and which role has which privileges.',
    effect: 'reads',
    operation: `query ExplainRole($organizationId: ID!) {
      viewer { user { databaseId username firstName lastName kind } token { name scopes expiresAt } }
      organization(id: $organizationId) { ${NAMED} viewerRole viewerPrivileges }
      formOptions { roles { role rank privileges } } }`,
  },
];

/** Any query of the schema; a mutation is refused. */
export const GRAPHQL_TOOL = {
  name: 'graphql',
  title: 'GraphQL query',
  description:
    'Runs a GraphQL query for what the other tools do not read; mutations are refused. `{ __schema { queryType { fields { name } } } }` begins to describe the schema, and `{ rateLimit { cost } }` says what an operation costs.',
} as const;
