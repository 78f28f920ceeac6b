import { Migration } from '@mikro-orm/migrations';

/** Organizations for trying things out, which are counted apart. */
export class Sandboxes extends Migration {
  override name = 'Sandboxes';

  override up(): void {
    this.addSql(`
      alter table "organization" add "sandbox" boolean not null default false;

      -- Volatile, as the one that counts all: each of its statements sees what was committed while it waited for the user's row.
      create function owned_organizations(owner uuid, sandboxes boolean) returns int language plpgsql volatile as $$
      begin
        perform 1 from app_user u where u.id = owner for no key update;
        return (select count(*) from membership m join organization o on o.id = m.organization_id
                 where m.user_id = owner and m.role = 'ORGANIZATION_OWNER' and o.sandbox = sandboxes);
      end $$;
    `);
  }
}
