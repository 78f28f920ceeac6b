import { Migration } from '@mikro-orm/migrations';

export class Migration20261121010000 extends Migration {

  override name = 'Migration20261121010000';

  override up(): void | Promise<void> {
    this.addSql(`create table "organization" ("id" serial primary key, "name" text not null, "description" text not null default '', "number_employees" int null, "website" text not null default '', "logo" text not null default '', "sectors" text[] not null, "industries" text[] not null, "nis2_sector" text not null default '', "compliance_frameworks" jsonb not null, "infrastructure" text not null default '', "contacts" jsonb not null, "domains" text[] not null, "ips" text[] not null, "palette" text null, "custom_colors" jsonb null, "version" int not null default 1, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "deleted_at" timestamptz(3) null);`);

    this.addSql(`create table "incident" ("id" serial primary key, "organization_id" int not null, "title" text not null, "description" text not null default '', "severity" text not null, "status" text not null default 'OPEN', "aware_at" timestamptz(3) not null, "significant" boolean not null default false, "early_warning_sent_at" timestamptz(3) null, "early_warning_sent_by" text null, "notification_sent_at" timestamptz(3) null, "notification_sent_by" text null, "final_report_sent_at" timestamptz(3) null, "final_report_sent_by" text null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now());`);
    this.addSql(`create index "incident_organization_id_id_index" on "incident" ("organization_id", "id");`);

    this.addSql(`create table "incident_attachment" ("id" serial primary key, "incident_id" int not null, "original_name" text not null, "content_type" text not null, "size" int not null, "sha256" text not null, "created_by" text not null, "created_at" timestamptz(3) not null default now());`);
    this.addSql(`create index "incident_attachment_sha256_index" on "incident_attachment" ("sha256");`);
    this.addSql(`create index "incident_attachment_incident_id_id_index" on "incident_attachment" ("incident_id", "id");`);

    this.addSql(`create table "document_version" ("id" serial primary key, "organization_id" int not null, "workflow_id" text not null, "artifact_id" text not null, "original_name" text not null, "size" int not null, "content_type" text not null, "source" text not null, "sha256" text not null, "created_by" text not null, "created_at" timestamptz(3) not null default now(), "effective_at" timestamptz(3) null);`);
    this.addSql(`create index "document_version_sha256_index" on "document_version" ("sha256");`);
    this.addSql(`create index "document_version_organization_id_workflow_id_artif_735d7_index" on "document_version" ("organization_id", "workflow_id", "artifact_id", "id");`);
    this.addSql(`alter table "document_version" add constraint "document_version_organization_id_workflow_id_arti_f0007_unique" unique ("organization_id", "workflow_id", "artifact_id", "sha256");`);

    this.addSql(`create table "cloud_defender" ("id" serial primary key, "organization_id" int not null, "email" text not null, "fqdn" text not null, "endpoint" text not null, "services" text[] not null, "status" smallint not null default 0, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "deleted_at" timestamptz(3) null);`);
    this.addSql(`create index "cloud_defender_organization_id_id_index" on "cloud_defender" ("organization_id", "id");`);

    this.addSql(`create table "cloud_defender_check" ("id" serial primary key, "device_id" int not null, "datetime" timestamptz(3) not null, "fqdn" int not null, "proxy" int not null, "endpoint" int not null, "waf_protection" int not null, "total_managed_requests" int not null);`);
    this.addSql(`alter table "cloud_defender_check" add constraint "cloud_defender_check_device_id_datetime_unique" unique ("device_id", "datetime");`);

    this.addSql(`create table "organization_workflow" ("id" serial primary key, "organization_id" int not null, "workflow_id" text not null, "created_at" timestamptz(3) not null default now());`);
    this.addSql(`alter table "organization_workflow" add constraint "organization_workflow_organization_id_workflow_id_unique" unique ("organization_id", "workflow_id");`);

    this.addSql(`create table "threat_blocker" ("id" serial primary key, "organization_id" int not null, "atb_key" uuid not null, "type" text not null, "email" text not null, "endpoint" text not null, "private_ip" text not null default '', "services" text[] not null, "device_id" text not null default '', "plugin_name" text not null default '', "plugin_config" jsonb not null, "status" smallint not null default 0, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "deleted_at" timestamptz(3) null);`);
    this.addSql(`alter table "threat_blocker" add constraint "threat_blocker_atb_key_unique" unique ("atb_key");`);
    this.addSql(`create index "threat_blocker_organization_id_id_index" on "threat_blocker" ("organization_id", "id");`);

    this.addSql(`create table "threat_blocker_check" ("id" serial primary key, "device_id" int not null, "datetime" timestamptz(3) not null, "vpn" int not null, "dnsbl" int not null, "iplist" int not null, "waf_protection" int not null, "total_managed_requests" int not null);`);
    this.addSql(`alter table "threat_blocker_check" add constraint "threat_blocker_check_device_id_datetime_unique" unique ("device_id", "datetime");`);

    this.addSql(`create table "threat_blocker_traffic" ("id" serial primary key, "device_id" int not null, "bucket_start" int not null, "bucket_end" int not null, "total_requests" int not null, "malicious_requests" int not null);`);
    this.addSql(`alter table "threat_blocker_traffic" add constraint "threat_blocker_traffic_device_id_bucket_start_unique" unique ("device_id", "bucket_start");`);

    this.addSql(`create table "app_user" ("id" uuid not null, "username" text not null, "email" text not null, "first_name" text not null default '', "last_name" text not null default '', "deactivated_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), primary key ("id"));`);
    this.addSql(`alter table "app_user" add constraint "app_user_username_unique" unique ("username");`);
    this.addSql(`alter table "app_user" add constraint "app_user_email_unique" unique ("email");`);

    this.addSql(`create table "notification" ("id" serial primary key, "user_id" uuid not null, "organization_id" int not null, "title" text not null, "message" text not null, "type" text not null, "action" text not null, "read" boolean not null default false, "created_at" timestamptz(3) not null default now(), "icon" text not null default '', "href" text not null default '');`);
    this.addSql(`create index "notification_user_id_organization_id_created_at_id_index" on "notification" ("user_id", "organization_id", "created_at", "id");`);
    this.addSql(`create index "notification_user_id_created_at_id_index" on "notification" ("user_id", "created_at", "id");`);

    this.addSql(`create table "membership" ("id" serial primary key, "user_id" uuid not null, "organization_id" int not null, "role" text not null, "alert_atb" boolean not null default true, "alert_cloud_defender" boolean not null default true, "alert_v_ciso" boolean not null default true, "created_at" timestamptz(3) not null default now());`);
    this.addSql(`create index "membership_user_id_organization_id_index" on "membership" ("user_id", "organization_id");`);
    this.addSql(`alter table "membership" add constraint "membership_organization_id_user_id_unique" unique ("organization_id", "user_id");`);
    this.addSql(`alter table "membership" add constraint "membership_check" check (role in ('VIEWER','SECURITY_ANALYST','SECURITY_OFFICER','ORGANIZATION_MANAGER','ORGANIZATION_OWNER'));`);

    this.addSql(`create table "control_state" ("id" serial primary key, "organization_id" int not null, "workflow_id" text not null, "control_id" text not null, "status" text not null, "justification" text not null default '', "owner_id" uuid null, "due_date" date null, "updated_at" timestamptz(3) not null default now());`);
    this.addSql(`alter table "control_state" add constraint "control_state_organization_id_workflow_id_control_id_unique" unique ("organization_id", "workflow_id", "control_id");`);

    this.addSql(`create table "api_token" ("id" serial primary key, "user_id" uuid not null, "name" text not null, "digest" text not null, "prefix" text not null, "scopes" text[] not null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, "revoked_at" timestamptz(3) null);`);
    this.addSql(`alter table "api_token" add constraint "api_token_digest_unique" unique ("digest");`);
    this.addSql(`create index "api_token_user_id_id_index" on "api_token" ("user_id", "id");`);

    this.addSql(`alter table "incident" add constraint "incident_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete restrict;`);

    this.addSql(`alter table "incident_attachment" add constraint "incident_attachment_incident_id_foreign" foreign key ("incident_id") references "incident" ("id") on delete restrict;`);

    this.addSql(`alter table "document_version" add constraint "document_version_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete restrict;`);

    this.addSql(`alter table "cloud_defender" add constraint "cloud_defender_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`);

    this.addSql(`alter table "cloud_defender_check" add constraint "cloud_defender_check_device_id_foreign" foreign key ("device_id") references "cloud_defender" ("id") on delete cascade;`);

    this.addSql(`alter table "organization_workflow" add constraint "organization_workflow_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`);

    this.addSql(`alter table "threat_blocker" add constraint "threat_blocker_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`);

    this.addSql(`alter table "threat_blocker_check" add constraint "threat_blocker_check_device_id_foreign" foreign key ("device_id") references "threat_blocker" ("id") on delete cascade;`);

    this.addSql(`alter table "threat_blocker_traffic" add constraint "threat_blocker_traffic_device_id_foreign" foreign key ("device_id") references "threat_blocker" ("id") on delete cascade;`);

    this.addSql(`alter table "notification" add constraint "notification_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`);
    this.addSql(`alter table "notification" add constraint "notification_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`);

    this.addSql(`alter table "membership" add constraint "membership_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`);
    this.addSql(`alter table "membership" add constraint "membership_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`);

    this.addSql(`alter table "control_state" add constraint "control_state_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`);
    this.addSql(`alter table "control_state" add constraint "control_state_owner_id_foreign" foreign key ("owner_id") references "app_user" ("id") on delete set null;`);

    this.addSql(`alter table "api_token" add constraint "api_token_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`);
  }

}
