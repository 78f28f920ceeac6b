/**
 * Changes that can take access away are announced on the channel "access" when they commit, and every instance then
 * drops what it has cached (auth/access-cache.ts). Payloads: "t:<token digest>", "u:<user id>",
 * "m:<user id>:<organization id>", "o:<organization id>", and "all" after a truncate.
 */
export const ACCESS = `
  -- An update announces the old values too: moving a row takes access away from where it was.
  create function announce_access_change() returns trigger language plpgsql as $$
  declare
    changed record := case when tg_op = 'DELETE' then old else new end;
  begin
    if tg_op = 'UPDATE' and tg_table_name = 'api_token' then
      perform pg_notify('access', 't:' || old.digest);
    elsif tg_op = 'UPDATE' and tg_table_name = 'membership' then
      perform pg_notify('access', 'm:' || old.user_id || ':' || old.organization_id);
    end if;
    if tg_table_name = 'api_token' then
      perform pg_notify('access', 't:' || changed.digest);
    elsif tg_table_name = 'app_user' then
      perform pg_notify('access', 'u:' || changed.id);
    elsif tg_table_name = 'membership' then
      perform pg_notify('access', 'm:' || changed.user_id || ':' || changed.organization_id);
    else
      perform pg_notify('access', 'o:' || changed.id);
    end if;
    return null;
  end $$;

  -- Inserts of tokens, users and organizations take nothing away and run without a trigger.
  create trigger api_token_access
    after update of digest, user_id, scopes, expires_at, revoked_at, allowed_ips or delete
    on "api_token" for each row execute function announce_access_change();
  create trigger app_user_access after update of username, deactivated_at or delete
    on "app_user" for each row execute function announce_access_change();
  create trigger membership_access after insert or update of user_id, organization_id, role, deactivated_at or delete
    on "membership" for each row execute function announce_access_change();
  create trigger organization_access after update of deleted_at, query_token_allowed or delete
    on "organization" for each row execute function announce_access_change();

  -- A token that is blocked in an organization counts as changed; a deleted token announces itself.
  create function announce_token_block() returns trigger language plpgsql as $$
  begin
    perform pg_notify('access', 't:' || t.digest)
      from api_token t
     where t.id in (case when tg_op = 'INSERT' then new.token_id else old.token_id end,
                    case when tg_op = 'DELETE' then old.token_id else new.token_id end);
    return null;
  end $$;
  create trigger token_block_access after insert or update or delete
    on "token_block" for each row execute function announce_token_block();

  create function announce_access_loss() returns trigger language plpgsql as $$
  begin
    perform pg_notify('access', 'all');
    return null;
  end $$;
  create trigger api_token_truncated after truncate on "api_token" for each statement execute function announce_access_loss();
  create trigger app_user_truncated after truncate on "app_user" for each statement execute function announce_access_loss();
  create trigger membership_truncated after truncate on "membership" for each statement execute function announce_access_loss();
  create trigger organization_truncated after truncate on "organization" for each statement execute function announce_access_loss();
  create trigger token_block_truncated after truncate on "token_block" for each statement execute function announce_access_loss();
  create trigger workflow_import_truncated after truncate on "workflow_import" for each statement execute function announce_access_loss();
`;

/**
 * An organization's catalogue depends on its imports and its kind of entity under NIS 2. A change of either is
 * announced on the channel "access" as "c:<organization id>" (services/workflows/organization-catalogs.ts).
 */
export const CATALOGS = `
  create function announce_catalog_change() returns trigger language plpgsql as $$
  begin
    if tg_table_name = 'organization' then
      perform pg_notify('access', 'c:' || new.id);
    elsif tg_op = 'DELETE' then
      perform pg_notify('access', 'c:' || old.organization_id);
    else
      perform pg_notify('access', 'c:' || new.organization_id);
    end if;
    return null;
  end $$;
  create trigger workflow_import_catalog after insert or update or delete
    on "workflow_import" for each row execute function announce_catalog_change();
  create trigger organization_catalog after update of compliance_frameworks
    on "organization" for each row execute function announce_catalog_change();
`;

/**
 * Controls of a member who goes have no owner any more. A foreign key to the membership would do it too, but MikroORM knows
 * none of two columns without a relation.
 */
