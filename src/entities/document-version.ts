import type { Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import type { DocumentSource } from '../vocabulary/document-sources.js';
import { Organization } from './organization.js';

/** A file that shows how a control is met (specification 2.3). One content is one version of an artifact (section 8). */
@Entity({ tableName: 'document_version' })
@Unique({ properties: ['organization', 'workflowId', 'artifactId', 'sha256'] })
@Index({ properties: ['organization', 'workflowId', 'artifactId', 'id'] })
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

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Date = new Date();

  /** When the evidence was true, where that is not when it was uploaded. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  effectiveAt?: Date | null;
}
