import { Migration } from '@mikro-orm/migrations';

/**
 * What takes access away since members can be deactivated and tokens narrowed: announced like everything else that does
 * (see Migration20261121020000). A token that is blocked in an organization is announced as a changed token.
 */
export class Migration20261121110100 extends Migration {
  override name = 'Migration20261121110100';

  override up(): void {
    this.addSql(`drop trigger membership_access on "membership";`);
    this.addSql(`
      create trigger membership_access
        after insert or update of user_id, organization_id, role, deactivated_at or delete
        on "membership" for each row execute function announce_access_change();
    `);
    this.addSql(`drop trigger api_token_access on "api_token";`);
    this.addSql(`
      create trigger api_token_access
        after update of digest, user_id, scopes, expires_at, revoked_at, allowed_ips or delete
        on "api_token" for each row execute function announce_access_change();
    `);
    this.addSql(`drop trigger organization_access on "organization";`);
    this.addSql(`
      create trigger organization_access after update of deleted_at, query_token_allowed or delete
        on "organization" for each row execute function announce_access_change();
    `);
    this.addSql(`
      create function announce_token_block() returns trigger language plpgsql as $$
      begin
        -- Of a token that is gone as well there is nothing to tell: its own deletion was announced.
        perform pg_notify('access', 't:' || t.digest)
          from api_token t
         where t.id in (case when tg_op = 'INSERT' then new.token_id else old.token_id end,
                        case when tg_op = 'DELETE' then old.token_id else new.token_id end);
        return null;
      end $$;
    `);
    this.addSql(`
      create trigger token_block_access after insert or update or delete
        on "token_block" for each row execute function announce_token_block();
    `);
    this.addSql(`
      create trigger token_block_truncated after truncate on "token_block"
        for each statement execute function announce_access_loss();
    `);
  }

  override down(): void {
    this.addSql(`drop trigger token_block_truncated on "token_block";`);
    this.addSql(`drop trigger token_block_access on "token_block";`);
    this.addSql(`drop function announce_token_block();`);
    this.addSql(`drop trigger organization_access on "organization";`);
    this.addSql(`
      create trigger organization_access after update of deleted_at or delete
        on "organization" for each row execute function announce_access_change();
    `);
    this.addSql(`drop trigger api_token_access on "api_token";`);
    this.addSql(`
      create trigger api_token_access after update of digest, user_id, scopes, expires_at, revoked_at or delete
        on "api_token" for each row execute function announce_access_change();
    `);
    this.addSql(`drop trigger membership_access on "membership";`);
    this.addSql(`
      create trigger membership_access after insert or update of user_id, organization_id, role or delete
        on "membership" for each row execute function announce_access_change();
    `);
  }
}
