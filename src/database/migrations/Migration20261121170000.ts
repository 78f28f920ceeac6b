import { Migration } from '@mikro-orm/migrations';

export class Migration20261121170000 extends Migration {

  override name = 'Migration20261121170000';

  override up(): void | Promise<void> {
    this.addSql(`alter table "organization" add "restored_at" timestamptz(3) null;`);

    this.addSql(`alter table "cloud_defender" add "restored_at" timestamptz(3) null;`);

    this.addSql(`alter table "threat_blocker" add "restored_at" timestamptz(3) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "cloud_defender" drop column "restored_at";`);

    this.addSql(`alter table "organization" drop column "restored_at";`);

    this.addSql(`alter table "threat_blocker" drop column "restored_at";`);
  }

}
