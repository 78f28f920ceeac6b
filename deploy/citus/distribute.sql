-- Spreads the tables of an empty, migrated database over the servers of Citus, by organization. It stops before the first
-- table while anything has to be changed first: see "Sharding" in docs/scaling.md. It was never run on Citus.
--
--   psql -v ON_ERROR_STOP=1 -f distribute.sql "$DATABASE_URL"
--
-- test/contract/sharding.test.ts compares it with the entities, and what it refuses with constraints.yaml.

-- Each table that is spread, with the column that says whose a row is. Without one it is copied to every server.
create temporary table spread (name text primary key, organization text);
insert into spread values
  ('app_user', null),
  ('user_identity', null),
  ('api_token', null),
  ('token_recovery', null),
  ('notification_revision', null),
  ('outgoing_mail', null),
  ('organization', 'id'),
  ('organization_storage', 'organization_id'),
  ('organization_facts', 'organization_id'),
  ('recorded_state', 'organization_id'),
  ('membership', 'organization_id'),
  ('service_account', 'organization_id'),
  ('engagement', 'organization_id'),
  ('engagement_auditor', 'organization_id'),
  ('evidence_request', 'organization_id'),
  ('sign_off', 'organization_id'),
  ('import_job', 'organization_id'),
  ('import_row', 'organization_id'),
  ('invitation', 'organization_id'),
  ('identity_provider', 'organization_id'),
  ('identity_domain', 'organization_id'),
  ('sign_in_code', 'organization_id'),
  ('scim_settings', 'organization_id'),
  ('scim_token', 'organization_id'),
  ('scim_user', 'organization_id'),
  ('scim_group', 'organization_id'),
  ('scim_group_member', 'organization_id'),
  ('token_block', 'organization_id'),
  ('notification', 'organization_id'),
  ('mail_digest', 'organization_id'),
  ('mail_allowance', 'organization_id'),
  ('cloud_defender', 'organization_id'),
  ('cloud_defender_check', 'organization_id'),
  ('threat_blocker', 'organization_id'),
  ('threat_blocker_check', 'organization_id'),
  ('threat_blocker_traffic', 'organization_id'),
  ('organization_workflow', 'organization_id'),
  ('control_state', 'organization_id'),
  ('control_attestation', 'organization_id'),
  ('workflow_progress', 'organization_id'),
  ('workflow_import', 'organization_id'),
  ('document_version', 'organization_id'),
  ('incident', 'organization_id'),
  ('incident_attachment', 'organization_id'),
  ('weekly_report_run', 'organization_id'),
  ('weekly_report', 'organization_id'),
  ('incident_report', 'organization_id'),
  ('incident_note', 'organization_id'),
  ('incident_reminder', 'organization_id'),
  ('audit_log', 'organization_id'),
  ('audit_entry', 'organization_id'),
  ('audit_checkpoint', 'organization_id'),
  ('audit_seal', 'organization_id'),
  ('audit_fault', 'organization_id'),
  ('audit_stray_entry', 'organization_id'),
  ('event_consumer', 'organization_id'),
  ('event', 'organization_id'),
  ('webhook_endpoint', 'organization_id'),
  ('webhook_delivery', 'organization_id'),
  ('webhook_attempt', 'organization_id');

do $check$
declare open text;
begin
  with item as (
    select 'column of ' || s.name as what from spread s
     where s.organization is not null and not exists (select from pg_attribute a
       where a.attrelid = s.name::regclass and a.attname = s.organization and a.attnotnull)
    union all
    select 'key ' || i.relname from spread s join pg_index x on x.indrelid = s.name::regclass
      join pg_class i on i.oid = x.indexrelid
     where s.organization is not null and x.indisunique and not exists (select from pg_attribute a
       where a.attrelid = x.indrelid and a.attname = s.organization and a.attnum = any(x.indkey::int2[]))
    union all
    select 'reference ' || c.conname from spread target join pg_constraint c on c.confrelid = target.name::regclass
      left join spread s on s.name::regclass = c.conrelid
     where target.organization is not null and c.contype = 'f' and c.conparentid = 0 and not exists (
       select from pg_attribute a
        where a.attrelid = c.conrelid and a.attname = s.organization and a.attnum = any(c.conkey))
    union all
    select distinct 'trigger function ' || p.proname from spread s join pg_trigger t on t.tgrelid = s.name::regclass
      join pg_proc p on p.oid = t.tgfoid
     where not t.tgisinternal and current_setting('citus.enable_unsafe_triggers', true) is distinct from 'on')
  select string_agg(what, chr(10) order by what collate "C") into open from item;
  if open is not null then
    raise exception 'The tables cannot be distributed yet' using detail = open;
  end if;
end $check$;

-- Users, their tokens and sign-ins, and mails: tables of organizations refer to them, or are read together with them.
select create_reference_table('app_user');
select create_reference_table('user_identity');
select create_reference_table('api_token');
select create_reference_table('token_recovery');
select create_reference_table('notification_revision');
select create_reference_table('outgoing_mail');

