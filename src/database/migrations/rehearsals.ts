import { Migration } from '@mikro-orm/migrations';

/** Incidents that are rehearsed in sandboxes. */
export class Rehearsals extends Migration {
  override name = 'Rehearsals';

  override up(): void {
    this.addSql('alter table "incident" add "rehearsal" boolean not null default false;');
  }
}
