import { Migration } from '@mikro-orm/migrations';

/**
 * Statements of auditors and owners of controls are recorded as well: states that were kept before lack it, and are made anew. That the
 * schema `history` shows the trail itself follows from the migration.
 */
export class ToldStatements extends Migration {
  override name = 'ToldStatements';

  override up(): void {
    this.addSql('delete from "recorded_state";');
  }
}
