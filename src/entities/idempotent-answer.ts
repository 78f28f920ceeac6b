import { PrimaryKeyProp, type Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { ApiToken } from './api-token.js';

/** The answer to a request that named an `Idempotency-Key`, kept for the same request of the same token. */
@Entity({ tableName: 'idempotent_answer' })
export class IdempotentAnswer {
  [PrimaryKeyProp]?: ['token', 'keyDigest'];

  @ManyToOne(() => ApiToken, { primary: true, deleteRule: 'cascade' })
  token!: Rel<ApiToken>;

  /** Lower-case hexadecimal SHA-256 of the key. */
  @Property({ type: 'string', length: 64, primary: true })
  keyDigest!: string;

  /** Request and answer, encrypted under a key that only the token's holder has (services/answer-cipher.ts). */
  @Property({ type: 'blob' })
  sealed!: Buffer;

  @Property({ type: 'datetime', length: 3 })
  @Index()
  createdAt!: Date;
}
