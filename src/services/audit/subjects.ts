import type { Actor, Caller, UserCaller } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import { PersonalValue } from './personal-values.js';
import {
  changesBetween,
  record,
  withoutValues,
  type AuditEvent,
  type AuditFacts,
  type AuditSubject,
  type FieldChange,
} from './record.js';

/** Records an action on an organization in its trail. */
export function recordOrganization(
  tx: Queryable,
  caller: Actor | Caller,
  { id, name }: { id: number; name: string },
  facts: AuditFacts,
): Promise<void> {
  return record(tx, caller, organizationEvent({ id, name }, facts));
}

/** Changes of an organization for its trail: values about persons who are not users show as changed. */
export function organizationChanges(before: object, after: object): Record<string, FieldChange> {
  return withoutValues(changesBetween(before, after), 'contacts', 'auditWitnessEmail');
}

export function organizationEvent({ id, name }: { id: number; name: string }, facts: AuditFacts): AuditEvent {
  return { ...facts, organizationId: id, subject: { type: 'ORGANIZATION', id, name } };
}

/** Records an action on a member in the trail of the organization. */
export function recordMember(
  tx: Queryable,
  caller: Actor | Caller,
  member: MemberKey,
  facts: AuditFacts,
): Promise<void> {
  return record(tx, caller, memberEvent(member, facts));
}

interface MemberKey {
  organizationId: number;
  userId: string;
  username: string;
}

export function memberEvent({ organizationId, userId, username }: MemberKey, facts: AuditFacts): AuditEvent {
  const name = new PersonalValue(userId, username);
  return { ...facts, organizationId, subject: { type: 'MEMBER', id: userId, name } };
}

/** Records an action on a user in its own trail. */
export function recordUser(
  tx: Queryable,
  actor: Actor | Caller,
  user: { userId: string; username: string },
  facts: AuditFacts,
): Promise<void> {
  return record(tx, actor, userEvent(user, facts));
}

export function userEvent({ userId, username }: { userId: string; username: string }, facts: AuditFacts): AuditEvent {
  const name = new PersonalValue(userId, username);
  return { ...facts, userId, subject: { type: 'USER', id: userId, name } };
}

interface TokenFacts {
  id: number;
  userId: string;
  name: string;
  /** User name of a service account; null for a person's token. */
  account: string | null;
}

/** The owner of a token: a person, or a service account of this organization. */
export type TokenOwner = Pick<UserCaller, 'userId' | 'username' | 'serviceOf'>;

/** Records an action on a token: in the trail of its user, or in that of the service account's organization. */
export function recordToken(
  tx: Queryable,
  actor: Actor | Caller,
  { userId, username, serviceOf }: TokenOwner,
  { id, name }: { id: number; name: string },
  facts: AuditFacts,
): Promise<void> {
  if (serviceOf === undefined)
    return record(tx, actor, { ...facts, userId, subject: tokenSubject({ id, userId, name, account: null }) });
  const subject = tokenSubject({ id, userId, name, account: username });
  return record(tx, actor, { ...facts, organizationId: serviceOf, subject });
}

/** A token of a person, or of the service account with this user name. */
export function tokenSubject({ id, userId, name, account }: TokenFacts): AuditSubject {
  if (account === null) return { type: 'TOKEN', id, name: new PersonalValue(userId, name) };
  return { type: 'TOKEN', id, name, parent: { type: 'SERVICE_ACCOUNT', id: userId, name: account } };
}

/** Records an action on a service account in the trail of its organization. */
export function recordServiceAccount(
  tx: Queryable,
  actor: Actor | Caller,
  { organizationId, userId, username }: { organizationId: number; userId: string; username: string },
  facts: AuditFacts,
): Promise<void> {
  return record(tx, actor, {
    ...facts,
    organizationId,
    subject: { type: 'SERVICE_ACCOUNT', id: userId, name: username },
  });
}

/** Records an action on an engagement, or of its auditors. */
export function recordEngagement(
  tx: Queryable,
  actor: Actor | Caller,
  engagement: { organizationId: number; id: number; name: string },
  facts: AuditFacts,
): Promise<void> {
  return record(tx, actor, engagementEvent(engagement, facts));
}

export function engagementEvent(
  { organizationId, id, name }: { organizationId: number; id: number; name: string },
  facts: AuditFacts,
): AuditEvent {
  return { ...facts, organizationId, subject: { type: 'ENGAGEMENT', id, name } };
}

/** Records an action on a workflow of an organization. */
export function recordWorkflow(
  tx: Queryable,
  caller: Caller,
  workflow: { organizationId: number; workflowId: string; name: string },
  facts: AuditFacts,
): Promise<void> {
  return record(tx, caller, workflowEvent(workflow, facts));
}

export function workflowEvent(
  { organizationId, workflowId, name }: { organizationId: number; workflowId: string; name: string },
  facts: AuditFacts,
): AuditEvent {
  return { ...facts, organizationId, subject: { type: 'WORKFLOW', id: workflowId, name } };
}

/** A version, whose entries are in the history of its control. */
export function versionSubject(version: {
  id: number;
  filename: string;
  workflowId: string;
  artifactId: string;
}): AuditSubject {
  const { id, filename: name, workflowId, artifactId } = version;
  return { type: 'DOCUMENT_VERSION', id, name, parent: { type: 'CONTROL', id: `${workflowId}/${artifactId}` } };
}

/** A file, whose entries are in the history of its incident. */
export function attachmentSubject(
  attachment: { id: number; name: string },
  incident: { id: number; name?: string },
): AuditSubject {
  return { type: 'INCIDENT_ATTACHMENT', ...attachment, parent: { type: 'INCIDENT', ...incident } };
}

/** A stored file in trails: the values that remain known after its row is deleted. */
export interface RecordedFile {
  filename: string;
  /** Lower-case hexadecimal. */
  sha256: string;
  /** Bytes. */
  size: number;
  /** Id of the user who uploaded it; null where it is unknown. */
  uploader: string | null;
}

/** `after` for an added file, `before` for a removed one. */
export function fileChanges(file: RecordedFile, side: 'before' | 'after'): Record<string, FieldChange> {
  const fields = ['filename', 'sha256', 'size', 'uploader'] as const;
  return Object.fromEntries(fields.map((field) => [field, { [side]: file[field] }]));
}
