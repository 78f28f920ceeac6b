import type { Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { ApiToken } from './api-token.js';
import { Organization } from './organization.js';

/** An organization that a token may not act in any more, because an owner there has said so (docs/adr/0009). */
@Entity({ tableName: 'token_block' })
@Unique({ properties: ['token', 'organization'] })
@Index({ properties: ['organization', 'token'] })
export class TokenBlock {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => ApiToken, { deleteRule: 'cascade' })
  token!: Rel<ApiToken>;

  @ManyToOne(() => Organization, { deleteRule: 'cascade' })
  organization!: Rel<Organization>;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Date = new Date();
}
