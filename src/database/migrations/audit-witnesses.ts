import { Migration } from '@mikro-orm/migrations';

/** Who is mailed checkpoints of the audit trail of an organization. */
export class AuditWitnesses extends Migration {
  override name = 'AuditWitnesses';

  override up(): void {
    this.addSql(`alter table "organization" add "audit_witness_email" text null;`);
  }
}
