import { Migration } from '@mikro-orm/migrations';

/** A device that reported before `last_seen_at` existed was last seen at its newest report. */
export class Migration20261121141000 extends Migration {
  override name = 'Migration20261121141000';

  override up(): void {
    for (const table of ['cloud_defender', 'threat_blocker']) {
      this.addSql(`
        update "${table}" d set last_seen_at = (
          select c.datetime from "${table}_check" c where c.device_id = d.id order by c.datetime desc limit 1);
      `);
    }
  }

  /** Nothing to take back: the column goes with the migration before. */
  override down(): void {}
}
