import { Migration } from '@mikro-orm/migrations';

/**
 * What an organization sees of the catalogue hangs on its imports and on its kind of entity under NIS 2. A change of
 * either announces itself on the channel "access" with the payload "c:<organization id>", and the instances drop what
 * they remember (see services/organization-catalogs.ts). And who leaves an organization answers for nothing there.
 */
export class Migration20261121121000 extends Migration {
  override name = 'Migration20261121121000';

  override up(): void {
    this.addSql(`
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
    `);
    this.addSql(`
      create trigger workflow_import_catalog after insert or update or delete
        on "workflow_import" for each row execute function announce_catalog_change();
    `);
    this.addSql(`
      create trigger organization_catalog after update of compliance_frameworks
        on "organization" for each row execute function announce_catalog_change();
    `);
    this.addSql(`
      create trigger workflow_import_truncated after truncate on "workflow_import"
        for each statement execute function announce_access_loss();
    `);
    // A foreign key to the membership would say it too, but the ORM knows none of two columns to a table without a relation.
    this.addSql(`
      create function free_controls_of_member() returns trigger language plpgsql as $$
      begin
        update control_state set owner_id = null
         where organization_id = old.organization_id and owner_id = old.user_id;
        return null;
      end $$;
    `);
    this.addSql(`
      create trigger membership_controls after delete
        on "membership" for each row execute function free_controls_of_member();
    `);
  }

  override down(): void {
    this.addSql(`drop trigger membership_controls on "membership";`);
    this.addSql(`drop function free_controls_of_member();`);
    this.addSql(`drop trigger workflow_import_truncated on "workflow_import";`);
    this.addSql(`drop trigger organization_catalog on "organization";`);
    this.addSql(`drop trigger workflow_import_catalog on "workflow_import";`);
    this.addSql(`drop function announce_catalog_change();`);
  }
}