export const MEMBERS = `
  create function free_controls_of_member() returns trigger language plpgsql as $$
  begin
    update control_state set owner_id = null
     where organization_id = old.organization_id and owner_id = old.user_id;
    return null;
  end $$;
  create trigger membership_controls after delete
    on "membership" for each row execute function free_controls_of_member();

  -- Volatile: each of its statements sees what was committed while it waited for the user's row.
  create function owned_organizations(owner uuid) returns int language plpgsql volatile as $$
  begin
    perform 1 from app_user u where u.id = owner for no key update;
    return (select count(*) from membership m where m.user_id = owner and m.role = 'ORGANIZATION_OWNER');
  end $$;
`;

/**
 * Ids of notifications follow the order of commits, so that "everything after this id" misses nothing (docs/adr/0013):
 * a statement trigger takes a lock before the first default draws an id. Channel "notification": the highest new id.
 * Revisions are locked in the order of users, so that statements cannot deadlock.
 */
export const NOTIFICATIONS = `
  create function await_notification_turn() returns trigger language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(7214003);
    return null;
  end $$;
  create trigger notification_turn before insert on "notification"
    for each statement execute function await_notification_turn();

  create function announce_notifications() returns trigger language plpgsql as $$
  begin
    insert into notification_revision as r (user_id, revision)
    select user_id, 1 from (select distinct user_id from fresh order by user_id) users
        on conflict (user_id) do update set revision = r.revision + 1;
    perform pg_notify('notification', newest::text) from (select max(id) as newest from fresh) f
      where newest is not null;
    return null;
  end $$;
  create trigger notification_announced after insert on "notification" referencing new table as fresh
    for each statement execute function announce_notifications();

  -- Updates only: deleting a user deletes its notifications and its revision, in either order.
  create function revise_notifications() returns trigger language plpgsql as $$
  begin
    update notification_revision r set revision = r.revision + 1
      from (select user_id from notification_revision
             where user_id in (select user_id from changed) order by user_id for update) locked
     where r.user_id = locked.user_id;
    return null;
  end $$;
  create trigger notification_updated after update on "notification" referencing new table as changed
    for each statement execute function revise_notifications();
  create trigger notification_deleted after delete on "notification" referencing old table as changed
    for each statement execute function revise_notifications();
`;

/** Bytes of each organization for its quota, kept by triggers so that no upload has to add them up. */
export const STORAGE = `
  create function count_stored_bytes(counted int, change bigint) returns void language plpgsql as $$
  begin
    if change > 0 then
      insert into organization_storage as s (organization_id, bytes) values (counted, change)
        on conflict (organization_id) do update set bytes = s.bytes + excluded.bytes;
    elsif change < 0 then
      update organization_storage set bytes = bytes + change where organization_id = counted;
    end if;
  end $$;

  create function count_stored_file() returns trigger language plpgsql as $$
  declare
    changed record := case when tg_op = 'DELETE' then old else new end;
    counted int;
  begin
    if tg_table_name = 'document_version' then
      counted := changed.organization_id;
    else
      select i.organization_id into counted from incident i where i.id = changed.incident_id;
    end if;
    perform count_stored_bytes(counted, case when tg_op = 'DELETE' then -changed.size else changed.size end);
    return null;
  end $$;
  create trigger document_version_stored_bytes after insert or delete on "document_version"
    for each row execute function count_stored_file();
  create trigger incident_attachment_stored_bytes after insert or delete on "incident_attachment"
    for each row execute function count_stored_file();

  create function count_stored_logo() returns trigger language plpgsql as $$
  begin
    perform count_stored_bytes(new.id, new.logo_bytes - case when tg_op = 'INSERT' then 0 else old.logo_bytes end);
    return null;
  end $$;
  create trigger organization_logo_inserted after insert on "organization"
    for each row when (new.logo_bytes > 0) execute function count_stored_logo();
  create trigger organization_logo_updated after update of logo_bytes on "organization"
    for each row when (new.logo_bytes <> old.logo_bytes) execute function count_stored_logo();
`;

/** Another profile of an organization may mean other deadlines of its incidents. */
export const REMINDERS = `
  create function review_reminders() returns trigger language plpgsql as $$
  begin
    update incident set next_reminder_at = aware_at where organization_id = new.id and status <> 'CLOSED';
    return null;
  end $$;
  create trigger organization_reminders after update on "organization" for each row
    when ((old.time_zone, old.country, old.trust_service_provider, old.sectors, old.nis2_sector, old.compliance_frameworks)
          is distinct from
          (new.time_zone, new.country, new.trust_service_provider, new.sectors, new.nis2_sector, new.compliance_frameworks))
    execute function review_reminders();
`;
