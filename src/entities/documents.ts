import { defineEntity } from '@mikro-orm/core';
import { creationTime, instant, p, searchIndex, searchable, version } from './columns.js';
import type { DocumentSource } from '../values/enums.js';
import { Organization } from './organizations.js';

/** The columns of every file that a user has uploaded. */
export const storedFile = () => ({
  originalName: p.text(),
  contentType: p.text(),
  size: p.integer(),
  sha256: p.text(),
  /** The uploader's user name at the time, so that evidence has an author after the user has left. */
  createdBy: p.text(),
  /** The user who may take it back. No reference: evidence outlives its uploader, and ids of users are not reused. */
  uploaderId: p.uuid().nullable(),
  createdAt: creationTime(),
});

/** A file that shows how a control is met (specification 2.3). One content is one version of an artifact (section 8). */
export const DocumentVersion = defineEntity({
  name: 'DocumentVersion',
  properties: {
    id: p.bigint('number').primary(),
    organization: p.manyToOne(Organization).deleteRule('restrict'),
    workflowId: p.text(),
    artifactId: p.text(),
    ...storedFile(),
    source: p.text().$type<DocumentSource>(),
    /** When the evidence was true, if not when it was uploaded. */
    effectiveAt: instant().nullable(),
    /** The last day on which it shows that the control is met. */
    validUntil: p.date().nullable(),
    /** Remarks for a reader. */
    note: p.text().nullable(),
    version: version(),
    searchable: searchable(`original_name || chr(10) || artifact_id || chr(10) || coalesce(note, '')`),
  },
  uniques: [{ properties: ['organization', 'workflowId', 'artifactId', 'sha256'] }],
  indexes: [
    searchIndex('document_version'),
    { properties: ['organization', 'workflowId', 'artifactId', 'id'] },
    { properties: ['organization', 'createdAt', 'id'] },
    { properties: ['organization', 'createdBy', 'createdAt', 'id'] },
    { properties: ['organization', 'originalName', 'id'] },
    {
      name: 'document_version_effective_index',
      expression: `create index "document_version_effective_index" on "document_version" (organization_id, coalesce(effective_at, created_at), id)`,
    },
    { name: 'document_version_valid_until_index', properties: ['validUntil'], where: 'valid_until is not null' },
    {
      name: 'document_version_review_index',
      properties: ['organization', 'workflowId', 'validUntil'],
      where: 'valid_until is not null',
    },
    { properties: ['sha256'] },
  ],
});
