import type { Rel } from '@mikro-orm/core';
import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { Organization } from './organization.js';

/** How many bytes an organization's documents, attachments and logo have: kept by triggers, whoever writes or deletes. */
@Entity({ tableName: 'organization_storage' })
export class OrganizationStorage {
  @OneToOne(() => Organization, { primary: true, owner: true, updateRule: 'no action', deleteRule: 'cascade' })
  organization!: Rel<Organization>;

  @Property({ type: 'bigint' })
  bytes!: number;
}
