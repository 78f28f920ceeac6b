import { Migration } from '@mikro-orm/migrations';
import { trigramIndex } from './searchable-columns.js';

/** Indexes of trigrams for users and for what is written about controls: a search may span thousands of organizations. */
export class SearchIndexes extends Migration {
  override name = 'SearchIndexes';

  override up(): void {
    for (const table of ['app_user', 'control_state']) this.addSql(trigramIndex(table));
  }
}
