import { PrimaryKeyProp, type Opt, type Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import type { Scope } from '../values/enums.js';
import { User } from './members.js';
import { OrganizationRow } from './organizations.js';

/** A credential. Only the SHA-256 of the token is stored: the table grants no access. */
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

  /** The first eight characters, by which a person recognises a token. */
  @Property({ type: 'text' })
  prefix!: string;

  @Property({ type: 'text[]', columnType: 'text[]' })
  scopes!: Scope[];

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();

  @Property({ type: 'datetime', length: 3 })
  expiresAt!: Date;

  @Property({ type: 'datetime', length: 3, nullable: true })
  lastUsedAt?: Date | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  revokedAt?: Date | null;

  /** Networks in CIDR form that it may be used from; empty is from anywhere. */
  @Property({ type: 'text[]', columnType: 'text[]', default: [] })
  allowedIps: Opt<string[]> = [];

  /** When a newer one took its place; from then on it lives out its grace period. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  replacedAt?: Date | null;

  /** When its user was notified that it expires soon. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  warnedAt?: Date | null;
}

/** An address that a token was used from: that of a known use, when another one is met. */
@Entity({ tableName: 'token_address' })
export class TokenAddress {
  [PrimaryKeyProp]?: ['token', 'digest'];

  @ManyToOne(() => ApiToken, { primary: true, deleteRule: 'cascade' })
  token!: Rel<ApiToken>;

  /** HMAC-SHA-256 under the key of the person: without the key it cannot be found out. */
  @PrimaryKey({ type: 'blob' })
  digest!: Buffer;

  /** When this was last noticed; an instance that remembers the address does not write it. */
  @Property({ type: 'datetime', length: 3 })
  seenAt!: Date;
}

/** An organization that a token may not act in any more, because an owner there has said so (docs/adr/0009). */
@Entity({ tableName: 'token_block' })
@Unique({ properties: ['token', 'organization'] })
@Index({ properties: ['organization', 'token'] })
export class TokenBlock extends OrganizationRow {
  @ManyToOne(() => ApiToken, { deleteRule: 'cascade' })
  token!: Rel<ApiToken>;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();
}

/** A request for a new token by a user who has lost every other, and the one-time link that was mailed for it. */
@Entity({ tableName: 'token_recovery' })
@Index({ properties: ['email', 'createdAt'] })
@Index({ properties: ['network', 'createdAt'] })
export class TokenRecovery {
  @PrimaryKey({ type: 'bigint' })
  id!: number;

  /** As requested, in lower case, whether it is a user's or not; null when the address has had its mails. */
  @Property({ type: 'text', nullable: true })
  email?: string | null;

  /** Address of the caller; of IPv6 its first 64 bits. */
  @Property({ type: 'text' })
  network!: string;

  @Property({ type: 'datetime', length: 3 })
  createdAt!: Date;

  /** The user that the link is for; null until a mail was written. */
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
