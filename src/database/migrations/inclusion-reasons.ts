import { Migration } from '@mikro-orm/migrations';

/** Why controls were chosen, for statements of applicability. */
export class InclusionReasons extends Migration {
  override name = 'InclusionReasons';

  override up(): void {
    this.addSql(`alter table "control_state" add "inclusion_reason" text not null default '';`);
  }
}
