import { Migration } from '@mikro-orm/migrations';

/**
 * That the organization of a notification exists is looked at, and held, once for all notifications that a statement makes: the
 * foreign key did that for each, a fifth of what making them cost PostgreSQL.
 */
export class NotificationOrganizations extends Migration {
  override name = 'NotificationOrganizations';

  override up(): void {
    this.addSql(`
      alter table "notification" drop constraint "notification_organization_id_foreign";
      create function require_organizations_of_notifications() returns trigger language plpgsql as $$
      declare wanted bigint;
      begin
        -- One by one: a join would be planned once for a session, when there may be no organizations yet, and read them all.
        for wanted in select distinct organization_id from fresh order by 1 loop
          perform 1 from organization where id = wanted for key share;
          if not found then
            raise foreign_key_violation using
              message = 'The organization of a notification does not exist', constraint = 'notification_organization_id';
          end if;
        end loop;
        return null;
      end $$;
      -- Its name comes before that of the trigger that locks revisions: who deletes an organization locks in this order.
      create trigger notification_allowed after insert on "notification" referencing new table as fresh
        for each statement execute function require_organizations_of_notifications();
      create function delete_organization_notifications() returns trigger language plpgsql as $$
      begin
        delete from notification where organization_id = old.id;
        return null;
      end $$;
      create trigger organization_notifications_deleted after delete on "organization"
        for each row execute function delete_organization_notifications();
    `);
  }
}
