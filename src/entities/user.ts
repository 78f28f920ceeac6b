import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { randomUUID } from 'node:crypto';

/** A person. Its id is the UUID that integrators know (specification 2.8). */
@Entity({ tableName: 'app_user' })
// Answers to search (docs/adr/0015); made by hand, where pg_trgm is there.
@Index({
  name: 'app_user_search_index',
  expression: `create index "app_user_search_index" on "app_user" using gin (search_text(first_name || ' ' || last_name || e'\\n' || username || e'\\n' || email) gin_trgm_ops)`,
})
export class User {
  @PrimaryKey({ type: 'uuid' })
  id: string = randomUUID();

  @Property({ type: 'text', unique: true })
  username!: string;

  /** Stored in lower case, so that one mailbox is one user. */
  @Property({ type: 'text', unique: true })
  email!: string;

  /** Since when it is known that the user reads this mailbox: by an invitation that was sent there and accepted. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  emailVerifiedAt?: Date | null;

  @Property({ type: 'text' })
  firstName: string = '';

  @Property({ type: 'text' })
  lastName: string = '';

  @Property({ type: 'datetime', length: 3, nullable: true })
  deactivatedAt?: Date | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Date = new Date();
}
