import { Migration } from '@mikro-orm/migrations';

/** Organizations import mappings between workflows. */
export class MappingImports extends Migration {
  override name = 'MappingImports';

  override up(): void {
    this.addSql(`alter table "workflow_import" drop constraint "workflow_import_check";`);
    this.addSql(
      `alter table "workflow_import" add constraint "workflow_import_check" check (mode in ('WORKFLOW','TITLES','MAPPING'));`,
    );
  }
}
