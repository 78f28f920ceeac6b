import type { Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Scope } from '../vocabulary/scopes.js';
import { User } from './user.js';

/** A credential (decisions §1). Only the SHA-256 of the token is here: whoever reads the table can call nothing. */
@Entity({ tableName: 'api_token' })
@Index({ properties: ['user', 'id'] })
@Index({
  name: 'api_token_unwarned_index',
  expression: `create index "api_token_unwarned_index" on "api_token" ("expires_at") where warned_at is null and revoked_at is null and replaced_at is null`,
})
export class ApiToken {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => User, { deleteRule: 'cascade' })
  user!: Rel<User>;

  @Property({ type: 'text' })
  name!: string;

  /** Lower-case hexadecimal SHA-256 of the whole token. */
  @Property({ type: 'text', unique: true })
  digest!: string;

  /** The first eight characters, for a person to tell tokens apart. */
  @Property({ type: 'text' })
  prefix!: string;

  @Property({ type: 'text[]', columnType: 'text[]' })
  scopes!: Scope[];

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Date = new Date();

  @Property({ type: 'datetime', length: 3 })
  expiresAt!: Date;

  @Property({ type: 'datetime', length: 3, nullable: true })
  lastUsedAt?: Date | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  revokedAt?: Date | null;

  /** Networks in CIDR form that it may be used from; empty is from anywhere. */
  @Property({ type: 'text[]', columnType: 'text[]', default: [] })
  allowedIps: string[] = [];

  /** When a newer one took its place; from then on it lives out its grace period. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  replacedAt?: Date | null;

  /** When its user was told that it expires soon. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  warnedAt?: Date | null;
}
