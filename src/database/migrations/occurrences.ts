import { Migration } from '@mikro-orm/migrations';

/** When an incident occurred, and whether a trust service that it affects is a qualified one; not known of those of before. */
export class Occurrences extends Migration {
  override name = 'Occurrences';

  override up(): void {
    this.addSql(`
      alter table "incident" add "occurred_at" timestamptz(3) null, add "affects_qualified_trust_service" boolean null;
      create trigger incident_occurrence_version before update on "incident" for each row
        when ((old.occurred_at, old.affects_qualified_trust_service)
              is distinct from (new.occurred_at, new.affects_qualified_trust_service)) execute function raise_version();
    `);
  }
}
