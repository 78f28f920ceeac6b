import { Migration } from '@mikro-orm/migrations';

export class ResolvedFaults extends Migration {
  override name = 'ResolvedFaults';

  override up(): void {
    this.addSql(`
      alter table "audit_fault" add "resolved_at" timestamptz(3) null;
    `);
  }
}
