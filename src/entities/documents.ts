import type { Opt, Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import type { DocumentSource } from '../values/enums.js';
import { Organization } from './organizations.js';

/** A file that shows how a control is met (specification 2.3). One content is one version of an artifact (section 8). */
@Entity({ tableName: 'document_version' })
// Answers to search (docs/adr/0015); made by hand, where pg_trgm is there.
@Index({
  name: 'document_version_search_index',
  expression: `create index "document_version_search_index" on "document_version" using gin (searchable gin_trgm_ops)`,
})
@Unique({ properties: ['organization', 'workflowId', 'artifactId', 'sha256'] })
@Index({ properties: ['organization', 'workflowId', 'artifactId', 'id'] })
@Index({ properties: ['organization', 'createdAt', 'id'] })
@Index({ properties: ['organization', 'createdBy', 'createdAt', 'id'] })
@Index({ properties: ['organization', 'originalName', 'id'] })
@Index({
  name: 'document_version_effective_index',
  expression: `create index "document_version_effective_index" on "document_version" (organization_id, coalesce(effective_at, created_at), id)`,
})
@Index({
  name: 'document_version_valid_until_index',
  expression: `create index "document_version_valid_until_index" on "document_version" (valid_until) where valid_until is not null`,
})
@Index({
  name: 'document_version_review_index',
  expression: `create index "document_version_review_index" on "document_version" (organization_id, workflow_id, valid_until) where valid_until is not null`,
})
@Index({ properties: ['sha256'] })
export class DocumentVersion {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Organization, { deleteRule: 'restrict' })
  organization!: Rel<Organization>;

  @Property({ type: 'text' })
  workflowId!: string;

  @Property({ type: 'text' })
  artifactId!: string;

  @Property({ type: 'text' })
  originalName!: string;

  /** Bytes. */
  @Property({ type: 'integer' })
  size!: number;

  @Property({ type: 'text' })
  contentType!: string;

  @Property({ type: 'text' })
  source!: DocumentSource;

  @Property({ type: 'text' })
  sha256!: string;

  /** The uploader's user name as it was then: evidence keeps its author when the user goes. */
  @Property({ type: 'text' })
  createdBy!: string;

  /** Who may take it back. No reference: evidence outlives its uploader, and a user's id is never given again. */
  @Property({ type: 'uuid', nullable: true })
  uploaderId?: string | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();

  /** When the evidence was true, where that is not when it was uploaded. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  effectiveAt?: Date | null;

  /** The last day on which it shows that the control is met. */
  @Property({ type: 'date', nullable: true })
  validUntil?: string | null;

  /** What a reader should know of it. */
  @Property({ type: 'text', nullable: true })
  note?: string | null;

  /** What search compares: the title on the first line, then further texts (docs/adr/0015). */
  @Property({
    type: 'text',
    generated: `(search_text(original_name || chr(10) || artifact_id || chr(10) || coalesce(note, ''))) stored`,
    lazy: true,
  })
  searchable!: Opt<string>;
}
