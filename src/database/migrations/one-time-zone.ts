import { Migration } from '@mikro-orm/migrations';

/**
 * Names that PostgreSQL does not know, which were stored in the case in which they were sent, or takes for abbreviations of
 * another time: each became the zone that it stood for.
 */
export class OneTimeZone extends Migration {
  override name = 'OneTimeZone';

  override up(): void {
    this.addSql(`
      update organization set time_zone = zone.name
        from (values ('ACT', 'Australia/Darwin'), ('AET', 'Australia/Sydney'), ('AGT', 'America/Argentina/Buenos_Aires'),
                     ('ART', 'Africa/Cairo'), ('AST', 'America/Anchorage'), ('BET', 'America/Sao_Paulo'),
                     ('BST', 'Asia/Dhaka'), ('CAT', 'Africa/Maputo'), ('CET', 'Europe/Brussels'),
                     ('CNT', 'America/St_Johns'), ('CST', 'America/Chicago'), ('CTT', 'Asia/Shanghai'),
                     ('EAT', 'Africa/Nairobi'), ('ECT', 'Europe/Paris'), ('EET', 'Europe/Athens'),
                     ('IET', 'America/Indiana/Indianapolis'), ('IST', 'Asia/Kolkata'), ('JST', 'Asia/Tokyo'),
                     ('MET', 'Europe/Brussels'), ('MIT', 'Pacific/Apia'), ('NET', 'Asia/Yerevan'),
                     ('NST', 'Pacific/Auckland'), ('PLT', 'Asia/Karachi'), ('PNT', 'America/Phoenix'),
                     ('PRT', 'America/Puerto_Rico'), ('PST', 'America/Los_Angeles'), ('SST', 'Pacific/Guadalcanal'),
                     ('VST', 'Asia/Ho_Chi_Minh'), ('WET', 'Europe/Lisbon'),
                     ('US/PACIFIC-NEW', 'America/Los_Angeles'), ('CANADA/EAST-SASKATCHEWAN', 'America/Regina')) as zone(alias, name)
       where upper(time_zone) = zone.alias`);
  }
}
