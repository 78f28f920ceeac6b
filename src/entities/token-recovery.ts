import type { Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { User } from './user.js';

/** A request for a new token by somebody who has lost every other, and the one-time link that was mailed for it. */
@Entity({ tableName: 'token_recovery' })
@Index({ properties: ['email', 'createdAt'] })
@Index({ properties: ['network', 'createdAt'] })
export class TokenRecovery {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  /** As requested, in lower case, whether it is a user's or not; null when the address has had its mails. */
  @Property({ type: 'text', nullable: true })
  email?: string | null;

  /** Address of the caller; of IPv6 its first 64 bits. */
  @Property({ type: 'text' })
  network!: string;

  @Property({ type: 'datetime', length: 3 })
  createdAt!: Date;

  /** Whose link it is; null until a mail was written. */
  @ManyToOne(() => User, { deleteRule: 'cascade', nullable: true })
  user?: Rel<User> | null;

  /** Lower-case hexadecimal SHA-256 of the secret, which is in the mail and nowhere else. */
  @Property({ type: 'text', nullable: true, unique: true })
  digest?: string | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  expiresAt?: Date | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  usedAt?: Date | null;
}