-- Everything else stays on the coordinator: token_address, idempotent_answer, idempotency_volume, installation,
-- unreferenced_content, trusted_document, application_version, application_document, schema_migration, and the job queue's schema.

-- Those that others refer to come first.
select create_distributed_table('organization', 'id', colocate_with => 'none');
select create_distributed_table('organization_storage', 'organization_id', colocate_with => 'organization');
select create_distributed_table('organization_facts', 'organization_id', colocate_with => 'organization');
select create_distributed_table('recorded_state', 'organization_id', colocate_with => 'organization');
select create_distributed_table('membership', 'organization_id', colocate_with => 'organization');
select create_distributed_table('service_account', 'organization_id', colocate_with => 'organization');
select create_distributed_table('engagement', 'organization_id', colocate_with => 'organization');
select create_distributed_table('engagement_auditor', 'organization_id', colocate_with => 'organization');
select create_distributed_table('evidence_request', 'organization_id', colocate_with => 'organization');
select create_distributed_table('sign_off', 'organization_id', colocate_with => 'organization');
select create_distributed_table('import_job', 'organization_id', colocate_with => 'organization');
select create_distributed_table('import_row', 'organization_id', colocate_with => 'organization');
select create_distributed_table('invitation', 'organization_id', colocate_with => 'organization');
select create_distributed_table('identity_provider', 'organization_id', colocate_with => 'organization');
select create_distributed_table('identity_domain', 'organization_id', colocate_with => 'organization');
select create_distributed_table('sign_in_code', 'organization_id', colocate_with => 'organization');
select create_distributed_table('scim_settings', 'organization_id', colocate_with => 'organization');
select create_distributed_table('scim_token', 'organization_id', colocate_with => 'organization');
select create_distributed_table('scim_user', 'organization_id', colocate_with => 'organization');
select create_distributed_table('scim_group', 'organization_id', colocate_with => 'organization');
select create_distributed_table('scim_group_member', 'organization_id', colocate_with => 'organization');
select create_distributed_table('token_block', 'organization_id', colocate_with => 'organization');
select create_distributed_table('notification', 'organization_id', colocate_with => 'organization');
select create_distributed_table('mail_digest', 'organization_id', colocate_with => 'organization');
select create_distributed_table('mail_allowance', 'organization_id', colocate_with => 'organization');
select create_distributed_table('cloud_defender', 'organization_id', colocate_with => 'organization');
select create_distributed_table('cloud_defender_check', 'organization_id', colocate_with => 'organization');
select create_distributed_table('threat_blocker', 'organization_id', colocate_with => 'organization');
select create_distributed_table('threat_blocker_check', 'organization_id', colocate_with => 'organization');
select create_distributed_table('threat_blocker_traffic', 'organization_id', colocate_with => 'organization');
select create_distributed_table('organization_workflow', 'organization_id', colocate_with => 'organization');
select create_distributed_table('control_state', 'organization_id', colocate_with => 'organization');
select create_distributed_table('control_attestation', 'organization_id', colocate_with => 'organization');
select create_distributed_table('workflow_progress', 'organization_id', colocate_with => 'organization');
select create_distributed_table('workflow_import', 'organization_id', colocate_with => 'organization');
select create_distributed_table('document_version', 'organization_id', colocate_with => 'organization');
select create_distributed_table('incident', 'organization_id', colocate_with => 'organization');
select create_distributed_table('incident_attachment', 'organization_id', colocate_with => 'organization');
select create_distributed_table('weekly_report_run', 'organization_id', colocate_with => 'organization');
select create_distributed_table('weekly_report', 'organization_id', colocate_with => 'organization');
select create_distributed_table('incident_report', 'organization_id', colocate_with => 'organization');
select create_distributed_table('incident_note', 'organization_id', colocate_with => 'organization');
select create_distributed_table('incident_reminder', 'organization_id', colocate_with => 'organization');
select create_distributed_table('audit_log', 'organization_id', colocate_with => 'organization');
select create_distributed_table('audit_entry', 'organization_id', colocate_with => 'organization');
select create_distributed_table('audit_checkpoint', 'organization_id', colocate_with => 'organization');
select create_distributed_table('audit_seal', 'organization_id', colocate_with => 'organization');
select create_distributed_table('audit_fault', 'organization_id', colocate_with => 'organization');
select create_distributed_table('audit_stray_entry', 'organization_id', colocate_with => 'organization');
select create_distributed_table('event_consumer', 'organization_id', colocate_with => 'organization');
select create_distributed_table('event', 'organization_id', colocate_with => 'organization');
select create_distributed_table('webhook_endpoint', 'organization_id', colocate_with => 'organization');
select create_distributed_table('webhook_delivery', 'organization_id', colocate_with => 'organization');
select create_distributed_table('webhook_attempt', 'organization_id', colocate_with => 'organization');
