import { Migration } from '@mikro-orm/migrations';

/** Time zones were stored in the case in which they were sent. */
export class TimeZoneSpelling extends Migration {
  override name = 'TimeZoneSpelling';

  override up(): void {
    this.addSql(`update organization set time_zone = zone.name from pg_timezone_names zone
                  where lower(zone.name) = lower(time_zone) and zone.name <> time_zone
                    and not exists (select from pg_timezone_names same where same.name = time_zone)`);
  }
}
