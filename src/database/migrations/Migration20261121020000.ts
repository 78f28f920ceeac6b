import { Migration } from '@mikro-orm/migrations';

/**
 * Every change that can take access away announces itself on the channel "access" when it commits, whoever makes it:
 * a gateway, another instance, or a person at the database's own prompt. The instances drop what they remember (see
 * access/caller-cache.ts). Payloads: "t:<token digest>", "u:<user id>", "m:<user id>:<organization id>" and
 * "o:<organization id>".
 */
export class Migration20261121020000 extends Migration {
  override name = 'Migration20261121020000';

  override up(): void {
    this.addSql(`
      create function announce_access_change() returns trigger language plpgsql as $$
      declare
        changed record := case when tg_op = 'DELETE' then old else new end;
      begin
        -- What is moved takes access away from where it was.
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
    `);
    // A new token, user or organization takes nothing away, and creation must not pay for a trigger.
    this.addSql(`
      create trigger api_token_access after update of digest, user_id, scopes, expires_at, revoked_at or delete
        on "api_token" for each row execute function announce_access_change();
    `);
    this.addSql(`
      create trigger app_user_access after update of username, deactivated_at or delete
        on "app_user" for each row execute function announce_access_change();
    `);
    this.addSql(`
      create trigger membership_access after insert or update of user_id, organization_id, role or delete
        on "membership" for each row execute function announce_access_change();
    `);
    this.addSql(`
      create function announce_access_loss() returns trigger language plpgsql as $$
      begin
        perform pg_notify('access', 'all');
        return null;
      end $$;
    `);
    for (const table of ['api_token', 'app_user', 'membership', 'organization']) {
      this.addSql(`
        create trigger ${table}_truncated after truncate on "${table}"
          for each statement execute function announce_access_loss();
      `);
    }
    this.addSql(`
      create trigger organization_access after update of deleted_at or delete
        on "organization" for each row execute function announce_access_change();
    `);
  }

  override down(): void {
    this.addSql(`drop trigger organization_access on "organization";`);
    this.addSql(`drop trigger membership_access on "membership";`);
    this.addSql(`drop trigger app_user_access on "app_user";`);
    this.addSql(`drop trigger api_token_access on "api_token";`);
    this.addSql(`drop function announce_access_change();`);
  }
}
