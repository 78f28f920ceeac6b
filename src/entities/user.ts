import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { randomUUID } from 'node:crypto';

/** A person. Its id is the UUID that integrators know (specification 2.8). */
@Entity({ tableName: 'app_user' })
export class User {
  @PrimaryKey({ type: 'uuid' })
  id: string = randomUUID();

  @Property({ type: 'text', unique: true })
  username!: string;

  /** Stored in lower case, so that one mailbox is one user. */
  @Property({ type: 'text', unique: true })
  email!: string;

  @Property({ type: 'text' })
  firstName: string = '';

  @Property({ type: 'text' })
  lastName: string = '';

  @Property({ type: 'datetime', length: 3, nullable: true })
  deactivatedAt?: Date | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Date = new Date();
}
