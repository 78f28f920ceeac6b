import { Migration } from '@mikro-orm/migrations';

/**
 * Totals are counted by an index alone where VACUUM has been: by default it comes after a fifth of a table is new, which is
 * too late for tables of a million rows that only grow.
 */
export class VisiblePages extends Migration {
  override name = 'VisiblePages';

  override up(): void {
    for (const table of ['audit_entry', 'notification'])
      this.addSql(`alter table "${table}" set (autovacuum_vacuum_insert_scale_factor = 0.02);`);
  }
}
