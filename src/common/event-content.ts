import { AUDIT_SUBJECTS, type AuditSubjectType } from '../values/audit.js';
import type { DescribedSubject } from '../values/domains/domain.js';

export interface EventSubject {
  type: AuditSubjectType;
  id: string;
  parent?: { type: AuditSubjectType; id: string };
}

/** Content that an event takes from its entry of the audit trail. */
export function eventContent(organizationId: number, entry: string, publicUrl: string) {
  const { at, subject, changes = {} } = JSON.parse(entry) as { at: string; subject: EventSubject; changes?: object };
  const path = pathOfSubject(organizationId, subject);
  const url = path === undefined ? null : `${publicUrl}/api/v1/${path}`;
  return { at, subject, changedFields: Object.keys(changes), url };
}

/** The REST path of an event's subject, below the API; undefined where REST does not read it. */
export function pathOfSubject(organizationId: number, { type, id, parent }: EventSubject): string | undefined {
  const { path }: DescribedSubject = AUDIT_SUBJECTS[type];
  const slash = id.indexOf('/');
  const values: Record<string, string | undefined> = {
    ...{ organization: String(organizationId), id, parent: parent?.id },
    ...{ workflow: id.slice(0, slash), control: id.slice(slash + 1) },
  };
  if (path === undefined || (path.includes('{parent}') && parent === undefined)) return undefined;
  return path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(String(values[name])));
}
