/**
 * Generated: tables, indexes and constraints as `migration:create --initial` prints them. By hand are the partitions of device
 * reports alone (docs/adr/0026), and the indexes of search are in initial-functions.ts.
 */
export const TABLES = `
create table "audit_checkpoint" ("log_id" bigint not null, "position" bigint not null, "hash" bytea not null, "created_at" timestamptz(3) not null, "key_id" text not null, "signature" bytea not null, primary key ("log_id", "position"));

create table "audit_entry" ("log_id" bigint not null, "position" bigint not null, "entry" text not null, "hash" bytea not null, "at" text collate "C" generated always as ((entry::json ->> 'at')) stored not null, "action" text collate "C" generated always as ((entry::json ->> 'action')) stored not null, "actor" text collate "C" generated always as ((entry::json #>> '{actor,id}')) stored not null, "subject_type" text collate "C" generated always as ((entry::json #>> '{subject,type}')) stored not null, "subject" text collate "C" generated always as (((entry::json #>> '{subject,type}') || '/' || (entry::json #>> '{subject,id}'))) stored not null, "parent" text collate "C" generated always as (((entry::json #>> '{subject,parent,type}') || '/' || (entry::json #>> '{subject,parent,id}'))) stored null, primary key ("log_id", "position"));
create index "audit_entry_log_id_action_subject_type_position_index" on "audit_entry" ("log_id", "action", "subject_type", "position") include ("at");
create index "audit_entry_log_id_actor_action_subject_type_position_index" on "audit_entry" ("log_id", "actor", "action", "subject_type", "position") include ("at");
create index "audit_entry_log_id_subject_position_index" on "audit_entry" ("log_id", "subject", "position") include ("actor", "action", "at");
create index "audit_entry_log_id_parent_position_index" on "audit_entry" ("log_id", "parent", "position");
create index "audit_entry_log_id_at_position_index" on "audit_entry" ("log_id", "at", "position");

create table "audit_log" ("id" bigserial primary key, "organization_id" int null, "user_id" uuid null, "position" bigint not null, "hash" bytea not null, "latest_at" timestamptz(3) null, "lateness" interval not null default '00:00:00');
alter table "audit_log" add constraint "audit_log_organization_id_unique" unique ("organization_id");
alter table "audit_log" add constraint "audit_log_user_id_unique" unique ("user_id");
alter table "audit_log" add constraint "audit_log_owner_check" check (num_nonnulls(organization_id, user_id) = 1);

create table "event_consumer" ("consumer" text not null, "log_id" bigint not null, "position" bigint not null, primary key ("consumer", "log_id"));

create table "organization" ("id" serial primary key, "name" text not null, "description" text not null default '', "searchable" text generated always as (search_text(name || chr(10) || description)) stored not null, "number_employees" int null, "website" text not null default '', "logo" text not null default '', "logo_bytes" int not null default 0, "sectors" text[] not null, "industries" text[] not null, "nis2_sector" text not null default '', "compliance_frameworks" jsonb not null, "infrastructure" text not null default '', "contacts" jsonb not null, "domains" text[] not null, "ips" text[] not null, "palette" text null, "custom_colors" jsonb null, "time_zone" text not null default 'UTC', "country" text null, "trust_service_provider" boolean not null default false, "report_weekday" smallint not null default 1, "report_due_at" timestamptz(3) null, "query_token_allowed" boolean not null default true, "audit_retention_days" int null, "version" int not null default 1, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "deleted_at" timestamptz(3) null, "restored_at" timestamptz(3) null);
create index "organization_deleted_at_index" on "organization" ("deleted_at") where deleted_at is not null;
create index "organization_logo_content_index" on "organization" (substring(logo from '^/logos/([0-9a-f]{64})[.]'));
create index "organization_report_due_index" on "organization" ("report_due_at") where deleted_at is null and contacts @> '[{"emailReport": true}]';
alter table "organization" add constraint "organization_report_weekday_check" check (report_weekday >= 1 and report_weekday <= 7);
alter table "organization" add constraint "organization_audit_retention_check" check (audit_retention_days >= 365);

create table "mail_digest" ("organization_id" int not null, "day" text not null, "notification_id" bigint not null, primary key ("organization_id"));

create table "incident" ("id" serial primary key, "organization_id" int not null, "title" text not null, "description" text not null default '', "searchable" text generated always as (search_text(title || chr(10) || description)) stored not null, "severity" text not null, "status" text not null default 'OPEN', "aware_at" timestamptz(3) not null, "significant" boolean not null default false, "handled_at" timestamptz(3) null, "suspected_malicious" boolean null, "cross_border" boolean null, "affects_trust_service" boolean null, "personal_data_concerned" boolean null, "exploited_vulnerability" boolean null, "product_concerned" boolean null, "fix_available_at" timestamptz(3) null, "intermediate_report_due_at" timestamptz(3) null, "category" text not null default '', "indicators" text not null default '', "impact" text not null default '', "root_cause" text not null default '', "mitigation" text not null default '', "next_reminder_at" timestamptz(3) null, "opened_by" text not null default '', "closed_at" timestamptz(3) null, "closed_by" text null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now());
create index "incident_organization_id_id_index" on "incident" ("organization_id", "id");
create index "incident_organization_id_created_at_id_index" on "incident" ("organization_id", "created_at", "id");
create index "incident_organization_id_updated_at_id_index" on "incident" ("organization_id", "updated_at", "id");
create index "incident_organization_id_aware_at_id_index" on "incident" ("organization_id", "aware_at", "id");
create index "incident_organization_id_status_aware_at_id_index" on "incident" ("organization_id", "status", "aware_at", "id");
create index "incident_organization_id_severity_aware_at_id_index" on "incident" ("organization_id", "severity", "aware_at", "id");
create index "incident_organization_id_significant_aware_at_id_index" on "incident" ("organization_id", "significant", "aware_at", "id");
create index "incident_severity_rank_index" on "incident" (organization_id, array_position('{LOW,MEDIUM,HIGH,CRITICAL}'::text[], severity), id);
create index "incident_reminder_index" on "incident" ("next_reminder_at") where next_reminder_at is not null;

create table "incident_reminder" ("id" bigserial primary key, "organization_id" int not null, "incident_id" int not null, "regime_id" text not null, "stage" text not null, "number" int not null default 1, "kind" text not null, "due_at" timestamptz(3) not null, "created_at" timestamptz(3) not null default now());
create index "incident_reminder_organization_id_id_index" on "incident_reminder" ("organization_id", "id");
alter table "incident_reminder" add constraint "incident_reminder_once" unique ("incident_id", "regime_id", "stage", "number", "kind", "due_at");

create table "incident_note" ("id" bigserial primary key, "organization_id" int not null, "incident_id" int not null, "text" text not null, "created_by" text not null, "created_at" timestamptz(3) not null default now());
create index "incident_note_organization_id_incident_id_id_index" on "incident_note" ("organization_id", "incident_id", "id");
create index "incident_note_incident_id_id_index" on "incident_note" ("incident_id", "id");

create table "incident_attachment" ("id" serial primary key, "organization_id" int not null, "incident_id" int not null, "original_name" text not null, "content_type" text not null, "size" int not null, "sha256" text not null, "created_by" text not null, "uploader_id" uuid null, "created_at" timestamptz(3) not null default now());
create index "incident_attachment_organization_id_incident_id_id_index" on "incident_attachment" ("organization_id", "incident_id", "id");
create index "incident_attachment_incident_id_id_index" on "incident_attachment" ("incident_id", "id");
create index "incident_attachment_sha256_index" on "incident_attachment" ("sha256");

create table "incident_report" ("id" serial primary key, "organization_id" int not null, "incident_id" int not null, "regime_id" text not null, "stage" text not null, "number" int not null default 1, "sent_at" timestamptz(3) null, "sent_by" text not null, "recipient" text not null default '', "reference" text not null default '', "attachment_id" int null, "due_at" timestamptz(3) null, "reason" text not null default '', "recorded_by" text not null, "recorded_at" timestamptz(3) not null default now());
create index "incident_report_organization_id_incident_id_id_index" on "incident_report" ("organization_id", "incident_id", "id");
create index "incident_report_incident_id_id_index" on "incident_report" ("incident_id", "id");
create index "incident_report_attachment_id_index" on "incident_report" ("attachment_id");

create table "document_version" ("id" serial primary key, "organization_id" int not null, "workflow_id" text not null, "artifact_id" text not null, "original_name" text not null, "content_type" text not null, "size" int not null, "sha256" text not null, "created_by" text not null, "uploader_id" uuid null, "created_at" timestamptz(3) not null default now(), "source" text not null, "effective_at" timestamptz(3) null, "valid_until" date null, "note" text null, "searchable" text generated always as (search_text(original_name || chr(10) || artifact_id || chr(10) || coalesce(note, ''))) stored not null);
create index "document_version_organization_id_workflow_id_artif_735d7_index" on "document_version" ("organization_id", "workflow_id", "artifact_id", "id");
create index "document_version_organization_id_created_at_id_index" on "document_version" ("organization_id", "created_at", "id");
create index "document_version_organization_id_created_by_created_at_id_index" on "document_version" ("organization_id", "created_by", "created_at", "id");
create index "document_version_organization_id_original_name_id_index" on "document_version" ("organization_id", "original_name", "id");
create index "document_version_effective_index" on "document_version" (organization_id, coalesce(effective_at, created_at), id);
create index "document_version_valid_until_index" on "document_version" ("valid_until") where valid_until is not null;
create index "document_version_review_index" on "document_version" ("organization_id", "workflow_id", "valid_until") where valid_until is not null;
create index "document_version_sha256_index" on "document_version" ("sha256");
alter table "document_version" add constraint "document_version_organization_id_workflow_id_arti_f0007_unique" unique ("organization_id", "workflow_id", "artifact_id", "sha256");

create table "cloud_defender" ("id" serial primary key, "organization_id" int not null, "email" text not null, "endpoint" text not null, "services" text[] not null, "status" smallint not null default 0, "stat" jsonb null, "last_seen_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "deleted_at" timestamptz(3) null, "restored_at" timestamptz(3) null, "fqdn" text not null);
create index "cloud_defender_organization_id_fqdn_id_index" on "cloud_defender" ("organization_id", "fqdn", "id");
create index "cloud_defender_organization_id_status_id_index" on "cloud_defender" ("organization_id", "status", "id");
create index "cloud_defender_heard_index" on "cloud_defender" ("organization_id", coalesce("last_seen_at", "created_at"), "id");
create index "cloud_defender_last_seen_at_index" on "cloud_defender" ("last_seen_at") where deleted_at is null and status <> 3;
create index "cloud_defender_deleted_at_index" on "cloud_defender" ("deleted_at") where deleted_at is not null;
alter table "cloud_defender" add constraint "cloud_defender_organization_id_id_unique" unique ("organization_id", "id");

create table "cloud_defender_check" ("organization_id" int not null, "device_id" int not null, "datetime" timestamptz(3) not null, "waf_protection" int null, "total_managed_requests" int null, "fingerprint" uuid null, "fqdn" int not null, "proxy" int not null, "endpoint" int not null, primary key ("organization_id", "device_id", "datetime")) partition by range ("datetime");
create table "cloud_defender_check_other" partition of "cloud_defender_check" default;

create table "organization_storage" ("organization_id" int not null, "bytes" bigint not null, primary key ("organization_id"));

create table "organization_workflow" ("id" bigserial primary key, "organization_id" int not null, "workflow_id" text not null, "created_at" timestamptz(3) not null default now());
alter table "organization_workflow" add constraint "organization_workflow_organization_id_workflow_id_unique" unique ("organization_id", "workflow_id");

create table "outgoing_mail" ("id" uuid not null, "recipient" text not null, "content" jsonb null, "state" text not null default 'QUEUED', "attempts" int not null default 0, "last_error" text null, "created_at" timestamptz(3) not null default now(), "sent_at" timestamptz(3) null, primary key ("id"));
create index "outgoing_mail_created_at_index" on "outgoing_mail" ("created_at");
create index "outgoing_mail_unsent_index" on "outgoing_mail" ("created_at") where state <> 'SENT';
alter table "outgoing_mail" add constraint "outgoing_mail_state_check" check (state in ('QUEUED', 'SENT', 'FAILED'));

create table "threat_blocker" ("id" serial primary key, "organization_id" int not null, "email" text not null, "endpoint" text not null, "services" text[] not null, "status" smallint not null default 0, "stat" jsonb null, "last_seen_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "deleted_at" timestamptz(3) null, "restored_at" timestamptz(3) null, "atb_key" uuid not null, "type" text not null, "private_ip" text not null default '', "device_id" text not null default '', "plugin_name" text not null default '', "plugin_config" jsonb not null);
alter table "threat_blocker" add constraint "threat_blocker_atb_key_unique" unique ("atb_key");
create index "threat_blocker_organization_id_device_id_id_index" on "threat_blocker" ("organization_id", "device_id", "id");
create index "threat_blocker_organization_id_status_id_index" on "threat_blocker" ("organization_id", "status", "id");
create index "threat_blocker_heard_index" on "threat_blocker" ("organization_id", coalesce("last_seen_at", "created_at"), "id");
create index "threat_blocker_last_seen_at_index" on "threat_blocker" ("last_seen_at") where deleted_at is null and status <> 3;
create index "threat_blocker_deleted_at_index" on "threat_blocker" ("deleted_at") where deleted_at is not null;
alter table "threat_blocker" add constraint "threat_blocker_organization_id_id_unique" unique ("organization_id", "id");

create table "threat_blocker_check" ("organization_id" int not null, "device_id" int not null, "datetime" timestamptz(3) not null, "waf_protection" int null, "total_managed_requests" int null, "fingerprint" uuid null, "vpn" int not null, "dnsbl" int not null, "iplist" int not null, primary key ("organization_id", "device_id", "datetime")) partition by range ("datetime");
create table "threat_blocker_check_other" partition of "threat_blocker_check" default;

create table "threat_blocker_traffic" ("organization_id" int not null, "device_id" int not null, "bucket_start" int not null, "bucket_end" int not null, "total_requests" int not null, "malicious_requests" int not null, "reported_at" timestamptz(3) null, primary key ("organization_id", "device_id", "bucket_start")) partition by range ("bucket_start");
create table "threat_blocker_traffic_other" partition of "threat_blocker_traffic" default;

create table "app_user" ("id" uuid not null, "username" text not null, "email" text not null, "email_verified_at" timestamptz(3) null, "first_name" text not null default '', "last_name" text not null default '', "searchable" text generated always as (search_text(btrim(first_name || ' ' || last_name) || chr(10) || username || chr(10) || email)) stored not null, "deactivated_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "personal_key" bytea null default decode(replace(((gen_random_uuid())::text || (gen_random_uuid())::text), '-'::text, ''::text), 'hex'::text), primary key ("id"));
alter table "app_user" add constraint "app_user_username_unique" unique ("username");
alter table "app_user" add constraint "app_user_email_unique" unique ("email");

create table "token_recovery" ("id" bigserial primary key, "email" text null, "network" text not null, "created_at" timestamptz(3) not null, "user_id" uuid null, "digest" text null, "expires_at" timestamptz(3) null, "used_at" timestamptz(3) null);
alter table "token_recovery" add constraint "token_recovery_digest_unique" unique ("digest");
create index "token_recovery_email_created_at_index" on "token_recovery" ("email", "created_at");
create index "token_recovery_network_created_at_index" on "token_recovery" ("network", "created_at");

create table "notification_revision" ("user_id" uuid not null, "revision" bigint not null, primary key ("user_id"));

create table "notification" ("id" bigserial primary key, "organization_id" int not null, "user_id" uuid not null, "title" text not null, "message" text not null, "searchable" text generated always as (search_text(title || chr(10) || message)) stored not null, "type" text not null, "action" text not null, "read" boolean not null default false, "created_at" timestamptz(3) not null default now(), "icon" text not null default '', "href" text not null default '');
create index "notification_user_id_created_at_id_index" on "notification" ("user_id", "created_at", "id") include ("organization_id", "type", "read");
create index "notification_user_id_id_index" on "notification" ("user_id", "id");
create index "notification_organization_id_id_index" on "notification" ("organization_id", "id");
create index "notification_unread_index" on "notification" ("user_id", "organization_id") where not read;
create index "notification_old_read_index" on "notification" ("created_at") where read;
create index "notification_old_unread_index" on "notification" ("created_at") where not read;

create table "membership" ("id" bigserial primary key, "organization_id" int not null, "user_id" uuid not null, "role" text not null, "alert_atb" boolean not null default true, "alert_cloud_defender" boolean not null default true, "alert_v_ciso" boolean not null default true, "mail_preferences" jsonb null, "created_at" timestamptz(3) not null default now(), "deactivated_at" timestamptz(3) null);
create index "membership_user_id_organization_id_index" on "membership" ("user_id", "organization_id");
create index "membership_daily_mail_index" on "membership" ("organization_id") where mail_preferences @@ '$.* == "DAILY"';
alter table "membership" add constraint "membership_organization_id_user_id_unique" unique ("organization_id", "user_id");
alter table "membership" add constraint "membership_check" check (role in ('VIEWER','SECURITY_ANALYST','SECURITY_OFFICER','ORGANIZATION_MANAGER','ORGANIZATION_OWNER'));

create table "mail_allowance" ("membership_id" bigint not null, "hour" timestamptz(3) not null, "mails" int not null, "held" timestamptz[] not null, primary key ("membership_id"));
create index "mail_allowance_held_index" on "mail_allowance" ("membership_id") where held <> '{}';

create table "invitation" ("id" serial primary key, "organization_id" int not null, "email" text not null, "role" text not null, "invited_by_id" uuid null, "digest" text not null, "sent_at" timestamptz[] not null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, "accepted_at" timestamptz(3) null, "closed_at" timestamptz(3) null);
alter table "invitation" add constraint "invitation_digest_unique" unique ("digest");
create index "invitation_organization_id_id_index" on "invitation" ("organization_id", "id");
create index "invitation_email_expires_at_index" on "invitation" ("email", "expires_at");
create index "invitation_invited_by_id_expires_at_index" on "invitation" ("invited_by_id", "expires_at");
create unique index "invitation_open_unique" on "invitation" ("organization_id", "email") where accepted_at is null and closed_at is null;
alter table "invitation" add constraint "invitation_check" check (role in ('VIEWER','SECURITY_ANALYST','SECURITY_OFFICER','ORGANIZATION_MANAGER','ORGANIZATION_OWNER'));

create table "control_state" ("id" bigserial primary key, "organization_id" int not null, "workflow_id" text not null, "control_id" text not null, "status" text not null, "justification" text not null default '', "inclusion_reason" text not null default '', "owner_id" uuid null, "due_date" date null, "note" text not null default '', "review_interval_months" int null, "searchable" text generated always as (search_text(justification || chr(10) || note)) stored not null, "reminded_due_date" date null, "reminded_last_day" date null, "updated_at" timestamptz(3) not null default now());
create index "control_state_due_index" on "control_state" ("due_date", "id") where owner_id is not null and status in ('TO_DO', 'IN_PROGRESS');
create index "control_state_review_index" on "control_state" ("id") where owner_id is not null and review_interval_months is not null;
create index "control_state_interval_index" on "control_state" ("organization_id", "workflow_id", "control_id") where review_interval_months is not null;
alter table "control_state" add constraint "control_state_organization_id_workflow_id_control_id_unique" unique ("organization_id", "workflow_id", "control_id");

create table "api_token" ("id" serial primary key, "user_id" uuid not null, "name" text not null, "digest" text not null, "prefix" text not null, "scopes" text[] not null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "allowed_ips" text[] not null default '{}', "replaced_at" timestamptz(3) null, "warned_at" timestamptz(3) null);
alter table "api_token" add constraint "api_token_digest_unique" unique ("digest");
create index "api_token_user_id_id_index" on "api_token" ("user_id", "id");
create index "api_token_unwarned_index" on "api_token" ("expires_at") where warned_at is null and revoked_at is null and replaced_at is null;

create table "token_block" ("id" bigserial primary key, "organization_id" int not null, "token_id" int not null, "created_at" timestamptz(3) not null default now());
create index "token_block_organization_id_token_id_index" on "token_block" ("organization_id", "token_id");
alter table "token_block" add constraint "token_block_token_id_organization_id_unique" unique ("token_id", "organization_id");

create table "token_address" ("token_id" int not null, "digest" bytea not null, "seen_at" timestamptz(3) not null, primary key ("token_id", "digest"));

create table "idempotent_answer" ("token_id" int not null, "key_digest" varchar(64) not null, "sealed" bytea not null, "created_at" timestamptz(3) not null, primary key ("token_id", "key_digest"));
create index "idempotent_answer_created_at_index" on "idempotent_answer" ("created_at");

create table "weekly_report" ("id" serial primary key, "organization_id" int not null, "week" text not null, "email" text not null, "mail_id" uuid not null);
create index "weekly_report_mail_id_index" on "weekly_report" ("mail_id");
create index "weekly_report_organization_id_id_index" on "weekly_report" ("organization_id", "id");
alter table "weekly_report" add constraint "weekly_report_organization_id_week_email_unique" unique ("organization_id", "week", "email");

create table "weekly_report_run" ("id" bigserial primary key, "organization_id" int not null, "week" text not null, "posted_at" timestamptz(3) not null);
alter table "weekly_report_run" add constraint "weekly_report_run_organization_id_week_unique" unique ("organization_id", "week");

create table "workflow_import" ("id" bigserial primary key, "organization_id" int not null, "workflow_id" text not null, "mode" text not null, "content" jsonb not null, "imported_by" text not null, "imported_at" timestamptz(3) not null default now());
alter table "workflow_import" add constraint "workflow_import_organization_id_workflow_id_unique" unique ("organization_id", "workflow_id");
alter table "workflow_import" add constraint "workflow_import_check" check (mode in ('WORKFLOW','TITLES','MAPPING'));

create table "workflow_progress" ("id" bigserial primary key, "organization_id" int not null, "workflow_id" text not null, "day" date not null, "total" int not null, "to_do" int not null, "in_progress" int not null, "done" int not null, "not_applicable" int not null);
alter table "workflow_progress" add constraint "workflow_progress_organization_id_workflow_id_day_unique" unique ("organization_id", "workflow_id", "day");

alter table "mail_digest" add constraint "mail_digest_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on update no action on delete cascade;
alter table "incident" add constraint "incident_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete restrict;
alter table "incident_reminder" add constraint "incident_reminder_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete restrict;
alter table "incident_reminder" add constraint "incident_reminder_incident_id_foreign" foreign key ("incident_id") references "incident" ("id") on delete cascade;
alter table "incident_note" add constraint "incident_note_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete restrict;
alter table "incident_note" add constraint "incident_note_incident_id_foreign" foreign key ("incident_id") references "incident" ("id") on delete cascade;
alter table "incident_attachment" add constraint "incident_attachment_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete restrict;
alter table "incident_attachment" add constraint "incident_attachment_incident_id_foreign" foreign key ("incident_id") references "incident" ("id") on delete restrict;
alter table "incident_report" add constraint "incident_report_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete restrict;
alter table "incident_report" add constraint "incident_report_incident_id_foreign" foreign key ("incident_id") references "incident" ("id") on delete cascade;
alter table "incident_report" add constraint "incident_report_attachment_id_foreign" foreign key ("attachment_id") references "incident_attachment" ("id") on delete set null;
alter table "document_version" add constraint "document_version_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete restrict;
alter table "cloud_defender" add constraint "cloud_defender_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
alter table "cloud_defender_check" add constraint "cloud_defender_check_organization_id_device_id_foreign" foreign key ("organization_id", "device_id") references "cloud_defender" ("organization_id", "id") on delete cascade;
alter table "organization_storage" add constraint "organization_storage_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on update no action on delete cascade;
alter table "organization_workflow" add constraint "organization_workflow_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
alter table "threat_blocker" add constraint "threat_blocker_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
alter table "threat_blocker_check" add constraint "threat_blocker_check_organization_id_device_id_foreign" foreign key ("organization_id", "device_id") references "threat_blocker" ("organization_id", "id") on delete cascade;
alter table "threat_blocker_traffic" add constraint "threat_blocker_traffic_organization_id_device_id_foreign" foreign key ("organization_id", "device_id") references "threat_blocker" ("organization_id", "id") on delete cascade;
alter table "token_recovery" add constraint "token_recovery_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;
alter table "notification_revision" add constraint "notification_revision_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on update no action on delete cascade;
alter table "notification" add constraint "notification_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
alter table "notification" add constraint "notification_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;
alter table "membership" add constraint "membership_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
alter table "membership" add constraint "membership_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;
alter table "mail_allowance" add constraint "mail_allowance_membership_id_foreign" foreign key ("membership_id") references "membership" ("id") on update no action on delete cascade;
alter table "invitation" add constraint "invitation_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
alter table "invitation" add constraint "invitation_invited_by_id_foreign" foreign key ("invited_by_id") references "app_user" ("id") on delete set null;
alter table "control_state" add constraint "control_state_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
alter table "control_state" add constraint "control_state_owner_id_foreign" foreign key ("owner_id") references "app_user" ("id") on delete set null;
alter table "api_token" add constraint "api_token_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;
alter table "token_block" add constraint "token_block_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
alter table "token_block" add constraint "token_block_token_id_foreign" foreign key ("token_id") references "api_token" ("id") on delete cascade;
alter table "token_address" add constraint "token_address_token_id_foreign" foreign key ("token_id") references "api_token" ("id") on delete cascade;
alter table "idempotent_answer" add constraint "idempotent_answer_token_id_foreign" foreign key ("token_id") references "api_token" ("id") on delete cascade;
alter table "weekly_report" add constraint "weekly_report_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
alter table "weekly_report" add constraint "weekly_report_mail_id_foreign" foreign key ("mail_id") references "outgoing_mail" ("id") on delete cascade;
alter table "weekly_report_run" add constraint "weekly_report_run_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
alter table "workflow_import" add constraint "workflow_import_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
alter table "workflow_progress" add constraint "workflow_progress_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
`;
