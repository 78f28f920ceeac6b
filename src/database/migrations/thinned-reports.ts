import { Migration } from '@mikro-orm/migrations';

/** Reports of devices that stand for others of their hour. */
export class ThinnedReports extends Migration {
  override name = 'ThinnedReports';

  override up(): void {
    for (const table of ['cloud_defender', 'threat_blocker'])
      this.addSql(`
        alter table "${table}" add "thinned_until" timestamptz(3) not null default now();
        create index "${table}_thinned_until_index" on "${table}" ("thinned_until");
        alter table "${table}_check" add "reports" int not null default 1;
      `);
  }
}
