import type { Rel } from '@mikro-orm/core';
import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { User } from './user.js';

/**
 * How often the notifications of a user have changed, whatever changed them: kept by triggers, so that whoever polls can
 * be told "nothing new" without a look at the notifications.
 */
@Entity({ tableName: 'notification_revision' })
export class NotificationRevision {
  @OneToOne(() => User, { primary: true, owner: true, updateRule: 'no action', deleteRule: 'cascade' })
  user!: Rel<User>;

  @Property({ type: 'bigint' })
  revision!: number;
}
