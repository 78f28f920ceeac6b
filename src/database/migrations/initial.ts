import { Migration } from '@mikro-orm/migrations';
import { FUNCTIONS_AND_TRIGGERS } from './initial-functions.js';
import { TABLES } from './initial-tables.js';

/** The whole schema of the first release. */
export class Initial extends Migration {
  override name = 'Initial';

  override up(): void {
    for (const statement of [...TABLES, ...FUNCTIONS_AND_TRIGGERS]) this.addSql(statement);
  }
}
