import { Migration } from '@mikro-orm/migrations';

export class Migration20261121140000 extends Migration {

  override name = 'Migration20261121140000';

  override up(): void | Promise<void> {
    this.addSql(`alter table "cloud_defender" add "last_seen_at" timestamptz(3) null;`);
    this.addSql(`create index "cloud_defender_deleted_at_index" on "cloud_defender" ("deleted_at") where deleted_at is not null;`);
    this.addSql(`create index "cloud_defender_last_seen_at_index" on "cloud_defender" ("last_seen_at") where deleted_at is null and status <> 3;`);
    this.addSql(`create index "cloud_defender_heard_index" on "cloud_defender" ("organization_id", coalesce("last_seen_at", "created_at"), "id");`);
    this.addSql(`create index "cloud_defender_organization_id_status_id_index" on "cloud_defender" ("organization_id", "status", "id");`);
    this.addSql(`create index "cloud_defender_organization_id_fqdn_id_index" on "cloud_defender" ("organization_id", "fqdn", "id");`);

    this.addSql(`alter table "cloud_defender_check" add "fingerprint" uuid null;`);
    this.addSql(`alter table "cloud_defender_check" alter column "total_managed_requests" drop not null;`);
    this.addSql(`alter table "cloud_defender_check" alter column "waf_protection" drop not null;`);

    this.addSql(`alter table "threat_blocker" add "last_seen_at" timestamptz(3) null;`);
    this.addSql(`create index "threat_blocker_deleted_at_index" on "threat_blocker" ("deleted_at") where deleted_at is not null;`);
    this.addSql(`create index "threat_blocker_last_seen_at_index" on "threat_blocker" ("last_seen_at") where deleted_at is null and status <> 3;`);
    this.addSql(`create index "threat_blocker_heard_index" on "threat_blocker" ("organization_id", coalesce("last_seen_at", "created_at"), "id");`);
    this.addSql(`create index "threat_blocker_organization_id_status_id_index" on "threat_blocker" ("organization_id", "status", "id");`);
    this.addSql(`create index "threat_blocker_organization_id_device_id_id_index" on "threat_blocker" ("organization_id", "device_id", "id");`);

    this.addSql(`alter table "threat_blocker_check" add "fingerprint" uuid null;`);
    this.addSql(`alter table "threat_blocker_check" alter column "total_managed_requests" drop not null;`);
    this.addSql(`alter table "threat_blocker_check" alter column "waf_protection" drop not null;`);

    this.addSql(`alter table "threat_blocker_traffic" add "reported_at" timestamptz(3) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "cloud_defender_deleted_at_index";`);
    this.addSql(`drop index "cloud_defender_last_seen_at_index";`);
    this.addSql(`drop index "cloud_defender_heard_index";`);
    this.addSql(`drop index "cloud_defender_organization_id_status_id_index";`);
    this.addSql(`drop index "cloud_defender_organization_id_fqdn_id_index";`);
    this.addSql(`alter table "cloud_defender" drop column "last_seen_at";`);

    this.addSql(`alter table "cloud_defender_check" drop column "fingerprint";`);
    this.addSql(`alter table "cloud_defender_check" alter column "waf_protection" set not null;`);
    this.addSql(`alter table "cloud_defender_check" alter column "total_managed_requests" set not null;`);

    this.addSql(`drop index "threat_blocker_deleted_at_index";`);
    this.addSql(`drop index "threat_blocker_last_seen_at_index";`);
    this.addSql(`drop index "threat_blocker_heard_index";`);
    this.addSql(`drop index "threat_blocker_organization_id_status_id_index";`);
    this.addSql(`drop index "threat_blocker_organization_id_device_id_id_index";`);
    this.addSql(`alter table "threat_blocker" drop column "last_seen_at";`);

    this.addSql(`alter table "threat_blocker_check" drop column "fingerprint";`);
    this.addSql(`alter table "threat_blocker_check" alter column "waf_protection" set not null;`);
    this.addSql(`alter table "threat_blocker_check" alter column "total_managed_requests" set not null;`);

    this.addSql(`alter table "threat_blocker_traffic" drop column "reported_at";`);
  }

}
